import { describe, expect, it } from '@jest/globals';
import { driverKeys, SRIOV_DRAIN_KEYS } from '../../src/shared/contract/labels.js';
import { decide } from '../../src/companion/decide.js';
import type { NodeMaintenanceChange } from '../../src/companion/model/node-maintenance.js';
import type { Snapshot } from '../../src/companion/model/snapshot.js';
import { asksForDrain, type SriovAnswer, type SriovNodeState } from '../../src/companion/model/sriov.js';
import type { Action, PatchNode, PatchSriovNodeState, SnapshotNode } from '../../src/companion/model/types.js';
import type { DecisionChange } from './run/companion.js';
import { adding, changing, evictionsOn, noticed, patchOf, withState, type Mistake } from './mistakes.js';

const OPERATOR = driverKeys('gpu');
const without = (annotations: PatchNode['annotations'], value: string | null): PatchNode['annotations'] =>
  Object.fromEntries(
    Object.entries(annotations).filter(([key, now]) => key !== OPERATOR.initialState || now !== value),
  );

/** Mistakes beside the GPU operator. */
const besideGpuOperator: readonly Mistake[] = [
  {
    name: 'a cordon that the GPU operator would lift',
    change: changing((patch) => ({ ...patch, annotations: without(patch.annotations, 'true') })),
    expected: /recorded for the GPU operator/,
  },
  {
    name: 'a record of a cordon that stays',
    change: changing((patch) => ({ ...patch, annotations: without(patch.annotations, null) })),
    expected: /the record of a cordon goes/,
    first: 84,
  },
  {
    name: 'a cordon that is lifted under the GPU operator',
    change: adding((snapshot) =>
      snapshot.nodes
        .filter(({ labels, unschedulable }) => unschedulable && labels[OPERATOR.state] === 'pod-restart-required')
        .map((node) => patchOf(snapshot, node, { driver: 'weft-gpu', unschedulable: false })),
    ),
    expected: /the GPU operator needs|foreign cordon|one patch per node/,
  },
  {
    name: 'the state of the GPU operator, written by the companion',
    change: changing((patch) =>
      patch.steps.some(({ row }) => row === 'begin')
        ? { ...patch, labels: { ...patch.labels, [OPERATOR.state]: 'cordon-required' } }
        : patch,
    ),
    expected: /only upstream’s labels/,
  },
  {
    name: 'a node that begins although the GPU operator has no upgrade for it',
    change: (decision, snapshot, policy, nowMs) => {
      if (!policy.drivers.some(({ labelPrefix }) => labelPrefix === 'weft-gpu')) return decision;
      const nodes = snapshot.nodes.map((node): SnapshotNode => {
        const labels = { ...node.labels, [OPERATOR.state]: 'upgrade-required' };
        return node.labels[OPERATOR.state] === 'upgrade-done' ? { ...node, labels } : node;
      });
      return decide({ ...snapshot, nodes }, policy, nowMs);
    },
    expected: /only what the GPU operator asks for/,
  },
];

const { current: CURRENT, desired: DESIRED } = SRIOV_DRAIN_KEYS;

const answering =
  (change: (answer: PatchSriovNodeState, state: SriovNodeState) => SriovAnswer | undefined): DecisionChange =>
  (decision, { sriovNodeStates }) => ({
    ...decision,
    actions: decision.actions.flatMap((action): Action[] => {
      const state = action.kind === 'patchSriovNodeState' ? sriovNodeStates?.get(action.node) : undefined;
      if (action.kind !== 'patchSriovNodeState' || state === undefined) return [action];
      const annotations = change(action, state);
      return annotations === undefined ? [] : [{ ...action, annotations }];
    }),
  });

/** Answers to these config daemons, beside what was decided. */
const alsoAnswering = (of: (state: SriovNodeState, snapshot: Snapshot) => boolean, annotations: SriovAnswer) =>
  adding((snapshot, actions) => {
    const answered = new Set(actions.flatMap((one) => (one.kind === 'patchSriovNodeState' ? [one.node] : [])));
    const states = [...(snapshot.sriovNodeStates?.values() ?? [])];
    return states
      .filter((state) => !answered.has(state.name) && of(state, snapshot))
      .map(({ namespace, name, uid, resourceVersion }): Action => {
        const about = { driver: 'weft-sriov', node: name, namespace, name, uid, resourceVersion };
        return { kind: 'patchSriovNodeState', ...about, annotations };
      });
  });

