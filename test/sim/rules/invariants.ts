import { legacyKeys } from '../../../src/shared/contract/legacy-keys.js';
import { MAINTENANCE_ANNOTATION, readMaintenanceRecord } from '../../../src/shared/contract/maintenance-record.js';
import { cordonMark } from '../../kit/records.js';
import {
  ANY_STATE_LABEL,
  AUTOSCALER_ANNOTATIONS,
  operatorDriver,
  driverKeys,
  GPU_UPGRADE_ENABLED_ANNOTATION,
  OFED_GATE_LABEL,
  type DriverKeys,
} from '../../../src/shared/contract/labels.js';
import {
  isGpuDriver,
  nodeUpgradePolicies,
  rebootPolicy,
  type DriverPolicy,
  type NodeUpgradePolicy,
  type UpgradePolicy,
} from '../../../src/shared/contract/upgrade-policy.js';
import type { Snapshot } from '../../../src/companion/model/snapshot.js';
import type { Decision, SnapshotNode } from '../../../src/companion/model/types.js';
import { hasLabels } from '../../../src/forecast/simulation/api.js';
import { isoSecond } from '../../../src/shared/lib/time.js';
import type { Actor, StoredNode, StoredPod } from '../../../src/forecast/simulation/store.js';
import type { SimulatedCluster } from '../../../src/forecast/simulation/simulated-cluster.js';
import { checkDecision } from './invariants-decision.js';
import { SRIOV_PREFIX } from '../scenario/git.js';
import { DRAINING, fieldsOf, hasAll, IN_PROGRESS, isKeptInDrains, setsOf, Violation } from './rules.js';

const RESTING: ReadonlySet<string> = new Set(['', 'upgrade-done', 'upgrade-required']);
/** Values that the companion may write: upstream's, those of the Maintenance Operator's flow only where it drains. */
const WRITABLE: ReadonlySet<string> = new Set([...IN_PROGRESS, 'upgrade-required', 'upgrade-done', 'upgrade-failed']);
const OF_MAINTENANCE: ReadonlySet<string> = new Set(['node-maintenance-required', 'post-maintenance-required']);

/**
 * Who owns a cordon. `operator`: the operator set it, or would lift it because it was set during its flow, and so does the companion.
 * `unclear`: set again before the companion's own cordon had a time.
 */
type CordonOwner = 'ours' | 'operator' | 'foreign' | 'unclear';

export interface Invariants {
  /** Checks a decision against its snapshot and its time. */
  onDecision(snapshot: Snapshot, policy: UpgradePolicy, decision: Decision, nowMs: number): void;
  /** All nodes may be upgraded again, after an edited policy or lost revisions. */
  clearBegun(): void;
  /** The process uses this policy from now on. */
  setPolicy(policy: UpgradePolicy): void;
  /** Until `setPolicy` a run may use this policy or the one before. */
  mayUse(policy: UpgradePolicy): void;
  /** Whether each policy that the process may use has a driver with this label prefix. */
  hasDriver(prefix: string): boolean;
  cordonOwner(node: string): CordonOwner | undefined;
  /** Whether another actor wrote this node's state or lifted its cordon, so that the companion's annotations may be stale. */
  isChangedByOthers(node: string): boolean;
}

interface Tracked {
  policy: UpgradePolicy;
  /** A newer policy that a run may use already. */
  next?: UpgradePolicy | undefined;
  /** The nodes of the latest snapshot that the companion decided on, by name. */
  seen: ReadonlyMap<string, SnapshotNode>;
  readonly cordons: Map<string, CordonOwner>;
  /** Digests for which the upgrade of a node began, as `prefix/node/digest`. */
  readonly begun: Set<string>;
  /** When another actor last uncordoned a node or wrote its state. */
  readonly changedByOthersMs: Map<string, number>;
  /** When a node last moved to another group, and so to another policy. */
  readonly movedMs: Map<string, number>;
}

/**
 * A write may have been decided on so long ago: a watch stalls for a minute, and a patch is sent again until the API server answers.
 */
const OLDEST_VIEW_MS = 150_000;

