import { describe, expect, it } from '@jest/globals';
import { NFD_LABELS, OFED_GATE_LABEL, STATE_LABEL } from '../../shared/contract/labels.js';
import type { KubernetesObject } from '../../shared/kubernetes/types.js';
import { componentStates, policyState, type LiveComponents, type DesiredState } from './components.js';
import { isAllReady, type ClusterStatus, type ComponentStatus } from './model.js';
import { gateOf, pooledNodes } from './node-pools.js';
import { operatorObjects } from './operator-status.js';
import { readPod, type StatusPod } from './pods.js';
import { statusText } from './text.js';

const object = (kind: string, name: string, more: object = {}): KubernetesObject => ({
  apiVersion: kind === 'ConfigMap' ? 'v1' : 'apps/v1',
  kind,
  metadata: { name, namespace: 'n', labels: { [STATE_LABEL]: 'state-ib-kubernetes' } },
  ...more,
});
const template = { spec: { nodeSelector: { gpu: 'true' } } };
const set = (desired: number, available: number, updated: number): KubernetesObject =>
  object('DaemonSet', 'ds', {
    spec: { template },
    status: { desiredNumberScheduled: desired, numberAvailable: available, updatedNumberScheduled: updated },
  });
const desired = (...objects: readonly KubernetesObject[]): readonly DesiredState[] => [
  { name: 'state-multus-cni', owner: 'NicClusterPolicy', objects },
];
const live = (objects: readonly KubernetesObject[], more: Partial<LiveComponents> = {}): LiveComponents => ({
  objects,
  pods: [],
  nodes: [],
  ...more,
});
const only = (states: readonly ComponentStatus[]) => {
  const [first] = states;
  if (first === undefined || states.length !== 1) throw new Error(`${states.length} states`);
  return first;
};