/** Mistakes beside the config daemons of the SR-IOV operator. */
const besideConfigDaemons: readonly Mistake[] = [
  {
    name: 'a node that counts as drained at once',
    change: answering(({ annotations }) =>
      annotations[CURRENT] === 'Draining' ? { ...annotations, [CURRENT]: 'DrainComplete' } : annotations,
    ),
    expected: /counts as drained/,
  },
  {
    name: 'a node that counts as drained without a cordon',
    change: alsoAnswering(
      (state, { nodes }) => asksForDrain(state) && nodes.some((one) => one.name === state.name && !one.unschedulable),
      { [CURRENT]: 'DrainComplete' },
    ),
    expected: /a node that is drained is cordoned/,
  },
  {
    name: 'an answer that overwrites what is asked',
    change: answering(({ annotations }, state) =>
      asksForDrain(state) ? { ...annotations, [DESIRED]: 'Idle' } : annotations,
    ),
    expected: /never overwrites/,
  },
  {
    name: 'an answer to a config daemon that does not ask',
    change: alsoAnswering(
      ({ desired, current, isExternal }) => isExternal && desired === 'Idle' && current === 'Idle',
      {
        [CURRENT]: 'Draining',
      },
    ),
    expected: /only a config daemon that asks/,
  },
  {
    name: 'an answer where the operator drains',
    change: alsoAnswering(({ isExternal, desired }) => !isExternal && desired === undefined, {
      [DESIRED]: 'Idle',
      [CURRENT]: 'Idle',
    }),
    expected: /only where the drain is left to it|names its driver/,
    first: 1005,
  },
  {
    name: 'an answer that is taken back',
    change: alsoAnswering((state) => asksForDrain(state) && state.current === 'DrainComplete', { [CURRENT]: 'Idle' }),
    expected: /takes no answer back/,
  },
  {
    name: 'no answer when the node is drained',
    change: answering(({ annotations }) => (annotations[CURRENT] === 'DrainComplete' ? undefined : annotations)),
    expected: /it ends|idle and in sync|uncordoned once/,
  },
  {
    name: 'an uncordon under a config daemon that works',
    change: adding(({ nodes, sriovNodeStates, ...snapshot }, actions) => {
      const isDrained = ({ name, unschedulable }: SnapshotNode) =>
        unschedulable && sriovNodeStates?.get(name)?.current === 'DrainComplete';
      const isPatched = ({ name }: SnapshotNode) =>
        actions.some((one) => one.kind === 'patchNode' && one.node === name);
      const found = nodes.filter((one) => isDrained(one) && !isPatched(one));
      const driver = 'weft-sriov';
      return found.map((one) => patchOf({ ...snapshot, nodes }, one, { driver, unschedulable: false }));
    }),
    expected: /uncordons only when|works on|foreign cordon/,
  },
];

const maintaining =
  (change: (change: NodeMaintenanceChange, snapshot: Snapshot, name: string) => NodeMaintenanceChange | undefined) =>
  (...[decision, snapshot]: Parameters<DecisionChange>): ReturnType<DecisionChange> => ({
    ...decision,
    actions: decision.actions.flatMap((action): Action[] => {
      if (action.kind !== 'changeNodeMaintenance') return [action];
      const changed = change(action.change, snapshot, action.name);
      return changed === undefined ? [] : [{ ...action, change: changed }];
    }),
  });

/** Mistakes beside the Maintenance Operator. */
const besideMaintenanceOperator: readonly Mistake[] = [
  {
    name: 'a cordon that the companion sets itself',
    change: changing((patch) =>
      patch.steps.some(({ row }) => row === 'begin') ? { ...patch, unschedulable: true } : patch,
    ),
    expected: /sets and lifts no cordon/,
    first: 1000,
  },
  {
    name: 'a node that is not given back',
    change: maintaining((change) => (change.kind === 'delete' || change.kind === 'leave' ? undefined : change)),
    expected: /is given back|it ends/,
  },
  {
    name: 'an object of another requestor that is deleted',
    change: maintaining((change, { nodeMaintenances }, name) => {
      const uid = nodeMaintenances?.get(name)?.uid;
      return change.kind === 'leave' && uid !== undefined ? { kind: 'delete', uid } : change;
    }),
    expected: /never deletes the object of another requestor/,
  },
  {
    name: 'another requestor that is taken off the list',
    change: maintaining((change) =>
      change.kind === 'join' ? { ...change, additionalRequestors: change.additionalRequestors.slice(-1) } : change,
    ),
    expected: /never changes another requestor/,
    first: 2182,
  },
  {
    name: 'pods that are evicted while the Maintenance Operator drains',
    change: adding((snapshot) =>
      evictionsOn(
        snapshot,
        withState(snapshot, 'node-maintenance-required'),
        ({ controller }) => controller?.kind === 'ReplicaSet',
      ),
    ),
    expected: /cordon that is seen|evicts nothing before/,
  },
  {
    name: 'a driver that is restarted before the node is drained',
    change: (decision, snapshot, policy, nowMs) => {
      if (snapshot.nodeMaintenances === undefined) return decision;
      const isCordoned = new Map(snapshot.nodes.map(({ name, unschedulable }) => [name, unschedulable]));
      const ready = [...snapshot.nodeMaintenances].map(
        ([name, one]) => [name, isCordoned.get(one.node) === true ? { ...one, isReady: true } : one] as const,
      );
      return decide({ ...snapshot, nodeMaintenances: new Map(ready) }, policy, nowMs);
    },
    expected: /evicts nothing before/,
  },
];

describe('the rules notice', () => {
  it.each(besideGpuOperator)('$name', (one) => {
    expect(noticed(one, 'gpu-operator')).toMatch(one.expected);
  });

  it.each(besideConfigDaemons)('$name', (one) => {
    expect(noticed(one, 'sriov')).toMatch(one.expected);
  });

  it.each(besideMaintenanceOperator)('$name', (one) => {
    expect(noticed(one, 'maintenance-operator')).toMatch(one.expected);
  });
});
