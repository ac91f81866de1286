import type { LoadedDocuments } from '../../load/yaml/yaml.js';
import { compileLoaded, type Compiled } from './loaded.js';
import { createReuse, type Reuse } from './reuse.js';

/** By the reuse of a quick run, that of the documents which it left to zod. */
const reuses = new WeakMap<Reuse, Reuse>();

/**
 * The same with zod itself. The quick bundle of the command has this from the other one, which shares no class and no cache
 * with it: only plain data goes there and back.
 */
export function compileThoroughly(folder: string, loaded: LoadedDocuments, quick?: Reuse): Compiled {
  return compileLoaded(folder, loaded, quick && reuseBeside(quick));
}

function reuseBeside(quick: Reuse): Reuse {
  const known = reuses.get(quick) ?? createReuse();
  reuses.set(quick, known);
  return known;
}
