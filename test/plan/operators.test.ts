import { describe, expect, it } from '@jest/globals';
import { driverKeys, REVISION_LABEL, SRIOV_DRAIN_KEYS } from '../../src/shared/contract/labels.js';
import { MAINTENANCE_OPERATOR_POD_SELECTOR, nodeMaintenanceName } from '../../src/shared/contract/node-maintenance.js';
import { upgradePolicySchema, type UpgradePolicyInput } from '../../src/shared/contract/upgrade-policy.js';
import { desiredOf } from '../../src/forecast/plan/desired.js';
import { makePlan } from '../../src/forecast/plan/plan.js';
import { checkedSnapshot } from '../../src/forecast/plan/snapshot/objects.js';
import { savedSnapshot } from '../../src/forecast/plan/snapshot/save.js';
import type { UpgradePlan } from '../../src/forecast/plan/types.js';
import { GPU_LABELS } from '../kit/gpu-drivers.js';
import { sriovDriver, weftGpu } from '../kit/shared-nodes.js';
import { changed, planOf, withMetadata, withSpec, type Item } from './changed.js';
import { AT, fleetOf, podOf, type Fleet } from './fleet.js';

/** The plan with more of a policy document, of the snapshot as `--save` writes it. */
function planWith(
  { objects, snapshot }: Fleet,
  more: Partial<UpgradePolicyInput>,
  items: readonly Item[],
): UpgradePlan {
  const desired = desiredOf(objects);
  if (desired === undefined) throw new Error('the fleet has no policy');
  const drivers = [...desired.policy.drivers, ...(more.drivers ?? [])];
  const policy = upgradePolicySchema.parse({ ...desired.policy, ...more, drivers });
  const namespaces = new Set(drivers.map(({ namespace }) => namespace));
  const saved = checkedSnapshot(savedSnapshot({ items: [...snapshot.items, ...items] }, namespaces));
  if ('problem' in saved) throw new Error(saved.problem);
  return makePlan({ ...desired, policy }, saved, { at: AT, runs: 1, durations: { driver: { from: 240, to: 300 } } });
}

const withItems = (fleet: Fleet, ...items: readonly Item[]): Fleet => ({
  ...fleet,
  snapshot: { items: [...fleet.snapshot.items, ...items] },
});

const outcomes = ({ nodePlans }: UpgradePlan): readonly string[] =>
  nodePlans.map(({ node, driver, outcome }) => `${driver} of ${node} ${outcome}`).sort();

const ofed = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `ofed of node-000${index} upgraded`);

describe('the Maintenance Operator drains', () => {
  const config = (maxParallelOperations: number | string): Item => ({
    apiVersion: 'maintenance.nvidia.com/v1alpha1',
    kind: 'MaintenanceOperatorConfig',
    metadata: { name: 'default', namespace: 'maintenance' },
    spec: { maxParallelOperations },
  });
  const [key = '', component = ''] = MAINTENANCE_OPERATOR_POD_SELECTOR.split('=');
  const operator = withMetadata(podOf('operator', 99, 'node-0003'), { name: 'operator', labels: { [key]: component } });
  const fleet = withItems(fleetOf({ nodes: 4, upgradePolicy: { maxParallelUpgrades: 4 } }), operator);
  const most = ({ nodePlans }: UpgradePlan): number => {
    const drains = nodePlans.map(({ history }) => {
      const at = (state: string) => Date.parse(history.find((one) => one.state === state)?.at ?? '');
      return [at('node-maintenance-required'), at('pod-restart-required'), at('upgrade-done')] as const;
    });
    return Math.max(...drains.map(([, from]) => drains.filter(([, at, to]) => at <= from && from < to).length));
  };

  it('as many nodes at a time as it takes', () => {
    const [one, two] = [1, '50%'].map((limit) => planWith(fleet, { nodeMaintenance: {} }, [config(limit)]));
    expect([one, two].map((plan) => plan && outcomes(plan))).toEqual([ofed(4), ofed(4)]);
    expect([one, two].map((plan) => plan && most(plan))).toEqual([1, 2]);
  });

  it('a node that it has already, and its limits are not known', () => {
    const { state, requestorMode } = driverKeys('ofed');
    const { namespace, ...nodeMaintenance } = { namespace: 'default', namePrefix: 'own', requestorID: 'weft.dev.a' };
    const inMaintenance = changed(fleet, 'Node', /0$/, (node) => {
      const metadata = {
        labels: { nic: 'yes', [state]: 'node-maintenance-required' },
        annotations: { [requestorMode]: 'true' },
      };
      return withSpec(withMetadata(node, metadata), { unschedulable: true });
    });
    const name = nodeMaintenanceName({ ...nodeMaintenance, namespace }, 'node-0000');
    const maintenance = {
      apiVersion: 'maintenance.nvidia.com/v1alpha1',
      kind: 'NodeMaintenance',
      metadata: {
        ...{
          name,
          namespace,
          uid: 'maintenance',
          resourceVersion: '1',
          finalizers: ['maintenance.nvidia.com/finalizer'],
        },
        annotations: { 'maintenance.nvidia.com/node-initial-state.unschedulable': 'false' },
      },
      spec: { requestorID: 'weft.dev.a', nodeName: 'node-0000', cordon: true, drainSpec: { podSelector: '' } },
      status: { conditions: [{ type: 'Ready', status: 'False', reason: 'Draining' }] },
    };
    const plan = planWith(inMaintenance, { nodeMaintenance }, [maintenance]);
    expect([outcomes(plan), plan.nodePlans[0]?.node]).toEqual([ofed(4), 'node-0000']);
    expect(plan.notes.some((note) => note.includes('limits of the Maintenance Operator'))).toBe(true);
  });
});

