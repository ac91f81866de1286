import { describe, expect, it } from '@jest/globals';
import { keyOf, type Stored, type Table } from '../../../forecast/simulation/store.js';
import { setUpCluster, count, delay, run, stateOf, timesOfDecisions } from '../../../../test/kit/runs.js';
import { policyOf, set } from '../../../../test/kit/policy-settings.js';
import {
  daemonSetNames,
  leaseOf,
  putBudget,
  putKeptPod,
  putDaemonSet,
  putDriverPod,
  putLease,
  putNode,
  putPod,
  renewLease,
  statusOf,
} from '../../../../test/kit/idle-cluster.js';
import { upgradePolicyHash } from '../../../shared/contract/upgrade-policy.js';
import { canonicalJson } from '../../../shared/lib/json.js';

const forbidden = { kind: 'forbidden', message: 'may not' } as const;
const STATEFUL = { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'pg', uid: 'sts' };

const blocked = (disruptionsAllowed = 0) => {
  const made = setUpCluster(1, ['drain.timeoutSeconds=0']);
  const pod = { namespace: 'db', name: 'pg-0', nodeName: 'n1', labels: { app: 'pg' }, controller: STATEFUL };
  // Its budget is asked by the drain only.
  putPod(made.cluster, { ...pod, ready: false });
  const selector = { matchLabels: { app: 'pg' } };
  putBudget(made.cluster, { namespace: 'db', name: 'pg', selector, disruptionsAllowed });
  return made;
};

describe('the end of a session', () => {
  it('waits for patches that are under way before the Lease is released', async () => {
    const { cluster, ports } = setUpCluster(1);
    delay(ports, 'patchNode', 5_000);
    const order: string[] = [];
    const patchNode = ports.cluster.patchNode.bind(ports.cluster);
    const updateLease = ports.cluster.updateLease.bind(ports.cluster);
    ports.cluster.patchNode = async (action) => {
      const answer = await patchNode(action);
      order.push('patched');
      return answer;
    };
    ports.cluster.updateLease = (lease) => {
      if (lease.record.holderIdentity === '') order.push('released');
      return updateLease(lease);
    };
    let stopped = false;
    const end = await run(ports, {}, () => {
      if (stopped || stateOf(cluster, 'n1') === undefined) return;
      stopped = true;
      ports.stop();
    });
    expect(end).toMatchObject({ exitCode: 143 });
    expect(order).toEqual(['patched', 'released']);
  });

  it('waits for Events that are under way, and a right that they lack ends the run with 2', async () => {
    const { ports } = setUpCluster(1);
    ports.cluster.writeEvent = (event) =>
      new Promise((resolve) => {
        const isLast = event.message.includes('upgrade-done');
        ports.clock.after(isLast ? 40_000 : 0, () => resolve(isLast ? forbidden : { kind: 'ok', value: undefined }));
      });
    expect(await run(ports)).toMatchObject({ exitCode: 2, reason: 'forbidden' });
  });

  it('does not change when a stopped run lacks a right for its reports', async () => {
    const { cluster, ports } = setUpCluster(2);
    const end = await run(ports, {}, () => {
      if (stateOf(cluster, 'n1') !== 'pod-restart-required' || ports.signals.stopRequested) return;
      ports.cluster.updateStatus = () => Promise.resolve(forbidden);
      ports.stop();
    });
    expect(end).toMatchObject({ exitCode: 143, reason: 'stopped' });
  });

  it('is 2 also for a run with failed nodes whose last Event may not be written', async () => {
    const { cluster, ports } = setUpCluster(1, ['drain.timeoutSeconds=60']);
    putKeptPod(cluster, 'n1');
    ports.cluster.updateStatus = (object) =>
      Promise.resolve(
        'end' in JSON.parse(object.data['status.json'] ?? '{}') ? forbidden : { kind: 'ok', value: object },
      );
    expect(await run(ports)).toMatchObject({ exitCode: 2, failedNodes: ['ofed/n1'] });
  });

  it('is 3, and the Lease is kept, when a background task fails during it', async () => {
    const { cluster, ports } = setUpCluster(1);
    const updateStatus = ports.cluster.updateStatus.bind(ports.cluster);
    ports.cluster.updateStatus = (object) =>
      ports.signals.stopRequested ? Promise.reject(new Error('a bug')) : updateStatus(object);
    const end = await run(ports, {}, () => {
      if (stateOf(cluster, 'n1') === 'pod-restart-required') ports.stop();
    });
    expect(end).toMatchObject({ exitCode: 3, message: 'a bug' });
    expect(leaseOf(ports.simulated)?.record.holderIdentity).toBe('pod-a');
  });

  it('stops all watches', async () => {
    const { ports } = setUpCluster(1);
    await run(ports);
    expect(ports.watches).toEqual([]);
  });

  it('is in the status, with the last changes', async () => {
    const { cluster, ports } = setUpCluster(1);
    await run(ports, {}, () => {
      if (stateOf(cluster, 'n1') === 'pod-restart-required') ports.stop();
    });
    const status = JSON.parse(statusOf(ports.simulated)?.data['status.json'] ?? '') as { end?: unknown };
    expect(status.end).toMatchObject({ exitCode: 143, reason: 'stopped' });
  });
});

