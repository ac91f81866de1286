import type { Diagnostic } from '../../shared/diagnostics/diagnostic.js';
import { listedNames } from '../../shared/lib/listed.js';
import type { Config } from '../model/config.js';
import { found } from '../model/found.js';
import type { PlacedObject } from '../model/placed-object.js';
import { imageUses, poolsOf } from './list.js';

const SHOWN = 5;

/** An error for each image that, by its pin, has nothing for the architecture of a pool on which its pods may run. */
export function withoutPlatform(config: Config, objects: readonly PlacedObject[]): readonly Diagnostic[] {
  const known = new Map([...(config.cluster.pins ?? [])].map(([, { digest, platforms }]) => [digest, platforms]));
  const diagnostics = new Map<string, Diagnostic>();
  for (const { object } of known.size > 0 ? objects : []) {
    const pools = poolsOf(object, config);
    for (const [reference] of imageUses(object)) {
      const [image = '', digest = ''] = reference.split('@');
      const platforms = known.get(digest);
      const pool = platforms && pools.find(({ arch }) => !platforms.includes(`linux/${arch}`));
      const key = `${image} ${pool?.arch ?? ''}`;
      if (pool === undefined || platforms === undefined || diagnostics.has(key)) continue;
      const { kind, metadata } = object;
      diagnostics.set(
        key,
        found('WEFT0592', {
          message: `the image \`${image}\` is for ${listedNames(platforms, SHOWN)}, and pods of the ${kind} \`${metadata.name}\` may run on nodes of pool \`${pool.name}\`, which are \`linux/${pool.arch}\``,
          origin: pool.origin,
          help: 'choose an image for this architecture, too; if the tag has one by now, run `weft lock --update`; or keep the pods from these nodes, by `kubernetes.io/arch` in their `nodeSelector`',
        }),
      );
    }
  }
  return [...diagnostics.values()];
}