describe('the state of a component, by the rules of the operator', () => {
  const map = object('ConfigMap', 'c');
  const deployment = object('Deployment', 'd', { spec: { replicas: 1 }, status: { availableReplicas: 0 } });
  it.each([
    { name: 'everything runs', has: [map, set(2, 2, 2)], state: 'ready', reason: '', pods: { desired: 2, ready: 2 } },
    {
      name: 'an object is missing',
      has: [set(2, 2, 2)],
      state: 'notReady',
      reason: 'ConfigMap c is missing',
      pods: { desired: 2, ready: 2 },
    },
    {
      name: 'no node is selected',
      has: [map, set(0, 0, 0)],
      state: 'notReady',
      reason: 'DaemonSet ds selects no node',
      pods: { desired: 0, ready: 0 },
    },
    {
      name: 'a pod is not available',
      has: [map, set(2, 1, 2)],
      state: 'notReady',
      reason: 'DaemonSet ds: 1 of 2 pods are available',
      pods: { desired: 2, ready: 1 },
    },
    {
      name: 'a pod is outdated (OnDelete)',
      has: [map, set(2, 2, 1)],
      state: 'notReady',
      reason: 'DaemonSet ds: 1 of 2 pods are outdated',
      pods: { desired: 2, ready: 2 },
    },
  ] as const)('$name: $state', ({ has, state, reason, pods }) => {
    expect(only(componentStates(desired(map, set(0, 0, 0)), live(has), []))).toMatchObject({ state, reason, pods });
  });

  it('a Deployment counts as soon as it exists, and its pods say why they do not run', () => {
    const pod: StatusPod = {
      ...{ name: 'd-1', workload: 'n/d', node: 'a', isReady: false, says: 'CrashLoopBackOff' },
      ...{ labels: {}, images: {} },
    };
    expect(only(componentStates(desired(deployment), live([deployment], { pods: [pod] }), []))).toMatchObject({
      ...{ state: 'ready', pods: { desired: 1, ready: 0 }, podsSay: 'd-1 on a: CrashLoopBackOff' },
    });
    // A pod that was evicted stays beside the one that replaced it.
    const running = object('Deployment', 'd', { spec: { replicas: 1 }, status: { availableReplicas: 1 } });
    expect(only(componentStates(desired(running), live([running], { pods: [pod] }), [])).podsSay).toBe('');
  });

  it('a ConfigMap of the user that pods mount and that is missing is an error', () => {
    const volumes = [{ configMap: { name: 'corp-ca' } }, { configMap: { name: 'x', optional: true } }];
    const mounting = object('DaemonSet', 'ds', { ...set(1, 1, 1), spec: { template: { spec: { volumes } } } });
    const corpCa = object('ConfigMap', 'corp-ca');
    const stateOf = (more: readonly KubernetesObject[], hasMounted = true) =>
      only(componentStates(desired(mounting), live([set(1, 1, 1), ...more], { hasMounted }), [])).state;
    expect([stateOf([]), stateOf([corpCa]), stateOf([], false)]).toEqual(['error', 'ready', 'ready']);
  });

  it('a component that no policy has is ignored, and notReady while something of it is left', () => {
    const known = ['state-multus-cni', 'state-ib-kubernetes'];
    const states = (objects: readonly KubernetesObject[]) =>
      componentStates([], live(objects), known).map(({ name, state, reason }) => [name, state, reason]);
    expect(states([])).toEqual([
      ['state-multus-cni', 'ignore', ''],
      ['state-ib-kubernetes', 'ignore', ''],
    ]);
    expect(states([map])[1]).toEqual(['state-ib-kubernetes', 'notReady', 'no policy has it, and ConfigMap c is left']);
  });

  it('an object that is left of a desired component keeps it from being ready, unless another policy has it', () => {
    const left = (owner: string) => ({
      ...object('DaemonSet', 'old', set(1, 1, 1)),
      metadata: { name: 'old', namespace: 'n', labels: { [STATE_LABEL]: 'state-multus-cni', 'ds-owner': owner } },
    });
    const stateOf = (owner: string) => only(componentStates(desired(map), live([map, left(owner)]), []));
    expect(stateOf('')).toMatchObject({ state: 'notReady', reason: 'DaemonSet old is left' });
    expect(stateOf('nnp-rail')).toMatchObject({ state: 'ready', reason: '' });
    const crd = left('');
    expect(only(componentStates(desired(map), live([map, crd]), [], [crd])).state).toBe('ready');
  });

  it('a component that renders nothing is notReady', () => {
    expect(only(componentStates(desired(), live([]), ['state-multus-cni']))).toMatchObject({
      ...{ state: 'notReady', reason: 'no node pool takes it' },
    });
  });

  it('pods are counted by node pool: those of nodes that the DaemonSet selects', () => {
    const node = (name: string, pool: string, gpu: string) => ({ name, pool, labels: { gpu }, taints: [] });
    const pod = (onNode: string, isReady: boolean): StatusPod => ({
      ...{ name: 'p', workload: 'n/ds', node: onNode, isReady, says: '', labels: {}, images: {} },
    });
    const nodes = [
      node('a', 'h100', 'true'),
      node('b', 'h100', 'true'),
      node('c', '', 'true'),
      node('d', 'a100', 'false'),
    ];
    const pods = [pod('a', true), pod('b', false), pod('c', true)];
    expect(only(componentStates(desired(set(3, 2, 3)), live([set(3, 2, 3)], { nodes, pods }), [])).pools).toEqual({
      h100: { desired: 2, ready: 1 },
      '': { desired: 1, ready: 1 },
    });
  });
});

