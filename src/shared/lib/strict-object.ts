import * as z from 'zod';

const NOTHING = z.never();

/**
 * `z.strictObject` whose fields are made when the first object is read with it: a run needs few of all schemas
 * (docs/adr/0013-cold-run.md).
 */
export function strictObject<Fields extends z.core.$ZodLooseShape>(
  fields: () => Fields,
): z.ZodObject<z.core.util.Writeable<Fields>, z.core.$strict> {
  let made: Fields | undefined;
  const def = {
    type: 'object' as const,
    catchall: NOTHING,
    // Zod copies definitions with their getters, so that `.refine()` makes no fields either.
    get shape() {
      return (made ??= fields());
    },
  };
  return new z.ZodObject(def) as unknown as z.ZodObject<z.core.util.Writeable<Fields>, z.core.$strict>;
}