export function watchInvariants(cluster: SimulatedCluster): Invariants {
  const tracked: Tracked = {
    policy: cluster.policy,
    seen: new Map(),
    cordons: new Map(),
    begun: new Set(),
    changedByOthersMs: new Map(),
    movedMs: new Map(),
  };
  for (const node of cluster.store.nodes.values()) if (node.unschedulable) tracked.cordons.set(node.name, 'foreign');
  cluster.store.nodes.listen((name, before, after, actor) => {
    if (after === undefined) clearNode(tracked, name);
    else if (actor === 'ours' && before !== undefined) checkOwnPatch(cluster, tracked, before, after);
    else if (actor !== 'maintenance-operator') followOthers(cluster, tracked, before, after);
    if (after !== undefined && actor === 'foreign-flow') followTakeOver(tracked, before, after);
    if (after !== undefined) followCordon(cluster, tracked, before, after, actor);
  });
  cluster.store.pods.listen((_key, before, after, actor) => {
    if (actor !== 'ours' || before === undefined) {
      if (before !== undefined && after === undefined) clearPod(tracked, before);
      return;
    }
    checkEndedPod(cluster, tracked, before);
  });
  cluster.store.daemonSets.listen((_key, before, after, actor) => {
    const isEnded = after?.deletionMs !== undefined && before !== undefined && before.deletionMs === undefined;
    if (actor !== 'ours' || !isEnded || cluster.listedNames.has(before.name)) return;
    if (before.createdMs > cluster.policyWrittenMs)
      throw new Violation('never retire a DaemonSet that is newer than the policy', before.name);
  });
  return {
    onDecision: (snapshot, policy, decision, nowMs) => {
      tracked.seen = new Map(snapshot.nodes.map((node) => [node.name, node]));
      checkDecision(snapshot, policy, decision, nowMs);
    },
    clearBegun: () => tracked.begun.clear(),
    setPolicy: (policy) => Object.assign(tracked, { policy, next: undefined }),
    mayUse: (policy) => (tracked.next = policy),
    hasDriver: (prefix) =>
      [tracked.policy, tracked.next ?? tracked.policy].every(({ drivers }) =>
        drivers.some(({ labelPrefix }) => labelPrefix === prefix),
      ),
    cordonOwner: (node) => tracked.cordons.get(node),
    isChangedByOthers: (node) => tracked.changedByOthersMs.has(node),
  };
}

function clearNode(tracked: Tracked, name: string): void {
  tracked.cordons.delete(name);
  for (const key of tracked.begun) if (key.split('/')[1] === name) tracked.begun.delete(key);
}

/** A driver pod that was removed for another reason, such as a deletion by an administrator or a lost node, allows another upgrade. */
function clearPod(tracked: Tracked, pod: StoredPod): void {
  if (pod.lifecycle.kind === 'driver') clearNodeBegun(tracked, pod.nodeName);
}

function clearNodeBegun(tracked: Tracked, node: string): void {
  for (const key of tracked.begun) if (key.split('/')[1] === node) tracked.begun.delete(key);
}

const keysOf = ({ policy }: Pick<Tracked, 'policy'>): readonly { driver: DriverPolicy; keys: DriverKeys }[] =>
  policy.drivers.map((driver) => ({ driver, keys: driverKeys(driver.labelPrefix) }));

function followOthers(
  cluster: SimulatedCluster,
  tracked: Tracked,
  before: StoredNode | undefined,
  after: StoredNode,
): void {
  const name = after.name;
  const states = (node: StoredNode): string =>
    keysOf(tracked)
      .map(({ keys }) => node.labels[keys.state] ?? '')
      .join();
  const uncordoned = before?.unschedulable === true && !after.unschedulable;
  if (uncordoned || before === undefined || states(before) !== states(after)) {
    tracked.changedByOthersMs.set(name, cluster.events.now());
    clearNodeBegun(tracked, name);
  }
  if (before?.labels['group'] !== after.labels['group']) tracked.movedMs.set(name, cluster.events.now());
  // After a reboot the driver loads again; a safe load or a request may start another upgrade.
  const asks = (node: StoredNode): string =>
    keysOf(tracked)
      .map(({ keys }) => `${node.annotations[keys.requested]}/${node.annotations[keys.safeLoad]}`)
      .join();
  if (
    before !== undefined &&
    (before.boots !== after.boots || asks(before) !== asks(after) || operatorAsks(before, after))
  )
    clearNodeBegun(tracked, name);
}

