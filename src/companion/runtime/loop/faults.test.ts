import { describe, expect, it } from '@jest/globals';
import { setUpCluster, count, run, stateOf } from '../../../../test/kit/runs.js';
import { gpuDriver } from '../../../../test/kit/gpu-drivers.js';
import { policyOf } from '../../../../test/kit/policy-settings.js';
import {
  KEYS,
  leaseOf,
  NAMESPACE,
  putBudget,
  putDriverPod,
  putNode,
  putPod,
  statusOf,
} from '../../../../test/kit/idle-cluster.js';
import { driverKeys } from '../../../shared/contract/labels.js';
import { upgradePolicySchema } from '../../../shared/contract/upgrade-policy.js';
import { canonicalJson } from '../../../shared/lib/json.js';

const nameOf = (item: object): string => ('name' in item ? String(item.name) : '');

describe('faults', () => {
  it('resolves a patch that timed out after it took effect, before the next decision', async () => {
    const { cluster, ports } = setUpCluster(4);
    const patchNode = ports.cluster.patchNode.bind(ports.cluster);
    let calls = 0;
    let most = 0;
    ports.cluster.patchNode = async (action) => {
      const answer = await patchNode(action);
      return ++calls % 2 === 0 ? answer : { kind: 'retry', message: 'timed out' };
    };
    const end = await run(ports, {}, () => {
      const cordoned = [...cluster.store.nodes.values()].filter((node) => node.unschedulable).length;
      most = Math.max(most, cordoned);
    });
    expect(end).toMatchObject({ exitCode: 0, reason: 'done' });
    expect(most).toBe(1);
  });

  it('continues with the other nodes when the patches of one fail again and again', async () => {
    const { cluster, ports } = setUpCluster(2, ['maxParallelUpgrades=0']);
    const patchNode = ports.cluster.patchNode.bind(ports.cluster);
    ports.cluster.patchNode = (action) =>
      action.node === 'n1' ? Promise.resolve({ kind: 'error', message: 'a webhook says no' }) : patchNode(action);
    const end = await run(ports);
    expect(end).toMatchObject({ exitCode: 0, message: '1 node whose patches the API server refuses' });
    expect(stateOf(cluster, 'n2')).toBe('upgrade-done');
    expect(count(ports, 'patch node')).toBeLessThan(20);
    expect(statusOf(ports.simulated)?.data['status.json']).toContain('a webhook says no');
  });

  it('lists again after a watch that is too old, with a delay', async () => {
    const { ports } = setUpCluster(3);
    let expired = 0;
    await run(ports, {}, () => {
      for (const one of ports.watches.filter(({ kind }) => kind === 'pods')) {
        if (expired++ < 20) one.send({ kind: 'end', answer: { kind: 'expired', message: 'too old' } });
      }
    });
    expect(count(ports, 'list pods')).toBeLessThan(30);
    expect(ports.summaries[0]).toContain('done (exit 0)');
  });

  it('lists again when a controller stopped, because the caches may lack its last writes', async () => {
    const { cluster, policy, ports } = setUpCluster(3, ['controllerPodSelector=app=operator']);
    const { drivers, ...rest } = policyOf(policy);
    // The Job continues for a node that waits for the DaemonSet of a second driver, and is skipped for the first.
    const other = gpuDriver();
    const labels = { [driverKeys('gpu').state]: 'pod-restart-required', [KEYS.skip]: 'true' };
    putNode(cluster, 'n3', { labels, unschedulable: true });
    ports.policy.text = canonicalJson(upgradePolicySchema.parse({ ...rest, drivers: [...drivers, other] }));
    putPod(cluster, { namespace: NAMESPACE, name: 'operator', nodeName: 'n1', labels: { app: 'operator' } });
    const watch = ports.cluster.watch.bind(ports.cluster);
    ports.cluster.watch = (kind, ...of) => (kind === 'nodes' ? () => undefined : watch(kind, ...of));
    let most = 0;
    await run(ports, {}, (elapsedMs) => {
      const node = cluster.store.nodes.get('n2');
      if (
        elapsedMs >= 10_000 &&
        node?.labels[KEYS.state] === undefined &&
        cluster.store.pods.get(`${NAMESPACE}/operator`) !== undefined
      ) {
        putNode(cluster, 'n2', { labels: { [KEYS.state]: 'drain-required' }, unschedulable: true });
        cluster.store.pods.remove(`${NAMESPACE}/operator`, 'admin');
      }
      const out = [...cluster.store.nodes.values()].filter(({ name, unschedulable }) => unschedulable && name !== 'n3');
      most = Math.max(most, out.length);
      if (elapsedMs > 200_000) ports.stop();
    });
    expect(cluster.store.pods.get(`${NAMESPACE}/operator`) !== undefined).toBe(false);
    expect(most).toBe(1);
    expect(stateOf(cluster, 'n2')).toBe('upgrade-done');
  });

  it('waits for an API server that is away at the start', async () => {
    const { ports } = setUpCluster(1);
    const list = ports.cluster.list.bind(ports.cluster);
    let calls = 0;
    ports.cluster.list = (kind, namespace) =>
      ++calls < 10 ? Promise.resolve({ kind: 'retry', message: 'no route' }) : list(kind, namespace);
    expect(await run(ports)).toMatchObject({ exitCode: 0, reason: 'done' });
  });

  it('continues its evictions when the wall clock is set back', async () => {
    const { cluster, ports } = setUpCluster(1, ['drain.timeoutSeconds=0']);
    putPod(cluster, {
      namespace: 'db',
      name: 'pg-0',
      nodeName: 'n1',
      labels: { app: 'pg' },
      // Its budget is asked by the drain only.
      ready: false,
      controller: { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'pg', uid: 'sts' },
    });
    const selector = { matchLabels: { app: 'pg' } };
    putBudget(cluster, { namespace: 'db', name: 'pg', selector, disruptionsAllowed: 0 });
    let jumped = false;
    const end = await run(ports, {}, (elapsedMs) => {
      if (elapsedMs > 60_000 && !jumped) {
        jumped = true;
        ports.setWallClock(-3_600_000);
      }
      if (elapsedMs > 300_000) putBudget(cluster, { namespace: 'db', name: 'pg', selector, disruptionsAllowed: 1 });
    });
    expect(end).toMatchObject({ exitCode: 0, reason: 'done' });
    expect(count(ports, 'evict')).toBeLessThan(50);
    expect(ports.events.some(({ message }) => message.includes('db/pg-0') && message.includes('pg'))).toBe(true);
  });

  it('never decides in circles: requests of a run that waits are few', async () => {
    const { cluster, ports } = setUpCluster(1, ['waitForCompletion.podSelector=job=x']);
    putPod(cluster, { namespace: 'ml', name: 'job', nodeName: 'n1', labels: { job: 'x' } });
    const end = await run(ports, {}, (elapsedMs) => {
      if (elapsedMs > 3_600_000) ports.stop();
    });
    expect(end).toMatchObject({ exitCode: 143 });
    // An hour: 360 renewals, 120 times policy, status and the operator's Lease, watches that are restarted.
    expect(ports.requests.length).toBeLessThan(920);
  });
});

