import { createHash } from 'node:crypto';
import { DS_OWNER_LABEL, driverKeys, REVISION_LABEL, type DriverKeys } from '../contract/labels.js';
import { nodeUpgradePolicies, type DriverPolicy, type NodeUpgradePolicy } from '../contract/upgrade-policy.js';
import { matchesSelector, selectorOf, type Selector } from '../lib/label-selector.js';
import { coverageOf } from './coverage.js';
import { isFinished } from './drain-filters.js';
import type { Snapshot, SnapshotDaemonSet, SnapshotNode, SnapshotPod } from './types.js';

/**
 * How a driver pod stands to what should be installed.
 * `current`: its revision has the digest of its DaemonSet. `outdated`: it has another, or is gone. `retired`: the policy no
 * longer lists its DaemonSet, or the driver is uninstalled and it has no controller. `orphaned`: it has no controller.
 * `unknown`: the caches do not agree yet, look again.
 */
export type DriverPodStatus = 'current' | 'outdated' | 'retired' | 'orphaned' | 'unknown';

export interface DriverPod {
  readonly pod: SnapshotPod;
  readonly status: DriverPodStatus;
}

/** One driver of the policy with what the snapshot holds for it. */
export interface DriverWorld {
  readonly policy: DriverPolicy;
  readonly keys: DriverKeys;
  readonly policies: readonly NodeUpgradePolicy[];
  /** DaemonSets that the policy lists and the snapshot has, by name. */
  readonly listed: ReadonlyMap<string, SnapshotDaemonSet>;
  /** DaemonSets of the driver that the policy does not list. */
  readonly retired: readonly SnapshotDaemonSet[];
  /** Pods that a driver DaemonSet left before any node had them: they wait for a place that nobody wants them to take. */
  readonly leftOver: readonly SnapshotPod[];
  /** What each listed DaemonSet lacks until GitOps and the DaemonSet controller have caught up, by name. */
  readonly notApplied: ReadonlyMap<string, string>;
  /** Names what the DaemonSets should be together: canaries of one rollout say nothing about another. */
  readonly rollout: string;
  readonly nodes: readonly NodeWorld[];
}

/** One node as one driver sees it. */
export interface NodeWorld {
  readonly node: SnapshotNode;
  /** Value of the state label; may be one that nobody knows. */
  readonly state: string;
  /** The policy that says how the node is upgraded; absent where the driver has none. */
  readonly policy: NodeUpgradePolicy | undefined;
  /** The listed DaemonSet that is to keep a driver pod there. */
  readonly covering: SnapshotDaemonSet | undefined;
  readonly driverPods: readonly DriverPod[];
  readonly gatedPods: readonly SnapshotPod[];
}

/**
 * A driver pod whose revision the cache does not have is judged only when it is older than any lag between caches. One from
 * the future was made before the clock was set back.
 */
export const CACHE_LAG_MS = 60_000;

const NO_PODS: readonly SnapshotPod[] = [];
const NO_DRIVER_PODS: readonly DriverPod[] = [];

/** All pods that are bound to a node, in the order of the snapshot; of no node for the empty name. */
export type PodsOfNode = (nodeName: string) => readonly SnapshotPod[];

/** Pods by the node that they are bound to; put in order when the first node is asked for, which is often never. */
export function podsByNode(pods: readonly SnapshotPod[]): PodsOfNode {
  let chains: Chains | undefined;
  return (nodeName) => {
    chains ??= chained(pods);
    const chain = chains.of.get(nodeName);
    if (chain === undefined) return NO_PODS;
    // As large as it will be: a list that grows takes twice the room, and there is one for every node.
    const found = new Array<SnapshotPod>(chain.count);
    for (let place = 0, index = chain.first; place < chain.count; place += 1, index = chains.next[index] ?? 0) {
      found[place] = pods[index] as SnapshotPod;
    }
    return found;
  };
}

/** Most nodes are never asked for, so no lists are made: each pod points to the one after it on the same node. */
interface Chains {
  readonly of: ReadonlyMap<string, { readonly first: number; readonly count: number }>;
  readonly next: Int32Array;
}

function chained(pods: readonly SnapshotPod[]): Chains {
  const of = new Map<string, { readonly first: number; last: number; count: number }>();
  const next = new Int32Array(pods.length);
  for (let index = 0; index < pods.length; index += 1) {
    const nodeName = pods[index]?.nodeName ?? '';
    const known = of.get(nodeName);
    if (known === undefined) of.set(nodeName, { first: index, last: index, count: 1 });
    else {
      next[known.last] = index;
      known.last = index;
      known.count += 1;
    }
  }
  return { of, next };
}

/**
 * What one driver of the policy finds in a snapshot. Linear in nodes and pods. `podsThere` are the pods of the driver's
 * namespace, for those who have looked at all pods already.
 */