/** The GPU operator, or a user in its place, asks for an upgrade of its driver. */
function operatorAsks(before: StoredNode, after: StoredNode): boolean {
  const key = driverKeys('gpu').state;
  return before.labels[key] !== after.labels[key] && after.labels[key] === 'upgrade-required';
}

/** Upstream records a cordon when a node leaves rest. It takes a later cordon for its own. */
function followTakeOver(tracked: Tracked, before: StoredNode | undefined, after: StoredNode): void {
  for (const { keys } of keysOf(tracked)) {
    const begins = RESTING.has(before?.labels[keys.state] ?? '') && IN_PROGRESS.has(after.labels[keys.state] ?? '');
    if (begins && after.unschedulable && !(keys.initialState in after.annotations))
      tracked.cordons.set(after.name, 'operator');
  }
}

function followCordon(
  cluster: SimulatedCluster,
  tracked: Tracked,
  before: StoredNode | undefined,
  after: StoredNode,
  actor: Actor,
): void {
  if (before?.unschedulable !== true && after.unschedulable) {
    const owners = [...keysOf(tracked).map(({ keys }) => keys), ...removedKeys(tracked, after)].map((keys) =>
      lifterOf(cluster, after, keys),
    );
    const isOfOperator = actor === 'foreign-flow' || actor === 'maintenance-operator' || owners.includes('operator');
    const owner = isOfOperator ? 'operator' : owners.includes('unclear') ? 'unclear' : 'foreign';
    tracked.cordons.set(after.name, actor === 'ours' ? 'ours' : owner);
  }
  if (!after.unschedulable) tracked.cordons.delete(after.name);
  // Without its annotation the companion takes its own cordon for an administrator's, so the node may stay cordoned.
}

/** The keys of drivers that the policy no longer has, and whose annotation of a cordon the node still has. The policy may get them back. */
function removedKeys(tracked: Tracked, { labels, annotations }: StoredNode): readonly DriverKeys[] {
  return Object.keys(labels)
    .flatMap((label) => ANY_STATE_LABEL.exec(label)?.[1] ?? [])
    .filter((prefix) => !tracked.policy.drivers.some(({ labelPrefix }) => labelPrefix === prefix))
    .map(driverKeys)
    .filter(() => cordonMark(annotations) !== undefined);
}

/**
 * Who may lift a cordon that another actor sets now. The companion's annotation is valid for its own cordon only, which it names as
 * soon as that cordon has a time. During a flow, and on nodes that the operator labelled, the operator lifts each cordon that it did
 * not record.
 */
function lifterOf(
  cluster: SimulatedCluster,
  { labels, annotations, cordonTime }: StoredNode,
  keys: DriverKeys,
): CordonOwner {
  const state = labels[keys.state] ?? '';
  if (keys.initialState in annotations) return 'foreign';
  const mark = cordonMark(annotations);
  // Without a time the annotation could belong to the current cordon.
  if (mark === 'true') return state === 'upgrade-done' ? 'foreign' : 'unclear';
  // The controller sets no new time if it missed the time in between, and times have a precision of a second.
  if (mark !== undefined && (mark === cordonTime || mark === isoSecond(cluster.events.now()))) return 'unclear';
  // The operator set this state, whatever annotation of an earlier upgrade is left.
  const isOurs =
    MAINTENANCE_ANNOTATION in annotations || [keys.requested, keys.safeLoad].some((key) => key in annotations);
  if (state === 'upgrade-required' && !isOurs) return 'operator';
  return IN_PROGRESS.has(state) && mark === undefined ? 'operator' : 'foreign';
}

// --- Rules for the companion's writes --------------------------------------------------------------------------------

function checkOwnPatch(cluster: SimulatedCluster, tracked: Tracked, before: StoredNode, after: StoredNode): void {
  checkVocabulary(tracked, before, after);
  if (before.unschedulable && !after.unschedulable && tracked.cordons.get(after.name) === 'foreign') {
    throw new Violation('never lift a foreign cordon', `${after.name} had a foreign cordon before it began`);
  }
  for (const { driver, keys } of keysOf(tracked)) {
    const [from, to] = [before.labels[keys.state] ?? '', after.labels[keys.state] ?? ''];
    // Several rows may be taken in one patch. A patch from rest to in progress, done or failed is a start, but not the end of a maintenance.
    const begins = RESTING.has(from) && IN_PROGRESS.has(to) && to !== 'post-maintenance-required';
    // The node failed for another driver first, so this one begins again after the repair.
    const isPutBack =
      IN_PROGRESS.has(from) && to === 'upgrade-required' && Object.values(after.labels).includes('upgrade-failed');
    if (isPutBack) forgetBegun(tracked, `${driver.labelPrefix}/${after.name}/`);
    if (!begins) continue;
    checkParallel(cluster, tracked, driver, keys, before);
    checkBegunOnce(cluster, tracked, driver, keys, before, after);
  }
}