describe('a node whose patches always time out', () => {
  /** Every request takes 10 s before it times out, and none of them takes effect. */
  async function durationMs(broken: boolean): Promise<{ readonly elapsedMs: number; readonly most: number }> {
    const { cluster, ports } = setUpCluster(20, ['maxParallelUpgrades=4', 'rollout.failureBudget=2']);
    const patchNode = ports.cluster.patchNode.bind(ports.cluster);
    ports.cluster.patchNode = (action) =>
      broken && action.node === 'n1'
        ? new Promise((resolve) => {
            ports.clock.after(10_000, () => resolve({ kind: 'retry', message: 'timed out' }));
          })
        : patchNode(action);
    let elapsed = 0;
    let most = 0;
    await run(ports, {}, (elapsedMs) => {
      const nodes = [...cluster.store.nodes.values()];
      most = Math.max(most, nodes.filter(({ unschedulable }) => unschedulable).length);
      const done = nodes.filter(({ name }) => stateOf(cluster, name) === 'upgrade-done').length;
      elapsed = elapsedMs;
      if (broken && done === 19) ports.stop();
    });
    return { elapsedMs: elapsed, most };
  }

  it('holds up the other 19 by the one place of four that it takes while its patch is uncertain', async () => {
    const sound = await durationMs(false);
    const broken = await durationMs(true);
    expect(broken.most).toBeLessThanOrEqual(4);
    expect(broken.elapsedMs / sound.elapsedMs).toBeLessThan(2);
  });
});