export function driverWorld(
  policy: DriverPolicy,
  snapshot: Snapshot,
  nowMs: number,
  podsThere: readonly SnapshotPod[] = snapshot.pods.filter(({ namespace }) => namespace === policy.namespace),
): DriverWorld {
  const policies = nodeUpgradePolicies(policy);
  const wanted = new Map(policies.flatMap((one) => one.daemonSets.map(({ name, digest }) => [name, digest] as const)));
  const own = driverDaemonSets(policy, snapshot);
  const listed = new Map(own.filter((one) => wanted.has(one.name)).map((one) => [one.name, one]));
  const world = {
    policy,
    keys: driverKeys(policy.labelPrefix),
    policies,
    listed,
    retired: own.filter((one) => !wanted.has(one.name)),
    leftOver: leftOverPods(policy, podsThere),
    notApplied: notApplied(wanted, listed),
    rollout: rolloutName(wanted),
  };
  const driverPods = driverPodsByNode(policy, podsThere, statusFrom(policy, snapshot, own, wanted, nowMs));
  const gatedPods = gatedPodsByNode(policy, podsThere);
  const sites = new Map([...listed].map(([name, one]) => [name, { daemonSet: one, covers: coverageOf(one) }] as const));
  const nodes: NodeWorld[] = [];
  for (const node of snapshot.nodes) {
    const state = node.labels[world.keys.state] ?? '';
    const pods = driverPods.get(node.name) ?? NO_DRIVER_PODS;
    const covering = coveringDaemonSet(sites, pods, node);
    const gate = policy.gate?.kind === 'label' && node.labels[policy.gate.label] !== undefined;
    const isLeft = node.annotations[world.keys.cordoned] === 'true';
    if (state === '' && pods.length === 0 && covering === undefined && !gate && !isLeft) continue;
    nodes.push({
      node,
      state,
      covering,
      policy: policyFor(policies, covering, pods),
      driverPods: pods,
      gatedPods: gatedPods?.(node.name) ?? NO_PODS,
    });
  }
  return { ...world, nodes };
}

function driverDaemonSets(policy: DriverPolicy, snapshot: Snapshot): SnapshotDaemonSet[] {
  const selector = selectorOf(policy.daemonSetSelector);
  return snapshot.daemonSets.filter(
    (one) => one.namespace === policy.namespace && matchesSelector(selector, one.labels),
  );
}

function leftOverPods(policy: DriverPolicy, pods: readonly SnapshotPod[]): SnapshotPod[] {
  const selector = selectorOf(policy.podSelector);
  return pods.filter(
    ({ nodeName, controller, labels }) =>
      nodeName === '' && controller === undefined && matchesSelector(selector, labels),
  );
}

function notApplied(
  wanted: ReadonlyMap<string, string>,
  listed: ReadonlyMap<string, SnapshotDaemonSet>,
): ReadonlyMap<string, string> {
  const missing = new Map<string, string>();
  for (const [name, digest] of wanted) {
    const daemonSet = listed.get(name);
    if (daemonSet === undefined) missing.set(name, `DaemonSet ${name} is not there yet`);
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

/** Names a rollout by what its DaemonSets are to install, digests by their names. */
export function rolloutName(wanted: ReadonlyMap<string, string>): string {
  const text = JSON.stringify([...wanted].sort(([a], [b]) => (a < b ? -1 : 1)));
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}

/** How a driver pod stands to what should be installed. */
function statusFrom(
  policy: DriverPolicy,
  { revisions }: Snapshot,
  own: readonly SnapshotDaemonSet[],
  wanted: ReadonlyMap<string, string>,
  nowMs: number,
): (pod: SnapshotPod) => DriverPodStatus {
  const daemonSets = new Map(own.map((one) => [one.uid, one]));
  const digestsOf = new Map(own.map(({ uid }) => [uid, new Map<string, string>()]));
  for (const { ownerUid, hash, digest } of revisions) digestsOf.get(ownerUid)?.set(hash, digest);
  return (pod) => {
    // Of an uninstalled driver nothing is to be left: no request is needed for the pods of a DaemonSet that is gone.
    if (pod.controller === undefined) return policy.uninstall ? 'retired' : 'orphaned';
    const daemonSet = daemonSets.get(pod.controller.uid);
    if (daemonSet === undefined) return 'unknown';
    if (!wanted.has(daemonSet.name)) return 'retired';
    const digest = digestsOf.get(daemonSet.uid)?.get(pod.labels[REVISION_LABEL] ?? '');
    if (digest === undefined) return Math.abs(nowMs - pod.createdMs) < CACHE_LAG_MS ? 'unknown' : 'outdated';
    return digest === daemonSet.digest ? 'current' : 'outdated';
  };
}

function driverPodsByNode(
  policy: DriverPolicy,
  pods: readonly SnapshotPod[],
  statusOf: (pod: SnapshotPod) => DriverPodStatus,
): ReadonlyMap<string, readonly DriverPod[]> {
  const byNode = new Map<string, DriverPod[]>();
  for (const pod of boundPods(pods, [selectorOf(policy.podSelector)])) {
    // A finished pod holds no driver and its DaemonSet replaces it; it may still be seen beside its successor.
    if (isFinished(pod)) continue;
    const driverPod = { pod, status: statusOf(pod) };
    const list = byNode.get(pod.nodeName);
    if (list === undefined) byNode.set(pod.nodeName, [driverPod]);
    else list.push(driverPod);
  }
  return byNode;
}

function gatedPodsByNode(policy: DriverPolicy, pods: readonly SnapshotPod[]): PodsOfNode | undefined {
  if (policy.gate === undefined) return undefined;
  return podsByNode(boundPods(pods, policy.gate.podSelectors.map(selectorOf)));
}

/** Pods that have a node and match any of the selectors. */
function boundPods(pods: readonly SnapshotPod[], selectors: readonly Selector[]): SnapshotPod[] {
  return pods.filter(({ nodeName, labels }) => {
    if (nodeName === '') return false;
    for (const selector of selectors) if (matchesSelector(selector, labels)) return true;
    return false;
  });
}

/** A listed DaemonSet and where it is to be. */
interface Site {
  readonly daemonSet: SnapshotDaemonSet;
  readonly covers: (node: SnapshotNode) => boolean;
}

function coveringDaemonSet(
  sites: ReadonlyMap<string, Site>,
  pods: readonly DriverPod[],
  node: SnapshotNode,
): SnapshotDaemonSet | undefined {
  // The DaemonSet whose pod is there is asked first: where two would match, the one that has the node keeps it.
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