/** Annotations of any driver of the scenarios. */
function isOfDriver(key: string): boolean {
  return ['ofed', 'gpu', 'weft-gpu', SRIOV_PREFIX].some((prefix) => Object.values(driverKeys(prefix)).includes(key));
}

function checkVocabulary(tracked: Tracked, before: StoredNode, after: StoredNode): void {
  const states = new Set(keysOf(tracked).map(({ keys }) => keys.state));
  const isMaintained = tracked.policy.nodeMaintenance !== undefined;
  const annotations = new Set<string>([
    MAINTENANCE_ANNOTATION,
    ...AUTOSCALER_ANNOTATIONS,
    ...keysOf(tracked).flatMap(({ driver }) => Object.values(legacyKeys(driver.labelPrefix))),
    ...keysOf(tracked).flatMap(({ keys }) => Object.values(keys) as string[]),
    ...tracked.policy.drivers.flatMap(operatorAnnotations),
  ]);
  for (const key of changedKeys(before.labels, after.labels)) {
    const value = after.labels[key];
    // Those of a maintenance that began for a driver which the policy does not have any more.
    if (value === undefined && ANY_STATE_LABEL.test(key)) continue;
    const state =
      states.has(key) && (value === undefined || (WRITABLE.has(value) && (isMaintained || !OF_MAINTENANCE.has(value))));
    const gate = key === OFED_GATE_LABEL && (value === undefined || value === 'true' || value === 'false');
    if (!state && !gate) throw new Violation('only upstream’s labels', `${after.name}: ${key}=${value}`);
  }
  for (const key of changedKeys(before.annotations, after.annotations)) {
    // The annotations of a driver go, also after its section was removed.
    if (isOfDriver(key) && after.annotations[key] === undefined) continue;
    if (!annotations.has(key)) throw new Violation('only known annotations', `${after.name}: ${key}`);
  }
  const left =
    before.annotations[MAINTENANCE_ANNOTATION] !== undefined &&
    AUTOSCALER_ANNOTATIONS.find((key) => key in after.annotations);
  if (typeof left === 'string' && after.annotations[MAINTENANCE_ANNOTATION] === undefined)
    throw new Violation('autoscalers are held off during a maintenance only', `${after.name}: ${left}`);
}

/** What the companion writes for the GPU operator, or in its place. */
function operatorAnnotations(driver: DriverPolicy): readonly string[] {
  if (!isGpuDriver(driver)) return [];
  const operator = operatorDriver(driver.labelPrefix);
  return [operator === undefined ? GPU_UPGRADE_ENABLED_ANNOTATION : driverKeys(operator).initialState];
}

const changedKeys = (a: Readonly<Record<string, string>>, b: Readonly<Record<string, string>>): string[] =>
  [...new Set([...Object.keys(a), ...Object.keys(b)])].filter((key) => a[key] !== b[key]);

/** The name of the upgrade policy of a node's driver DaemonSet. */
function policyNameOf(cluster: SimulatedCluster, driver: DriverPolicy, node: SnapshotNode): string | undefined {
  const covers = (policy: NodeUpgradePolicy): boolean =>
    setsOf(cluster.store.daemonSets.values(), driver, policy).some((set) => hasAll(node, set.nodeSelector));
  return nodeUpgradePolicies(driver).find(covers)?.name;
}

/**
 * A start needs a free slot by the state of the API server; a node that was already cordoned needs none. A node belongs to the policy and
 * the pools that its labels said when the companion decided: an administrator may change them meanwhile. The decisions of runs with Leases
 * are not seen, so there a node does not count that moved to another policy a short time ago, or that another actor uncordoned: it may have
 * begun without a slot.
 */
