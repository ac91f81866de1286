import { namespacedName } from '../../shared/kubernetes/identity.js';
import { allComponents } from '../../compile/components/all.js';
import type { AnyComponent } from '../../compile/components/component.js';
import type { DriverCoverage } from '../../shared/contract/driver-coverage.js';
import { INSTALL_DIGEST_ANNOTATION, NFD_LABELS, OFED_DRIVER_CONTAINER } from '../../shared/contract/labels.js';
import { constraintsOf, nodePlacement } from '../../shared/kubernetes/selection/node-placement.js';
import { taintText } from '../../shared/kubernetes/selection/taints.js';
import type { KubernetesObject } from '../../shared/kubernetes/types.js';
import { isObject, listAt, textAt, valueAt } from '../../shared/lib/json.js';
import type { Config, Instance, NodePool } from '../../compile/model/config.js';
import { textsAt } from '../../cluster/changes/data.js';
import { POOL_FIELDS } from '../../cluster/pools/fields.js';

/**
 * Which driver DaemonSet each node pool of a configuration gets, sorted by pool, kernel and DaemonSet.
 *
 * @param objects everything that is rendered for the configuration, patches applied: a DaemonSet whose patched node selector
 *   or affinity excludes a pool by a label that the pool declares does not cover it
 */
export function driverCoverage(config: Config, objects: readonly KubernetesObject[]): readonly DriverCoverage[] {
  const daemonSets = new Map(
    objects.filter(({ kind }) => kind === 'DaemonSet').map((object) => [namespacedName(object), object]),
  );
  const { gate } = config.cluster.spec.driver;
  return allComponents.flatMap((component: AnyComponent) => {
    const { id, driverDaemonSets, upgradePolicy } = component;
    if (driverDaemonSets === undefined) return [];
    return (config.instances.get(id) ?? []).flatMap((instance) => {
      const autoUpgrade = upgradePolicy?.(instance.spec)?.autoUpgrade === true;
      return driverDaemonSets(instance).flatMap(({ name, pools }) => {
        const daemonSet = daemonSets.get(`${config.cluster.namespace}/${name}`);
        if (daemonSet === undefined) return [];
        const covered = pools.filter((pool) => maySelect(daemonSet, pool));
        return covered.map((pool) => ({ ...coverageOf(pool, daemonSet, instance), autoUpgrade, gate }));
      });
    });
  });
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

/** False where certainly no node of the pool gets a pod. A label that the pool does not declare may have any value. */
function maySelect(daemonSet: KubernetesObject, { labels, taints }: NodePool): boolean {
  const spec = valueAt(daemonSet, ['spec', 'template', 'spec']);
  return nodePlacement(constraintsOf(isObject(spec) ? spec : {})).accepts({ labels, taints, otherLabels: 'any' });
}
