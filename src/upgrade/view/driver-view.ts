import { NODE_STATES } from '../../contract/node-states.js';
import {
  ANY_STATE_LABEL,
  conductedDriver,
  conductingPrefix,
  DS_OWNER_LABEL,
  driverKeys,
  NFD_LABELS,
  REVISION_LABEL,
  type DriverKeys,
} from '../../contract/labels.js';
import { nodePolicy } from '../../contract/node-policy.js';
import { driverPlacement, type NoDriver } from '../../contract/driver-placement.js';
import { uninstallOf, type UninstallOf } from '../../contract/uninstall.js';
import { nodeUpgradePolicies, type DriverPolicy, type NodeUpgradePolicy } from '../../contract/upgrade-policy.js';
import { matchesSelector, selectorOf } from '../../kubernetes/selection/label-selector.js';
import { sha256 } from '../../lib/hash.js';
import { memoized } from '../../lib/memo.js';
import { isCordonMark } from './cordon-mark.js';
import { keptDaemonSets, type NamedNode } from './successor.js';
import { isFinished } from '../model/pod.js';
import { IN_MAINTENANCE, IN_PROGRESS } from '../model/node-states.js';
import { podMatcher } from '../model/pod-index.js';
import { nodeKey, type Snapshot } from '../model/snapshot.js';
import type { RefusedPatch, SnapshotDaemonSet, SnapshotNode, SnapshotPod, SnapshotRevision } from '../model/types.js';

/**
 * How a driver pod compares with its DaemonSet.
 * `current`: its revision has the digest of its DaemonSet. `outdated`: it has another, or is gone. `retired`: the policy no
 * longer lists its DaemonSet, or it has none: a listed DaemonSet would have adopted it.
 * `unlisted`: its DaemonSet is newer than the policy, which does not list it. `unknown`: the caches lack its DaemonSet or revision.
 * `operators`: an operator compares and restarts it (`NodeView.conducted`).
 */
type DriverPodStatus = 'current' | 'outdated' | 'retired' | 'unlisted' | 'unknown' | 'operators';

export interface DriverPod {
  readonly pod: SnapshotPod;
  readonly status: DriverPodStatus;
}

/** One driver of the policy with its objects in the snapshot. */
export interface DriverView {
  readonly policy: DriverPolicy;
  readonly keys: DriverKeys;
  readonly policies: readonly NodeUpgradePolicy[];
  /** DaemonSets that the policy lists, or selects, and the snapshot has, by name. */
  readonly listed: ReadonlyMap<string, SnapshotDaemonSet>;
  /** DaemonSets of the driver that the policy does not list any more. */
  readonly retired: readonly SnapshotDaemonSet[];
  /** DaemonSets of the driver that the policy does not list and that are newer than it: the next policy may list them. */
  readonly unlisted: readonly SnapshotDaemonSet[];
  /** Driver pods without a controller that are bound to no node: their DaemonSet was deleted, and the companion deletes them. */
  readonly leftOver: readonly SnapshotPod[];
  /** By name, the DaemonSets that GitOps or the DaemonSet controller has not applied yet, and what is missing. */
  readonly notApplied: ReadonlyMap<string, string>;
  /**
   * Nodes with NICs that no DaemonSet of the driver covers: after an update of the kernel, or when a new kind of node joins, they
   * have no driver and no pod that fails. Empty while a DaemonSet is not applied, because it may be the one that is missing.
   */
  readonly uncovered: readonly NamedNode[];
  /** Nodes with a driver pod that no listed DaemonSet would put there again. Empty while a DaemonSet is not applied, too. */
  readonly withoutSuccessor: readonly NamedNode[];
  /** Retired DaemonSets that are kept, by UID, with the nodes that they are kept for. */
  readonly keptDaemonSets: ReadonlyMap<string, readonly NamedNode[]>;
  /** Name of the rollout, a hash of all digests of the policy. Canaries of another rollout do not count. */
  readonly rollout: string;
  /** Has the UIDs of pods that hold a device of the driver by a ResourceClaim. */
  readonly podsWithClaims: Pick<ReadonlySet<string>, 'has'>;
  readonly nodes: readonly NodeView[];
}