describe('the GPU operator restarts its driver', () => {
  const owner = (name: string, uid: string) => [
    { apiVersion: 'apps/v1', kind: 'DaemonSet', name, uid, controller: true },
  ];
  const daemonSet = (name: string, uid: string, labels: object, image: string): Item => ({
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name, namespace: 'gpu', uid, generation: 2, labels },
    spec: {
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'nvidia-driver-ctr', image }] } },
    },
    status: { observedGeneration: 2 },
  });
  const revision = (hash: string, image: string, number: number): Item => ({
    apiVersion: 'apps/v1',
    kind: 'ControllerRevision',
    metadata: {
      ...{ name: `gpu-driver-${hash}`, namespace: 'gpu', labels: { [REVISION_LABEL]: hash } },
      ownerReferences: owner('gpu-driver', 'gpu'),
    },
    revision: number,
    data: { spec: { template: { spec: { containers: [{ name: 'nvidia-driver-ctr', image }] } } } },
  });
  const pod = (node: string, name: string, labels: object, uid: string): Item => ({
    ...withMetadata(podOf('x', 0, node), {
      ...{ name: `${name}-${node}`, namespace: 'gpu', uid: `${name}-${node}`, labels },
      ownerReferences: owner(name, uid),
    }),
    status: {
      phase: 'Running',
      conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: '2026-11-25T00:04:00Z' }],
      containerStatuses: [{ name: 'nvidia-driver-ctr', ready: true, restartCount: 0, state: { running: {} } }],
    },
  });
  const validator = { app: 'nvidia-operator-validator' };
  const cluster = (nodes: readonly string[], autoUpgrade: boolean): readonly Item[] => [
    daemonSet('gpu-driver', 'gpu', GPU_LABELS, 'driver:new'),
    daemonSet('validator', 'val', validator, 'validator:1'),
    revision('old', 'driver:old', 1),
    revision('new', 'driver:new', 2),
    ...nodes.flatMap((node) => [
      pod(node, 'gpu-driver', { ...GPU_LABELS, [REVISION_LABEL]: 'old' }, 'gpu'),
      pod(node, 'validator', validator, 'val'),
    ]),
    {
      apiVersion: 'nvidia.com/v1',
      kind: 'ClusterPolicy',
      metadata: { name: 'cluster-policy' },
      spec: { driver: { upgradePolicy: { autoUpgrade, maxUnavailable: 0 } } },
    },
  ];
  const nodes = ['node-0000', 'node-0001'];

  it('on the nodes that the companion drains', () => {
    const plan = planWith(fleetOf({ nodes: 2 }), { drivers: [weftGpu()] }, cluster(nodes, true));
    expect(outcomes(plan)).toEqual([...ofed(2), ...nodes.map((node) => `weft-gpu of ${node} upgraded`)]);
    expect(plan.notes.filter((note) => note.includes('GPU operator'))).toEqual([]);
  });

  it('not where it is told to upgrade nothing', () => {
    const plan = planWith(fleetOf({ nodes: 2 }), { drivers: [weftGpu()] }, cluster(nodes, false));
    expect(outcomes(plan)).toEqual(ofed(2));
  });
});

