import { DS_OWNER_LABEL, NFD_LABELS, type DriverKeys } from '../../../shared/contract/labels.js';
import { legacyKeys } from '../../../shared/contract/legacy-keys.js';
import { MAINTENANCE_ANNOTATION, readMaintenanceRecord } from '../../../shared/contract/maintenance-record.js';
import { nodePolicy } from '../../../shared/contract/node-policy.js';
import type { driverPlacement, NoDriver } from '../../../shared/contract/driver-placement.js';
import type { UninstallOf } from '../../../shared/contract/uninstall.js';
import type { PodDriverPolicy, NodeUpgradePolicy } from '../../../shared/contract/upgrade-policy.js';
import type { SnapshotDaemonSet, SnapshotNode, SnapshotPod, WaitReason } from '../../model/types.js';
import { suspendedWait } from '../suspended.js';

/**
 * How a driver pod compares with its DaemonSet.
 * `current`: its revision has the digest of its DaemonSet. `outdated`: it has another, or is gone. `retired`: the policy no
 * longer lists its DaemonSet, or it has none: a listed DaemonSet would have adopted it.
 * `unlisted`: its DaemonSet is newer than the policy, which does not list it. `unknown`: the caches lack its DaemonSet or revision.
 * `operators`: an operator compares and restarts it (`DriverNode.operatorState`).
 */
type DriverPodStatus = 'current' | 'outdated' | 'retired' | 'unlisted' | 'unknown' | 'operators';

export interface DriverPod {
  readonly pod: SnapshotPod;
  readonly status: DriverPodStatus;
}

/** One node as one driver sees it. */
export interface DriverNode {
  readonly node: SnapshotNode;
  /** Value of the state label, which may be unknown. */
  readonly state: string;
  /** The policy by which the node is upgraded; undefined if the driver has none. */
  readonly policy: NodeUpgradePolicy | undefined;
  /** The listed DaemonSet whose driver pod belongs on the node. */
  readonly daemonSet: SnapshotDaemonSet | undefined;
  /**
   * For a driver that an operator restarts: its state label, which says whether the node is due, done or failed. Empty: it has none.
   * Undefined: the companion restarts the driver.
   */
  readonly operatorState: string | undefined;
  /** That operator restarts its driver pod, which installs the same as before: no pod has to leave the node for it. */
  readonly isRestartOnly: boolean;
  /** The node has the driver, or something is to install one. */
  readonly isDriven: boolean;
  /** Why no listed DaemonSet puts a driver on the node as it is; undefined if one does, or if its driver is uninstalled. */
  readonly noDriver: NoDriver | undefined;
  /** An uninstall asks for the driver of the node, and no listed DaemonSet installs another. */
  readonly isUninstalled: boolean;
  /** Install digest that the policy lists for `daemonSet`; `none` if the driver is uninstalled; undefined: not known. */
  readonly desired: string | undefined;
  readonly driverPods: readonly DriverPod[];
  readonly gatedPods: readonly SnapshotPod[];
  /**
   * It has or gets the driver, is in its flow, or has a cordon of the companion. Other nodes are listed for the gate label only.
   */
  readonly isManaged: boolean;
  /** Why the companion leaves the node as it is. */
  readonly suspended: WaitReason | undefined;
}

const NO_NAMES: readonly string[] = [];
export const NO_PODS: readonly SnapshotPod[] = [];
const NO_DRIVER_PODS: readonly DriverPod[] = [];

type Placement = ReturnType<typeof driverPlacement<SnapshotDaemonSet>>;

/** What the views of all nodes have in common. */
export interface ViewBasis {
  readonly policy: PodDriverPolicy;
  readonly keys: DriverKeys;
  readonly policies: readonly NodeUpgradePolicy[];
  readonly placement: Placement;
  /** Install digests that the policy lists, by DaemonSet name. */
  readonly desired: ReadonlyMap<string, string>;
  readonly driverPodOf: (pod: SnapshotPod, nowMs: number) => DriverPod;
  readonly uninstallFor: UninstallOf;
  /** Whether the DaemonSet of a driver pod installs what the pod has installed, as the GPU operator says. */
  readonly isRestartOnly: (pod: SnapshotPod) => boolean;
  /** The state label of the operator that restarts the driver. */
  readonly operatorStateLabel: string | undefined;
  /** The companion asks the Maintenance Operator for nodes, so its annotation is the companion's. */
  readonly asksOperator: boolean;
}

