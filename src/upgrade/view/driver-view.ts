import {
  ANY_STATE_LABEL,
  DS_OWNER_LABEL,
  driverKeys,
  NFD_LABELS,
  REVISION_LABEL,
  type DriverKeys,
} from '../../contract/labels.js';
import { nodeUpgradePolicies, type DriverPolicy, type NodeUpgradePolicy } from '../../contract/upgrade-policy.js';
import { matchesSelector, selectorOf } from '../../kubernetes/selection/label-selector.js';
import { sha256 } from '../../lib/hash.js';
import { isCordonMark } from './cordon-mark.js';
import { coverageOf } from './coverage.js';
import { isFinished } from '../drain/filters.js';
import { IN_PROGRESS, NODE_STATES } from '../model/node-states.js';
import { podMatcher, type NodePods } from '../model/pod-index.js';
import type { Snapshot } from '../model/snapshot.js';
import type { SnapshotDaemonSet, SnapshotNode, SnapshotPod } from '../model/types.js';

/**
 * How a driver pod compares with its DaemonSet.
 * `current`: its revision has the digest of its DaemonSet. `outdated`: it has another, or is gone. `retired`: the policy no
 * longer lists its DaemonSet, or the driver is uninstalled and it has no controller. `orphaned`: it has no controller.
 * `unlisted`: its DaemonSet is newer than the policy, which does not list it. `unknown`: the caches lack its DaemonSet or revision.
 */
type DriverPodStatus = 'current' | 'outdated' | 'retired' | 'orphaned' | 'unlisted' | 'unknown';

export interface DriverPod {
  readonly pod: SnapshotPod;
  readonly status: DriverPodStatus;
}

/** One driver of the policy with its objects in the snapshot. */
export interface DriverView {
  readonly policy: DriverPolicy;
  readonly keys: DriverKeys;
  readonly policies: readonly NodeUpgradePolicy[];
  /** DaemonSets that the policy lists and the snapshot has, by name. */
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
  readonly uncovered: readonly string[];
  /** Name of the rollout, a hash of all digests of the policy. Canaries of another rollout do not count. */
  readonly rollout: string;
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
  readonly driverPods: readonly DriverPod[];
  readonly gatedPods: readonly SnapshotPod[];
  /** All pods that are bound to it. */
  readonly pods: NodePods;
  /**
   * It has or gets the driver, is in its flow, or has a cordon of the companion. Other nodes are listed for the gate label only.
   */
  readonly isManaged: boolean;
  /** No row applies: the policy is off, the maintenance operator has the node, or its state is unknown. */
  readonly isFrozen: boolean;
}

/**
 * Maximum lag between caches. A driver pod whose revision is not cached counts as outdated after this time. A pod with a creation time in
 * the future was created before the clock was set back.
 */
export const CACHE_LAG_MS = 60_000;

const NO_PODS: readonly SnapshotPod[] = [];
const NO_DRIVER_PODS: readonly DriverPod[] = [];

/** The view of one driver of the policy. Its time is linear in nodes and pods. */
export function driverView(policy: DriverPolicy, snapshot: Snapshot, nowMs: number): DriverView {
  const policies = nodeUpgradePolicies(policy);
  const wanted = new Map(policies.flatMap((one) => one.daemonSets.map(({ name, digest }) => [name, digest] as const)));
  const own = driverDaemonSets(policy, snapshot);
  const listed = new Map(own.filter((one) => wanted.has(one.name)).map((one) => [one.name, one]));
  const keys = driverKeys(policy.labelPrefix);
  const driverPodOf = driverPodsFrom(policy, snapshot, own, wanted, nowMs);
  const sites = new Map([...listed].map(([name, one]) => [name, { daemonSet: one, covers: coverageOf(one) }] as const));
  const { namespace, podSelector, gate } = policy;
  const isDriverPod = podMatcher([podSelector], namespace);
  const isGated = gate && podMatcher(gate.podSelectors, namespace);
  const basis: ViewBasis = { policy, keys, policies, sites, isDriverPod, isGated, driverPodOf };
  const nodes: NodeView[] = [];
  const uncovered: string[] = [];
  for (const node of snapshot.nodes) {
    const view = nodeView(basis, node, snapshot.pods.onNode(node.name));
    if (view !== undefined) nodes.push(view);
    if (view?.covering === undefined && node.labels[NFD_LABELS.nicPresent] === 'true') uncovered.push(node.name);
  }
  const missing = notApplied(wanted, listed);
  const isComplete = policy.api === 'network-operator' && !policy.uninstall && missing.size === 0;
  return {
    policy,
    keys,
    policies,
    listed,
    retired: own.filter((one) => !wanted.has(one.name) && !isNewerThanPolicy(one, snapshot)),
    unlisted: own.filter((one) => !wanted.has(one.name) && isNewerThanPolicy(one, snapshot)),
    leftOver: snapshot.pods.onNode('').all.filter((pod) => isDriverPod(pod) && pod.controller === undefined),
    notApplied: missing,
    uncovered: isComplete ? uncovered : [],
    rollout: rolloutName(wanted),
    nodes,
  };
}

