import type { Config, Instance } from '../../../model/config.js';
import type { OfedDriverSpec } from '../schema.js';

/** The driver's instances. The registry's type parameters are gone here; the schema has vouched for them. */
export function driverInstances({ instances }: Config): readonly Instance<OfedDriverSpec>[] {
  return (instances.get('ofed-driver') ?? []) as readonly Instance<OfedDriverSpec>[];
}