function checkParallel(
  cluster: SimulatedCluster,
  tracked: Tracked,
  driver: DriverPolicy,
  keys: DriverKeys,
  node: StoredNode,
): void {
  // What joins a maintenance needs no slot, also if another program has lifted the cordon of the node meanwhile.
  const isJoined = keysOf(tracked).some(({ keys: { state } }) => IN_PROGRESS.has(node.labels[state] ?? ''));
  if (node.unschedulable || isJoined || controllerExists(cluster, driver)) return;
  const seen = (one: StoredNode): SnapshotNode => tracked.seen.get(one.name) ?? one;
  const hasMoved = ({ name }: StoredNode): boolean =>
    !tracked.seen.has(name) &&
    (isRecent(cluster, tracked.movedMs.get(name)) || isRecent(cluster, tracked.changedByOthersMs.get(name)));
  // A node that an administrator cordoned needs no slot, so it may begin while the patch of this start is under way.
  const busy = [...cluster.store.nodes.values()].filter(
    (one) =>
      IN_PROGRESS.has(one.labels[keys.state] ?? '') && tracked.cordons.get(one.name) !== 'foreign' && !hasMoved(one),
  );
  const policyName = policyNameOf(cluster, driver, seen(node));
  const policy = nodeUpgradePolicies(driver).find(({ name }) => name === policyName);
  if (policy !== undefined && policy.maxParallelUpgrades > 0) {
    const inPool = busy.filter((one) => policyNameOf(cluster, driver, seen(one)) === policyName);
    if (inPool.length > policy.maxParallelUpgrades) {
      const names = inPool.map(({ name }) => name).join(', ');
      throw new Violation(
        'never above maxParallelUpgrades',
        `${names} of ${policyName}: ${policy.maxParallelUpgrades}`,
      );
    }
  }
  for (const pool of tracked.policy.rollout.pools) {
    const inPool = busy.filter((one) => hasAll(seen(one), pool.nodeSelector));
    const limit = pool.maxParallelUpgrades ?? 0;
    if (limit > 0 && hasAll(seen(node), pool.nodeSelector) && inPool.length > limit) {
      throw new Violation(
        'never above a pool’s maxParallelUpgrades',
        `${inPool.map(({ name }) => name).join(', ')}: ${limit}`,
      );
    }
  }
}

/** Whether a write may have been decided on before this time. */
function isRecent(cluster: SimulatedCluster, atMs = -Infinity): boolean {
  return cluster.events.now() - atMs < OLDEST_VIEW_MS;
}

function controllerExists(cluster: SimulatedCluster, driver: DriverPolicy): boolean {
  if (fieldsOf(driver).controllerPodSelector === '') return false;
  return [...cluster.store.pods.values()].some((pod) => pod.lifecycle.kind === 'operator');
}

function forgetBegun({ begun }: Tracked, prefix: string): void {
  for (const key of begun) if (key.startsWith(prefix)) begun.delete(key);
}

function checkBegunOnce(
  cluster: SimulatedCluster,
  tracked: Tracked,
  driver: DriverPolicy,
  keys: DriverKeys,
  before: StoredNode,
  after: StoredNode,
): void {
  const reasons = [keys.requested, keys.safeLoad];
  if (reasons.some((key) => before.annotations[key] !== undefined)) return;
  const own = nodeUpgradePolicies(driver).flatMap((policy) =>
    setsOf(cluster.store.daemonSets.values(), driver, policy),
  );
  for (const set of own) {
    if (!hasAll(after, set.nodeSelector)) continue;
    // A drain that was blocked is tried again when its obstacle is gone, three times at most.
    const retries = readMaintenanceRecord(after.annotations[MAINTENANCE_ANNOTATION])?.blocked?.retries ?? 0;
    if (retries > 3) throw new Violation('three times at most', `${after.name}: ${retries}`);
    const key = `${driver.labelPrefix}/${after.name}/${set.digest}/${retries}`;
    if (tracked.begun.has(key)) throw new Violation('never begin twice for one digest', `${after.name}: ${set.digest}`);
    tracked.begun.add(key);
  }
}

