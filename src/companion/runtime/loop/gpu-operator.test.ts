import { describe, expect, it } from '@jest/globals';
import { CLUSTER_POLICY, operatorGpuDriver, GPU_LABELS } from '../../../../test/kit/gpu-drivers.js';
import { count, delay, run, setUpCluster } from '../../../../test/kit/runs.js';
import { daemonSetOf, statusOf } from '../../../../test/kit/idle-cluster.js';
import type { FakePorts } from '../../../../test/kit/fake-ports.js';
import { upgradePolicySchema } from '../../../shared/contract/upgrade-policy.js';
import { STATUS_KEY } from '../report/status.js';

const OPERATOR = { ...CLUSTER_POLICY, maxUnavailable: 4 };
const LIST = 'list GPU operator policies';

/** A cluster with one node to upgrade, whose policy also has a driver that the GPU operator restarts. */
function setUp(): FakePorts {
  const { ports, cluster } = setUpCluster(1);
  const policy = upgradePolicySchema.parse(JSON.parse(ports.policy.text));
  ports.policy.text = JSON.stringify({ ...policy, drivers: [...policy.drivers, operatorGpuDriver()] });
  const set = daemonSetOf(cluster, 'mofed');
  if (set === undefined) throw new Error('there is no DaemonSet');
  const own = { ...set, namespace: 'gpu', name: 'nvidia-driver', uid: 'gpu-set', labels: GPU_LABELS };
  cluster.store.daemonSets.put('gpu/nvidia-driver', { ...own, nodeSelector: { gpu: 'yes' } }, 'setup');
  cluster.store.gpuOperatorPolicies.put('cluster-policy', { ...OPERATOR, resourceVersion: '' }, 'setup');
  return ports;
}

const warnings = ({ logs }: FakePorts): readonly string[] =>
  logs.filter(({ level }) => level !== 'info').map(({ message }) => message);

describe('the policies of the GPU operator', () => {
  it('are read again while the run lasts; what is wrong is logged, and in the status', async () => {
    const ports = setUp();
    delay(ports, 'deletePod', 60_000);
    let changed = false;
    const end = await run(ports, {}, () => {
      if (changed || statusOf(ports.simulated) === undefined) return;
      changed = true;
      const { gpuOperatorPolicies } = ports.simulated.store;
      gpuOperatorPolicies.put('cluster-policy', { ...OPERATOR, drain: { enable: true }, resourceVersion: '' }, 'setup');
    });
    expect(end).toMatchObject({ reason: 'done' });
    expect(warnings(ports)).toEqual([
      expect.stringContaining('maxUnavailable is 4'),
      expect.stringContaining('drain.enable is true'),
    ]);
    const { findings } = JSON.parse(statusOf(ports.simulated)?.data[STATUS_KEY] ?? '') as {
      readonly findings: readonly { readonly kind: string; readonly driver: string }[];
    };
    const ours = findings.filter(({ driver }) => driver === 'weft-gpu').map(({ kind }) => kind);
    expect(ours).toEqual(expect.arrayContaining(['gpu-operator-begins', 'gpu-operator-drains']));
  });

  it('are not read where the operator restarts no driver', async () => {
    const { ports } = setUpCluster(1);
    await run(ports);
    expect(count(ports, LIST)).toBe(0);
  });

  it('are read with the ResourceClaims of GPUs, which no other driver needs', async () => {
    const [ports, { ports: others }] = [setUp(), setUpCluster(1)];
    await run(ports);
    await run(others);
    expect([ports, others].map((one) => count(one, 'list gpuClaims'))).toEqual([1, 0]);
  });

  it('that may not be read are said once, and upgrade as before', async () => {
    const ports = setUp();
    const message = 'User "sa" cannot list resource "clusterpolicies"';
    let asked = 0;
    ports.cluster.listGpuOperatorPolicies = () => {
      asked += 1;
      return Promise.resolve({ kind: 'forbidden', message });
    };
    expect(await run(ports)).toMatchObject({ reason: 'done' });
    expect(asked).toBeGreaterThan(1);
    expect(warnings(ports)).toEqual([`the policies of the GPU operator cannot be read: ${message}`]);
  });

  it('that the account may not list keep nodes from beginning', async () => {
    const ports = setUp();
    ports.cluster.isAllowed = ({ resource }) => Promise.resolve({ kind: 'ok', value: resource !== 'nvidiadrivers' });
    expect(await run(ports)).toMatchObject({
      reason: 'forbidden',
      message: 'the companion may not list nvidiadrivers.nvidia.com in all namespaces',
    });
    expect(count(ports, 'evict')).toBe(0);
  });
});