describe('a pod that was bound just before the cordon', () => {
  it('and reaches the cache 1.5 s later delays the restart of the driver', async () => {
    const { cluster, ports } = setUpCluster(1);
    const watch = ports.cluster.watch.bind(ports.cluster);
    ports.cluster.watch = (kind, namespace, version, onEvent) =>
      watch(kind, namespace, version, (event) => {
        const isLate = event.kind === 'put' && nameOf(event.item) === 'late';
        if (isLate) ports.clock.after(1_500, () => onEvent(event));
        else onEvent(event);
      });
    let shownMs: number | undefined;
    let restartedMs: number | undefined;
    const end = run(ports, {}, (elapsedMs) => {
      if (shownMs === undefined && cluster.store.nodes.get('n1')?.unschedulable === true) {
        putPod(cluster, { namespace: 'default', name: 'late', nodeName: 'n1' });
        shownMs = elapsedMs + 1_500;
      }
      if (count(ports, 'delete pod') > 0) restartedMs ??= elapsedMs;
    });
    await end;
    expect(shownMs).toBeDefined();
    expect(restartedMs ?? Infinity).toBeGreaterThanOrEqual(shownMs ?? Infinity);
  });
});

describe('a missing right', () => {
  const forbidden = { kind: 'forbidden', message: 'may not' } as const;

  it('to read the status ends the run with 2, at the start and in the middle', async () => {
    const { ports } = setUpCluster(1);
    ports.cluster.readStatus = () => Promise.resolve(forbidden);
    expect(await run(ports)).toMatchObject({ exitCode: 2, reason: 'forbidden', message: 'may not' });
    const later = setUpCluster(1);
    const readStatus = later.ports.cluster.readStatus.bind(later.ports.cluster);
    let calls = 0;
    later.ports.cluster.readStatus = () => (++calls > 1 ? Promise.resolve(forbidden) : readStatus());
    expect(await run(later.ports)).toMatchObject({ exitCode: 2, reason: 'forbidden', message: 'may not' });
    expect(leaseOf(later.ports.simulated)?.record.holderIdentity).toBe('');
  });

  it('to list PodDisruptionBudgets ends the run with 2 when one refuses an eviction', async () => {
    const { cluster, ports } = setUpCluster(1, ['drain.timeoutSeconds=0']);
    const controller = { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'pg', uid: 'sts' };
    putPod(cluster, { namespace: 'db', name: 'pg-0', nodeName: 'n1', labels: { app: 'pg' }, controller });
    const budget = { namespace: 'db', name: 'pg', selector: { matchLabels: { app: 'pg' } } };
    putBudget(cluster, { ...budget, disruptionsAllowed: 0 });
    ports.cluster.listBudgets = () => Promise.resolve(forbidden);
    expect(await run(ports)).toMatchObject({ exitCode: 2, reason: 'forbidden', message: 'may not' });
  });

  it.each(['writeEvent', 'createStatus', 'updateStatus'] as const)('for %s ends the run with 2', async (call) => {
    const { ports } = setUpCluster(1);
    ports.cluster[call] = () => Promise.resolve(forbidden);
    expect(await run(ports)).toMatchObject({ exitCode: 2, reason: 'forbidden', message: 'may not' });
    expect(leaseOf(ports.simulated)?.record.holderIdentity).toBe('');
  });
});

describe('the end', () => {
  it('comes only if lists agree with the caches', async () => {
    const { cluster, ports } = setUpCluster(2);
    const watch = ports.cluster.watch.bind(ports.cluster);
    let joined = false;
    // The watches that run when a node joins never show it.
    ports.cluster.watch = (kind, namespace, version, onEvent) => {
      const hides = !joined;
      return watch(kind, namespace, version, (event) => {
        if (!hides || !('item' in event) || !nameOf(event.item).endsWith('n9')) onEvent(event);
      });
    };
    const end = await run(ports, {}, () => {
      if (joined || stateOf(cluster, 'n1') !== 'pod-restart-required') return;
      joined = true;
      putNode(cluster, 'n9');
      putDriverPod(cluster, 'n9', 'mofed', 'v1', true);
    });
    expect(end).toMatchObject({ exitCode: 0, reason: 'done' });
    expect(stateOf(cluster, 'n9')).toBe('upgrade-done');
  });

  it('by SIGTERM lets the Lease expire while a patch may still take effect', async () => {
    const { cluster, ports } = setUpCluster(2);
    const patchNode = ports.cluster.patchNode.bind(ports.cluster);
    ports.cluster.patchNode = (action) => {
      if (stateOf(cluster, 'n1') !== 'pod-restart-required') return patchNode(action);
      ports.stop();
      return Promise.resolve({ kind: 'retry', message: 'timed out' });
    };
    expect(await run(ports)).toMatchObject({ exitCode: 143, reason: 'stopped' });
    expect(leaseOf(ports.simulated)?.record.holderIdentity).toBe('pod-a');
  });
});