it('config daemons change virtual functions on nodes that the companion drains', () => {
  const nodeState = (node: string, desired: string): Item => ({
    apiVersion: 'sriovnetwork.openshift.io/v1',
    kind: 'SriovNetworkNodeState',
    metadata: {
      ...{ name: node, namespace: 'sriov', uid: `state-${node}`, resourceVersion: '1', generation: 2 },
      annotations: {
        [SRIOV_DRAIN_KEYS.desired]: desired,
        [SRIOV_DRAIN_KEYS.current]: 'Idle',
        [SRIOV_DRAIN_KEYS.external]: 'true',
      },
    },
    spec: { interfaces: [{ vfGroups: [{ resourceName: 'vf' }] }] },
    status: { syncStatus: desired === 'Idle' ? 'Succeeded' : 'InProgress' },
  });
  const states = [nodeState('node-0000', 'Drain_Required'), nodeState('node-0001', 'Idle')];
  const more = {
    drivers: [sriovDriver()],
    sriovNodeStates: { namespace: 'sriov', resourcePrefix: 'nvidia.com/' },
  };
  const fleet = changed(fleetOf({ nodes: 2 }), 'Node', /./, (node) => {
    const status = node['status'] as { readonly allocatable: object };
    return { ...node, status: { ...status, allocatable: { ...status.allocatable, 'nvidia.com/vf': '8' } } };
  });
  const plan = planWith(fleet, more, states);
  expect(outcomes(plan)).toEqual([...ofed(2), 'weft-sriov of node-0000 upgraded']);
});

it('a pod with devices of DRA claims goes where devices are left', () => {
  const slice = (node: string, count: number): Item => ({
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceSlice',
    metadata: { name: `gpus-${node}` },
    spec: { driver: 'gpu.nvidia.com', nodeName: node, devices: Array.from({ length: count }, () => ({ name: 'gpu' })) },
  });
  const claim = (pod: string): Item => ({
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceClaim',
    metadata: { name: `claim-${pod}`, namespace: 'apps' },
    status: {
      allocation: { devices: { results: [{ driver: 'gpu.nvidia.com', device: 'gpu' }] } },
      reservedFor: [{ resource: 'pods', name: pod, uid: `uid-pod-${pod}` }],
    },
  });
  const fleet = changed(fleetOf({ nodes: 2, podsPerNode: 1 }), 'Pod', /-pod-0$/, (pod) =>
    withSpec(pod, { resourceClaims: [{ name: 'gpu', resourceClaimName: 'claim-0' }] }),
  );
  const slices = (counts: readonly number[]) => counts.map((count, index) => slice(`node-000${index}`, count));
  const kinds = (counts: readonly number[]) =>
    planWith(fleet, {}, [...slices(counts), claim('0')]).obstacles.map(({ kind, message }) => `${kind} ${message}`);
  expect(kinds([1, 1])).toEqual([]);
  expect(kinds([1, 0])[0]).toContain('with too little devices of gpu.nvidia.com');
  const unknown = planWith(fleet, {}, [claim('0')]);
  expect(unknown.notes[0]).toContain('1 pod: resource claims');
});

it('a virtual machine migrates: its budget is not in the way', () => {
  const owner = {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    name: 'vm',
    uid: 'vm',
    controller: true,
  };
  const machine = withMetadata(podOf('vm', 99, 'node-0000'), {
    ...{ name: 'virt-launcher-vm-1', labels: { 'kubevirt.io': 'virt-launcher', 'kubevirt.io/created-by': 'vm' } },
    ownerReferences: [owner],
  });
  const budget = (ownerReferences: readonly object[]): Item => ({
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: 'kubevirt-disruption-budget-1', namespace: 'apps', ownerReferences },
    spec: { minAvailable: 1, selector: { matchLabels: { 'kubevirt.io/created-by': 'vm' } } },
  });
  const fleet = fleetOf({ nodes: 3, upgradePolicy: { maxParallelUpgrades: 1 } });
  const plan = planOf(withItems(fleet, machine, budget([owner])));
  expect([outcomes(plan), plan.obstacles]).toEqual([ofed(3), []]);
  expect(planOf(withItems(fleet, machine, budget([]))).obstacles[0]?.kind).toBe('budget');
});
