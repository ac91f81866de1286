import { describe, expect, it } from '@jest/globals';
import { setUpCluster, count, run, stateOf } from '../../../../test/kit/runs.js';
import { policyOf, set } from '../../../../test/kit/policy-settings.js';
import type { FakePorts } from '../../../../test/kit/fake-ports.js';
import { leaseOf, putLease, putPod } from '../../../../test/kit/idle-cluster.js';
import { upgradePolicyHash } from '../../../shared/contract/upgrade-policy.js';
import { canonicalJson } from '../../../shared/lib/json.js';

const forbidden = { kind: 'forbidden', message: 'may not' } as const;
const after = (ports: FakePorts, ms: number) => new Promise<void>((resolve) => void ports.clock.after(ms, resolve));

describe('a session that ends while', () => {
  it('a patch has no certain result gives it up, and lets the Lease expire', async () => {
    const { policy, ports } = setUpCluster(2, ['maxParallelUpgrades=0']);
    const policyHash = upgradePolicyHash(policyOf(policy));
    const patchNode = ports.cluster.patchNode.bind(ports.cluster);
    const getNode = ports.cluster.getNode.bind(ports.cluster);
    const isUnknown = (node: string) => node === 'n1' && stateOf(ports.simulated, node) === 'pod-restart-required';
    ports.cluster.patchNode = (action) =>
      isUnknown(action.node) ? Promise.resolve({ kind: 'retry', message: 'timed out' }) : patchNode(action);
    ports.cluster.getNode = (name) =>
      isUnknown(name) ? Promise.resolve({ kind: 'retry', message: 'timed out' }) : getNode(name);
    let elapsed = 0;
    const end = await run(ports, { policyHash }, (elapsedMs) => {
      elapsed = elapsedMs;
      if (elapsedMs < 60_000) return;
      set(policy, 'maxParallelUpgrades=7');
      ports.policy.text = canonicalJson(policyOf(policy));
    });
    expect(end).toMatchObject({ exitCode: 0, reason: 'superseded' });
    expect(elapsed).toBeLessThan(150_000);
  });

  it('a patch is under way ends with 3 where that fails by a bug', async () => {
    const { ports } = setUpCluster(1);
    let sentMs = -1;
    ports.cluster.patchNode = async () => {
      sentMs = ports.clock.monotonicMs();
      await after(ports, 5_000);
      throw new Error('a bug');
    };
    const end = await run(ports, {}, () => {
      if (sentMs >= 0) ports.stop();
    });
    expect(end).toMatchObject({ exitCode: 3, message: 'a bug' });
    expect(leaseOf(ports.simulated)?.record.holderIdentity).toBe('pod-a');
  });

  it('the policy is being read sends no eviction that was queued before the stop', async () => {
    const { cluster, ports } = setUpCluster(1, ['drain.timeoutSeconds=0']);
    for (let index = 0; index < 60; index++) {
      const controller = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: `s${index}`, uid: `s${index}` };
      putPod(cluster, { namespace: 'db', name: `p${index}`, nodeName: 'n1', controller });
    }
    const evictPod = ports.cluster.evictPod.bind(ports.cluster);
    const readPolicy = ports.cluster.readPolicy.bind(ports.cluster);
    let late = 0;
    let isReading = false;
    ports.cluster.evictPod = async (action) => {
      if (ports.signals.stopRequested) late += 1;
      await after(ports, 1_000);
      return evictPod(action);
    };
    ports.cluster.readPolicy = async () => {
      const isSlow = count(ports, 'evict') > 5;
      isReading = isSlow;
      if (isSlow) await after(ports, 20_000);
      return readPolicy();
    };
    const end = await run(ports, { concurrency: 1 }, () => {
      if (isReading) ports.stop();
    });
    expect(end).toMatchObject({ exitCode: 143 });
    expect(late).toBe(0);
  });

  it('a patch is under way writes its Event', async () => {
    const { ports } = setUpCluster(1);
    const patchNode = ports.cluster.patchNode.bind(ports.cluster);
    let isSent = false;
    ports.cluster.patchNode = async (action) => {
      const answer = await patchNode(action);
      isSent = true;
      await after(ports, 5_000);
      return answer;
    };
    await run(ports, {}, () => {
      if (isSent) ports.stop();
    });
    expect(ports.events).toHaveLength(1);
  });

  it('the Lease is lost writes no status', async () => {
    const { cluster, ports } = setUpCluster(3);
    const writes = () => count(ports, 'update status') + count(ports, 'create status');
    let before = -1;
    let written = -1;
    await run(ports, { mode: 'cronjob' }, () => {
      if (before < 0 && stateOf(cluster, 'n1') === 'upgrade-done') {
        ports.cluster.updateLease = () => {
          before = writes();
          return Promise.resolve({ kind: 'gone', message: '' });
        };
      }
      if (before < 0) return;
      if (written < 0 && ports.logs.some(({ message }) => message === 'the Lease is lost')) written = writes();
      const record = { holderIdentity: 'pod-z', leaseDurationSeconds: 30 };
      putLease(ports.simulated, record);
    });
    expect(written).toBe(before);
  });
});

describe('a watch that fails in the middle', () => {
  const inTheMiddle = async (answer: typeof forbidden | { readonly kind: 'error'; readonly message: string }) => {
    const { cluster, ports } = setUpCluster(2);
    let sent = false;
    let sentMs = 0;
    let endMs = 0;
    const end = await run(ports, {}, (elapsedMs) => {
      endMs = elapsedMs;
      if (!sent) sentMs = elapsedMs;
      if (sent || stateOf(cluster, 'n1') !== 'pod-restart-required') return;
      sent = true;
      for (const one of ports.watches.filter(({ kind }) => kind === 'pods')) one.send({ kind: 'end', answer });
    });
    return { end, ports, tookMs: endMs - sentMs };
  };

  it('for a missing right ends the run with 2', async () => {
    const { end, tookMs } = await inTheMiddle(forbidden);
    expect(tookMs).toBeLessThan(1_000);
    expect(end).toMatchObject({ exitCode: 2, reason: 'forbidden', message: 'may not' });
  });

  it('for another reason is logged and restarted', async () => {
    const { end, ports } = await inTheMiddle({ kind: 'error', message: 'a proxy says no' });
    expect(end).toMatchObject({ exitCode: 0, reason: 'done' });
    const said = ports.logs.filter(({ level, message }) => level === 'warning' && message === 'pods: a proxy says no');
    expect(said).toHaveLength(1);
    expect(ports.logs.every(({ message }) => !message.includes('undefined'))).toBe(true);
  });
});
