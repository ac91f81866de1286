import {
  operatorDriver,
  driverKeys,
  NFD_LABELS,
  REVISION_LABEL,
  type DriverKeys,
} from '../../../shared/contract/labels.js';
import { driverPlacement } from '../../../shared/contract/driver-placement.js';
import { uninstallOf } from '../../../shared/contract/uninstall.js';
import {
  isGpuDriver,
  nodeUpgradePolicies,
  type DriverPolicyOf,
  type PodDriverPolicy,
  type NodeUpgradePolicy,
  type UpgradePolicy,
} from '../../../shared/contract/upgrade-policy.js';
import { matchesSelector, selectorOf } from '../../../shared/kubernetes/selection/label-selector.js';
import { sha256 } from '../../../shared/lib/hash.js';
import { keptBy, memoized } from '../../../shared/lib/memo.js';
import { keptDaemonSets, type NamedNode } from './kept.js';
import { isFinished } from '../../model/pod.js';
import { podMatcher } from '../../model/pod-index.js';
import type { Snapshot } from '../../model/snapshot.js';
import {
  driverNode,
  NO_PODS,
  type DriverNode,
  type DriverPod,
  type FoundNode,
  type PodsOfNode,
  type ViewBasis,
} from './driver-node.js';
import type { SnapshotDaemonSet, SnapshotNode, SnapshotPod, SnapshotRevision } from '../../model/types.js';

/** What of a driver the answers about its nodes depend on, beside the node. */
export interface DriverFacts {
  readonly policy: PodDriverPolicy;
  readonly keys: DriverKeys;
  readonly policies: readonly NodeUpgradePolicy[];
  /** DaemonSets that the policy lists, or selects, and the snapshot has, by name. */
  readonly listed: ReadonlyMap<string, SnapshotDaemonSet>;
  /** DaemonSets of the driver that the policy does not list any more. */
  readonly retired: readonly SnapshotDaemonSet[];
  /** DaemonSets of the driver that the policy does not list and that are newer than it: the next policy may list them. */
  readonly unlisted: readonly SnapshotDaemonSet[];
  /** By name, the DaemonSets that GitOps or the DaemonSet controller has not applied yet, and what is missing. */
  readonly notApplied: ReadonlyMap<string, string>;
  /** Retired DaemonSets that are kept, by UID, with the nodes that they are kept for. */
  readonly keptDaemonSets: ReadonlyMap<string, readonly NamedNode[]>;
  /** Name of the rollout, a hash of all digests of the policy. Canaries of another rollout do not count. */
  readonly rollout: string;
  /** Has the UIDs of pods that hold a device of the driver by a ResourceClaim. */
  readonly podsWithClaims: Pick<ReadonlySet<string>, 'has'>;
  readonly isDriverPod: (pod: SnapshotPod) => boolean;
}

/** One driver of the policy with its objects in the snapshot. */
export interface DriverView extends DriverFacts {
  /** The same facts, without what follows from nodes. */
  readonly facts: DriverFacts;
  /** Driver pods without a controller that are bound to no node: their DaemonSet was deleted, and the companion deletes them. */
  readonly leftOver: readonly SnapshotPod[];
  /**
   * Nodes with NICs that no DaemonSet of the driver covers: after an update of the kernel, or when a new kind of node joins, they
   * have no driver and no pod that fails. Empty while a DaemonSet is not applied, because it may be the one that is missing.
   */
  readonly uncovered: readonly NamedNode[];
  /** Nodes with a driver pod that no listed DaemonSet would put there again. Empty while a DaemonSet is not applied, too. */
  readonly withoutSuccessor: readonly NamedNode[];
  /** The pods behind the driver's gate; undefined if the driver has none. */
  readonly gatedPodsOn: ((node: string) => readonly SnapshotPod[]) | undefined;
  readonly nodes: readonly DriverNode[];
}

/**
 * Maximum lag between caches. A driver pod whose revision is not cached counts as outdated after this time. A pod with a creation time in
 * the future was created before the clock was set back.
 */
export const CACHE_LAG_MS = 60_000;

const NO_UIDS: ReadonlySet<string> = new Set();
const NO_KEPT: DriverFacts['keptDaemonSets'] = new Map();