/** One node as one driver sees it. */
export interface NodeView {
  readonly node: SnapshotNode;
  /** Value of the state label, which may be unknown. */
  readonly state: string;
  /** The policy by which the node is upgraded; undefined if the driver has none. */
  readonly policy: NodeUpgradePolicy | undefined;
  /** The listed DaemonSet whose driver pod belongs on the node. */
  readonly covering: SnapshotDaemonSet | undefined;
  /**
   * For a driver that an operator restarts: its state label, which says whether the node is due, done or failed. Empty: it has none.
   * Undefined: the companion restarts the driver.
   */
  readonly conducted: string | undefined;
  /** That operator restarts its driver pod, which installs the same as before: no pod has to leave the node for it. */
  readonly isRestartOnly: boolean;
  /** Why no listed DaemonSet puts a driver on the node as it is; undefined if one does, or if its driver is uninstalled. */
  readonly noDriver: NoDriver | undefined;
  /** An uninstall asks for the driver of the node, and no listed DaemonSet installs another. */
  readonly isUninstalled: boolean;
  /** Install digest that the policy lists for `covering`; `none` if the driver is uninstalled; undefined: not known. */
  readonly wanted: string | undefined;
  readonly driverPods: readonly DriverPod[];
  readonly gatedPods: readonly SnapshotPod[];
  /** All pods that are bound to it. */
  readonly pods: readonly SnapshotPod[];
  /**
   * It has or gets the driver, is in its flow, or has a cordon of the companion. Other nodes are listed for the gate label only.
   */
  readonly isManaged: boolean;
  /** No row applies: the policy is off, the maintenance operator has the node, or its state is unknown. */
  readonly isFrozen: boolean;
  /** The API server refused its last patch. */
  readonly refusal: RefusedPatch | undefined;
  /** Its next patch is sent later, because the last one was refused. */
  readonly isHeld: boolean;
}

/**
 * Maximum lag between caches. A driver pod whose revision is not cached counts as outdated after this time. A pod with a creation time in
 * the future was created before the clock was set back.
 */
export const CACHE_LAG_MS = 60_000;

type Placement = ReturnType<typeof driverPlacement<SnapshotDaemonSet>>;

const NO_PODS: readonly SnapshotPod[] = [];
const NO_NAMES: readonly string[] = [];
const NO_UIDS: ReadonlySet<string> = new Set();
const NO_DRIVER_PODS: readonly DriverPod[] = [];

