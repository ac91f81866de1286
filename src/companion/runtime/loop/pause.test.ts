import { describe, expect, it } from '@jest/globals';
import type { FakePorts } from '../../../../test/kit/fake-ports.js';
import { changePod, putPod, putStatus, removeStatus, statusOf } from '../../../../test/kit/idle-cluster.js';
import { setUpCluster, run, stateOf } from '../../../../test/kit/runs.js';

/** As `kubectl annotate` does. */
function pauseByHand({ simulated }: FakePorts): void {
  if (statusOf(simulated) === undefined) throw new Error('there is no status yet');
  putStatus(simulated, { annotations: { 'weft.dev/paused': 'true' } });
}

describe('a pause by hand', () => {
  it('lets started nodes finish, and no other node starts', async () => {
    const { cluster, ports } = setUpCluster(12);
    const withWork = (): readonly string[] =>
      [...cluster.store.nodes.values()].map(({ name }) => name).filter((name) => begun(stateOf(cluster, name)));
    const begun = (state: string | undefined) => state !== undefined && state !== 'upgrade-required';
    let before: readonly string[] | undefined;
    const end = await run(ports, {}, () => {
      if (before !== undefined || stateOf(cluster, 'n1') !== 'upgrade-done') return;
      before = withWork();
      pauseByHand(ports);
    });
    expect(end).toMatchObject({ exitCode: 0, reason: 'waiting' });
    expect(before).toEqual(['n1']);
    expect(withWork()).toEqual(before);
  });

  it.each([
    { name: 'stays while the status cannot be read', answer: { kind: 'retry', message: 'away' }, reason: 'waiting' },
    { name: 'is over with its ConfigMap', answer: { kind: 'gone', message: 'not found' }, reason: 'done' },
  ] as const)('a pause by hand $name', async ({ answer, reason }) => {
    const { cluster, ports } = setUpCluster(2, ['waitForCompletion.podSelector=job=x']);
    putPod(cluster, { namespace: 'ml', name: 'job', nodeName: 'n1', labels: { job: 'x' } });
    const controller = { apiVersion: 'batch/v1', kind: 'Job', name: 'job', uid: 'job' };
    changePod(cluster, 'ml/job', { controller });
    ports.clock.after(20_000, () => pauseByHand(ports));
    const readStatus = ports.cluster.readStatus.bind(ports.cluster);
    ports.clock.after(65_000, () => {
      ports.cluster.readStatus = () => Promise.resolve(answer);
      if (answer.kind === 'gone') removeStatus(ports.simulated);
    });
    ports.clock.after(140_000, () => cluster.store.pods.remove('ml/job', 'admin'));
    ports.clock.after(160_000, () => void (ports.cluster.readStatus = readStatus));
    expect(await run(ports)).toMatchObject({ exitCode: 0, reason });
    const said = ports.logs.filter(({ message }) => message.startsWith('the status cannot be read'));
    expect(said.length > 0).toBe(answer.kind === 'retry');
  });
});