/** What follows from the policy and the DaemonSets: nodes change all the time, and these seldom. */
interface Basis {
  readonly facts: DriverFacts;
  readonly basis: ViewBasis;
  /** The views of nodes as they were in the last decision. */
  readonly views: WeakMap<SnapshotNode, { readonly pods: PodsOfNode; readonly found: FoundNode }>;
}

const basisFor = keptBy<Basis>();

/**
 * The view of one driver of the policy. Its time is linear in nodes and pods.
 *
 * @param of the policy that has this driver
 */
export function driverView(
  driver: DriverPolicyOf<PodDriverPolicy['kind']>,
  snapshot: Snapshot,
  nowMs: number,
  of: Pick<UpgradePolicy, 'nodeMaintenance'>,
): DriverView {
  const own = driverDaemonSets(driver, snapshot);
  const { revisions, policyWrittenMs, listedBefore, podsWithGpuClaims } = snapshot;
  const asksOperator = of.nodeMaintenance !== undefined;
  const areFunctionsRead = snapshot.sriovNodeStates !== undefined;
  const about = [asksOperator, areFunctionsRead, policyWrittenMs, listedBefore, podsWithGpuClaims];
  const inputs = [...about, ...own, 'revisions', ...revisions];
  const known = basisFor(driver, inputs, () => basisOf(driver, own, snapshot, asksOperator));
  const gatedPodsOn = gatedPods(driver, snapshot);
  const { nodes, uncovered, withoutSuccessor } = driverNodes(known, snapshot, gatedPodsOn, nowMs);
  const { retired, notApplied, isDriverPod } = known.facts;
  const isComplete = notApplied.size === 0;
  const kept = retired.length === 0 ? NO_KEPT : keptDaemonSets(retired, nodes);
  const facts = kept.size === 0 ? known.facts : { ...known.facts, keptDaemonSets: kept };
  return {
    ...facts,
    facts,
    leftOver: driver.kind !== 'ofed' ? NO_PODS : unboundPods(snapshot).filter(isDriverPod),
    uncovered: isComplete ? uncovered : [],
    withoutSuccessor: isComplete ? withoutSuccessor : [],
    gatedPodsOn,
    nodes,
  };
}

function basisOf(
  driver: DriverPolicyOf<PodDriverPolicy['kind']>,
  own: readonly SnapshotDaemonSet[],
  snapshot: Snapshot,
  asksOperator: boolean,
): Basis {
  const policy: PodDriverPolicy = driver;
  const policies = nodeUpgradePolicies(driver);
  const isSelected = policy.kind !== 'ofed';
  const desiredSets = isSelected ? own : policies.flatMap(({ daemonSets }) => daemonSets);
  const desired = new Map(desiredSets.map(({ name, digest }) => [name, digest]));
  const listed = new Map(own.filter((one) => desired.has(one.name)).map((one) => [one.name, one]));
  const keys = driverKeys(policy.labelPrefix);
  const operator = operatorDriver(policy.labelPrefix);
  const templatesOf = podTemplates(snapshot, own);
  const isNewer = (one: SnapshotDaemonSet): boolean => isNewerThanPolicy(one, snapshot);
  const others = own.filter((one) => !desired.has(one.name));
  return {
    facts: {
      policy,
      keys,
      policies,
      listed,
      retired: others.filter((one) => !isNewer(one)),
      unlisted: others.filter(isNewer),
      notApplied: isSelected && own.length === 0 ? noneSelected(policy) : notApplied(desired, listed, isSelected),
      keptDaemonSets: NO_KEPT,
      rollout: rolloutName(desired),
      isDriverPod: podMatcher([policy.podSelector], policy.namespace),
      podsWithClaims: (isGpuDriver(policy) ? snapshot.podsWithGpuClaims : undefined) ?? NO_UIDS,
    },
    basis: {
      policy,
      keys,
      policies,
      desired,
      asksOperator,
      placement: driverPlacement([...listed.values()], policy.architecture),
      uninstallFor: uninstallOf(policy),
      operatorStateLabel: operator === undefined ? undefined : driverKeys(operator).state,
      isRestartOnly: (pod) => isRestartOnly(templatesOf(pod)),
      driverPodOf: operator === undefined ? driverPodsFrom(templatesOf, desired, isNewer) : podOfOperator,
    },
    views: new WeakMap(),
  };
}

