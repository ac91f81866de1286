import { describe, expect, it } from '@jest/globals';
import { cluster, run } from '../../../../test/kit/runs.js';
import { KEYS } from '../../../../test/kit/story-world.js';
import type { RunMode } from '../run-outcome.js';

const JOB = 'weft-companion-0123456789';

/** A cluster whose nodes are all done, and the Job of its policy. */
async function upgraded(isFailed: boolean) {
  const { world, ports } = cluster(2);
  await run(ports);
  ports.policy.job = JOB;
  ports.jobs.set(JOB, { uid: 'j1', isFailed });
  ports.logs.length = 0;
  const again = (mode: RunMode = 'cronjob') => run(ports, { mode, runId: 'again' });
  const setState = (node: string, state: string): void => {
    const one = world.nodes.get(node);
    if (one === undefined) throw new Error(`no node ${node}`);
    world.nodes.set(node, { ...one, unschedulable: state !== 'upgrade-done', labels: { [KEYS.state]: state } });
  };
  return { world, ports, again, setState };
}

describe('the Job of the current policy, at the end of a run', () => {
  it('is deleted by the CronJob where it failed and no node is failed', async () => {
    const { ports, again } = await upgraded(true);
    expect(await again()).toMatchObject({ exitCode: 0, reason: 'done' });
    expect([...ports.jobs.keys()]).toEqual([]);
    expect(ports.logs.map(({ message }) => message)).toContainEqual(expect.stringContaining(`Job ${JOB} had failed`));
  });

  it('is deleted after a repair that the same run found', async () => {
    const { ports, again, setState } = await upgraded(true);
    setState('n1', 'upgrade-failed');
    // Its driver is in sync and ready.
    expect(await again()).toMatchObject({ exitCode: 0, reason: 'done' });
    expect([...ports.jobs.keys()]).toEqual([]);
  });

  it('stays where a node is failed', async () => {
    const { world, ports, again, setState } = await upgraded(true);
    setState('n1', 'upgrade-failed');
    for (const [key, pod] of world.pods)
      if (pod.nodeName === 'n1') world.pods.set(key, { ...pod, ready: false, containers: [] });
    expect(await again()).toMatchObject({ exitCode: 0, reason: 'waiting' });
    expect([...ports.jobs.keys()]).toEqual([JOB]);
    expect(ports.requests).not.toContain('get job');
  });

  it('stays where it did not fail, and after a run of a Job', async () => {
    const running = await upgraded(false);
    await running.again();
    expect([...running.ports.jobs.keys()]).toEqual([JOB]);
    const byJob = await upgraded(true);
    await byJob.again('job');
    expect([...byJob.ports.jobs.keys()]).toEqual([JOB]);
  });

  it('is asked for only where the policy names it, and may be gone', async () => {
    const { ports, again } = await upgraded(true);
    ports.jobs.clear();
    expect(await again()).toMatchObject({ exitCode: 0 });
    delete ports.policy.job;
    ports.requests.length = 0;
    await again();
    expect(ports.requests).not.toContain('get job');
  });

  it('that cannot be deleted is tried again by the next run, and a missing right is said', async () => {
    const { ports, again } = await upgraded(true);
    ports.cluster.deleteJob = () => Promise.resolve({ kind: 'retry', message: 'etcdserver: leader changed' });
    expect(await again()).toMatchObject({ exitCode: 0, reason: 'done' });
    expect(ports.logs.at(-2)).toMatchObject({ level: 'warning', message: expect.stringContaining('leader changed') });
    ports.cluster.getJob = () => Promise.resolve({ kind: 'forbidden', message: 'cannot get resource "jobs"' });
    expect(await again()).toMatchObject({ exitCode: 2, reason: 'forbidden', message: 'cannot get resource "jobs"' });
  });
});
