import { describe, expect, it } from '@jest/globals';
import { createPolicy, policyOf, set, type StoryPolicy } from '../../../../test/kit/story-policy.js';
import { createFakePorts, kubelet, type FakePorts } from '../../../../test/kit/story-ports.js';
import {
  createWorld,
  KEYS,
  NAMESPACE,
  putDaemonSet,
  putDriverPod,
  putNode,
  putPod,
  type StoryWorld,
} from '../../../../test/kit/story-world.js';
import { upgradePolicyHash, upgradePolicySchema, upgradePolicyText } from '../../../contract/upgrade-policy.js';
import type { RunOutcome } from '../run-outcome.js';
import { runCompanion } from './loop.js';
import type { RunOptions } from './run.js';

/** Nodes with an old driver, a policy that upgrades them, and ports to both. */
function cluster(
  nodes: number,
  settings: readonly string[] = [],
): { world: StoryWorld; policy: StoryPolicy; ports: FakePorts } {
  const world = createWorld();
  const policy = createPolicy();
  ['drain.enable=true', ...settings].forEach((one) => set(policy, one));
  policy.daemonSets.set('mofed', 'v2');
  putDaemonSet(world, 'mofed', 'v2');
  for (let index = 1; index <= nodes; index++) {
    putNode(world, `n${index}`);
    putDriverPod(world, `n${index}`, 'mofed', 'v1', true);
  }
  return { world, policy, ports: createFakePorts(world, upgradePolicyText(policyOf(policy))) };
}

const OPTIONS: RunOptions = { namespace: NAMESPACE, identity: 'pod-a', mode: 'job', runId: 'job-a' };

function run(
  ports: FakePorts,
  options: Partial<RunOptions> = {},
  each?: (elapsedMs: number) => void,
): Promise<RunOutcome> {
  return ports.runUntil(runCompanion(ports, { ...OPTIONS, ...options }), (elapsedMs) => {
    kubelet(ports.world, 5000);
    each?.(elapsedMs);
  });
}

function stateOf(world: StoryWorld, node: string): string | undefined {
  return world.nodes.get(node)?.labels[KEYS.state];
}

const count = (ports: FakePorts, name: string): number => ports.requests.filter((one) => one === name).length;

describe('a run', () => {
  it('upgrades every node, tells about it, releases the Lease and ends with 0', async () => {
    const { world, ports } = cluster(3);
    putPod(world, {
      namespace: 'default',
      name: 'web',
      nodeName: 'n1',
      controller: { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid: 'rs' },
    });
    expect(await run(ports)).toMatchObject({ exitCode: 0, reason: 'done' });
    expect(['n1', 'n2', 'n3'].map((node) => stateOf(world, node))).toEqual([
      'upgrade-done',
      'upgrade-done',
      'upgrade-done',
    ]);
    expect([...world.nodes.values()].some((node) => node.unschedulable)).toBe(false);
    expect(ports.lease.held?.record.holderIdentity).toBe('');
    expect(ports.events.every(({ reason }) => reason === 'OFEDDriverUpgrade')).toBe(true);
    expect(ports.metricsText).toContain('weft_nodes_upgrades_done{driver="ofed"} 3');
    expect(ports.metricsText).toContain('weft_node_upgrade_duration_seconds_count{driver="ofed"} 3');
    expect(ports.summaries).toEqual([expect.stringContaining('every node is done or skipped')]);
    expect(JSON.parse(ports.status.object?.data['status.json'] ?? '')).toMatchObject({
      run: 'job-a',
      end: { exitCode: 0 },
    });
  });

  it('costs at most twelve requests per node beside the evictions', async () => {
    const { ports } = cluster(40, ['maxParallelUpgrades=10']);
    await run(ports);
    expect(ports.requests.length).toBeLessThanOrEqual(12 * 40);
  });

  it('finds nothing to do without the Lease, the status or watches', async () => {
    const { ports, world } = cluster(2);
    await run(ports);
    const { object } = ports.status;
    ports.requests.length = 0;
    expect(await run(ports, { mode: 'cronjob', runId: 'cron-1' })).toMatchObject({ exitCode: 0, reason: 'done' });
    expect(ports.requests).toEqual([
      'list daemonSets',
      'get policy',
      'get status',
      'list nodes',
      'list pods',
      'list revisions',
    ]);
    expect(ports.status.object).toBe(object);
    expect(stateOf(world, 'n1')).toBe('upgrade-done');
  });

  it('reads the policy after the DaemonSets, also when one of them changes later', async () => {
    const { world, policy, ports } = cluster(1);
    let before = 0;
    let changed = false;
    const end = run(ports, { mode: 'cronjob' }, () => {
      if (changed || stateOf(world, 'n1') !== 'pod-restart-required') return;
      changed = true;
      before = count(ports, 'get policy');
      policy.daemonSets.set('mofed', 'v3');
      ports.policy.text = upgradePolicyText(policyOf(policy));
      putDaemonSet(world, 'mofed', 'v3');
    });
    expect(await end).toMatchObject({ exitCode: 0, reason: 'done' });
    expect(count(ports, 'get policy')).toBeGreaterThan(before);
    expect([...world.pods.values()].map((pod) => pod.labels['controller-revision-hash'])).toEqual(['v3']);
  });
});