/** The views of all nodes, and those that a driver is missing on, or would be. */
function driverNodes(
  { facts: { policy, isDriverPod }, basis, views }: Basis,
  { nodes, pods }: Snapshot,
  gatedPodsOn: DriverView['gatedPodsOn'],
  nowMs: number,
): { readonly nodes: DriverNode[]; readonly uncovered: NamedNode[]; readonly withoutSuccessor: NamedNode[] } {
  const seen: DriverNode[] = [];
  const uncovered: NamedNode[] = [];
  const withoutSuccessor: NamedNode[] = [];
  // A finished pod runs no driver, and its DaemonSet replaces it. The cache may have both.
  const driverPodsOn = pods.onNodeThat(
    `driver ${policy.namespace} ${policy.podSelector}`,
    (pod) => isDriverPod(pod) && !isFinished(pod),
  );
  for (const node of nodes) {
    const drivers = driverPodsOn(node.name);
    const gated = gatedPodsOn?.(node.name) ?? NO_PODS;
    const last = views.get(node);
    const isSame =
      last?.pods.drivers === drivers &&
      last.pods.gated === gated &&
      !last.found.view?.driverPods.some(({ status }) => status === 'unknown');
    const found = isSame ? last.found : driverNode(basis, node, { drivers, gated }, nowMs);
    if (!isSame) views.set(node, { pods: { drivers, gated }, found });
    const { view, reason } = found;
    if (view !== undefined) seen.push(view);
    if (reason === undefined) continue;
    if (view?.driverPods.some(({ pod }) => pod.deletionMs === undefined))
      withoutSuccessor.push({ name: node.name, reason });
    else if (policy.kind === 'ofed' && node.labels[NFD_LABELS.nicPresent] === 'true')
      uncovered.push({ name: node.name, reason });
  }
  return { nodes: seen, uncovered, withoutSuccessor };
}

/** Pods that no controller has, and that are bound to no node. */
function unboundPods({ pods }: Snapshot): readonly SnapshotPod[] {
  return pods.onNode('').filter(({ controller }) => controller === undefined);
}

function gatedPods({ gate, namespace }: PodDriverPolicy, { pods }: Snapshot): DriverView['gatedPodsOn'] {
  if (gate === undefined) return undefined;
  const { podSelectors } = gate;
  return pods.onNodeThat(`gated ${namespace} ${podSelectors.join(' ')}`, podMatcher(podSelectors, namespace));
}

/** gpu-operator a22dbf671, `internal/predicates/restart_only.go`. */
function isRestartOnly({ daemonSet, revision }: PodTemplates): boolean {
  return daemonSet?.configDigest !== undefined && revision?.configDigest === daemonSet.configDigest;
}

function driverDaemonSets(policy: PodDriverPolicy, snapshot: Snapshot): SnapshotDaemonSet[] {
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

/** What is missing where the selector of the driver matches no DaemonSet. */
function noneSelected({ daemonSetSelector, namespace }: PodDriverPolicy): ReadonlyMap<string, string> {
  return new Map([['', `no DaemonSet in ${namespace} matches ${daemonSetSelector}`]]);
}

/** @param isSelected DaemonSets count as they are in the cluster: nothing rendered them */
function notApplied(
  desired: ReadonlyMap<string, string>,
  listed: ReadonlyMap<string, SnapshotDaemonSet>,
  isSelected: boolean,
): ReadonlyMap<string, string> {
  const missing = new Map<string, string>();
  for (const [name, digest] of desired) {
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
export function rolloutName(desired: Iterable<readonly [string, string]>): string {
  return hashOf(JSON.stringify([...desired].sort(([a], [b]) => (a < b ? -1 : 1))));
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
  templatesOf: (pod: SnapshotPod) => PodTemplates,
  desired: ReadonlyMap<string, string>,
  isNewer: (daemonSet: SnapshotDaemonSet) => boolean,
): ViewBasis['driverPodOf'] {
  return (pod, nowMs) => {
    if (pod.controller === undefined) return { pod, status: 'retired' };
    const { daemonSet, revision } = templatesOf(pod);
    if (daemonSet === undefined) return { pod, status: 'unknown' };
    if (!desired.has(daemonSet.name)) return { pod, status: isNewer(daemonSet) ? 'unlisted' : 'retired' };
    if (revision !== undefined) return { pod, status: revision.digest === daemonSet.digest ? 'current' : 'outdated' };
    const isYoung = Math.abs(nowMs - pod.createdMs) < CACHE_LAG_MS;
    return { pod, status: isYoung ? 'unknown' : 'outdated' };
  };
}
