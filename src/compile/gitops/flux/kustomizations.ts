import type { JsonObject } from '../../../shared/lib/json.js';
import type { Flux } from '../../model/gitops.js';
import type { ApiObject } from '../../render/layout.js';
import type { DeliveryGroup } from '../delivery-group.js';
import { kustomizationName, repositoryPath } from '../object-names.js';

/**
 * The health of a DaemonSet as in kstatus, except for the update strategy `OnDelete`: the companion replaces those
 * pods, and Flux would wait until the end of an upgrade. The expression can only use the object.
 */
const DAEMON_SET_HEALTH: JsonObject = {
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  current: [
    'has(status.observedGeneration) && status.observedGeneration == metadata.generation',
    '&& (spec.updateStrategy.type == "OnDelete" || status.desiredNumberScheduled == 0',
    '|| has(status.updatedNumberScheduled) && status.updatedNumberScheduled == status.desiredNumberScheduled',
    '&& has(status.numberAvailable) && status.numberAvailable == status.desiredNumberScheduled)',
  ].join(' '),
};

/**
 * A Job is healthy while it runs, and fails with its condition. kustomize-controller's own reader of Jobs reports a running one as
 * InProgress, so the Kustomization would be not ready, with an Event of the severity error at each retry, for the hours that an upgrade
 * may take. A Job that fails later is found at the next reconciliation.
 */
const JOB_HEALTH: JsonObject = {
  apiVersion: 'batch/v1',
  kind: 'Job',
  failed: 'has(status.conditions) && status.conditions.exists(one, one.type == "Failed" && one.status == "True")',
  current: '!has(status.conditions) || !status.conditions.exists(one, one.type == "Failed" && one.status == "True")',
};

const HEALTH_CHECKS: Readonly<Partial<Record<DeliveryGroup, readonly JsonObject[]>>> = {
  components: [DAEMON_SET_HEALTH],
  companion: [JOB_HEALTH],
};

/** Timeout for the objects of a group. The Job of the companion only has to be created. */
const TIMEOUTS: Readonly<Record<DeliveryGroup, string>> = {
  crds: '2m',
  base: '2m',
  components: '5m',
  companion: '1m',
};

/**
 * The Kustomizations of a cluster: CRDs, then Namespaces, then components and the companion. The last two do not wait
 * for each other, because a component may not be ready before the companion has upgraded a driver, and one unavailable
 * node keeps a DaemonSet unready.
 *
 * @param groups those that have objects
 */
export function kustomizations(
  settings: Flux,
  cluster: string,
  groups: ReadonlySet<DeliveryGroup>,
): readonly ApiObject[] {
  const before = (...wanted: readonly DeliveryGroup[]) => wanted.filter((group) => groups.has(group)).slice(-1);
  const all: readonly (readonly [DeliveryGroup, readonly DeliveryGroup[]])[] = [
    ['crds', []],
    ['base', before('crds')],
    ['components', before('crds', 'base')],
    ['companion', before('crds', 'base')],
  ];
  return all
    .filter(([group]) => groups.has(group))
    .map(([group, dependsOn]) => kustomization(settings, cluster, group, dependsOn));
}

function kustomization(
  settings: Flux,
  cluster: string,
  group: DeliveryGroup,
  dependsOn: readonly DeliveryGroup[],
): ApiObject {
  const { namespace, source, path, interval, prune, serviceAccountName } = settings;
  const healthChecks = HEALTH_CHECKS[group];
  const name = (of: DeliveryGroup) => kustomizationName(settings, cluster, of);
  return {
    apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
    kind: 'Kustomization',
    metadata: { name: name(group), namespace },
    spec: {
      ...(dependsOn.length > 0 && { dependsOn: dependsOn.map((of) => ({ name: name(of) })) }),
      interval,
      retryInterval: '1m',
      timeout: TIMEOUTS[group],
      sourceRef: { kind: source.kind, name: source.name },
      path: `./${repositoryPath(path, cluster, group)}`,
      prune,
      // An immutable Job must fail and not be replaced.
      force: false,
      wait: true,
      ...(healthChecks !== undefined && { healthCheckExprs: [...healthChecks] }),
      ...(serviceAccountName !== undefined && { serviceAccountName }),
    },
  };
}
