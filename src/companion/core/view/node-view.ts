import { NODE_STATES } from '../../../shared/contract/node-states.js';
import {
  ANY_STATE_LABEL,
  companionPrefix,
  DS_OWNER_LABEL,
  driverKeys,
  NFD_LABELS,
  type DriverKeys,
} from '../../../shared/contract/labels.js';
import { nodePolicy } from '../../../shared/contract/node-policy.js';
import type { driverPlacement, NoDriver } from '../../../shared/contract/driver-placement.js';
import type { UninstallOf } from '../../../shared/contract/uninstall.js';
import type { DriverPolicy, NodeUpgradePolicy } from '../../../shared/contract/upgrade-policy.js';
import { IN_MAINTENANCE, IN_PROGRESS } from '../../model/node-states.js';
import { nodeKey, type Snapshot } from '../../model/snapshot.js';
import type { SriovNodeState } from '../../model/sriov.js';
import type { RefusedPatch, SnapshotDaemonSet, SnapshotNode, SnapshotPod } from '../../model/types.js';
import { isCordonMark } from './cordon-mark.js';
import { sriovStateOf, type SriovNode } from './sriov.js';

/**
 * How a driver pod compares with its DaemonSet.
 * `current`: its revision has the digest of its DaemonSet. `outdated`: it has another, or is gone. `retired`: the policy no
 * longer lists its DaemonSet, or it has none: a listed DaemonSet would have adopted it.
 * `unlisted`: its DaemonSet is newer than the policy, which does not list it. `unknown`: the caches lack its DaemonSet or revision.
 * `operators`: an operator compares and restarts it (`NodeView.operatorState`).
 */
type DriverPodStatus = 'current' | 'outdated' | 'retired' | 'unlisted' | 'unknown' | 'operators';

export interface DriverPod {
  readonly pod: SnapshotPod;
  readonly status: DriverPodStatus;
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
   * For SR-IOV, what the SriovNetworkNodeState says, in the same words. Undefined: the companion restarts the driver.
   */
  readonly operatorState: string | undefined;
  /** That operator restarts its driver pod, which installs the same as before: no pod has to leave the node for it. */
  readonly isRestartOnly: boolean;
  /** What asks for a drain for SR-IOV; undefined for other drivers, and where the operator drains the node itself. */
  readonly sriov: SriovNodeState | undefined;
  /** The SR-IOV pools of a node that is in more than one; undefined for all other nodes. */
  readonly poolConflict: string | undefined;
  /** The node has the driver, or something is to install one. */
  readonly isDriven: boolean;
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
  /** Another program asked the Maintenance Operator for the node: by its annotation, or one of its two states. */
  readonly isForeign: boolean;
  /** No row applies: the policy is off, the node is foreign, its state is unknown, or what it asks for cannot be read. */
  readonly isFrozen: boolean;
  /** The API server refused its last patch. */
  readonly refusal: RefusedPatch | undefined;
  /** Its next patch is sent later, because the last one was refused. */
  readonly isHeld: boolean;
}

/** After this many refused patches in a row, nobody waits for a node: neither the run, nor the nodes after the canaries. */
const MOST_REFUSALS = 5;

/** The API server refuses its patches. One refused patch may be one request too many. */
export function isRefused({ refusal }: NodeView): boolean {
  return refusal !== undefined && refusal.failures >= MOST_REFUSALS;
}

/** The API server refuses to begin its upgrade, so it takes no place of a canary. */
export function cannotBegin(view: NodeView): boolean {
  return isRefused(view) && !IN_PROGRESS.has(view.state) && view.state !== 'upgrade-done';
}

const NO_NAMES: readonly string[] = [];
export const NO_PODS: readonly SnapshotPod[] = [];
const NO_DRIVER_PODS: readonly DriverPod[] = [];

type Placement = ReturnType<typeof driverPlacement<SnapshotDaemonSet>>;

/** What the views of all nodes have in common. */
export interface ViewBasis {
  readonly policy: DriverPolicy;
  readonly keys: DriverKeys;
  readonly policies: readonly NodeUpgradePolicy[];
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
  /** For SR-IOV: what asks for a drain of a node. */
  readonly sriovNode: ((node: SnapshotNode) => SriovNode | undefined) | undefined;
  /** The cluster does not serve what asks for drains. */
  readonly isUnread: boolean;
  /** The state label of the operator that restarts the driver. */
  readonly operatorStateLabel: string | undefined;
  /** The companion asks the Maintenance Operator for nodes, so its annotation is the companion's. */
  readonly asksOperator: boolean;
  readonly nowMs: number;
}