/** The view of one driver of the policy. Its time is linear in nodes and pods. */
export function driverView(policy: DriverPolicy, snapshot: Snapshot, nowMs: number): DriverView {
  const policies = nodeUpgradePolicies(policy);
  const own = driverDaemonSets(policy, snapshot);
  const isSelected = policy.daemonSets === 'selected';
  const wantedSets = isSelected ? own : policies.flatMap(({ daemonSets }) => daemonSets);
  const wanted = new Map(wantedSets.map(({ name, digest }) => [name, digest]));
  const listed = new Map(own.filter((one) => wanted.has(one.name)).map((one) => [one.name, one]));
  const keys = driverKeys(policy.labelPrefix);
  const isDriverPod = podMatcher([policy.podSelector], policy.namespace);
  const operator = conductedDriver(policy.labelPrefix);
  const templatesOf = podTemplates(snapshot, own);
  const basis: ViewBasis = {
    ...{ policy, keys, policies, wanted, nowMs, refusedPatches: snapshot.refusedPatches },
    placement: driverPlacement([...listed.values()], policy.architecture),
    uninstallFor: uninstallOf(policy),
    conductedState: operator === undefined ? undefined : driverKeys(operator).state,
    driverPodsOn: snapshot.pods.onNodeThat(
      `driver ${policy.namespace} ${policy.podSelector}`,
      // A finished pod runs no driver, and its DaemonSet replaces it. The cache may have both.
      (pod) => isDriverPod(pod) && !isFinished(pod),
    ),
    gatedPodsOn: gatedPods(policy, snapshot),
    isRestartOnly: (pod) => isRestartOnly(templatesOf(pod)),
    driverPodOf: operator === undefined ? driverPodsFrom(snapshot, templatesOf, wanted, nowMs) : podOfOperator,
  };
  const nodes: NodeView[] = [];
  const uncovered: NamedNode[] = [];
  const withoutSuccessor: NamedNode[] = [];
  for (const node of snapshot.nodes) {
    const { view, reason } = nodeView(basis, node, snapshot.pods.onNode(node.name));
    if (view !== undefined) nodes.push(view);
    if (reason === undefined) continue;
    if (view?.driverPods.some(({ pod }) => pod.deletionMs === undefined))
      withoutSuccessor.push({ name: node.name, reason });
    else if (policy.api === 'network-operator' && node.labels[NFD_LABELS.nicPresent] === 'true')
      uncovered.push({ name: node.name, reason });
  }
  const missing = isSelected && own.length === 0 ? noneSelected(policy) : notApplied(wanted, listed, isSelected);
  const isComplete = missing.size === 0;
  const retired = own.filter((one) => !wanted.has(one.name) && !isNewerThanPolicy(one, snapshot));
  return {
    policy,
    keys,
    policies,
    listed,
    retired,
    keptDaemonSets: keptDaemonSets(retired, nodes),
    unlisted: own.filter((one) => !wanted.has(one.name) && isNewerThanPolicy(one, snapshot)),
    leftOver: isSelected
      ? NO_PODS
      : snapshot.pods.onNode('').filter((pod) => isDriverPod(pod) && pod.controller === undefined),
    notApplied: missing,
    uncovered: isComplete ? uncovered : [],
    withoutSuccessor: isComplete ? withoutSuccessor : [],
    rollout: rolloutName(wanted),
    podsWithClaims: (policy.api === 'gpu-operator' ? snapshot.podsWithGpuClaims : undefined) ?? NO_UIDS,
    nodes,
  };
}

function gatedPods({ gate, namespace }: DriverPolicy, { pods }: Snapshot): ViewBasis['gatedPodsOn'] {
  if (gate === undefined) return undefined;
  const { podSelectors } = gate;
  return pods.onNodeThat(`gated ${namespace} ${podSelectors.join(' ')}`, podMatcher(podSelectors, namespace));
}

/** gpu-operator a22dbf671, `internal/predicates/restart_only.go`. */
function isRestartOnly({ daemonSet, revision }: PodTemplates): boolean {
  return daemonSet?.configDigest !== undefined && revision?.configDigest === daemonSet.configDigest;
}

/** What the views of all nodes have in common. */
interface ViewBasis extends Pick<DriverView, 'policy' | 'keys' | 'policies'> {
  readonly placement: Placement;
  /** Install digests that the policy lists, by DaemonSet name. */
  readonly wanted: ReadonlyMap<string, string>;
  readonly refusedPatches: Snapshot['refusedPatches'];
  readonly driverPodsOn: (node: string) => readonly SnapshotPod[];
  /** The pods behind the driver's gate; undefined if the driver has none. */
  readonly gatedPodsOn: ((node: string) => readonly SnapshotPod[]) | undefined;
  readonly driverPodOf: (pod: SnapshotPod) => DriverPod;
  readonly uninstallFor: UninstallOf;
  /** Whether the DaemonSet of a driver pod installs what the pod has installed, as the GPU operator says. */
  readonly isRestartOnly: (pod: SnapshotPod) => boolean;
  /** The state label of the operator that restarts the driver. */
  readonly conductedState: string | undefined;
  readonly nowMs: number;
}

