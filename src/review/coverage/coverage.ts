import { allComponents } from '../../compile/components/all.js';
import { coverageTable } from '../../compile/coverage/coverage.js';
import type { ProgramDaemonSet } from '../../compile/coverage/daemon-sets.js';
import type { Config, Instance, NodePool } from '../../compile/model/config.js';
import { instanceFinder } from '../../compile/model/instance-finder.js';
import { textsAt } from '../../cluster/changes/data.js';
import { POOL_FIELDS } from '../../cluster/pools/fields.js';
import type { DriverCoverage } from '../../shared/contract/driver-coverage.js';
import { INSTALL_DIGEST_ANNOTATION, NFD_LABELS, OFED_DRIVER_CONTAINER } from '../../shared/contract/labels.js';
import { namespacedName } from '../../shared/kubernetes/identity.js';
import { taintText } from '../../shared/kubernetes/selection/taints.js';
import type { KubernetesObject } from '../../shared/kubernetes/types.js';
import { listAt, textAt } from '../../shared/lib/json.js';

/**
 * Which driver DaemonSet each node pool of a configuration gets, in the order of the pools: the rows of the table of coverage that the index of the
 * output has.
 *
 * @param daemonSets those of the output, patches applied: one whose patched node selector or affinity excludes a pool by a label that the
 *   pool declares does not cover it
 */
export function driverCoverage(config: Config, daemonSets: readonly ProgramDaemonSet[]): readonly DriverCoverage[] {
  const drivers = daemonSets.filter(({ program }) => program.isDriver);
  const { gate } = config.cluster.spec.driver;
  const components = new Map(allComponents.map((component) => [component.id, component]));
  const instanceOf = instanceFinder(config);
  return coverageTable(config, drivers).flatMap(({ place, cells }) =>
    cells.flatMap(({ program, daemonSets: own }) =>
      own.flatMap(({ object, owner = '' }) => {
        const instance = instanceOf(program.component, owner);
        const [pool] = place.pools;
        if (instance === undefined || pool === undefined) return [];
        const autoUpgrade = components.get(program.component)?.upgradePolicy?.(instance.spec)?.autoUpgrade === true;
        return [{ ...coverageOf(pool, object, instance), autoUpgrade, gate }];
      }),
    ),
  );
}

function coverageOf(
  pool: NodePool,
  daemonSet: KubernetesObject,
  { owner }: Instance,
): Omit<DriverCoverage, 'autoUpgrade' | 'gate'> {
  const { name, osName, osVersion, rhcosVersion, arch, kernel = '', labels, taints } = pool;
  const containers = listAt(daemonSet, 'spec', 'template', 'spec', 'containers');
  const driver = containers.find((container) => textAt(container, 'name') === OFED_DRIVER_CONTAINER);
  return {
    pool: name,
    osName,
    osVersion,
    rhcosVersion,
    arch,
    kernel,
    labels: Object.entries(labels)
      .filter(([key]) => !POOL_FIELDS.has(key) && key !== NFD_LABELS.nicPresent)
      .map(([key, value]) => `${key}=${value}`)
      .sort(),
    taints: taints.map(taintText).sort(),
    policy: `${owner.kind} ${owner.name}`,
    daemonSet: namespacedName(daemonSet),
    image: textAt(driver, 'image') ?? '',
    digest: textsAt(daemonSet, 'metadata', 'annotations').get(INSTALL_DIGEST_ANNOTATION) ?? '',
  };
}