/** The view is undefined if the node needs nothing of the driver. The reason says why no DaemonSet puts one there. */
export function nodeView(
  basis: ViewBasis,
  node: SnapshotNode,
  here: readonly SnapshotPod[],
): { readonly view: NodeView | undefined; readonly reason: NoDriver | undefined } {
  const { policy, keys, policies, placement, uninstallFor, wanted, driverPodsOn, gatedPodsOn, driverPodOf } = basis;
  const state = node.labels[keys.state] ?? '';
  const sriov = basis.sriovNode?.(node);
  const own = basis.sriovNode === undefined ? driverPodsOn(node.name) : NO_PODS;
  const owners = own.length === 0 ? NO_NAMES : own.map(({ controller }) => controller?.name ?? '');
  const found = placement(node, owners);
  const covering = found.daemonSet;
  const uninstall = covering === undefined ? uninstallFor(node) : undefined;
  const isUninstalled = uninstall !== undefined;
  const pods = own.length === 0 ? NO_DRIVER_PODS : own.map(driverPodOf);
  const gate = policy.gate?.kind === 'label' && node.labels[policy.gate.label] !== undefined;
  const hasCompanionCordon = isCordonMark(node.annotations[keys.cordoned]);
  const isMarked = node.annotations[keys.requestorMode] !== undefined;
  const hasOwnMark = isMarked && basis.asksOperator;
  const isForeign = !basis.asksOperator && (isMarked || IN_MAINTENANCE.has(state));
  const isDriven = covering !== undefined || pods.length > 0 || sriov !== undefined;
  const isOutside = state === '' && !isDriven && !gate && !hasCompanionCordon && !hasOwnMark;
  // The other nodes need no driver, and there may be thousands.
  const isAsked =
    basis.sriovNode === undefined && !isUninstalled && (!isOutside || node.labels[NFD_LABELS.nicPresent] === 'true');
  const noDriver = isAsked ? found.reason : undefined;
  if (isOutside) return { view: undefined, reason: noDriver };
  const policyOfNode = sriov?.policy ?? policyByPods(policies, pods, uninstall?.policy, covering?.name, noDriver);
  const refusal = basis.refusedPatches?.get(nodeKey(policy.labelPrefix, node.name));
  const view: NodeView = {
    node,
    state,
    covering,
    operatorState: operatorStateOf(basis, node, state, sriov),
    sriov: sriov?.nodeState,
    poolConflict: sriov?.conflict,
    isDriven,
    isRestartOnly:
      sriov?.isDrainless ??
      (basis.operatorStateLabel !== undefined && pods.some(({ pod }) => basis.isRestartOnly(pod))),
    noDriver,
    isUninstalled,
    isForeign,
    wanted: isUninstalled ? 'none' : (sriov?.nodeState.generation.toString() ?? wanted.get(covering?.name ?? '')),
    policy: policyOfNode,
    driverPods: pods,
    gatedPods: gatedPodsOn?.(node.name) ?? NO_PODS,
    pods: here,
    isManaged: isDriven || hasOwnMark || (state === '' ? hasCompanionCordon : state !== 'upgrade-done'),
    // An uninstall does not depend on `autoUpgrade`.
    isFrozen:
      (policyOfNode?.autoUpgrade !== true && !isUninstalled) || isForeign || basis.isUnread || !NODE_STATES.has(state),
    refusal,
    isHeld: refusal !== undefined && basis.nowMs < refusal.untilMs,
  };
  return { view, reason: noDriver };
}

function policyByPods(
  policies: readonly NodeUpgradePolicy[],
  pods: readonly DriverPod[],
  uninstalling: string | undefined,
  covering: string | undefined,
  noDriver: NoDriver | undefined,
): NodeUpgradePolicy | undefined {
  return nodePolicy(policies, {
    uninstalling,
    covering,
    repelled: noDriver?.daemonSet,
    running: pods[0]?.pod.controller?.name,
    isOwner: (name) => pods.some(({ pod }) => pod.labels[DS_OWNER_LABEL] === name),
  });
}

/** What an operator says of the node; undefined where the companion restarts the driver. */
function operatorStateOf(
  basis: ViewBasis,
  { labels }: SnapshotNode,
  state: string,
  sriov: SriovNode | undefined,
): string | undefined {
  if (basis.sriovNode !== undefined) return sriov === undefined ? '' : sriovStateOf(sriov.nodeState, state);
  return basis.operatorStateLabel === undefined ? undefined : (labels[basis.operatorStateLabel] ?? '');
}

/**
 * Label prefix of another driver that is being upgraded on the node: its state is one of these. Where the companion runs the flow of
 * an operator, its own label says more than the operator's.
 */
export function otherDriver(
  keys: DriverKeys,
  { labels }: SnapshotNode,
  states: ReadonlySet<string> = IN_PROGRESS,
  counts: (prefix: string) => boolean = () => true,
): string | undefined {
  // Allocates no list of entries, because nodes have dozens of labels.
  for (const key in labels) {
    if (!key.endsWith(STATE_LABEL_END) || key === keys.state || !states.has(labels[key] ?? '')) continue;
    const prefix = ANY_STATE_LABEL.exec(key)?.[1];
    if (prefix === undefined || !counts(prefix)) continue;
    const restarting = companionPrefix(prefix);
    const isOfOperator = states.has(labels[driverKeys(restarting).state] ?? '') && counts(restarting);
    if (!isOfOperator) return prefix;
  }
  return undefined;
}

/** The end of the state labels of all drivers; cheaper to test than a pattern. */
const STATE_LABEL_END = driverKeys('').state.replace(/^.*\//, '');
