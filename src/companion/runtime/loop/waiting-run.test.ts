import { describe, expect, it } from '@jest/globals';
import { setUpCluster, count, delay, run, stateOf, timesOfDecisions } from '../../../../test/kit/runs.js';
import type { FakePorts } from '../../../../test/kit/fake-ports.js';
import { putBudget, putPod } from '../../../../test/kit/idle-cluster.js';

const forbidden = { kind: 'forbidden', message: 'may not' } as const;

/** A run that waits for a pod that never terminates. */
function waiting(): FakePorts {
  const { cluster, ports } = setUpCluster(1, ['waitForCompletion.podSelector=job=x']);
  putPod(cluster, { namespace: 'ml', name: 'job', nodeName: 'n1', labels: { job: 'x' } });
  return ports;
}

/** The node of this run is drained, and waits for a PodDisruptionBudget. */
function refused(): FakePorts {
  const { cluster, ports } = setUpCluster(1, ['drain.timeoutSeconds=0']);
  const controller = { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'pg', uid: 'sts' };
  putPod(cluster, { namespace: 'db', name: 'pg-0', nodeName: 'n1', labels: { app: 'pg' }, controller });
  const selector = { matchLabels: { app: 'pg' } };
  putBudget(cluster, { namespace: 'db', name: 'pg', selector, disruptionsAllowed: 0 });
  return ports;
}

/** The node of this run has a pod of a DaemonSet in a namespace that is not watched. */
function withAgent(): FakePorts {
  const { cluster, ports } = setUpCluster(1);
  const controller = { apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'agent', uid: 'agent' };
  putPod(cluster, { namespace: 'sys', name: 'agent-1', nodeName: 'n1', controller });
  return ports;
}

describe('a run that waits is ended at once', () => {
  /** Between two renewals of the Lease nothing else wakes the run. */
  const CAUSED_MS = 61_000;

  async function endOf(ports: FakePorts, cause: () => void) {
    ports.clock.after(CAUSED_MS, cause);
    let endMs = 0;
    const end = await run(ports, {}, (elapsedMs) => void (endMs = elapsedMs));
    expect(endMs).toBeGreaterThanOrEqual(CAUSED_MS);
    expect(endMs).toBeLessThan(CAUSED_MS + 1_000);
    return end;
  }

  it('by a stop', async () => {
    const ports = waiting();
    expect(await endOf(ports, ports.stop)).toMatchObject({ exitCode: 143 });
  });

  it('by a right that a watch lacks', async () => {
    const ports = waiting();
    const end = await endOf(ports, () => {
      for (const one of ports.watches.filter(({ kind }) => kind === 'pods'))
        one.send({ kind: 'end', answer: forbidden });
    });
    expect(end).toMatchObject({ exitCode: 2, message: 'may not' });
  });

  it.each([
    { name: 'an Error', thrown: new Error('a bug'), message: 'a bug', hasStack: true },
    { name: 'anything else that is thrown', thrown: 'a text', message: 'a text', hasStack: false },
  ])('by a bug: $name', async ({ thrown, message, hasStack }) => {
    const ports = waiting();
    const end = await endOf(ports, () => {
      // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors
      ports.cluster.list = () => Promise.reject(thrown);
      for (const one of ports.watches.filter(({ kind }) => kind === 'pods'))
        one.send({ kind: 'end', answer: { kind: 'expired', message: 'too old' } });
    });
    expect(end).toMatchObject({ exitCode: 3, message });
    expect(ports.logs.at(-1)).toMatchObject({ level: 'error', message, reason: 'bug' });
    expect('stack' in (ports.logs.at(-1) ?? {})).toBe(hasStack);
  });

  it('by a stop after a decision that took long, without the pause that follows such a decision', async () => {
    const ports = waiting();
    const clock = { ...ports.clock };
    let lateMs = 0;
    let isSlow = false;
    Object.assign(ports.clock, {
      monotonicMs: () => clock.monotonicMs() + lateMs,
      now: () => {
        if (isSlow) lateMs += 3_000;
        isSlow = false;
        return clock.now();
      },
    });
    // A change of a pod makes the run decide.
    ports.clock.after(CAUSED_MS - 500, () => {
      isSlow = true;
      putPod(ports.simulated, { namespace: 'ml', name: 'other', nodeName: 'n1' });
    });
    expect(await endOf(ports, ports.stop)).toMatchObject({ exitCode: 143 });
  });
});