/** What the views of all nodes have in common. */
interface ViewBasis extends Pick<DriverView, 'policy' | 'keys' | 'policies'> {
  readonly sites: ReadonlyMap<string, Site>;
  readonly isDriverPod: (pod: SnapshotPod) => boolean;
  /** Whether a pod is behind the driver's gate; undefined if the driver has none. */
  readonly isGated: ((pod: SnapshotPod) => boolean) | undefined;
  readonly driverPodOf: (pod: SnapshotPod) => DriverPod;
}

/** Undefined if the node needs nothing of the driver. */
function nodeView(basis: ViewBasis, node: SnapshotNode, here: NodePods): NodeView | undefined {
  const { policy, keys, policies, sites, isDriverPod, isGated, driverPodOf } = basis;
  const state = node.labels[keys.state] ?? '';
  const pods = driverPodsIn(here.all.filter(isDriverPod), driverPodOf);
  const covering = coveringDaemonSet(sites, pods, node);
  const gate = policy.gate?.kind === 'label' && node.labels[policy.gate.label] !== undefined;
  const hasCompanionCordon = isCordonMark(node.annotations[keys.cordoned]);
  const isDriven = covering !== undefined || pods.length > 0;
  if (state === '' && !isDriven && !gate && !hasCompanionCordon) return undefined;
  const nodePolicy = policyFor(policies, covering, pods);
  return {
    node,
    state,
    covering,
    policy: nodePolicy,
    driverPods: pods,
    gatedPods: isGated ? here.all.filter(isGated) : NO_PODS,
    pods: here,
    isManaged: isDriven || (state === '' ? hasCompanionCordon : state !== 'upgrade-done'),
    isFrozen: nodePolicy?.autoUpgrade !== true || isForeignFlow(keys, node, state) || !NODE_STATES.has(state),
  };
}

/** Label prefix of another driver that is being upgraded on the node. */
export function otherDriver(keys: DriverKeys, { labels }: SnapshotNode): string | undefined {
  // Allocates no list of entries, because nodes have dozens of labels.
  for (const key in labels) {
    if (!key.endsWith(STATE_LABEL_END) || key === keys.state || !IN_PROGRESS.has(labels[key] ?? '')) continue;
    const prefix = ANY_STATE_LABEL.exec(key)?.[1];
    if (prefix !== undefined) return prefix;
  }
  return undefined;
}