describe('what a session may not do any more', () => {
  it.each(['a lost Lease', 'a stop'])('sends nothing that was queued before %s', async (reason) => {
    const { cluster, ports } = setUpCluster(1, ['drain.timeoutSeconds=0']);
    for (let index = 0; index < 40; index++)
      putPod(cluster, {
        namespace: 'db',
        name: `p${index}`,
        nodeName: 'n1',
        controller: { ...STATEFUL, uid: `s${index}` },
      });
    const evictPod = ports.cluster.evictPod.bind(ports.cluster);
    let ended = false;
    let late = 0;
    ports.cluster.evictPod = async (action) => {
      if (ended) late += 1;
      await new Promise<void>((resolve) => void ports.clock.after(1_000, resolve));
      return evictPod(action);
    };
    await run(ports, { concurrency: 1, mode: 'cronjob' }, () => {
      if (!ended && count(ports, 'evict') >= 5) {
        ended = true;
        if (reason === 'a stop') ports.stop();
        else ports.cluster.updateLease = () => Promise.resolve({ kind: 'gone', message: '' });
      }
      if (reason !== 'a stop' && ports.logs.some(({ message }) => message === 'the Lease is lost')) {
        const record = { holderIdentity: 'pod-z', leaseDurationSeconds: 30 };
        putLease(ports.simulated, record);
      }
    });
    // The next renewal, at most ten seconds later, detects a lost Lease.
    expect(late).toBeLessThanOrEqual(reason === 'a stop' ? 0 : 11);
  });
});