describe('ends', () => {
  it('10 when a node failed in this run', async () => {
    const { world, ports } = cluster(2, ['drain.timeoutSeconds=60']);
    putPod(world, { namespace: 'default', name: 'bare', nodeName: 'n1' });
    const end = await run(ports);
    expect(end).toMatchObject({ exitCode: 10, reason: 'failed', failedNodes: ['ofed/n1'] });
    expect(stateOf(world, 'n2')).toBe('upgrade-required');
  });

  it('0 for nodes that failed in an earlier run, and says so', async () => {
    const { world, ports } = cluster(2);
    putPod(world, { namespace: 'default', name: 'bare', nodeName: 'n1' });
    await run(ports);
    const end = await run(ports, { mode: 'cronjob', runId: 'cron-1' });
    expect(end).toMatchObject({ exitCode: 0, reason: 'waiting' });
    expect(end.message).toContain('1 node failed in an earlier run');
  });

  it('10 again for a pod that follows in the same Job', async () => {
    const { world, ports } = cluster(2);
    putPod(world, { namespace: 'default', name: 'bare', nodeName: 'n1' });
    await run(ports);
    expect(await run(ports, { identity: 'pod-b' })).toMatchObject({ exitCode: 10, failedNodes: ['ofed/n1'] });
  });

  it('0 for a window that is closed', async () => {
    const { ports } = cluster(2, ['rollout.maintenanceWindows=[{"schedule":"0_22_*_*_2","duration":"1h"}]']);
    const end = await run(ports);
    expect(end).toMatchObject({ exitCode: 0, reason: 'waiting', message: '2 nodes waiting for a maintenance window' });
  });

  it('0 for a pause, by policy or by hand', async () => {
    const byPolicy = cluster(2, ['paused=true']);
    expect(await run(byPolicy.ports)).toMatchObject({ exitCode: 0, reason: 'waiting', message: '2 nodes paused' });
    const byHand = cluster(2);
    byHand.ports.status.object = { annotations: { 'weft.dev/paused': '' }, data: {}, resourceVersion: '1' };
    expect(await run(byHand.ports)).toMatchObject({ exitCode: 0, reason: 'waiting', message: '2 nodes paused' });
    expect(byHand.ports.status.object.annotations).toEqual({ 'weft.dev/paused': '' });
  });

  it("0 while the operator's controller runs, and nothing is touched", async () => {
    const { world, ports } = cluster(1, ['controllerPodSelector=app=operator']);
    putPod(world, { namespace: 'elsewhere', name: 'operator', nodeName: 'n1', labels: { app: 'operator' } });
    expect(await run(ports)).toMatchObject({ exitCode: 0, reason: 'refused' });
    expect(count(ports, 'patch node')).toBe(0);
  });

  it.each([
    { name: 'no JSON', text: '{' },
    { name: 'not the schema', text: '{"apiVersion":"weft.dev/v2"}' },
  ])('2 for a bad policy: $name', async ({ text }) => {
    const { ports } = cluster(1);
    ports.policy.text = text;
    expect(await run(ports)).toMatchObject({ exitCode: 2, reason: 'bad-policy' });
  });

  it('2 for a missing right, at the start and in the middle', async () => {
    const forbidden = { kind: 'forbidden', message: 'may not' } as const;
    const atStart = cluster(1);
    atStart.ports.cluster.list = () => Promise.resolve(forbidden);
    expect(await run(atStart.ports)).toMatchObject({ exitCode: 2, reason: 'forbidden', message: 'may not' });
    const later = cluster(1);
    later.ports.cluster.deletePod = () => Promise.resolve(forbidden);
    expect(await run(later.ports)).toMatchObject({ exitCode: 2, reason: 'forbidden' });
    expect(later.ports.lease.held?.record.holderIdentity).toBe('');
  });

  it('3 for our bug, and lets the Lease run out', async () => {
    const { ports } = cluster(1);
    ports.cluster.patchNode = () => Promise.reject(new Error('a bug'));
    const end = await run(ports);
    expect(end).toMatchObject({ exitCode: 3, reason: 'bug', message: 'a bug' });
    expect(end.stack).toContain('loop.test');
    expect(ports.lease.held?.record.holderIdentity).toBe('pod-a');
  });

  it('143 on SIGTERM: starts nothing new and releases the Lease', async () => {
    const { world, ports } = cluster(3);
    let patches = 0;
    const end = await run(ports, {}, () => {
      if (stateOf(world, 'n1') !== 'pod-restart-required' || patches > 0) return;
      patches = count(ports, 'patch node');
      ports.stop();
    });
    expect(end).toMatchObject({ exitCode: 143, reason: 'stopped' });
    expect(count(ports, 'patch node')).toBe(patches);
    expect(ports.lease.held?.record.holderIdentity).toBe('');
  });
});