/** The end of the state labels of all drivers; cheaper to test than a pattern. */
const STATE_LABEL_END = driverKeys('').state.replace(/^.*\//, '');

/** Whether the maintenance operator upgrades the node: by its annotation, or one of its two states. */
export function isForeignFlow(keys: DriverKeys, { annotations }: SnapshotNode, state: string): boolean {
  return (
    annotations[keys.requestorMode] !== undefined ||
    state === 'node-maintenance-required' ||
    state === 'post-maintenance-required'
  );
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

function notApplied(
  wanted: ReadonlyMap<string, string>,
  listed: ReadonlyMap<string, SnapshotDaemonSet>,
): ReadonlyMap<string, string> {
  const missing = new Map<string, string>();
  for (const [name, digest] of wanted) {
    const daemonSet = listed.get(name);
    if (daemonSet === undefined) missing.set(name, `DaemonSet ${name} does not exist yet`);
    else if (daemonSet.deletionMs !== undefined) missing.set(name, `DaemonSet ${name} is being deleted`);
    else if (daemonSet.renderedDigest !== digest) {
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
  const text = JSON.stringify([...wanted].sort(([a], [b]) => (a < b ? -1 : 1)));
  return sha256(text).slice(0, 8);
}

/** Compares driver pods with their DaemonSets. */
function driverPodsFrom(
  policy: DriverPolicy,
  snapshot: Snapshot,
  own: readonly SnapshotDaemonSet[],
  wanted: ReadonlyMap<string, string>,
  nowMs: number,
): (pod: SnapshotPod) => DriverPod {
  const daemonSets = new Map(own.map((one) => [one.uid, one]));
  const digestsOf = new Map(own.map(({ uid }) => [uid, new Map<string, string>()]));
  for (const { ownerUid, hash, digest } of snapshot.revisions) digestsOf.get(ownerUid)?.set(hash, digest);
  return (pod) => {
    // An uninstalled driver leaves no pods: those of a deleted DaemonSet need no request.
    if (pod.controller === undefined) return { pod, status: policy.uninstall ? 'retired' : 'orphaned' };
    const daemonSet = daemonSets.get(pod.controller.uid);
    if (daemonSet === undefined) return { pod, status: 'unknown' };
    if (!wanted.has(daemonSet.name))
      return { pod, status: isNewerThanPolicy(daemonSet, snapshot) ? 'unlisted' : 'retired' };
    const digest = digestsOf.get(daemonSet.uid)?.get(pod.labels[REVISION_LABEL] ?? '');
    if (digest !== undefined) return { pod, status: digest === daemonSet.digest ? 'current' : 'outdated' };
    const isYoung = Math.abs(nowMs - pod.createdMs) < CACHE_LAG_MS;
    return { pod, status: isYoung ? 'unknown' : 'outdated' };
  };
}

function driverPodsIn(
  pods: readonly SnapshotPod[],
  driverPodOf: (pod: SnapshotPod) => DriverPod,
): readonly DriverPod[] {
  // A finished pod runs no driver, and its DaemonSet replaces it. The cache may have both.
  return pods.length === 0 ? NO_DRIVER_PODS : pods.filter((pod) => !isFinished(pod)).map(driverPodOf);
}

/** A listed DaemonSet and its nodes. */
interface Site {
  readonly daemonSet: SnapshotDaemonSet;
  readonly covers: (node: SnapshotNode) => boolean;
}

function coveringDaemonSet(
  sites: ReadonlyMap<string, Site>,
  pods: readonly DriverPod[],
  node: SnapshotNode,
): SnapshotDaemonSet | undefined {
  // If two DaemonSets match, the one whose pod is on the node keeps it.
  for (const { pod } of pods) {
    const owner = sites.get(pod.controller?.name ?? '');
    if (owner?.covers(node) === true) return owner.daemonSet;
  }
  for (const { daemonSet, covers } of sites.values()) if (covers(node)) return daemonSet;
  return undefined;
}

/** The policy that lists the DaemonSet; else the one that a driver pod names; else the first that upgrades anything. */
function policyFor(
  policies: readonly NodeUpgradePolicy[],
  covering: SnapshotDaemonSet | undefined,
  pods: readonly DriverPod[],
): NodeUpgradePolicy | undefined {
  const lists = (name: string | undefined) => policies.find((one) => one.daemonSets.some((each) => each.name === name));
  return (
    (covering === undefined ? undefined : lists(covering.name)) ??
    lists(pods[0]?.pod.controller?.name) ??
    policies.find((one) => pods.some(({ pod }) => pod.labels[DS_OWNER_LABEL] === one.name)) ??
    policies.find((one) => one.autoUpgrade) ??
    policies[0]
  );
}
