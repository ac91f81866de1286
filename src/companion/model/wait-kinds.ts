import { driverKeys } from '../../shared/contract/labels.js';
import type { DriverKind, UpgradePolicy } from '../../shared/contract/upgrade-policy.js';

/** One thing that a node can wait for. */
interface WaitKindRow {
  /** Hundreds of nodes may have it at the same time: one line of the log has their number, instead of one line for each node. */
  readonly isQueued?: true;
  /**
   * A run ends when all remaining nodes wait for a time or for a user, and the next run of the CronJob continues: with this text the
   * end of the run counts the nodes, `2 nodes …`; it does not count them if the text is empty. Absent: the run continues. A wait for another
   * node or driver has a text, too: what is in progress there continues the run, unless only a user can free it.
   */
  readonly left?: string;
  /** A Job continues all the same: GitOps may have started it before what it waits for. */
  readonly jobContinues?: true;
  /** The message names the pods that block the node; they are in `blockers`, too. */
  readonly namesBlockers?: true;
  /** For the reference page. */
  readonly waitsFor: string;
  /** What a user can do. `NODE` stands for the node, `SKIP` and `REPAIRED` for what `adviceOf` has of its driver. */
  readonly advice: readonly string[];
}

const NOTHING: readonly string[] = ['nothing: it goes on by itself'];

