import { describe, expect, it } from '@jest/globals';
import { setUpCluster, run } from '../../../../test/kit/runs.js';
import { KEYS } from '../../../../test/kit/idle-cluster.js';
import { MAINTENANCE_ANNOTATION } from '../../../shared/contract/maintenance-record.js';
import type { FakePorts } from '../../../../test/kit/fake-ports.js';
import type { RunMode } from '../run-outcome.js';

const jobNames = ({ simulated }: FakePorts) => [...simulated.store.jobs.entries()].map(([name]) => name);
const JOB = 'weft-companion-0123456789';

/** The companion took the node out, and it failed. */
const FAILED = { [MAINTENANCE_ANNOTATION]: '{"cordon":"","failure":"no image"}' };

/** A cluster whose nodes are all done, and the Job of its policy. */
async function upgraded(isFailed: boolean) {
  const { cluster, ports } = setUpCluster(2);
  await run(ports);
  ports.policy.job = JOB;
  cluster.store.jobs.put(JOB, { uid: 'j1', isFailed, resourceVersion: '' }, 'setup');
  ports.logs.length = 0;
  const again = (mode: RunMode = 'cronjob') => run(ports, { mode, runId: 'again' });
  const setState = (node: string, state: string): void => {
    const one = cluster.store.nodes.get(node);
    if (one === undefined) throw new Error(`no node ${node}`);
    cluster.store.nodes.put(
      node,
      { ...one, unschedulable: state !== 'upgrade-done', labels: { [KEYS.state]: state }, annotations: FAILED },
      'setup',
    );
  };
  return { cluster, ports, again, setState };
}

describe('the Job of the current policy, at the end of a run', () => {
  it('is deleted by the CronJob where it failed and no node is failed', async () => {
    const { ports, again } = await upgraded(true);
    expect(await again()).toMatchObject({ exitCode: 0, reason: 'done' });
    expect(jobNames(ports)).toEqual([]);
    expect(ports.logs.map(({ message }) => message)).toContainEqual(expect.stringContaining(`Job ${JOB} had failed`));
  });

  it('is deleted after a repair that the same run found', async () => {
    const { ports, again, setState } = await upgraded(true);
    setState('n1', 'upgrade-failed');
    // Its driver is in sync and ready.
    expect(await again()).toMatchObject({ exitCode: 0, reason: 'done' });
    expect(jobNames(ports)).toEqual([]);
  });

  it('is kept if a node is failed', async () => {
    const { cluster, ports, again, setState } = await upgraded(true);
    setState('n1', 'upgrade-failed');
    for (const [key, pod] of [...cluster.store.pods.entries()])
      if (pod.nodeName === 'n1') cluster.store.pods.put(key, { ...pod, ready: false, containers: [] }, 'setup');
    expect(await again()).toMatchObject({ exitCode: 0, reason: 'waiting' });
    expect(jobNames(ports)).toEqual([JOB]);
    expect(ports.requests).not.toContain('get job');
  });

  it('is kept if it did not fail, and after a run of a Job', async () => {
    const running = await upgraded(false);
    await running.again();
    expect(jobNames(running.ports)).toEqual([JOB]);
    const byJob = await upgraded(true);
    await byJob.again('job');
    expect(jobNames(byJob.ports)).toEqual([JOB]);
  });

  it('is asked for only where the policy names it, and may be gone', async () => {
    const { ports, again } = await upgraded(true);
    ports.simulated.store.jobs.remove(JOB, 'admin');
    expect(await again()).toMatchObject({ exitCode: 0 });
    delete ports.policy.job;
    ports.requests.length = 0;
    await again();
    expect(ports.requests).not.toContain('get job');
  });

  it('that cannot be deleted is retried by the next run; a missing right is reported', async () => {
    const { ports, again } = await upgraded(true);
    ports.cluster.deleteJob = () => Promise.resolve({ kind: 'retry', message: 'etcdserver: leader changed' });
    expect(await again()).toMatchObject({ exitCode: 0, reason: 'done' });
    expect(ports.logs.at(-2)).toMatchObject({ level: 'warning', message: expect.stringContaining('leader changed') });
    ports.cluster.getJob = () => Promise.resolve({ kind: 'forbidden', message: 'cannot get resource "jobs"' });
    expect(await again()).toMatchObject({ exitCode: 2, reason: 'forbidden', message: 'cannot get resource "jobs"' });
  });
});
