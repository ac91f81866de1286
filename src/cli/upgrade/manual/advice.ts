import type { DriverKeys } from '../../../contract/labels.js';
import type { WaitKind } from '../../../upgrade/model/types.js';

const NOTHING = 'nothing: it goes on by itself';

/** What a user can do for a node with this wait. `NODE` and `SKIP` stand for the node and the skip label of pods. */
const ADVICE: Readonly<Record<WaitKind, readonly string[]>> = {
  jobs: [
    'wait for the jobs, or end them',
    'set `waitForCompletion.timeoutSeconds` in the policy: 0 waits without a limit',
  ],
  evictions: [
    'free the budget that is named: more replicas, or repair the pods that it counts as not ready',
    'delete the pod that is named, where its loss is acceptable',
    'label the pod SKIP=true to leave it on the node',
  ],
  termination: ['look at the finalizers and the grace period of the pod that is named: the API server waits for them'],
  'driver-pod': ['look at the driver pod: `kubectl logs` and `kubectl describe`; its image may still be pulled'],
  validation: ['look at the pods and resources that are named; a device plugin may have to be restarted'],
  'cache-sync': [NOTHING],
  'daemon-set': ['synchronize the application in Argo CD or Flux: the DaemonSet of the policy is not applied yet'],
  policy: [
    'synchronize the application in Argo CD or Flux: the policy that lists the DaemonSet is not applied yet',
    'delete the DaemonSet that is named, where no policy is to list it',
  ],
  image: ['wait for the image, or shorten `upgrade.prePullTimeout`'],
  slot: ['wait for nodes in progress, or raise `maxParallelUpgrades` or `maxUnavailable`'],
  canary: ['wait for the canaries'],
  'canary-missing': ['`weft upgrade retry` the canaries that failed, or change `upgrade.canary`'],
  successor: [
    'remove the taint that is named, or tolerate it in the policy, or add the kernel or the pool: `kubectl get nodes -o json | weft pools --check`',
    '`driver.uninstall` of the Cluster document, where the node is to have no driver',
  ],
  'no-successor': [
    'nothing, where the node may keep its driver: it is not drained',
    'tolerate the taint that is named in the policy, or add the kernel or the pool: `kubectl get nodes -o json | weft pools --check`',
    '`driver.uninstall` of the Cluster document, for the pool or the policy that is to go',
  ],
  topology: ['wait for the nodes of the other domain'],
  room: [
    'add nodes, or make room for the pods that the scheduler finds no node for: `kubectl get pods -A` shows them as Pending',
  ],
  'patch-refused': ['look at the admission webhook that the message names: it refuses changes of this node'],
  'other-driver': ['wait for the upgrade of the other driver on this node'],
  unreachable: ['repair the node: its kubelet does not report; or delete the Node when the machine is gone'],
  unavailable: ['uncordon or repair the nodes that are out of service for other reasons: they use up the budget'],
  window: ['wait for the window, or change `upgrade.maintenanceWindows`'],
  soak: ['wait for the soak of the canaries to end, or shorten `upgrade.canary.soak`'],
  pause: ['`weft upgrade resume`, or `upgrade: {paused: false}` in the Cluster document'],
  skip: ['`weft upgrade unskip NODE`'],
  halt: ['repair failed nodes or `weft upgrade retry` them, or raise `upgrade.failureBudget`'],
  failed: [
    'repair what the reason names: when its driver pod is in sync and Ready, the node is uncordoned by itself',
    '`weft upgrade retry NODE` to begin again',
    '`weft upgrade skip NODE` to leave it out',
  ],
  'failed-uncovered': [
    'add the node to a pool of the Cluster document again',
    'uncordon it and remove its state label, where it is to have no driver',
  ],
  'foreign-flow': ['stop the controller that is named, or let it finish: two programs must not upgrade one node'],
  orphan: ['`weft upgrade request NODE`: no DaemonSet would create its driver pod again'],
  off: ['`autoUpgrade: true` in the policy'],
};

/** What a user can do for a node with a NIC that no driver DaemonSet covers. */
export const UNCOVERED_ADVICE: readonly string[] = [
  'compare the node with the pools of the Cluster document: `kubectl get nodes -o json | weft pools --check`',
  'add its kernel to the pool, or a pool for it, and apply the output',
];

/** What a user can do; empty if nothing has to be done. */
export function adviceFor(kind: WaitKind | undefined, node: string, keys: DriverKeys): readonly string[] {
  if (kind === undefined) return [];
  return ADVICE[kind].map((line) => line.replace(/\bNODE\b/, node).replace(/\bSKIP\b/, keys.skipDrain));
}