/** Everything that a node can wait for. */
export const WAIT_KINDS = {
  jobs: {
    namesBlockers: true,
    waitsFor: 'pods of jobs, by the selector of the policy',
    advice: [
      'wait for the jobs, or end them',
      'set `waitForCompletion.timeoutSeconds` in the policy: 0 waits without a limit',
    ],
  },
  evictions: {
    namesBlockers: true,
    waitsFor: 'pods that must be evicted, and budgets that do not allow it',
    advice: [
      'free the budget that is named: more replicas, or repair the pods that it counts as not ready',
      'delete the pod that is named, where its loss is acceptable',
      'label the pod SKIP=true to leave it on the node',
    ],
  },
  pods: {
    left: 'with pods that no drain may evict',
    namesBlockers: true,
    waitsFor:
      'the user: the node has pods that the policy does not allow to evict, or whose PodDisruptionBudget never does, so it is not taken out',
    advice: [
      'delete or move the pod that is named, or allow its eviction: `drain: {force: true, deleteEmptyDir: true}`, or a budget that allows one',
      'label the pod SKIP=true to leave it on the node',
    ],
  },
  budget: {
    namesBlockers: true,
    waitsFor: 'PodDisruptionBudgets that allow no eviction of pods of the node now, so that it is not taken out',
    advice: [
      'free the budget that is named: more replicas, or repair the pods that it counts as not ready; leave a pod one budget',
      'delete the pod that is named, where its loss is acceptable',
      'label the pod SKIP=true to leave it on the node',
    ],
  },
  termination: {
    namesBlockers: true,
    waitsFor: 'terminating pods',
    advice: ['look at the finalizers and the grace period of the pod that is named: the API server waits for them'],
  },
  'driver-pod': {
    waitsFor: 'the new driver pod',
    advice: ['look at the driver pod: `kubectl logs` and `kubectl describe`; its image may still be pulled'],
  },
  operator: {
    waitsFor: 'the operator that restarts the driver, by its state label',
    advice: ['look at the label `nvidia.com/gpu-driver-upgrade-state` of the node, and at the log of the GPU operator'],
  },
  'config-daemon': {
    isQueued: true,
    waitsFor: 'the config daemon of the SR-IOV operator, which configures virtual functions',
    advice: ['look at the SriovNetworkNodeState of the node, and at the log of its pod `sriov-network-config-daemon`'],
  },
  'config-failed': {
    left: 'whose virtual functions could not be configured',
    waitsFor:
      'the user: the config daemon of the SR-IOV operator failed, or does not end, and says why in the SriovNetworkNodeState',
    advice: ['mend the SriovNetworkNodePolicy that the error is about; the config daemon then tries again'],
  },
  pools: {
    left: 'in more than one SR-IOV pool',
    waitsFor: 'the user: more than one SriovNetworkPoolConfig selects the node',
    advice: ['change `nodeSelector` of the SriovNetworkPoolConfigs that are named: a node is in one pool at most'],
  },
  maintenance: {
    waitsFor: 'the Maintenance Operator, to drain the node or to give it back, by its NodeMaintenance',
    advice: [
      'look at the NodeMaintenance that is named, and at the log of the Maintenance Operator: it has limits of its own, and other requestors',
      'free the pods that are named: the Maintenance Operator tries their eviction again without a limit',
    ],
  },
  'maintenance-failed': {
    left: 'whose NodeMaintenance failed',
    waitsFor: 'the user: a requestor set the condition `RequestorFailed` of the NodeMaintenance of the node',
    advice: [
      'repair what the condition names, then set it to `False`, or delete the NodeMaintenance: it is asked for again',
    ],
  },
  'maintenance-cordon': {
    left: 'still cordoned after their maintenance',
    waitsFor: 'the user: the NodeMaintenance of the node is gone, and the node is still cordoned',
    advice: ['`kubectl uncordon NODE`, unless somebody else needs the cordon'],
  },
  'no-maintenance-operator': {
    isQueued: true,
    left: 'waiting for the Maintenance Operator',
    jobContinues: true,
    waitsFor: 'the user, to deploy the Maintenance Operator: its CRD is not served, or none of its pods runs',
    advice: [
      'deploy the Maintenance Operator, for instance by its add-on in the Cluster document, or repair its pods',
      '`upgrade: {drainer: Companion}`, where the companion is to drain',
    ],
  },
  validation: {
    waitsFor: 'the resources and pods of the validation',
    advice: ['look at the pods and resources that are named; a device plugin may have to be restarted'],
  },
  'cache-sync': {
    waitsFor: 'the caches, to show a write, or a pod that was bound just before the cordon',
    advice: NOTHING,
  },
  'daemon-set': {
    waitsFor: 'GitOps, to apply the DaemonSet of the policy, or the DaemonSet controller, to observe it',
    advice: ['synchronize the application in Argo CD or Flux: the DaemonSet of the policy is not applied yet'],
  },
  policy: {
    isQueued: true,
    left: 'waiting for a policy that lists their driver DaemonSet',
    waitsFor:
      'GitOps, to apply the policy that lists a newer DaemonSet of the driver, or the user, to delete that DaemonSet',
    advice: [
      'synchronize the application in Argo CD or Flux: the policy that lists the DaemonSet is not applied yet',
      'delete the DaemonSet that is named, where no policy is to list it',
    ],
  },
  image: {
    isQueued: true,
    waitsFor: 'the image of the new driver, which `upgrade.prePull` pulls before the upgrade of the node begins',
    advice: ['wait for the image, or shorten `upgrade.prePullTimeout`'],
  },
  slot: {
    isQueued: true,
    left: 'waiting for nodes that are left in progress',
    waitsFor: 'one of the nodes in progress',
    advice: ['wait for nodes in progress, or raise `maxParallelUpgrades` or `maxUnavailable`'],
  },
  canary: {
    isQueued: true,
    waitsFor: 'the canaries in progress',
    advice: ['wait for the canaries'],
  },
  'canary-missing': {
    isQueued: true,
    left: 'held back because a canary is missing',
    waitsFor: 'the user, to repair a canary or to change the selector of the canaries: none of them is in progress',
    advice: ['`weft upgrade retry` the canaries that failed, or change `upgrade.canary`'],
  },
  successor: {
    waitsFor: 'a taint or a label of the node in progress: no listed DaemonSet would put a driver there',
    advice: [
      'remove the taint that is named, or tolerate it in the policy, or add the kernel or the pool: `kubectl get nodes -o json | weft pools --check`',
      '`driver.uninstall` of the Cluster document, where the node is to have no driver',
    ],
  },
  'no-successor': {
    isQueued: true,
    left: 'kept, because no DaemonSet would put a driver on them',
    waitsFor: 'the user: no listed DaemonSet would put a driver on the node, which therefore keeps the one that it has',
    advice: [
      'nothing, where the node may keep its driver: it is not drained',
      'tolerate the taint that is named in the policy, or add the kernel or the pool: `kubectl get nodes -o json | weft pools --check`',
      '`driver.uninstall` of the Cluster document, for the pool or the policy that is to go',
    ],
  },
  'daemon-set-kept': {
    isQueued: true,
    left: 'with a retired driver, whose DaemonSet other nodes keep',
    waitsFor: 'the user: other nodes keep the retired DaemonSet of its driver, which is deleted for all nodes at once',
    advice: [
      'nothing, where the nodes that are named may keep the old driver: it is not upgraded here either',
      'set `autoUpgrade: true` in the policy that is named, or give the nodes that are named a driver, or none by `driver.uninstall`',
    ],
  },
  topology: {
    isQueued: true,
    left: 'waiting for nodes of another topology domain that are left in progress',
    waitsFor: 'the nodes of another topology domain',
    advice: ['wait for the nodes of the other domain'],
  },
  'evicted-pods': {
    isQueued: true,
    waitsFor:
      'nodes that have just started, evicted pods that have no node, or a PodDisruptionBudget that another node needs first',
    advice: [
      'add nodes, or free resources for the pods that the scheduler finds no node for: `kubectl get pods -A` shows them as Pending',
      '`upgrade: {waitForEvictedPods: false}`, where they fit only the node that they left',
    ],
  },
  'other-driver': {
    left: 'waiting for another driver that is left in progress there',
    waitsFor: 'another driver of the node, which is restarted before it',
    advice: ['look at what the other driver waits for on this node: `weft upgrade status`'],
  },
  'foreign-driver': {
    waitsFor: 'the upgrade of a driver on the same node that the policy does not have, by the operator of that driver',
    advice: ['wait for the upgrade of the driver that is named, or look at the log of its operator'],
  },
  'patch-refused': {
    left: 'whose patches the API server refuses',
    waitsFor: 'the API server, which has refused the patch of the node five times or more; the message has its words',
    advice: ['look at the admission webhook that the message names: it refuses changes of this node'],
  },
  unreachable: {
    left: 'unreachable',
    waitsFor: 'the kubelet of the node, which does not report',
    advice: ['repair the node: its kubelet does not report; or delete the Node when the machine is gone'],
  },
  unavailable: {
    isQueued: true,
    left: 'held back by nodes that are not available, or by a budget of 0',
    waitsFor: 'other nodes that are cordoned or not ready, and use up the budget, or the user, where the budget is 0',
    advice: [
      'uncordon or repair the nodes that are out of service for other reasons: they use up the budget',
      'raise `maxUnavailable`, where it lets no node out: a percentage of few nodes may be none',
    ],
  },
  window: {
    isQueued: true,
    left: 'waiting for a maintenance window',
    waitsFor: 'the next maintenance window',
    advice: [
      'wait for the window, or change `upgrade.maintenanceWindows`',
      '`weft upgrade run --now`, to begin outside of it',
    ],
  },
  soak: {
    isQueued: true,
    left: 'waiting until the canaries have soaked',
    waitsFor: 'the soak of the canaries',
    advice: ['wait for the soak of the canaries to end, or shorten `upgrade.canary.soak`'],
  },
  pause: {
    isQueued: true,
    left: 'paused',
    waitsFor: 'the user, to end the pause',
    advice: ['`weft upgrade resume`, or `upgrade: {paused: false}` in the Cluster document'],
  },
  skip: {
    left: '',
    waitsFor: 'the user, to remove the skip label',
    advice: ['`weft upgrade unskip NODE`'],
  },
  halt: {
    isQueued: true,
    left: 'held back because too many nodes failed',
    waitsFor: 'the user, to repair the failed nodes: the failure budget is spent',
    advice: [
      'repair failed nodes or `weft upgrade retry` them, or raise `upgrade.failureBudget`',
      'give nodes that shall go on an upgrade pool with a `failureBudget` of its own: the halt reaches all others, or all of the DaemonSet that the reason names',
    ],
  },
  failed: {
    left: 'failed in an earlier run',
    waitsFor: 'the user, to repair the node',
    advice: [
      'repair what the reason names: REPAIRED, the node is uncordoned by itself',
      'nothing, where pods blocked its drain: it begins again when they can leave, at most three times',
      '`weft upgrade retry NODE` to begin again',
      '`weft upgrade skip NODE` to leave it out',
    ],
  },
  'failed-uncovered': {
    left: 'failed, and no driver DaemonSet covers them any more',
    waitsFor:
      'the user, to remove the state label of a failed node that no driver DaemonSet covers any more, or to cover it',
    advice: [
      'add the node to a pool of the Cluster document again',
      'uncordon it and remove its state label, where it is to have no driver',
    ],
  },
  'foreign-flow': {
    left: 'left to another flow',
    waitsFor: 'the operator, the maintenance operator, or the program that set an unknown state',
    advice: [
      'stop the controller that is named, or let it finish: two programs must not upgrade one node',
      'where the companion had asked the Maintenance Operator: set `upgrade.drainer: MaintenanceOperator` again until the node is done',
    ],
  },
  off: {
    left: 'without autoUpgrade',
    waitsFor: 'a policy with `autoUpgrade: true`',
    advice: ['`autoUpgrade: true` in the policy'],
  },
} as const satisfies Readonly<Record<string, WaitKindRow>>;