/** The pods on a node that a driver is about. */
export interface PodsOfNode {
  readonly drivers: readonly SnapshotPod[];
  /** Behind the driver's gate. */
  readonly gated: readonly SnapshotPod[];
}

/** The view is undefined if the node needs nothing of the driver. The reason says why no DaemonSet puts one there. */
export interface FoundNode {
  readonly view: DriverNode | undefined;
  readonly reason: NoDriver | undefined;
}

export function driverNode(
  basis: ViewBasis,
  node: SnapshotNode,
  { drivers: own, gated }: PodsOfNode,
  nowMs: number,
): FoundNode {
  const { policy, keys, policies, placement, uninstallFor, desired, driverPodOf } = basis;
  const state = node.labels[keys.state] ?? '';
  const owners = own.length === 0 ? NO_NAMES : own.map(({ controller }) => controller?.name ?? '');
  const found = placement(node, owners);
  const daemonSet = found.daemonSet;
  const uninstall = daemonSet === undefined ? uninstallFor(node) : undefined;
  const isUninstalled = uninstall !== undefined;
  const pods = own.length === 0 ? NO_DRIVER_PODS : own.map((pod) => driverPodOf(pod, nowMs));
  const gate = policy.gate?.kind === 'label' && node.labels[policy.gate.label] !== undefined;
  const isRemembered = state === '' && isInRecord(node, policy.labelPrefix);
  const hasOwnMark = node.annotations[keys.requestorMode] !== undefined && basis.asksOperator;
  const isDriven = daemonSet !== undefined || pods.length > 0;
  const isOutside = state === '' && !isDriven && !gate && !isRemembered && !hasOwnMark;
  // The other nodes need no driver, and there may be thousands.
  const isAsked = !isUninstalled && (!isOutside || node.labels[NFD_LABELS.nicPresent] === 'true');
  const noDriver = isAsked ? found.reason : undefined;
  if (isOutside) return { view: undefined, reason: noDriver };
  const policyOfNode = policyByPods(policies, pods, uninstall?.policy, daemonSet?.name, noDriver);
  const view: DriverNode = {
    node,
    state,
    daemonSet,
    operatorState: basis.operatorStateLabel === undefined ? undefined : (node.labels[basis.operatorStateLabel] ?? ''),
    isDriven,
    isRestartOnly: basis.operatorStateLabel !== undefined && pods.some(({ pod }) => basis.isRestartOnly(pod)),
    noDriver,
    isUninstalled,
    desired: isUninstalled ? 'none' : desired.get(daemonSet?.name ?? ''),
    policy: policyOfNode,
    driverPods: pods,
    gatedPods: gated,
    isManaged: isDriven || hasOwnMark || (state === '' ? isRemembered : state !== 'upgrade-done'),
    suspended: suspendedWait({
      node,
      state,
      keys,
      policy: policyOfNode,
      isUninstalled,
      asksOperator: basis.asksOperator,
    }),
  };
  return { view, reason: noDriver };
}

/** The node is out of service for the driver, as the record or an older version of the companion says. */
function isInRecord({ annotations }: SnapshotNode, prefix: string): boolean {
  if (annotations[legacyKeys(prefix).cordoned] !== undefined) return true;
  const record = annotations[MAINTENANCE_ANNOTATION];
  return record !== undefined && readMaintenanceRecord(record)?.wants?.[prefix] !== undefined;
}

function policyByPods(
  policies: readonly NodeUpgradePolicy[],
  pods: readonly DriverPod[],
  uninstalling: string | undefined,
  daemonSet: string | undefined,
  noDriver: NoDriver | undefined,
): NodeUpgradePolicy | undefined {
  return nodePolicy(policies, {
    uninstalling,
    daemonSet,
    repelled: noDriver?.daemonSet,
    running: pods[0]?.pod.controller?.name,
    isOwner: (name) => pods.some(({ pod }) => pod.labels[DS_OWNER_LABEL] === name),
  });
}
