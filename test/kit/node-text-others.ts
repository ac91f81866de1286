import { SRIOV_DRAIN_KEYS } from '../../src/shared/contract/labels.js';
import { podIndexOf } from '../../src/companion/model/pod-index.js';
import type { Snapshot } from '../../src/companion/model/snapshot.js';
import type { SriovNodeState } from '../../src/companion/model/sriov.js';
import type { Action, Decision, SnapshotNode, SnapshotPod } from '../../src/companion/model/types.js';
import { changed, drained } from './maintenances.js';
import { gpuPod } from './shared-nodes.js';
import { after, allKeys, driverPod } from './snapshots.js';

/** What others do to nodes between two decisions of the companion. */
export type Others = (state: Snapshot, minute: number) => Snapshot;

/** The cluster after the API server has carried out a decision, with NodeMaintenances and what config daemons are told. */
export function afterActions(before: Snapshot, decision: Decision): Snapshot {
  const next = after(changed({ state: before, specs: new Map() }, decision), decision);
  if (before.sriovNodeStates === undefined) return next;
  const answered = [...before.sriovNodeStates].map(([name, one]): [string, SriovNodeState] => [
    name,
    decision.actions.reduce((state, action) => withAnswer(state, action), one),
  ]);
  return { ...next, sriovNodeStates: new Map(answered) };
}

function withAnswer(state: SriovNodeState, action: Action): SriovNodeState {
  if (action.kind !== 'patchSriovNodeState' || action.node !== state.name) return state;
  const { [SRIOV_DRAIN_KEYS.current]: current = state.current, [SRIOV_DRAIN_KEYS.desired]: desired = state.desired } =
    action.annotations;
  return { ...state, current, desired };
}

/** DaemonSets make a new driver pod on each node that has had one, ready or not. */
const podsCome =
  (ready: boolean): Others =>
  (state) => {
    const made = state.nodes.flatMap(({ name, labels }) => {
      const names = new Set(state.pods.onNode(name).map((one) => one.name));
      const wanted = [
        ...(allKeys('ofed').state in labels ? [driverPod(name)] : []),
        ...(allKeys('gpu').state in labels ? [gpuPod(name, 'new')] : []),
      ];
      return wanted.filter((one) => !names.has(one.name)).map((one): SnapshotPod => ({ ...one, ready }));
    });
    return made.length === 0 ? state : { ...state, pods: podIndexOf([...state.pods, ...made]) };
  };

/** A config daemon configures its node as soon as that is drained: sriov-network-operator 249e20012, `pkg/daemon/daemon.go`. */
const daemonWorks: Others = (state) => ({
  ...state,
  sriovNodeStates: new Map(
    [...(state.sriovNodeStates ?? [])].map(([name, one]) => [
      name,
      one.current === 'DrainComplete' && one.desired !== 'Idle'
        ? { ...one, desired: 'Idle', syncStatus: 'Succeeded' }
        : one,
    ]),
  ),
});

const GPU = allKeys('gpu');
const NEXT: Readonly<Record<string, string>> = {
  'cordon-required': 'wait-for-jobs-required',
  'wait-for-jobs-required': 'pod-deletion-required',
  'pod-deletion-required': 'pod-restart-required',
  'pod-restart-required': 'validation-required',
  'validation-required': 'uncordon-required',
};

/**
 * One reconcile of the GPU operator with `maxUnavailable: 0`: k8s-operator-libs 11e747a, `pkg/upgrade` (`ProcessUpgradeRequiredNodes`,
 * `updateNodeToUncordonOrDoneState`).
 */
const operatorWorks: Others = (state) => ({ ...state, nodes: state.nodes.map(reconciled) });

function reconciled(one: SnapshotNode): SnapshotNode {
  const now = one.labels[GPU.state] ?? '';
  if (now === 'upgrade-required') return one.unschedulable ? inState(one, 'cordon-required') : one;
  const next = NEXT[now];
  if (next === undefined) return one;
  if (next !== 'uncordon-required') return inState(one, next);
  const { [GPU.initialState]: found, ...annotations } = one.annotations;
  const done = inState(one, 'upgrade-done');
  return found === undefined ? { ...done, unschedulable: false } : { ...done, annotations };
}

const inState = (one: SnapshotNode, state: string): SnapshotNode => ({
  ...one,
  labels: { ...one.labels, [GPU.state]: state },
  resourceVersion: `${one.resourceVersion}.`,
});

export const OTHERS: Readonly<Record<string, Others>> = {
  'pods-come': podsCome(true),
  'pods-load': podsCome(false),
  'daemon-works': daemonWorks,
  'node-is-drained': drained,
  'operator-works': operatorWorks,
  'operator-is-slow': (state, minute) => (minute % 3 === 2 ? operatorWorks(state, minute) : state),
};
