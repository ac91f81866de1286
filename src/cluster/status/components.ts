import { DS_OWNER_LABEL, STATE_LABEL } from '../../shared/contract/labels.js';
import { identityOf, namespacedName } from '../../shared/kubernetes/identity.js';
import { constraintsOf, nodePlacement } from '../../shared/kubernetes/selection/node-placement.js';
import type { KubernetesObject } from '../../shared/kubernetes/types.js';
import { isObject, listAt, valueAt } from '../../shared/lib/json.js';
import type { ComponentStatus, PodCount, State } from './model.js';
import { OPERATOR_STATES } from './operator-states.js';
import type { StatusPod } from './pods.js';
import type { PooledNode } from './node-pools.js';

const ORDER = [...OPERATOR_STATES.keys()];
const rankOf = (name: string): number => (ORDER.includes(name) ? ORDER.indexOf(name) : ORDER.length);

/** What a custom resource is to have: its components or its network. */
export interface DesiredState {
  /** As in `status.appliedStates`. */
  readonly name: string;
  /** Kind and name of the custom resource. */
  readonly owner: string;
  /** Empty: a driver that no node pool takes. */
  readonly objects: readonly KubernetesObject[];
}

/** The live cluster, as far as components go. */
export interface LiveComponents {
  /** With `status`. */
  readonly objects: readonly KubernetesObject[];
  readonly pods: readonly StatusPod[];
  readonly nodes: readonly PooledNode[];
  /** Whether `objects` has every ConfigMap that the pods of desired objects mount. Default: false. */
  readonly hasMounted?: boolean;
}

/** The custom resource whose status has the components that belong to no other. */
export const CLUSTER_POLICY = 'NicClusterPolicy';

/** The custom resource that an object was made for, by its label: `NicClusterPolicy` or `NicNodePolicy/name`. */
export function ownerOf({ metadata }: KubernetesObject): string {
  const [, name] = /^nnp-(.+)$/.exec(metadata.labels?.[DS_OWNER_LABEL] ?? '') ?? [];
  return name === undefined ? CLUSTER_POLICY : `NicNodePolicy/${name}`;
}

/**
 * The state of each component by the operator's rules (network-operator b06827e0, `pkg/state/state_skel.go`, getSyncState and
 * handleStaleStateObjects): it has objects, every one exists, nothing else of it is left, and each DaemonSet has desired != 0, desired =
 * available, updated = available. A ConfigMap of the user that is missing is an error. A component that is not desired is ignored if nothing
 * of it is left. The operator's error for an object that it fails to delete cannot occur, because no program deletes objects here.
 *
 * @param known names of all components, of which those that are not desired are ignored
 * @param shared objects that are rendered for no component, such as CRDs
 */
export function componentStates(
  desired: readonly DesiredState[],
  live: LiveComponents,
  known: readonly string[],
  shared: readonly KubernetesObject[] = [],
): readonly ComponentStatus[] {
  const found = new Map(live.objects.map((object) => [identityOf(object), object]));
  const needed = new Set([...desired.flatMap(({ objects }) => objects), ...shared].map(identityOf));
  const named = new Set(desired.map(({ name }) => name));
  const others = known.filter((name) => !named.has(name));
  const left = (name: string) =>
    live.objects.filter((object) => object.metadata.labels?.[STATE_LABEL] === name && !needed.has(identityOf(object)));
  return [
    ...desired.map((one) => {
      const stale = left(one.name).filter((object) => ownerOf(object) === one.owner);
      return desiredState(one, found, live, stale);
    }),
    ...others.map((name) => ignoredState(name, left(name))),
  ].sort((a, b) => rankOf(a.name) - rankOf(b.name));
}

function ignoredState(name: string, left: readonly KubernetesObject[]): ComponentStatus {
  const [first] = left;
  const none = { desired: 0, ready: 0 };
  const about = { name, owner: CLUSTER_POLICY, pods: none, pools: {}, podsSay: '' };
  if (first === undefined) return { ...about, state: 'ignore', reason: '' };
  return { ...about, state: 'notReady', reason: `no policy has it, and ${leftText(first)}` };
}

function leftText({ kind, metadata }: KubernetesObject): string {
  return `${kind} ${metadata.name} is left`;
}

function desiredState(
  { name, owner, objects }: DesiredState,
  found: ReadonlyMap<string, KubernetesObject>,
  live: LiveComponents,
  stale: readonly KubernetesObject[],
): ComponentStatus {
  const there = objects.flatMap((object) => found.get(identityOf(object)) ?? []);
  const missing = objects.filter((object) => !found.has(identityOf(object)));
  const workloads = there.filter(({ kind }) => kind === 'DaemonSet' || kind === 'Deployment');
  const sets = workloads.filter(({ kind }) => kind === 'DaemonSet');
  const reasons = [
    ...(objects.length === 0 ? ['no node pool takes it'] : []),
    ...missing.slice(0, 1).map(({ kind, metadata }) => missingText(kind, metadata.name, missing.length)),
    ...sets.flatMap(setReasons),
    ...stale.slice(0, 1).map(leftText),
  ];
  const unmounted = live.hasMounted === true ? unmountedReasons(objects, found) : [];
  const state: State = unmounted.length > 0 ? 'error' : reasons.length === 0 ? 'ready' : 'notReady';
  const counts = workloads.map(countOf);
  return {
    name,
    owner,
    state,
    reason: [...unmounted, ...reasons].join('; '),
    pods: { desired: sum(counts.map(({ desired }) => desired)), ready: sum(counts.map(({ ready }) => ready)) },
    pools: poolCounts(sets, live),
    podsSay: podsSay(workloads, live.pods),
  };
}