/** The view is undefined if the node needs nothing of the driver. The reason says why no DaemonSet puts one there. */
function nodeView(
  basis: ViewBasis,
  node: SnapshotNode,
  here: readonly SnapshotPod[],
): { readonly view: NodeView | undefined; readonly reason: NoDriver | undefined } {
  const { policy, keys, policies, placement, uninstallFor, wanted, driverPodsOn, gatedPodsOn, driverPodOf } = basis;
  const state = node.labels[keys.state] ?? '';
  const own = driverPodsOn(node.name);
  const owners = own.length === 0 ? NO_NAMES : own.map(({ controller }) => controller?.name ?? '');
  const found = placement(node, owners);
  const covering = found.daemonSet;
  const uninstall = covering === undefined ? uninstallFor(node) : undefined;
  const isUninstalled = uninstall !== undefined;
  const pods = own.length === 0 ? NO_DRIVER_PODS : own.map(driverPodOf);
  const gate = policy.gate?.kind === 'label' && node.labels[policy.gate.label] !== undefined;
  const hasCompanionCordon = isCordonMark(node.annotations[keys.cordoned]);
  const isDriven = covering !== undefined || pods.length > 0;
  const isOutside = state === '' && !isDriven && !gate && !hasCompanionCordon;
  // The other nodes need no driver, and there may be thousands.
  const isAsked = !isUninstalled && (!isOutside || node.labels[NFD_LABELS.nicPresent] === 'true');
  const noDriver = isAsked ? found.reason : undefined;
  if (isOutside) return { view: undefined, reason: noDriver };
  const policyOfNode = nodePolicy(policies, {
    uninstalling: uninstall?.policy,
    covering: covering?.name,
    running: pods[0]?.pod.controller?.name,
    repelled: noDriver?.daemonSet,
    isOwner: (name) => pods.some(({ pod }) => pod.labels[DS_OWNER_LABEL] === name),
  });
  const refusal = basis.refusedPatches?.get(nodeKey(policy.labelPrefix, node.name));
  const view: NodeView = {
    node,
    state,
    covering,
    conducted: basis.conductedState === undefined ? undefined : (node.labels[basis.conductedState] ?? ''),
    isRestartOnly: basis.conductedState !== undefined && pods.some(({ pod }) => basis.isRestartOnly(pod)),
    noDriver,
    isUninstalled,
    wanted: isUninstalled ? 'none' : wanted.get(covering?.name ?? ''),
    policy: policyOfNode,
    driverPods: pods,
    gatedPods: gatedPodsOn?.(node.name) ?? NO_PODS,
    pods: here,
    isManaged: isDriven || (state === '' ? hasCompanionCordon : state !== 'upgrade-done'),
    // An uninstall does not depend on `autoUpgrade`.
    isFrozen:
      (policyOfNode?.autoUpgrade !== true && !isUninstalled) ||
      isForeignFlow(keys, node, state) ||
      !NODE_STATES.has(state),
    refusal,
    isHeld: refusal !== undefined && basis.nowMs < refusal.untilMs,
  };
  return { view, reason: noDriver };
}

/**
 * Label prefix of another driver that is being upgraded on the node: its state is one of these. Where the companion conducts the flow of
 * an operator, its own label says more than the operator's.
 */
export function otherDriver(
  keys: DriverKeys,
  { labels }: SnapshotNode,
  states: ReadonlySet<string> = IN_PROGRESS,
): string | undefined {
  // Allocates no list of entries, because nodes have dozens of labels.
  for (const key in labels) {
    if (!key.endsWith(STATE_LABEL_END) || key === keys.state || !states.has(labels[key] ?? '')) continue;
    const prefix = ANY_STATE_LABEL.exec(key)?.[1];
    if (prefix === undefined || states.has(labels[driverKeys(conductingPrefix(prefix)).state] ?? '')) continue;
    return prefix;
  }
  return undefined;
}