describe('a pod', () => {
  const controller = (kind: string, name: string) => ({ ownerReferences: [{ kind, name, controller: true }] });
  const waiting = (reason: string) => ({ phase: 'Pending', containerStatuses: [{ state: { waiting: { reason } } }] });
  it.each([
    {
      name: 'of a ReplicaSet',
      meta: controller('ReplicaSet', 'd-6d4b'),
      status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
      read: { workload: 'n/d', isReady: true },
    },
    {
      name: 'that crashes',
      meta: controller('DaemonSet', 'ds'),
      status: waiting('CrashLoopBackOff'),
      read: { workload: 'n/ds', isReady: false, says: 'CrashLoopBackOff' },
    },
    {
      name: 'that starts',
      meta: controller('DaemonSet', 'ds'),
      status: waiting('ContainerCreating'),
      read: { says: 'Pending' },
    },
    {
      name: 'without a node',
      meta: controller('DaemonSet', 'ds'),
      status: { phase: 'Pending', conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' }] },
      read: { node: '', says: 'Unschedulable' },
    },
    { name: 'of nobody', meta: {}, status: { phase: 'Running' }, read: undefined },
  ])('$name', ({ meta, status, read }) => {
    const found = readPod({ metadata: { name: 'p', namespace: 'n', ...meta }, spec: {}, status });
    if (read === undefined) expect(found).toBeUndefined();
    else expect(found).toMatchObject(read);
  });
});

it('a node is in the pool with most of its labels and taints, and its gate is what the label of the operator says', () => {
  const HPC = { key: 'hpc', effect: 'NoSchedule' } as const;
  const pool = (name: string, labels: Record<string, string>, taints: readonly object[] = []) =>
    ({ name, labels, taints }) as never;
  const labels = new Map([
    [NFD_LABELS.osName, 'ubuntu'],
    ['gpu', 'h100'],
    [OFED_GATE_LABEL, 'false'],
  ]);
  const nodes = pooledNodes(
    [
      { name: 'a', labels, taints: [] },
      { name: 'b', labels: new Map(), taints: [] },
      { name: 'c', labels, taints: [HPC] },
    ],
    [
      pool('all', { [NFD_LABELS.osName]: 'ubuntu' }),
      pool('h100', { [NFD_LABELS.osName]: 'ubuntu', gpu: 'h100' }),
      pool('tainted', { [NFD_LABELS.osName]: 'ubuntu', gpu: 'h100' }, [HPC]),
    ],
  );
  expect(nodes.map((node) => [node.name, node.pool, gateOf(node)])).toEqual([
    ['a', 'h100', 'open'],
    ['b', '', ''],
    ['c', 'tainted', 'open'],
  ]);
});

const state = (name: string, is: ComponentStatus['state'], more: Partial<ComponentStatus> = {}): ComponentStatus => ({
  ...{ name, owner: 'NicClusterPolicy', state: is, reason: '', pods: { desired: 0, ready: 0 }, pools: {}, podsSay: '' },
  ...more,
});
const EAST: ClusterStatus = {
  ...{ name: 'east', where: 'context east, https://east:6443', state: 'notReady' },
  components: [
    state('state-OFED', 'notReady', {
      reason: 'DaemonSet ds: 1 of 2 pods are outdated',
      pods: { desired: 2, ready: 2 },
      pools: { h100: { desired: 2, ready: 2 } },
    }),
    state('state-OFED', 'ready', { owner: 'NicNodePolicy/rail' }),
    state('state-ib-kubernetes', 'ready', { pods: { desired: 1, ready: 0 }, podsSay: 'ib-1 on a: CrashLoopBackOff' }),
    state('state-ipoib-cni', 'ignore'),
  ],
  nodes: ['a', 'b', 'c'].map((name) => ({
    ...{ name, pool: 'h100', driver: name === 'c' ? '25.07 → 25.10' : '25.10', gate: 'open' as const },
    ...{ upgrade: name === 'c' ? 'drain-required' : 'upgrade-done', waitsFor: name === 'c' ? 'pod db/pg-0' : '' },
  })),
  uncovered: [{ node: 'd', why: 'its kernel is another one' }],
  differs: { restart: 1, metadata: 2 },
  notes: [],
};

describe('the output', () => {
  it('of one cluster has its components, nodes and differences', () => {
    expect(statusText([EAST])).toBe(`east: notReady (context east, https://east:6443)

COMPONENT            STATE     PODS  h100  WHY
state-OFED           notReady  2/2   2/2   DaemonSet ds: 1 of 2 pods are outdated
state-OFED           ready     -     -     NicNodePolicy/rail
state-ib-kubernetes  ready     0/1   -     ib-1 on a: CrashLoopBackOff
ignore: state-ipoib-cni

NODES    POOL  DRIVER         GATE  UPGRADE         WAITS FOR
2: a, b  h100  25.10          open  upgrade-done    -
c        h100  25.07 → 25.10  open  drain-required  pod db/pg-0
node d is not covered: its kernel is another one

differs from git: 1 restart, 2 metadata
`);
  });

  it('of several clusters is a table, with those that cannot be reached', () => {
    expect(statusText([EAST, { name: 'west', where: '', error: 'no route to host' }])).toBe(
      `CLUSTER  STATE     COMPONENTS  PODS  NODES  DIFFERS                NOT READY
east     notReady  2/3         2/3   2/3    1 restart, 2 metadata  state-OFED, state-ib-kubernetes, 1 node is not covered
west     unknown   -           -     -      -                      no route to host
`,
    );
  });

  it('has a line for each driver of a node, and counts the node once', () => {
    const [done, , draining] = EAST.nodes.map((one) => ({ ...one, labelPrefix: 'ofed' }));
    if (done === undefined || draining === undefined) throw new Error('no node');
    const gpu = { ...done, labelPrefix: 'gpu', driver: '580', upgrade: 'upgrade-failed', waitsFor: 'no driver pod' };
    const east = { ...EAST, nodes: [done, gpu, draining] };
    expect(statusText([east])).toContain(`
NODES  POOL  DRIVER  VERSION        GATE  UPGRADE         WAITS FOR
a      h100  ofed    25.10          open  upgrade-done    -
a      h100  gpu     580            open  upgrade-failed  no driver pod
c      h100  ofed    25.07 → 25.10  open  drain-required  pod db/pg-0
`);
    expect(statusText([east, { ...EAST, name: 'west' }])).toMatch(/^east .* 2\/3 +0\/2 /m);
    expect(isAllReady({ ...EAST, state: 'ready', components: [], uncovered: [], nodes: [gpu, done] })).toBe(false);
  });

  it('is ready only if pods are, too, and nodes are covered', () => {
    const ready: ClusterStatus = { ...EAST, state: 'ready', components: [state('state-OFED', 'ready')], uncovered: [] };
    expect(isAllReady(ready)).toBe(true);
    expect(isAllReady({ ...ready, uncovered: EAST.uncovered })).toBe(false);
    expect(isAllReady({ ...ready, components: EAST.components.slice(2) })).toBe(false);
    expect(isAllReady({ name: 'x', where: '', error: 'y' })).toBe(false);
  });

  it('for programs has the status of each policy', () => {
    expect(operatorObjects(EAST, 'nic-cluster-policy')).toMatchObject([
      {
        kind: 'NicClusterPolicy',
        metadata: { name: 'nic-cluster-policy' },
        status: {
          state: 'notReady',
          appliedStates: [
            { name: 'state-OFED', state: 'notReady', message: 'DaemonSet ds: 1 of 2 pods are outdated' },
            { name: 'state-ib-kubernetes', state: 'ready' },
            { name: 'state-ipoib-cni', state: 'ignore' },
          ],
        },
      },
      { kind: 'NicNodePolicy', metadata: { name: 'rail' }, status: { state: 'ready' } },
    ]);
    const conditions = (...components: readonly ComponentStatus[]) => {
      const [policy] = operatorObjects({ ...EAST, components }, 'nic-cluster-policy') as readonly {
        readonly status: { readonly conditions: readonly Readonly<Record<string, string>>[] };
      }[];
      return policy?.status.conditions.map(({ type, status, reason }) => `${type} ${status} ${reason}`);
    };
    const multus = state('state-multus-cni', 'ready');
    expect(conditions(multus, state('state-OFED', 'error'), state('state-ib-kubernetes', 'notReady'))).toEqual([
      ...['MultusCNIReady True ComponentReady', 'OFEDDriverReady False ComponentError'],
      ...['IBKubernetesReady False ComponentNotReady', 'Ready False ComponentError'],
    ]);
    expect(conditions(multus, state('state-OFED', 'ignore'))).toEqual([
      ...['MultusCNIReady True ComponentReady', 'Ready True AllComponentsReady'],
    ]);
    expect(conditions(multus, state('state-OFED', 'notReady'))?.at(-1)).toBe('Ready False ComponentsNotReady');
    expect(policyState([state('x', 'ignore'), state('y', 'error')])).toBe('notReady');
  });
});
