import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GPU_UPGRADE_ENABLED_ANNOTATION } from '../../../shared/contract/labels.js';
import { forbidden, listOf, NAMESPACE, serve, servedCluster, servedOfed } from '../../../../test/kit/served-cluster.js';
import { GPU, OFED, ownGpu, sriovDriver } from '../../../../test/kit/shared-nodes.js';

const JOBS = `/apis/batch/v1/namespaces/${NAMESPACE}/jobs`;
const LEASE = `/apis/coordination.k8s.io/v1/namespaces/${NAMESPACE}/leases/weft-companion`;
const FAILED_JOB = {
  metadata: { name: 'weft-companion-1', uid: 'j1' },
  status: { conditions: [{ type: 'Failed', status: 'True' }] },
};

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'weft-manual-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

type Nodes = Parameters<typeof servedCluster>[1];

function served(nodes: Nodes, more: Parameters<typeof servedCluster>[2] = {}) {
  const { weft, ...rest } = serve(folder, servedCluster([servedOfed(), ownGpu()], nodes, more));
  return { ...rest, weft: (...args: readonly string[]) => weft('upgrade', ...args) };
}

const DONE = { states: { ofed: 'upgrade-done', gpu: 'upgrade-done' } };
const OFED_FAILED = { states: { ofed: 'upgrade-failed', gpu: 'upgrade-done' }, ofed: 'old' };

describe('retry of a node of one of several drivers', () => {
  it('keeps the failed Job while a node of another driver is failed', async () => {
    const { weft, objects } = served({ a: DONE, b: OFED_FAILED }, { [JOBS]: listOf(FAILED_JOB) });
    const { stdout, exit } = await weft('retry', '--driver', 'gpu');
    expect(stdout).toContain('Job weft-companion-1 failed: it stays until b is done');
    expect(objects()[JOBS]?.items).toHaveLength(1);
    expect(exit).toBe(1);
  });

  it('deletes it when the nodes of all drivers are done', async () => {
    const { weft, objects } = served({ a: DONE }, { [JOBS]: listOf(FAILED_JOB) });
    expect((await weft('retry', '--driver', 'gpu')).exit).toBe(0);
    expect(objects()[JOBS]?.items).toEqual([]);
  });

  it('does not wait for a node of another driver that nothing tries again', async () => {
    const lease = { metadata: {}, spec: { holderIdentity: 'weft-companion-x', renewTime: new Date().toISOString() } };
    const { weft } = served({ a: DONE, b: OFED_FAILED }, { [JOBS]: listOf(FAILED_JOB), [LEASE]: lease });
    const { stdout } = await weft('retry', '--driver', 'gpu', '--wait');
    expect(stdout).toContain('it stays until b is done');
  });
});

