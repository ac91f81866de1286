import type { Config, Instance } from '../../../model/config.js';
import type { OfedDriverSpec } from '../schema.js';

/** The driver's instances. The registry has no type parameters, but the schema has checked the values. */
export function driverInstances({ instances }: Config): readonly Instance<OfedDriverSpec>[] {
  return (instances.get('ofed-driver') ?? []) as readonly Instance<OfedDriverSpec>[];
}