/**
 * ConfigMaps of users that a pod needs: where one is missing the operator cannot render the component, which is an error
 * (`pkg/state/state_ofed.go`, certConfig and repoConfig).
 */
function unmountedReasons(
  objects: readonly KubernetesObject[],
  found: ReadonlyMap<string, KubernetesObject>,
): readonly string[] {
  const rendered = new Set(objects.map(identityOf));
  return objects.flatMap((object) =>
    mountedConfigMaps(object)
      .filter((map) => !found.has(identityOf(map)) && !rendered.has(identityOf(map)))
      .map(
        ({ metadata }) => `ConfigMap ${metadata.name}, which ${object.kind} ${object.metadata.name} mounts, is missing`,
      ),
  );
}

/** The ConfigMaps without which the pods of a workload do not start. */
export function mountedConfigMaps(object: KubernetesObject): readonly KubernetesObject[] {
  const { namespace = '' } = object.metadata;
  return listAt(object, 'spec', 'template', 'spec', 'volumes').flatMap((volume) => {
    const map = valueAt(volume, ['configMap']);
    if (!isObject(map) || typeof map['name'] !== 'string' || map['optional'] === true) return [];
    return [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: map['name'], namespace } }];
  });
}

function missingText(kind: string, name: string, count: number): string {
  return count === 1 ? `${kind} ${name} is missing` : `${count} objects are missing, such as ${kind} ${name}`;
}

function numberAt(object: KubernetesObject, ...path: readonly string[]): number {
  const value = valueAt(object, path);
  return typeof value === 'number' ? value : 0;
}

function setReasons(set: KubernetesObject): readonly string[] {
  const desired = numberAt(set, 'status', 'desiredNumberScheduled');
  const available = numberAt(set, 'status', 'numberAvailable');
  const updated = numberAt(set, 'status', 'updatedNumberScheduled');
  const { name } = set.metadata;
  if (desired === 0) return [`DaemonSet ${name} selects no node`];
  if (available !== desired) return [`DaemonSet ${name}: ${available} of ${desired} pods are available`];
  return updated === available ? [] : [`DaemonSet ${name}: ${desired - updated} of ${desired} pods are outdated`];
}

/** Not by the operator: it does not look at Deployments. */
function countOf(workload: KubernetesObject): PodCount {
  if (workload.kind === 'DaemonSet') {
    const ready = numberAt(workload, 'status', 'numberAvailable');
    return { desired: numberAt(workload, 'status', 'desiredNumberScheduled'), ready };
  }
  const replicas = valueAt(workload, ['spec', 'replicas']);
  return {
    desired: typeof replicas === 'number' ? replicas : 1,
    ready: numberAt(workload, 'status', 'availableReplicas'),
  };
}

function poolCounts(sets: readonly KubernetesObject[], { pods, nodes }: LiveComponents): Record<string, PodCount> {
  const counts: Record<string, PodCount> = {};
  for (const set of sets) {
    const spec = valueAt(set, ['spec', 'template', 'spec']);
    const { accepts } = nodePlacement(constraintsOf(isObject(spec) ? spec : {}));
    const id = namespacedName(set);
    const readyOn = new Set(pods.filter((pod) => pod.workload === id && pod.isReady).map(({ node }) => node));
    for (const node of nodes.filter(accepts)) {
      const { desired, ready } = counts[node.pool] ?? { desired: 0, ready: 0 };
      counts[node.pool] = { desired: desired + 1, ready: ready + (readyOn.has(node.name) ? 1 : 0) };
    }
  }
  return counts;
}

const SHOWN_PODS = 2;

/** Why pods of workloads that want more of them are not ready: as many as fit in a column. */
function podsSay(workloads: readonly KubernetesObject[], pods: readonly StatusPod[]): string {
  const lacking = workloads.map((one) => ({ one, ...countOf(one) })).filter(({ desired, ready }) => ready < desired);
  const ids = new Set(lacking.map(({ one }) => namespacedName(one)));
  const unready = pods.filter(({ workload, isReady }) => ids.has(workload) && !isReady);
  const texts = unready
    .slice(0, SHOWN_PODS)
    .map(({ name, node, says }) => `${name}${node === '' ? '' : ` on ${node}`}: ${says}`);
  return [...texts, ...(unready.length > SHOWN_PODS ? [`${unready.length - SHOWN_PODS} more`] : [])].join('; ');
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0);
}

/** The state of a policy by those of its components: network-operator b06827e0, `pkg/state/manager.go`. */
export function policyState(components: readonly ComponentStatus[]): State {
  return components.some(({ state }) => state === 'notReady' || state === 'error') ? 'notReady' : 'ready';
}