describe('commands that the output names', () => {
  const advisedBy = (stdout: string) => /`weft upgrade ([^`]*)`/.exec(stdout)?.[1]?.split(' ') ?? [];

  it.each([
    { name: 'skip', args: ['skip', 'a'], node: DONE, advised: 'unskip a --driver gpu' },
    {
      name: 'unskip of a failed node',
      args: ['unskip', 'a'],
      node: { states: { gpu: 'upgrade-failed' } },
      advised: 'retry a --driver gpu',
    },
    {
      name: 'request of a failed node',
      args: ['request', 'a'],
      node: { states: { gpu: 'upgrade-failed' } },
      advised: 'retry a --driver gpu',
    },
    {
      name: 'request of a skipped node',
      args: ['request', 'a'],
      node: { ...DONE, labels: { [GPU.skip]: 'true' } },
      advised: 'unskip a --driver gpu',
    },
  ])('$name: they name the driver, and work', async ({ args, node, advised }) => {
    const { weft } = served({ a: node });
    const { stdout } = await weft(...args, '--driver', 'gpu');
    expect(advisedBy(stdout).join(' ')).toBe(advised);
    expect((await weft(...advisedBy(stdout))).exit).toBe(0);
  });

  it('retry without nodes asks for no driver', async () => {
    const { weft, objects } = served({ a: DONE }, { [JOBS]: listOf(FAILED_JOB) });
    const { stdout, exit } = await weft('retry', '-o', 'json');
    expect(JSON.parse(stdout)).toMatchObject({ driver: null, nodes: [], jobs: [{ deleted: true }] });
    expect(objects()[JOBS]?.items).toEqual([]);
    expect(exit).toBe(0);
  });

  it('retry of a node asks for one', async () => {
    expect(await served({ a: DONE }).weft('retry', 'a')).toMatchObject({ exit: 2 });
  });
});

describe('a driver whose controller runs', () => {
  const pod = {
    metadata: { namespace: 'gpu', name: 'gpu-operator', uid: 'o', labels: { app: 'gpu-operator' } },
    ...{ spec: { nodeName: 'a' }, status: { phase: 'Running' } },
  };
  const drivers = [servedOfed(), { ...ownGpu(), controllerPodSelector: 'app=gpu-operator' }];
  const cluster = (more: Parameters<typeof servedCluster>[2]) =>
    serve(folder, servedCluster(drivers, { a: { states: { ofed: 'upgrade-failed', gpu: 'upgrade-failed' } } }, more));

  it.each(['retry', 'request'])('%s changes nothing, and names the controller', async (verb) => {
    const { weft, objects, node } = cluster({ '/api/v1/pods': listOf(pod) });
    const before = objects();
    const { stderr, exit } = await weft('upgrade', verb, 'a', '--driver', 'gpu');
    expect(stderr).toContain('the pod gpu/gpu-operator runs: its controller owns the gpu driver');
    expect(exit).toBe(2);
    expect(objects()).toEqual(before);
    // The label of a skip is for whoever upgrades the node.
    expect((await weft('upgrade', 'skip', 'a', '--driver', 'gpu')).exit).toBe(0);
    expect((await weft('upgrade', 'retry', 'a', '--driver', 'ofed')).exit).toBe(0);
    expect(node('a').labels).toMatchObject({ [GPU.state]: 'upgrade-failed', [GPU.skip]: 'true' });
  });

  it('is taken to run where that cannot be seen', async () => {
    const { weft, node } = cluster({ '/api/v1/pods': forbidden('pods') });
    const { stderr, exit } = await weft('upgrade', 'retry', 'a', '--driver', 'gpu');
    expect(stderr).toContain('shows whether the controller of the driver runs');
    expect(exit).toBe(2);
    expect(node('a').labels).toMatchObject({ [GPU.state]: 'upgrade-failed' });
  });
});

it('explain has the steps and the failure of its driver only', async () => {
  const annotations = {
    ...{ [OFED.failure]: 'its OFED driver took too long', [OFED.wanted]: 'x' },
    [GPU_UPGRADE_ENABLED_ANNOTATION]: 'true',
  };
  const { weft } = served({ a: { ...OFED_FAILED, annotations } });
  const explained = async (driver: string): Promise<unknown> =>
    JSON.parse((await weft('explain', 'a', '--driver', driver, '-o', 'json')).stdout);
  expect(await explained('gpu')).toMatchObject({ driver: 'gpu', waiting: null, nextSteps: [], findings: [] });
  const { nextSteps } = (await explained('ofed')) as { readonly nextSteps: readonly object[] };
  expect(nextSteps[0]).toMatchObject({ from: 'upgrade-failed', to: 'upgrade-required' });
});

it('explain knows that virtual functions have no driver pod', async () => {
  const states = { ofed: 'upgrade-done', 'weft-sriov': 'upgrade-done' };
  const { weft } = serve(folder, servedCluster([servedOfed(), sriovDriver()], { a: { states } }));
  const { stdout } = await weft('upgrade', 'explain', 'a', '--driver', 'sriov');
  expect(stdout).toMatch(/^a: virtual functions \(weft-sriov\), state upgrade-done, not cordoned$/m);
});