describe('inputs', () => {
  it('the policy is read again every half minute, and the pause with it', async () => {
    const { ports } = blocked();
    let reads = 0;
    await run(ports, {}, (elapsedMs) => {
      if (elapsedMs >= 301_000 && reads === 0) {
        reads = count(ports, 'get policy');
        ports.stop();
      }
    });
    expect(reads).toBeGreaterThanOrEqual(10);
    expect(reads).toBeLessThanOrEqual(14);
    expect(count(ports, 'get status')).toBeGreaterThanOrEqual(10);
    expect(count(ports, 'get status')).toBeLessThanOrEqual(14);
  });

  it('a policy that cannot be read is waited for, without a decision by the old one', async () => {
    const { cluster, policy, ports } = setUpCluster(2);
    const readPolicy = ports.cluster.readPolicy.bind(ports.cluster);
    let failing = 0;
    const end = await run(ports, {}, (elapsedMs) => {
      if (failing > 0 || stateOf(cluster, 'n1') !== 'upgrade-done') return;
      failing = elapsedMs;
      putDaemonSet(cluster, 'mofed', 'v3');
      policy.daemonSets.set('mofed', 'v3');
      ports.policy.text = canonicalJson(policyOf(policy));
      ports.cluster.readPolicy = () => Promise.resolve({ kind: 'retry', message: 'away' });
      ports.clock.after(100_000, () => void (ports.cluster.readPolicy = readPolicy));
      ports.requests.length = 0;
      ports.clock.after(99_000, () => {
        expect(count(ports, 'patch node')).toBeLessThanOrEqual(1);
      });
    });
    expect(end).toMatchObject({ exitCode: 0, reason: 'done' });
    expect(ports.logs.some(({ message }) => message.startsWith('the policy cannot be read'))).toBe(true);
  });

  it('a driver in a namespace that only the policy names is found, before anything is decided', async () => {
    const { cluster, policy, ports } = setUpCluster(1);
    const { drivers, ...rest } = policyOf(policy);
    const away = { ...rest, drivers: drivers.map((one) => ({ ...one, namespace: 'away' })) };
    ports.policy.text = canonicalJson(away);
    const { daemonSets, revisions, pods } = cluster.store;
    for (const table of [daemonSets, revisions, pods] as Table<Stored & { namespace: string; name: string }>[])
      for (const [key, one] of [...table.entries()]) {
        const moved = { ...one, namespace: 'away' };
        table.remove(key, 'setup');
        table.put(keyOf(moved), moved, 'setup');
      }
    const decisions = timesOfDecisions(ports);
    const list = ports.cluster.list.bind(ports.cluster);
    let listedMs = Infinity;
    ports.cluster.list = async (kind, namespace) => {
      const answer = await list(kind, namespace);
      if (kind !== 'daemonSets' || namespace !== 'away' || count(ports, 'watch nodes') === 0) return answer;
      await new Promise<void>((resolve) => void ports.clock.after(5_000, resolve));
      listedMs = ports.clock.monotonicMs();
      return answer;
    };
    // A CronJob ends at once where it finds nothing to do.
    await run(ports, { mode: 'cronjob' }, () => {
      if (stateOf(cluster, 'n1') !== undefined) ports.stop();
    });
    expect(stateOf(cluster, 'n1')).toBe('drain-required');
    expect(decisions[0]).toBeGreaterThanOrEqual(listedMs);
  });

  it('a policy that was read while a DaemonSet changed is read again before the next decision', async () => {
    const { cluster, ports } = setUpCluster(2);
    const decisions = timesOfDecisions(ports);
    const readPolicy = ports.cluster.readPolicy.bind(ports.cluster);
    const reads: { readonly beganMs: number; readonly endedMs: number }[] = [];
    let changedMs = Infinity;
    const change = () => {
      putDaemonSet(cluster, 'mofed', 'v2');
      changedMs = ports.clock.monotonicMs();
    };
    ports.cluster.readPolicy = async () => {
      const beganMs = ports.clock.monotonicMs();
      const answer = await readPolicy();
      await new Promise<void>((resolve) => void ports.clock.after(2_000, resolve));
      reads.push({ beganMs, endedMs: ports.clock.monotonicMs() });
      return answer;
    };
    await run(ports, {}, () => {
      if (changedMs < Infinity || stateOf(cluster, 'n1') !== 'pod-restart-required') return;
      change();
      ports.clock.after(1_000, change);
    });
    // The read that was under way at the second change may be outdated.
    expect(reads.some(({ beganMs, endedMs }) => beganMs < changedMs && endedMs > changedMs)).toBe(true);
    const readMs = reads.find(({ beganMs }) => beganMs >= changedMs)?.endedMs ?? Infinity;
    expect(decisions.filter((ms) => ms > changedMs && ms < readMs)).toEqual([]);
  });

  it('the nodes that had failed before are saved before the first action', async () => {
    const { ports } = setUpCluster(1);
    let savedMs = Infinity;
    delay(ports, 'createStatus', 2_000, () => (savedMs = ports.clock.monotonicMs()));
    let patchedMs = -1;
    const patchNode = ports.cluster.patchNode.bind(ports.cluster);
    ports.cluster.patchNode = (action) => {
      if (patchedMs < 0) patchedMs = ports.clock.monotonicMs();
      return patchNode(action);
    };
    await run(ports);
    expect(patchedMs).toBeGreaterThanOrEqual(savedMs);
  });

  it('a DaemonSet that was listed only for a while is retired as well', async () => {
    const { cluster, policy, ports } = setUpCluster(1);
    // The policy is older than every DaemonSet.
    ports.policy.writtenMs = 0;
    const rename = (from: string, to: string) => {
      policy.daemonSets.delete(from);
      policy.daemonSets.set(to, 'v3');
      ports.policy.text = canonicalJson(policyOf(policy));
      putDaemonSet(cluster, to, 'v3');
    };
    let renamed = false;
    await run(ports, { mode: 'cronjob' }, () => {
      if (renamed || stateOf(cluster, 'n1') !== 'pod-restart-required') return;
      renamed = true;
      rename('mofed', 'mofed-2');
      ports.clock.after(2_000, () => rename('mofed-2', 'mofed-3'));
    });
    expect(daemonSetNames(cluster)).toEqual(['mofed-3']);
  });

  it('an unreadable status delays nothing', async () => {
    const { cluster, ports } = setUpCluster(12);
    const readStatus = ports.cluster.readStatus.bind(ports.cluster);
    let failing = 0;
    let patched = 0;
    const end = await run(ports, {}, () => {
      if (failing > 0 || stateOf(cluster, 'n1') !== 'upgrade-done') return;
      ports.cluster.readStatus = () => {
        failing += 1;
        if (failing === 1) patched = count(ports, 'patch node');
        return Promise.resolve({ kind: 'retry', message: 'away' });
      };
      ports.clock.after(70_000, () => {
        ports.cluster.readStatus = readStatus;
        const sent = count(ports, 'patch node') - patched;
        expect(sent).toBeGreaterThan(0);
        // One for each node that begins, and one each half minute.
        expect(failing).toBeLessThanOrEqual(sent + 4);
      });
    });
    expect(end).toMatchObject({ exitCode: 0, reason: 'done' });
  });

  it('a status that cannot be read at the start of a session is waited for', async () => {
    const { ports } = setUpCluster(1);
    const readStatus = ports.cluster.readStatus.bind(ports.cluster);
    let calls = 0;
    ports.cluster.readStatus = () =>
      ++calls > 1 && calls < 5 ? Promise.resolve({ kind: 'retry', message: 'away' }) : readStatus();
    const patchNode = ports.cluster.patchNode.bind(ports.cluster);
    ports.cluster.patchNode = (action) => {
      expect(calls).toBeGreaterThanOrEqual(5);
      return patchNode(action);
    };
    expect(await run(ports)).toMatchObject({ exitCode: 0, reason: 'done' });
  });
});