describe('a run that waits', () => {
  it('decides with each renewal of the Lease, and lists budgets once', async () => {
    const ports = waiting();
    const decisions = timesOfDecisions(ports);
    ports.clock.after(3_600_000, ports.stop);
    await run(ports);
    expect(decisions.length).toBeGreaterThan(350);
    expect(decisions.length).toBeLessThan(380);
    expect(count(ports, 'list budgets')).toBe(1);
  });

  it.each([
    { name: 'the budgets', ports: refused(), call: 'listBudgets', request: 'list budgets' },
    { name: 'a DaemonSet', ports: withAgent(), call: 'getDaemonSet', request: 'get daemonSet' },
  ] as const)(
    'decides as soon as the answer about $name is there, and asks once until then',
    async ({ ports, call, request }) => {
      const decisions = timesOfDecisions(ports);
      let answeredMs = Infinity;
      delay(ports, call, 27_300, () => {
        if (answeredMs < Infinity) return;
        answeredMs = ports.clock.monotonicMs();
        expect(count(ports, request)).toBe(1);
        ports.clock.after(1_000, ports.stop);
      });
      await run(ports);
      const nextMs = decisions.find((ms) => ms >= answeredMs) ?? Infinity;
      expect(nextMs - answeredMs).toBeLessThanOrEqual(50);
    },
  );

  it('begins with a node as soon as its budget is changed, which never allowed an eviction', async () => {
    const { cluster, ports } = setUpCluster(2, [
      'waitForCompletion.podSelector=job=x',
      'maxParallelUpgrades=2',
      'drain.enable=true',
    ]);
    // Its job keeps the run going.
    putPod(cluster, { namespace: 'ml', name: 'job', nodeName: 'n1', labels: { job: 'x' } });
    const controller = { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'pg', uid: 'sts' };
    putPod(cluster, { namespace: 'db', name: 'pg-0', nodeName: 'n2', labels: { app: 'pg' }, controller });
    const budget = { namespace: 'db', name: 'pg', selector: { matchLabels: { app: 'pg' } } };
    putBudget(cluster, { ...budget, disruptionsAllowed: 0, neverAllows: true });
    ports.clock.after(61_000, () => {
      expect(stateOf(cluster, 'n2')).toBe('upgrade-required');
      putBudget(cluster, { ...budget, disruptionsAllowed: 1 });
    });
    ports.clock.after(300_000, ports.stop);
    await run(ports);
    expect(stateOf(cluster, 'n2')).toBe('upgrade-done');
  });

  it('continues if the budgets cannot be listed', async () => {
    const ports = refused();
    ports.cluster.listBudgets = () => Promise.resolve({ kind: 'retry', message: 'away' });
    ports.clock.after(60_000, () => ports.simulated.store.budgets.remove('db/pg', 'admin'));
    expect(await run(ports)).toMatchObject({ exitCode: 0, reason: 'done' });
  });

  it('tries a failed action again when its delay is over', async () => {
    const { ports } = setUpCluster(1);
    const patchNode = ports.cluster.patchNode.bind(ports.cluster);
    const times: number[] = [];
    ports.cluster.patchNode = (action) => {
      times.push(ports.clock.monotonicMs());
      return times.length > 3 ? patchNode(action) : Promise.resolve({ kind: 'error', message: 'a webhook says no' });
    };
    await run(ports);
    const pauses = times.slice(1, 4).map((ms, index) => ms - (times[index] ?? 0));
    [1_000, 2_000, 4_000].forEach((longestMs, index) => expect(pauses[index]).toBeLessThanOrEqual(longestMs + 250));
  });
});

describe('a run of the CronJob, where the drain of a node was blocked before', () => {
  it('leaves the node while its budget allows no eviction, and begins it again when it does', async () => {
    const { cluster, ports } = setUpCluster(1, ['drain.timeoutSeconds=60']);
    const controller = { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'pg', uid: 'sts' };
    const labels = { app: 'pg' };
    putPod(cluster, { namespace: 'db', name: 'pg-0', nodeName: 'n1', labels, controller, ready: false });
    const budget = { namespace: 'db', name: 'pg', selector: { matchLabels: labels }, disruptionsAllowed: 0 };
    putBudget(cluster, budget);
    expect(await run(ports)).toMatchObject({ exitCode: 10 });
    const decided = timesOfDecisions(ports);
    expect(await run(ports, { mode: 'cronjob', runId: 'first' })).toMatchObject({ exitCode: 0, reason: 'waiting' });
    expect(decided).toEqual([]);
    putBudget(cluster, { ...budget, disruptionsAllowed: 1 });
    expect(await run(ports, { mode: 'cronjob', runId: 'second' })).toMatchObject({ exitCode: 0, reason: 'done' });
  });
});

it('a run ends where a budget never allows the eviction of a pod', async () => {
  const { cluster, ports } = setUpCluster(1);
  const controller = { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'pg', uid: 'sts' };
  const labels = { app: 'pg' };
  putPod(cluster, { namespace: 'db', name: 'pg-0', nodeName: 'n1', labels, controller });
  const selector = { matchLabels: labels };
  putBudget(cluster, { namespace: 'db', name: 'pg', selector, disruptionsAllowed: 0, neverAllows: true });
  expect(await run(ports)).toMatchObject({ exitCode: 0, reason: 'waiting' });
  expect(cluster.store.nodes.get('n1')?.unschedulable).toBe(false);
});