/** The end of the state labels of all drivers; cheaper to test than a pattern. */
const STATE_LABEL_END = driverKeys('').state.replace(/^.*\//, '');

/** Whether the maintenance operator upgrades the node: by its annotation, or one of its two states. */
export function isForeignFlow(keys: DriverKeys, { annotations }: SnapshotNode, state: string): boolean {
  return annotations[keys.requestorMode] !== undefined || IN_MAINTENANCE.has(state);
}

function driverDaemonSets(policy: DriverPolicy, snapshot: Snapshot): SnapshotDaemonSet[] {
  const selector = selectorOf(policy.daemonSetSelector);
  return snapshot.daemonSets.filter(
    (one) => one.namespace === policy.namespace && matchesSelector(selector, one.labels),
  );
}

/**
 * Whether the next policy may list the DaemonSet: it was rendered, is newer than the policy, and no policy listed it before.
 * GitOps may apply the DaemonSet of a commit before the policy of that commit. Both times are the API server's.
 */
function isNewerThanPolicy(
  { uid, renderedDigest, createdMs }: SnapshotDaemonSet,
  { policyWrittenMs, listedBefore }: Snapshot,
): boolean {
  const isNewer = policyWrittenMs !== undefined && createdMs > policyWrittenMs;
  return isNewer && renderedDigest !== undefined && listedBefore?.has(uid) !== true;
}

function noneSelected({ daemonSetSelector, namespace }: DriverPolicy): ReadonlyMap<string, string> {
  return new Map([['', `no DaemonSet in ${namespace} matches ${daemonSetSelector}`]]);
}

/** @param isSelected DaemonSets count as they are in the cluster: nothing rendered them */
function notApplied(
  wanted: ReadonlyMap<string, string>,
  listed: ReadonlyMap<string, SnapshotDaemonSet>,
  isSelected: boolean,
): ReadonlyMap<string, string> {
  const missing = new Map<string, string>();
  for (const [name, digest] of wanted) {
    const daemonSet = listed.get(name);
    if (daemonSet === undefined) missing.set(name, `DaemonSet ${name} does not exist yet`);
    else if (daemonSet.deletionMs !== undefined) missing.set(name, `DaemonSet ${name} is being deleted`);
    else if (!isSelected && daemonSet.renderedDigest !== digest) {
      missing.set(
        name,
        `DaemonSet ${name} is not applied yet: it has ${daemonSet.renderedDigest ?? 'no digest'}, not ${digest}`,
      );
    } else if (daemonSet.observedGeneration < daemonSet.generation) {
      missing.set(name, `the DaemonSet controller has not seen the new ${name} yet`);
    }
  }
  return missing;
}

/** Name of a rollout: a hash of the digests by DaemonSet name. */
export function rolloutName(wanted: ReadonlyMap<string, string>): string {
  return hashOf(JSON.stringify([...wanted].sort(([a], [b]) => (a < b ? -1 : 1))));
}

/** Every decision asks, and a policy seldom changes. */
const hashOf = memoized((text: string) => sha256(text).slice(0, 8));

/** Where the templates of a driver pod are: that of its DaemonSet now, and the one that it was made from. */
interface PodTemplates {
  readonly daemonSet: SnapshotDaemonSet | undefined;
  readonly revision: SnapshotRevision | undefined;
}

function podTemplates({ revisions }: Snapshot, own: readonly SnapshotDaemonSet[]): (pod: SnapshotPod) => PodTemplates {
  const sets = new Map(
    own.map((daemonSet) => [daemonSet.uid, { daemonSet, byHash: new Map<string, SnapshotRevision>() }]),
  );
  for (const revision of revisions) sets.get(revision.ownerUid)?.byHash.set(revision.hash, revision);
  return ({ controller, labels }) => {
    const found = sets.get(controller?.uid ?? '');
    return { daemonSet: found?.daemonSet, revision: found?.byHash.get(labels[REVISION_LABEL] ?? '') };
  };
}

function podOfOperator(pod: SnapshotPod): DriverPod {
  return { pod, status: 'operators' };
}

/** Compares driver pods with their DaemonSets. */
function driverPodsFrom(
  snapshot: Snapshot,
  templatesOf: (pod: SnapshotPod) => PodTemplates,
  wanted: ReadonlyMap<string, string>,
  nowMs: number,
): (pod: SnapshotPod) => DriverPod {
  return (pod) => {
    if (pod.controller === undefined) return { pod, status: 'retired' };
    const { daemonSet, revision } = templatesOf(pod);
    if (daemonSet === undefined) return { pod, status: 'unknown' };
    if (!wanted.has(daemonSet.name))
      return { pod, status: isNewerThanPolicy(daemonSet, snapshot) ? 'unlisted' : 'retired' };
    if (revision !== undefined) return { pod, status: revision.digest === daemonSet.digest ? 'current' : 'outdated' };
    const isYoung = Math.abs(nowMs - pod.createdMs) < CACHE_LAG_MS;
    return { pod, status: isYoung ? 'unknown' : 'outdated' };
  };
}