export type WaitKind = keyof typeof WAIT_KINDS;

/** What a node waits for of a pod: its eviction, another one after a refusal, its end, or the end of its job. */
export const BLOCKER_KINDS = ['eviction', 'refusal', 'termination', 'job'] as const;
export type BlockerKind = (typeof BLOCKER_KINDS)[number];

/** Whether a run, of a Job or of a CronJob, continues for nodes that wait for it. */
export function runContinues(kind: WaitKind, mode: 'job' | 'cronjob'): boolean {
  const { left, jobContinues } = waitKind(kind);
  return left === undefined || (mode === 'job' && jobContinues === true);
}

/** The row of a kind. */
export function waitKind(kind: WaitKind): WaitKindRow {
  return WAIT_KINDS[kind];
}

const POD_READY = 'when its driver pod is in sync and Ready';

/** What shows that a failed node is repaired. */
const REPAIRED_WHEN = {
  ofed: POD_READY,
  gpu: POD_READY,
  'gpu-operator': 'when the GPU operator has it as `upgrade-done`',
  sriov: 'when `syncStatus` of its SriovNetworkNodeState is `Succeeded`',
} as const satisfies Readonly<Record<DriverKind, string>>;

/** What a user can do about a wait for a driver. `NODE` stands for the node. */
export function adviceOf(kind: WaitKind, driver: string, drivers: UpgradePolicy['drivers']): readonly string[] {
  const { kind: ofDriver = 'ofed' } = drivers.find(({ labelPrefix }) => labelPrefix === driver) ?? {};
  const { skipDrain } = driverKeys(driver);
  return waitKind(kind).advice.map((line) =>
    line.replace('REPAIRED', REPAIRED_WHEN[ofDriver]).replace('SKIP', skipDrain),
  );
}