describe('a Job that a newer policy supersedes', () => {
  it('ends with 0 before it begins', async () => {
    const { ports } = cluster(1);
    expect(await run(ports, { policyHash: 'old' })).toMatchObject({ exitCode: 0, reason: 'superseded' });
    expect(count(ports, 'patch node')).toBe(0);
  });

  it('ends with 0 in the middle, and releases the Lease', async () => {
    const { world, policy, ports } = cluster(3);
    const policyHash = upgradePolicyHash(policyOf(policy));
    const end = await run(ports, { policyHash }, () => {
      if (stateOf(world, 'n1') !== 'upgrade-done') return;
      set(policy, 'maxParallelUpgrades=2');
      ports.policy.text = upgradePolicyText(policyOf(policy));
    });
    expect(end).toMatchObject({ exitCode: 0, reason: 'superseded' });
    expect(ports.lease.held?.record.holderIdentity).toBe('');
  });
});

describe('the Lease of another holder', () => {
  const held = { record: { holderIdentity: 'pod-z', leaseDurationSeconds: 30 }, resourceVersion: '7' };

  it('is left to a holder that renews it by a CronJob', async () => {
    const { ports } = cluster(1);
    ports.lease.held = held;
    const end = await run(ports, { mode: 'cronjob' }, (elapsedMs) => {
      ports.lease.held = { ...held, resourceVersion: String(7 + Math.floor(elapsedMs / 10_000)) };
    });
    expect(end).toMatchObject({ exitCode: 0, reason: 'lease-held' });
    expect(count(ports, 'patch node')).toBe(0);
  });

  it('is waited for by a Job', async () => {
    const { ports } = cluster(1);
    ports.lease.held = held;
    const end = await run(ports, {}, (elapsedMs) => {
      if (elapsedMs < 120_000)
        ports.lease.held = { ...held, resourceVersion: String(7 + Math.floor(elapsedMs / 10_000)) };
    });
    expect(end).toMatchObject({ exitCode: 0, reason: 'done' });
    expect(ports.lease.held.record.leaseTransitions).toBe(1);
  });

  it('is taken from a holder that died', async () => {
    const { ports } = cluster(1);
    ports.lease.held = held;
    expect(await run(ports, { mode: 'cronjob' })).toMatchObject({ exitCode: 0, reason: 'done' });
  });

  it('ends all acting when it is lost', async () => {
    const { world, ports } = cluster(3);
    let patches = -1;
    const end = await run(ports, { mode: 'cronjob' }, (elapsedMs) => {
      if (patches < 0 && stateOf(world, 'n1') === 'pod-restart-required') patches = 0;
      if (patches < 0) return;
      ports.lease.held = { ...held, resourceVersion: String(Math.floor(elapsedMs / 5_000)) };
      if (ports.logs.some(({ message }) => message === 'the Lease is lost')) patches ||= count(ports, 'patch node');
    });
    expect(end).toMatchObject({ exitCode: 0, reason: 'lease-held' });
    expect(count(ports, 'patch node')).toBe(patches);
  });

  it('cannot be renewed: nothing is sent after the margin, and all goes on with the next renewal', async () => {
    const { world, ports } = cluster(3);
    const updateLease = ports.cluster.updateLease.bind(ports.cluster);
    let failingMs = -1;
    let last = 0;
    ports.cluster.updateLease = (lease) =>
      failingMs >= 0 && ports.clock.monotonicMs() - failingMs < 120_000
        ? Promise.resolve({ kind: 'retry', message: 'etcd is away' })
        : updateLease(lease);
    const end = await run(ports, {}, () => {
      if (failingMs < 0 && stateOf(world, 'n1') === 'pod-restart-required') failingMs = ports.clock.monotonicMs();
      const since = ports.clock.monotonicMs() - failingMs;
      if (failingMs >= 0 && since > 30_000 && since < 120_000) last ||= count(ports, 'patch node');
      if (last > 0 && since < 120_000) expect(count(ports, 'patch node')).toBe(last);
    });
    expect(last).toBeGreaterThan(0);
    expect(end).toMatchObject({ exitCode: 0, reason: 'done' });
  });
});