describe('a drain', () => {
  it('continues at once when a budget allows it again, and names the budget until then', async () => {
    const { cluster, ports } = blocked();
    let freed = -1;
    let doneMs = -1;
    await run(ports, {}, (elapsedMs) => {
      if (freed < 0 && elapsedMs > 120_000) {
        freed = elapsedMs;
        const budget = cluster.store.budgets.get('db/pg');
        if (budget !== undefined) putBudget(cluster, { ...budget, disruptionsAllowed: 1 });
      }
      if (doneMs < 0 && freed >= 0 && cluster.store.pods.get('db/pg-0') === undefined) doneMs = elapsedMs;
    });
    expect(doneMs - freed).toBeLessThanOrEqual(17_000);
    expect(ports.events.some(({ message }) => message.includes('PodDisruptionBudget pg'))).toBe(true);
    // Every half minute while a budget refuses.
    expect(count(ports, 'list budgets')).toBeGreaterThanOrEqual(3);
    expect(count(ports, 'list budgets')).toBeLessThanOrEqual(8);
  });

  it('asks for the DaemonSet of a pod once, and takes the pod away when it is gone', async () => {
    const { cluster, ports } = setUpCluster(1, ['drain.force=true', 'drain.timeoutSeconds=0']);
    const controller = { apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'agent', uid: 'agent' };
    cluster.foreignDaemonSets.set('sys/agent', false);
    putPod(cluster, { namespace: 'sys', name: 'agent-1', nodeName: 'n1', controller });
    expect(await run(ports)).toMatchObject({ exitCode: 0, reason: 'done' });
    expect(cluster.store.pods.get('sys/agent-1') !== undefined).toBe(false);
    expect(count(ports, 'get daemonSet')).toBe(1);
  });

  it('ends the run with 2 where DaemonSets may not be read', async () => {
    const { cluster, ports } = setUpCluster(1);
    const controller = { apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'agent', uid: 'agent' };
    putPod(cluster, { namespace: 'sys', name: 'agent-1', nodeName: 'n1', controller });
    ports.cluster.getDaemonSet = () => Promise.resolve(forbidden);
    expect(await run(ports)).toMatchObject({ exitCode: 2, reason: 'forbidden', message: 'may not' });
  });

  it('repeats a lookup without an answer, and evicts nothing meanwhile', async () => {
    const { cluster, ports } = setUpCluster(1);
    const controller = { apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'agent', uid: 'agent' };
    putPod(cluster, { namespace: 'sys', name: 'agent-1', nodeName: 'n1', controller });
    const getDaemonSet = ports.cluster.getDaemonSet.bind(ports.cluster);
    const times: number[] = [];
    ports.cluster.getDaemonSet = (...of) => {
      times.push(ports.clock.monotonicMs());
      return times.length < 4 ? Promise.resolve({ kind: 'retry', message: 'away' }) : getDaemonSet(...of);
    };
    expect(await run(ports)).toMatchObject({ exitCode: 0, reason: 'done' });
    for (const [index, ms] of times.slice(1).entries()) {
      expect(ms - (times[index] ?? 0)).toBeGreaterThanOrEqual(5_000);
      expect(ms - (times[index] ?? 0)).toBeLessThanOrEqual(15_050);
    }
    expect(count(ports, 'evict')).toBe(0);
  });
});