/** A pod that the companion evicted or deleted. */
function checkEndedPod(cluster: SimulatedCluster, tracked: Tracked, pod: StoredPod): void {
  const fact = `${pod.namespace}/${pod.name} (${pod.lifecycle.kind}) on ${pod.nodeName}`;
  if (pod.lifecycle.kind === 'driver') checkRestart(cluster, tracked, pod);
  if (pod.lifecycle.kind === 'driver' || pod.lifecycle.kind === 'gated') return;
  if (pod.mirror) throw new Violation('never touch a mirror pod', fact);
  if (pod.lifecycle.kind === 'foreign-ds') throw new Violation('never touch a pod of another DaemonSet', fact);
  const node = cluster.store.nodes.get(pod.nodeName);
  if (node === undefined) return;
  const changedByOthers = isRecent(cluster, tracked.changedByOthersMs.get(node.name));
  if (!node.unschedulable && !changedByOthers) throw new Violation('never evict before cordon', fact);
  const draining = keysOf(tracked).filter(({ keys }) => DRAINING.has(node.labels[keys.state] ?? ''));
  if (draining.length === 0 && !changedByOthers)
    throw new Violation('only a node that is being drained loses pods', fact);
  if (changedByOthers) return;
  const newer = tracked.next === undefined ? [] : keysOf({ policy: tracked.next });
  const allowed = [...draining, ...newer].some(({ driver, keys }) => mayEnd(cluster, driver, keys, node, pod));
  if (!allowed) throw new Violation('never touch a pod outside the policy', fact);
}

/** A driver pod that the companion deleted: the node has no pod left that its drain evicts. */
function checkRestart(cluster: SimulatedCluster, tracked: Tracked, restarted: StoredPod): void {
  const node = cluster.store.nodes.get(restarted.nodeName);
  if (node === undefined || tracked.changedByOthersMs.has(node.name) || tracked.next !== undefined) return;
  for (const { driver, keys } of keysOf(tracked)) {
    const isOwn = fieldsOf(driver).podSelector in restarted.labels;
    if (!isOwn || node.labels[keys.state] !== 'pod-restart-required') continue;
    // With resources, only the pods that use them must leave.
    const { resourcePrefixes } = driver;
    const isHolder = (pod: StoredPod): boolean =>
      resourcePrefixes.length === 0 ||
      pod.resourceNames.some((name) => resourcePrefixes.some((prefix) => name.startsWith(prefix)));
    for (const pod of cluster.store.pods.values()) {
      const isWork = pod.lifecycle.kind === 'workload' || pod.lifecycle.kind === 'job';
      const isOver = pod.phase === 'Succeeded' || pod.phase === 'Failed';
      if (pod.nodeName !== node.name || !isWork || isOver || pod.toleratesUnschedulable || !isHolder(pod)) continue;
      if (cluster.unreachableNodes.has(node.name) || !mayEnd(cluster, driver, keys, node, pod)) continue;
      throw new Violation('no driver is restarted while a pod has to be moved', `${pod.name} on ${node.name}`);
    }
  }
}

function mayEnd(
  cluster: SimulatedCluster,
  driver: DriverPolicy,
  keys: DriverKeys,
  node: StoredNode,
  pod: StoredPod,
): boolean {
  if (isKeptInDrains(pod, cluster.policy)) return false;
  if (node.labels[keys.state] === 'pod-deletion-required') {
    return driver.resourcePrefixes.some((prefix) => pod.resourceNames.some((name) => name.startsWith(prefix)));
  }
  // The oracle accepts any matching policy for nodes of retired DaemonSets.
  const own = policyNameOf(cluster, driver, node);
  return drainPolicies(driver).some(({ name, drain }) => {
    if ((own !== undefined && own !== name) || !drain.enable) return false;
    const finished = pod.phase === 'Succeeded' || pod.phase === 'Failed';
    const loses = !drain.deleteEmptyDir && pod.emptyDir && !finished;
    const forced = !drain.force && !finished && (pod.controller === undefined || pod.lifecycle.kind === 'bare');
    return hasLabels(pod.labels, drain.podSelector) && !loses && !forced;
  });
}

/** Those by which all pods leave a node: for SR-IOV, those of a reboot. */
function drainPolicies(driver: DriverPolicy): readonly NodeUpgradePolicy[] {
  const policies = nodeUpgradePolicies(driver);
  return driver.kind === 'sriov' ? policies.map(rebootPolicy) : policies;
}
