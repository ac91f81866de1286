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
import { memoized } from '../../../shared/lib/memo.js';
import { keptDaemonSets, type NamedNode } from './kept.js';
import { isFinished } from '../../model/pod.js';
import { podMatcher } from '../../model/pod-index.js';
import type { Snapshot } from '../../model/snapshot.js';
import { driverNode, NO_PODS, type DriverNode, type DriverPod, type ViewBasis } from './driver-node.js';
import type { SnapshotDaemonSet, SnapshotPod, SnapshotRevision } from '../../model/types.js';

/** One driver of the policy with its objects in the snapshot. */
export interface DriverView {
  readonly policy: PodDriverPolicy;
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
  readonly isDriverPod: (pod: SnapshotPod) => boolean;
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
  const policy: PodDriverPolicy = driver;
  const policies = nodeUpgradePolicies(driver);
  const own = driverDaemonSets(policy, snapshot);
  const isSelected = policy.kind !== 'ofed';
  const wantedSets = isSelected ? own : policies.flatMap(({ daemonSets }) => daemonSets);
  const wanted = new Map(wantedSets.map(({ name, digest }) => [name, digest]));
  const listed = new Map(own.filter((one) => wanted.has(one.name)).map((one) => [one.name, one]));
  const keys = driverKeys(policy.labelPrefix);
  const isDriverPod = podMatcher([policy.podSelector], policy.namespace);
  const operator = operatorDriver(policy.labelPrefix);
  const templatesOf = podTemplates(snapshot, own);
  const basis: ViewBasis = {
    policy,
    keys,
    policies,
    wanted,
    asksOperator: of.nodeMaintenance !== undefined,
    placement: driverPlacement([...listed.values()], policy.architecture),
    uninstallFor: uninstallOf(policy),
    operatorStateLabel: operator === undefined ? undefined : driverKeys(operator).state,
    driverPodsOn: snapshot.pods.onNodeThat(
      `driver ${policy.namespace} ${policy.podSelector}`,
      // A finished pod runs no driver, and its DaemonSet replaces it. The cache may have both.
      (pod) => isDriverPod(pod) && !isFinished(pod),
    ),
    gatedPodsOn: gatedPods(policy, snapshot),
    isRestartOnly: (pod) => isRestartOnly(templatesOf(pod)),
    driverPodOf: operator === undefined ? driverPodsFrom(snapshot, templatesOf, wanted, nowMs) : podOfOperator,
  };
  const { nodes, uncovered, withoutSuccessor } = driverNodes(basis, snapshot);
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
    leftOver: isSelected ? NO_PODS : unboundPods(snapshot).filter(isDriverPod),
    notApplied: missing,
    uncovered: isComplete ? uncovered : [],
    withoutSuccessor: isComplete ? withoutSuccessor : [],
    rollout: rolloutName(wanted),
    isDriverPod,
    gatedPodsOn: basis.gatedPodsOn,
    podsWithClaims: (isGpuDriver(policy) ? snapshot.podsWithGpuClaims : undefined) ?? NO_UIDS,
    nodes,
  };
}

/** The views of all nodes, and those that a driver is missing on, or would be. */
function driverNodes(
  basis: ViewBasis,
  snapshot: Snapshot,
): { readonly nodes: DriverNode[]; readonly uncovered: NamedNode[]; readonly withoutSuccessor: NamedNode[] } {
  const nodes: DriverNode[] = [];
  const uncovered: NamedNode[] = [];
  const withoutSuccessor: NamedNode[] = [];
  for (const node of snapshot.nodes) {
    const { view, reason } = driverNode(basis, node, snapshot.pods.onNode(node.name));
    if (view !== undefined) nodes.push(view);
    if (reason === undefined) continue;
    if (view?.driverPods.some(({ pod }) => pod.deletionMs === undefined))
      withoutSuccessor.push({ name: node.name, reason });
    else if (basis.policy.kind === 'ofed' && node.labels[NFD_LABELS.nicPresent] === 'true')
      uncovered.push({ name: node.name, reason });
  }
  return { nodes, uncovered, withoutSuccessor };
}

/** Pods that no controller has, and that are bound to no node. */
function unboundPods({ pods }: Snapshot): readonly SnapshotPod[] {
  return pods.onNode('').filter(({ controller }) => controller === undefined);
}

function gatedPods({ gate, namespace }: PodDriverPolicy, { pods }: Snapshot): ViewBasis['gatedPodsOn'] {
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
export function rolloutName(wanted: Iterable<readonly [string, string]>): string {
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