describe('the confirmation by lists', () => {
  it('is repeated with growing pauses while the lists show work', async () => {
    const { cluster, ports } = setUpCluster(1);
    await run(ports);
    // Only the lists of the preflight have the new node.
    const list = ports.cluster.list.bind(ports.cluster);
    let sessions = 0;
    putNode(cluster, 'n2');
    putDriverPod(cluster, 'n2', 'mofed', 'v1', true);
    ports.requests.length = 0;
    ports.cluster.list = async (kind, namespace) => {
      const answer = await list(kind, namespace);
      if (kind === 'nodes' && answer.kind === 'ok' && count(ports, 'watch nodes') > 0) sessions += 1;
      return answer;
    };
    expect(await run(ports, { runId: 'job-b' })).toMatchObject({ exitCode: 0, reason: 'done' });
    expect(stateOf(cluster, 'n2')).toBe('upgrade-done');
    expect(sessions).toBeLessThanOrEqual(3);
  });
});

describe('a Job that waits for the Lease', () => {
  const theirs = { holderIdentity: 'pod-z', leaseDurationSeconds: 30 };

  it('ends when a newer policy supersedes it', async () => {
    const { policy, ports } = setUpCluster(1);
    const policyHash = upgradePolicyHash(policyOf(policy));
    putLease(ports.simulated, theirs);
    let elapsed = 0;
    const end = await run(ports, { policyHash }, (elapsedMs) => {
      elapsed = elapsedMs;
      renewLease(ports.simulated, theirs, 10_000);
      if (elapsedMs > 60_000) {
        set(policy, 'maxParallelUpgrades=7');
        ports.policy.text = canonicalJson(policyOf(policy));
      }
    });
    expect(end).toMatchObject({ exitCode: 0, reason: 'superseded' });
    expect(elapsed).toBeLessThan(95_000);
    expect(count(ports, 'get policy')).toBeLessThanOrEqual(5);
    expect(ports.logs.filter(({ message }) => message === 'the Lease is held')).toHaveLength(1);
  });

  it('ends at once when it is stopped', async () => {
    const { ports } = setUpCluster(1);
    putLease(ports.simulated, theirs);
    let elapsed = 0;
    const end = await run(ports, {}, (elapsedMs) => {
      elapsed = elapsedMs;
      renewLease(ports.simulated, theirs, 10_000);
      if (elapsedMs > 60_500) ports.stop();
    });
    expect(end).toMatchObject({ exitCode: 143 });
    expect(elapsed).toBeLessThan(63_000);
  });

  it('that is stopped while the API server is away ends at once', async () => {
    const { ports } = setUpCluster(1);
    ports.cluster.list = () => Promise.resolve({ kind: 'retry', message: 'no route' });
    let elapsed = 0;
    const end = await run(ports, {}, (elapsedMs) => {
      elapsed = elapsedMs;
      if (elapsedMs > 40_000) ports.stop();
    });
    expect(end).toMatchObject({ exitCode: 143 });
    expect(elapsed).toBeLessThan(75_000);
  });

  it('counts no node as its own that failed while another process held the Lease, but those that fail later', async () => {
    const { cluster, ports } = setUpCluster(2);
    putLease(ports.simulated, theirs);
    const end = await run(ports, {}, (elapsedMs) => {
      if (elapsedMs > 10_000 && elapsedMs < 30_000 && stateOf(cluster, 'n1') === undefined)
        putNode(cluster, 'n1', {
          labels: { 'nvidia.com/ofed-driver-upgrade-state': 'upgrade-failed' },
          unschedulable: true,
        });
    });
    expect(end).toMatchObject({ exitCode: 10, reason: 'failed', failedNodes: [] });
    expect(end.message).toContain('in an earlier run');
  });
});