describe('faults', () => {
  it('resolves a patch that timed out after it took effect, before the next decision', async () => {
    const { world, ports } = cluster(4);
    const patchNode = ports.cluster.patchNode.bind(ports.cluster);
    let calls = 0;
    let most = 0;
    ports.cluster.patchNode = async (action) => {
      const answer = await patchNode(action);
      return ++calls % 2 === 0 ? answer : { kind: 'retry', message: 'timed out' };
    };
    const end = await run(ports, {}, () => {
      const cordoned = [...world.nodes.values()].filter((node) => node.unschedulable).length;
      most = Math.max(most, cordoned);
    });
    expect(end).toMatchObject({ exitCode: 0, reason: 'done' });
    expect(most).toBe(1);
  });

  it('goes on with the other nodes when the patches of one fail again and again', async () => {
    const { world, ports } = cluster(2, ['maxParallelUpgrades=0']);
    const patchNode = ports.cluster.patchNode.bind(ports.cluster);
    ports.cluster.patchNode = (action) =>
      action.node === 'n1' && !ports.signals.stopRequested
        ? Promise.resolve({ kind: 'error', message: 'a webhook says no' })
        : patchNode(action);
    const end = await run(ports, {}, (elapsedMs) => {
      if (elapsedMs > 300_000) ports.stop();
    });
    expect(end).toMatchObject({ exitCode: 143 });
    expect(stateOf(world, 'n2')).toBe('upgrade-done');
    expect(count(ports, 'patch node')).toBeLessThan(20);
    expect(ports.status.object?.data['status.json']).toContain('a webhook says no');
  });

  it('lists again after a watch that is too old, with a delay', async () => {
    const { ports } = cluster(3);
    let expired = 0;
    await run(ports, {}, () => {
      for (const one of ports.watches.filter(({ kind }) => kind === 'pods')) {
        if (expired++ < 20) one.send({ kind: 'end', answer: { kind: 'expired', message: 'too old' } });
      }
    });
    expect(count(ports, 'list pods')).toBeLessThan(30);
    expect(ports.summaries[0]).toContain('done (exit 0)');
  });

  it('lists again when a controller left: what it wrote last may not have come by the watch', async () => {
    const { world, policy, ports } = cluster(2, ['controllerPodSelector=app=operator']);
    const { drivers, ...rest } = policyOf(policy);
    // The Job goes on for a second driver, whose DaemonSet GitOps has not applied.
    const other = drivers.map((one) => ({ ...one, labelPrefix: 'gpu', namespace: 'gpu', controllerPodSelector: '' }));
    ports.policy.text = upgradePolicyText(upgradePolicySchema.parse({ ...rest, drivers: [...drivers, ...other] }));
    putPod(world, { namespace: 'elsewhere', name: 'operator', nodeName: 'n1', labels: { app: 'operator' } });
    const watch = ports.cluster.watch.bind(ports.cluster);
    ports.cluster.watch = (kind, ...of) => (kind === 'nodes' ? () => undefined : watch(kind, ...of));
    let most = 0;
    await run(ports, {}, (elapsedMs) => {
      const node = world.nodes.get('n2');
      if (elapsedMs >= 10_000 && node?.labels[KEYS.state] === undefined && world.pods.has('elsewhere/operator')) {
        putNode(world, 'n2', { labels: { [KEYS.state]: 'drain-required' }, unschedulable: true });
        world.pods.delete('elsewhere/operator');
      }
      most = Math.max(most, [...world.nodes.values()].filter(({ unschedulable }) => unschedulable).length);
      if (elapsedMs > 200_000) ports.stop();
    });
    expect(world.pods.has('elsewhere/operator')).toBe(false);
    expect(most).toBe(1);
    expect(stateOf(world, 'n2')).toBe('upgrade-done');
  });

  it('waits for an API server that is away at the start', async () => {
    const { ports } = cluster(1);
    const list = ports.cluster.list.bind(ports.cluster);
    let calls = 0;
    ports.cluster.list = (kind, namespace) =>
      ++calls < 10 ? Promise.resolve({ kind: 'retry', message: 'no route' }) : list(kind, namespace);
    expect(await run(ports)).toMatchObject({ exitCode: 0, reason: 'done' });
  });

  it('goes on with its evictions when the wall clock is set back', async () => {
    const { world, ports } = cluster(1, ['drain.timeoutSeconds=0']);
    putPod(world, {
      namespace: 'db',
      name: 'pg-0',
      nodeName: 'n1',
      labels: { app: 'pg' },
      controller: { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'pg', uid: 'sts' },
    });
    const selector = { matchLabels: { app: 'pg' } };
    world.budgets.set('db/pg', { namespace: 'db', name: 'pg', selector, disruptionsAllowed: 0 });
    let jumped = false;
    const end = await run(ports, {}, (elapsedMs) => {
      if (elapsedMs > 60_000 && !jumped) {
        jumped = true;
        ports.setWallClock(-3_600_000);
      }
      if (elapsedMs > 300_000)
        world.budgets.set('db/pg', { namespace: 'db', name: 'pg', selector, disruptionsAllowed: 1 });
    });
    expect(end).toMatchObject({ exitCode: 0, reason: 'done' });
    expect(count(ports, 'evict')).toBeLessThan(50);
    expect(ports.events.some(({ message }) => message.includes('db/pg-0') && message.includes('pg'))).toBe(true);
  });

  it('never decides in circles: requests of a run that waits are few', async () => {
    const { world, ports } = cluster(1, ['waitForCompletion.podSelector=job=x']);
    putPod(world, { namespace: 'ml', name: 'job', nodeName: 'n1', labels: { job: 'x' } });
    const end = await run(ports, {}, (elapsedMs) => {
      if (elapsedMs > 3_600_000) ports.stop();
    });
    expect(end).toMatchObject({ exitCode: 143 });
    // An hour: 360 renewals, 120 times policy and status, watches that are begun anew.
    expect(ports.requests.length).toBeLessThan(800);
  });
});
