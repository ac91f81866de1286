import { listedNames } from '../../../../shared/lib/listed.js';
import type { Cluster, Instance, NodePool, Rule } from '../../../model/config.js';
import { misspeltName, misspeltVersion } from '../../../model/misspelt-system.js';
import { DRIVER, findRelease, newestRelease } from '../../../releases/catalog.js';
import { isKnownSystem, releaseOfDriver } from '../../../releases/driver-systems.js';
import { publishedDrivers } from '../../../releases/published-drivers.js';
import { driverImage } from '../pool.js';
import type { OfedDriverSpec } from '../schema.js';
import { driverInstances } from './instances.js';

const SHOWN = 30;

/** Whether the image is the one that NVIDIA publishes: others have tags of their own. */
function isNvidias({ image, repository }: OfedDriverSpec, { spec }: Cluster): boolean {
  const release = findRelease(spec.release ?? '') ?? newestRelease;
  const known = [release, ...release.versions].flatMap(({ images }) => images[DRIVER] ?? []);
  return known.some((one) => one.image === image && one.repository === repository);
}

/** The systems for which a version was published, where that is known and a pool's is not among them. */
export function systemsWithout(
  { spec }: Instance<OfedDriverSpec>,
  pool: NodePool,
  cluster: Cluster,
): readonly string[] | undefined {
  const tags = cluster.spec.driver.precompiledTags;
  const { kind, image } = driverImage(spec, pool, tags);
  if (kind !== 'compiled' || !isNvidias(spec, cluster) || misspeltName(pool) || misspeltVersion(pool)) return undefined;
  if (tags.includes(image.slice(image.lastIndexOf(':') + 1))) return undefined;
  const published = publishedDrivers(spec.version).filter(({ kernel }) => kernel === undefined);
  const systems = published.map(({ system }) => system);
  const own = `${pool.osName}${pool.osVersion}-${pool.arch}`;
  return systems.length === 0 || systems.includes(own) || isListed(spec.version, pool) ? undefined : systems;
}

/** Whether another source of NVIDIA's lists the system: the two lists do not agree, and neither is certain. */
function isListed(driver: string, { osName: os, osVersion: version, arch }: NodePool): boolean {
  const release = releaseOfDriver(DRIVER, driver);
  return release !== undefined && isKnownSystem(release, { os, version, arch });
}

/** A node would be drained for a driver that cannot be pulled, and stay without one. */
export const driverPublished: Rule = {
  code: 'WEFT0590',
  severity: 'error',
  title: 'there is no image of the driver for the system of a pool',
  *check(config) {
    const seen = new Set<string>();
    for (const instance of driverInstances(config)) {
      for (const pool of instance.pools) {
        const systems = systemsWithout(instance, pool, config.cluster);
        if (systems === undefined) continue;
        const { version } = instance.spec;
        const message = `pool \`${pool.name}\` has ${pool.osName} ${pool.osVersion} on ${pool.arch}, for which NVIDIA published no image of driver ${version}`;
        if (seen.has(message)) continue;
        seen.add(message);
        yield {
          origin: pool.origin,
          message,
          help: `it is published for ${listedNames(systems, SHOWN)}; if the registry has your own image, add \`${version}-${pool.osName}${pool.osVersion}-${pool.arch}\` to \`spec.driver.precompiledTags\``,
          related: { origin: instance.origin, message: 'the driver is chosen here' },
        };
      }
    }
  },
};
