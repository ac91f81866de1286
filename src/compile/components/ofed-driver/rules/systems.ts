import type { Violation, Instance, NodePool, Rule } from '../../../model/config.js';
import { misspeltName, misspeltVersion } from '../../../model/misspelt-system.js';
import { compareVersions } from '../../../../shared/lib/version.js';
import type { Release } from '../../../releases/catalog.js';
import { isKnownSystem, knownSystems, releaseOfDriver } from '../../../releases/driver-systems.js';
import { driverImage } from '../pool.js';
import type { OfedDriverSpec } from '../schema.js';
import { driverInstances } from './instances.js';
import { systemsWithout } from './published.js';

/**
 * The first OpenShift whose node labels have the OS `rhel` (Mellanox/network-operator-docs 0c0ecad4,
 * docs/advanced/doca-drivers.rst).
 */
const RHEL_NODES = '4.19';

/**
 * For a system that is not in the catalog there may be no driver image, or its driver may not compile or load.
 * Precompiled images in the Cluster are built for exactly this system. Drivers of a series that the catalog does not
 * have, and digests, are not checked.
 */
export const driverSystemsKnown: Rule = {
  code: 'WEFT0268',
  severity: 'warning',
  title: 'the driver is not known to support the system of a pool',
  *check(config) {
    const tags = config.cluster.spec.driver.precompiledTags;
    const seen = new Set<string>();
    for (const instance of driverInstances(config)) {
      const release = releaseOfDriver('Mofed', instance.spec.version);
      if (release === undefined) continue;
      for (const pool of instance.pools) {
        if (driverImage(instance.spec, pool, tags).kind === 'precompiled') continue;
        // WEFT0590 says more.
        if (systemsWithout(instance, pool, config.cluster) !== undefined) continue;
        const violation = unknownSystem(instance, pool, release);
        if (violation === undefined || seen.has(violation.message)) continue;
        seen.add(violation.message);
        yield violation;
      }
    }
  },
};

function unknownSystem(
  { spec, origin }: Instance<OfedDriverSpec>,
  pool: NodePool,
  release: Release,
): Violation | undefined {
  const { name, osName, osVersion, arch } = pool;
  if (isKnownSystem(release, { os: osName, version: osVersion, arch }) || misspeltName(pool) || misspeltVersion(pool))
    return undefined;
  return {
    origin: pool.origin,
    message: `pool \`${name}\` has ${osName} ${osVersion} on ${arch}, which driver ${spec.version} is not known to support`,
    help: `${renamedSystem(pool)}known for release ${release.release}: ${knownSystems(release)}`,
    related: { origin, message: 'the driver is chosen here' },
  };
}

function renamedSystem({ osName, osVersion }: NodePool): string {
  return osName === 'rhcos' && compareVersions(osVersion, RHEL_NODES) >= 0
    ? `nodes of OpenShift ${RHEL_NODES} and later report \`osName: rhel\` and the version of RHEL, such as \`osVersion: "9.6"\`; `
    : '';
}
