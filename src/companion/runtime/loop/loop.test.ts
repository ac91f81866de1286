import { allKeys } from '../../../../test/kit/snapshots.js';
import { describe, expect, it } from '@jest/globals';
import { setUpCluster, count, run, stateOf } from '../../../../test/kit/runs.js';
import { policyOf, set } from '../../../../test/kit/policy-settings.js';
import {
  daemonSetNames,
  daemonSetOf,
  KEYS,
  leaseOf,
  NAMESPACE,
  putDaemonSet,
  putKeptPod,
  putLease,
  putNode,
  putPod,
  putStatus,
  removeStatus,
  renewLease,
  statusOf,
} from '../../../../test/kit/idle-cluster.js';
import { revisionOf } from '../../../../test/kit/digests.js';
import { upgradePolicyHash } from '../../../shared/contract/upgrade-policy.js';
import { canonicalJson } from '../../../shared/lib/json.js';

describe('a run', () => {
  it('upgrades every node, reports it, releases the Lease and ends with 0', async () => {
    const { cluster, ports } = setUpCluster(3);
    putPod(cluster, {
      namespace: 'default',
      name: 'web',
      nodeName: 'n1',
      controller: { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid: 'rs' },
    });
    expect(await run(ports)).toMatchObject({ exitCode: 0, reason: 'done' });
    expect(['n1', 'n2', 'n3'].map((node) => stateOf(cluster, node))).toEqual([
      'upgrade-done',
      'upgrade-done',
      'upgrade-done',
    ]);
    expect([...cluster.store.nodes.values()].some((node) => node.unschedulable)).toBe(false);
    expect(leaseOf(ports.simulated)?.record.holderIdentity).toBe('');
    expect(ports.events.every(({ reason }) => reason === 'OFEDDriverUpgrade')).toBe(true);
    expect(ports.metricsText).toContain('gpu_operator_nodes_upgrades_done{driver="ofed",pool="NicClusterPolicy"} 3');
    expect(ports.metricsText).toContain(
      'weft_node_upgrade_duration_seconds_count{driver="ofed",pool="NicClusterPolicy"} 3',
    );
    expect(ports.summaries).toEqual([expect.stringContaining('every node is done or skipped')]);
    expect(JSON.parse(statusOf(ports.simulated)?.data['status.json'] ?? '')).toMatchObject({
      run: 'job-a',
      end: { exitCode: 0 },
    });
  });

  it('writes an Event of its Job, and ends even if that fails', async () => {
    const job = { namespace: 'net', name: 'job-a', uid: 'j1' };
    const { ports } = setUpCluster(1);
    await run(ports, { job });
    expect(ports.events.at(-1)).toMatchObject({
      about: { kind: 'Job', ...job },
      type: 'Normal',
      reason: 'UpgradeEnded',
      message: 'done (exit code 0): every node is done or skipped',
    });
    const broken = setUpCluster(1).ports;
    broken.cluster.writeEvent = () => Promise.reject(new Error('no'));
    expect(await run(broken, { job, policyHash: 'other' })).toMatchObject({ reason: 'superseded' });
  });

  it('costs at most twelve requests per node beside the evictions', async () => {
    const { ports } = setUpCluster(40, ['maxParallelUpgrades=10']);
    await run(ports);
    expect(ports.requests.length).toBeLessThanOrEqual(12 * 40);
  });

  it('finds nothing to do without the Lease, the status or watches', async () => {
    const { ports, cluster } = setUpCluster(2);
    await run(ports);
    const object = statusOf(ports.simulated);
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
    expect(statusOf(ports.simulated)).toBe(object);
    expect(stateOf(cluster, 'n1')).toBe('upgrade-done');
    expect(ports.summaries.at(-1)).toContain('2 of 2 nodes done');
    expect(ports.logs.at(-1)).toMatchObject({ level: 'info', reason: 'done' });
  });

  it('reads the policy after the DaemonSets, also when one of them changes later', async () => {
    const { cluster, policy, ports } = setUpCluster(1);
    let before = 0;
    let changedMs = -1;
    let readMs = -1;
    const end = run(ports, { mode: 'cronjob' }, (elapsedMs) => {
      if (changedMs >= 0 && readMs < 0 && count(ports, 'get policy') > before) readMs = elapsedMs;
      if (changedMs >= 0 || stateOf(cluster, 'n1') !== 'pod-restart-required') return;
      changedMs = elapsedMs;
      before = count(ports, 'get policy');
      policy.daemonSets.set('mofed', 'v3');
      ports.policy.text = canonicalJson(policyOf(policy));
      putDaemonSet(cluster, 'mofed', 'v3');
    });
    expect(await end).toMatchObject({ exitCode: 0, reason: 'done' });
    expect(readMs).toBeGreaterThan(changedMs);
    expect(readMs - changedMs).toBeLessThan(1_000);
    expect([...cluster.store.pods.values()].map((pod) => pod.labels['controller-revision-hash'])).toEqual([
      revisionOf('v3'),
    ]);
  });
});

describe('a DaemonSet that the next policy does not list', () => {
  it.each([
    { name: 'is retired if the status lists it', keepsStatus: true, left: ['mofed-2'] },
    { name: 'is kept if no policy is known to have listed it', keepsStatus: false, left: ['mofed', 'mofed-2'] },
  ])('$name', async ({ keepsStatus, left }) => {
    const { cluster, policy, ports } = setUpCluster(1);
    // The policy is older than every DaemonSet.
    ports.policy.writtenMs = 0;
    await run(ports);
    if (!keepsStatus) removeStatus(ports.simulated);
    policy.daemonSets.delete('mofed');
    policy.daemonSets.set('mofed-2', 'v3');
    ports.policy.text = canonicalJson(policyOf(policy));
    putDaemonSet(cluster, 'mofed-2', 'v3');
    await run(ports, { runId: 'job-b' });
    expect(daemonSetNames(cluster)).toEqual(left);
  });

  it('is not noted as listed', async () => {
    const { cluster, ports } = setUpCluster(1);
    ports.policy.writtenMs = 0;
    putDaemonSet(cluster, 'other', 'v1');
    await run(ports);
    const status = JSON.parse(statusOf(ports.simulated)?.data['status.json'] ?? '') as { listed?: unknown };
    expect(status.listed).toEqual([daemonSetOf(cluster, 'mofed')?.uid]);
  });
});

describe('ends', () => {
  it('10 when a node failed in this run', async () => {
    const { cluster, ports } = setUpCluster(2, ['drain.timeoutSeconds=60']);
    putKeptPod(cluster, 'n1');
    const end = await run(ports);
    expect(end).toMatchObject({ exitCode: 10, reason: 'failed', failedNodes: ['ofed/n1'] });
    expect(stateOf(cluster, 'n2')).toBe('upgrade-required');
  });

  it('0 for nodes that failed in an earlier run, which the message names', async () => {
    const { cluster, ports } = setUpCluster(2);
    putKeptPod(cluster, 'n1');
    await run(ports);
    const end = await run(ports, { mode: 'cronjob', runId: 'cron-1' });
    expect(end).toMatchObject({ exitCode: 0, reason: 'waiting' });
    expect(end.message).toContain('1 node failed in an earlier run');
    // The Job of another policy, which finds the node failed.
    const job = await run(ports, { runId: 'job-2' });
    expect(job).toMatchObject({ exitCode: 10, reason: 'failed', failedNodes: [] });
    expect(job.message).toContain('1 node failed in an earlier run');
  });

  it('0 when a validation pod of another namespace came after the node had failed: a CronJob finds it', async () => {
    const { cluster, ports } = setUpCluster(1, [
      'rollout.validation={"podSelector":"app=check","podNamespace":"checks","timeoutSeconds":60}',
    ]);
    expect(await run(ports)).toMatchObject({ exitCode: 10 });
    expect(await run(ports, { mode: 'cronjob', runId: 'cron-1' })).toMatchObject({ reason: 'waiting' });
    putPod(cluster, { namespace: 'checks', name: 'check', nodeName: 'n1', labels: { app: 'check' } });
    expect(await run(ports, { mode: 'cronjob', runId: 'cron-2' })).toMatchObject({ exitCode: 0, reason: 'done' });
    expect(stateOf(cluster, 'n1')).toBe('upgrade-done');
  });

  it('10 again for a pod that follows in the same Job', async () => {
    const { cluster, ports } = setUpCluster(2);
    putKeptPod(cluster, 'n1');
    await run(ports);
    expect(await run(ports, { identity: 'pod-b' })).toMatchObject({ exitCode: 10, failedNodes: ['ofed/n1'] });
  });

  it('0 for a window that is closed', async () => {
    const { ports } = setUpCluster(2, ['rollout.maintenanceWindows=[{"schedule":"0_22_*_*_2","duration":"1h"}]']);
    const end = await run(ports);
    expect(end).toMatchObject({ exitCode: 0, reason: 'waiting', message: '2 nodes waiting for a maintenance window' });
  });

  it('0 for a pause, by policy or annotation', async () => {
    const byPolicy = setUpCluster(2, ['paused=true']);
    expect(await run(byPolicy.ports)).toMatchObject({ exitCode: 0, reason: 'waiting', message: '2 nodes paused' });
    const byHand = setUpCluster(2);
    putStatus(byHand.ports.simulated, { annotations: { 'weft.dev/paused': '' } });
    expect(await run(byHand.ports)).toMatchObject({ exitCode: 0, reason: 'waiting', message: '2 nodes paused' });
    expect(statusOf(byHand.ports.simulated)?.annotations).toEqual({ 'weft.dev/paused': '' });
  });

  it("0 while the operator's controller runs, without any change", async () => {
    const { cluster, ports } = setUpCluster(1, ['controllerPodSelector=app=operator']);
    putPod(cluster, { namespace: NAMESPACE, name: 'operator', nodeName: 'n1', labels: { app: 'operator' } });
    expect(await run(ports)).toMatchObject({ exitCode: 0, reason: 'refused' });
    expect(count(ports, 'patch node')).toBe(0);
  });

  it("10 while the operator's controller runs, and a node is in progress", async () => {
    const { cluster, ports } = setUpCluster(2, ['controllerPodSelector=app=operator']);
    const begun = { labels: { [KEYS.state]: 'drain-required' }, annotations: { [allKeys('ofed').wanted]: 'v2' } };
    putNode(cluster, 'n1', { ...begun, unschedulable: true });
    putPod(cluster, { namespace: NAMESPACE, name: 'operator', nodeName: 'n2', labels: { app: 'operator' } });
    const message = expect.stringMatching(
      /^the pod driver-ns\/operator runs.*; 1 node left in progress: ofed\/n1$/,
    ) as unknown;
    expect(await run(ports)).toMatchObject({ exitCode: 10, reason: 'unfinished', message });
    expect(count(ports, 'patch node')).toBe(0);
  });

  it("0 whatever a tenant's pod says of itself", async () => {
    const { cluster, ports } = setUpCluster(2, ['controllerPodSelector=app=operator']);
    const controller = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'operator', uid: 'tenant' };
    const labels = { app: 'operator' };
    putPod(cluster, { namespace: 'tenant', name: 'operator', nodeName: 'n1', labels, controller });
    expect(await run(ports)).toMatchObject({ exitCode: 0, reason: 'done' });
  });

  it.each([
    { name: 'no JSON', text: '{' },
    { name: 'not the schema', text: '{"apiVersion":"weft.dev/v2"}' },
  ])('2 for a bad policy: $name', async ({ text }) => {
    const { ports } = setUpCluster(1);
    ports.policy.text = text;
    expect(await run(ports)).toMatchObject({ exitCode: 2, reason: 'bad-policy' });
  });

  it('2 for a missing right, at the start and in the middle', async () => {
    const forbidden = { kind: 'forbidden', message: 'may not' } as const;
    const atStart = setUpCluster(1);
    atStart.ports.cluster.list = () => Promise.resolve(forbidden);
    expect(await run(atStart.ports)).toMatchObject({ exitCode: 2, reason: 'forbidden', message: 'may not' });
    const later = setUpCluster(1);
    later.ports.cluster.deletePod = () => Promise.resolve(forbidden);
    expect(await run(later.ports)).toMatchObject({ exitCode: 2, reason: 'forbidden' });
    expect(leaseOf(later.ports.simulated)?.record.holderIdentity).toBe('');
  });

  it('3 for our bug, and lets the Lease run out', async () => {
    const { ports } = setUpCluster(1);
    ports.cluster.patchNode = () => Promise.reject(new Error('a bug'));
    const end = await run(ports);
    expect(end).toMatchObject({ exitCode: 3, reason: 'bug', message: 'a bug' });
    expect(end.stack).toContain('loop.test');
    expect(leaseOf(ports.simulated)?.record.holderIdentity).toBe('pod-a');
  });

  it('143 on SIGTERM: starts nothing new and releases the Lease', async () => {
    const { cluster, ports } = setUpCluster(3);
    let patches = 0;
    const end = await run(ports, {}, () => {
      if (stateOf(cluster, 'n1') !== 'pod-restart-required' || patches > 0) return;
      patches = count(ports, 'patch node');
      ports.stop();
    });
    expect(end).toMatchObject({ exitCode: 143, reason: 'stopped' });
    expect(count(ports, 'patch node')).toBe(patches);
    expect(leaseOf(ports.simulated)?.record.holderIdentity).toBe('');
  });
});

describe('a policy that was changed by hand', () => {
  it('is carried out by nobody, and the run fails', async () => {
    const { ports } = setUpCluster(1);
    Object.assign(ports.policy, { hash: 'of another policy' });
    expect(await run(ports, {})).toMatchObject({ exitCode: 2, reason: 'bad-policy' });
    expect(count(ports, 'patch node')).toBe(0);
  });
});

describe('a policy in the form of an older version', () => {
  const setUpOld = () => {
    const { cluster, policy, ports } = setUpCluster(1);
    const text = canonicalJson(policyOf(policy)).replace('"kind":"ofed"', '"api":"network-operator"');
    Object.assign(ports.policy, { hash: 'old', text });
    return { cluster, ports };
  };

  it('is not carried out by a Job: whoever changes it may change the hash that is written beside it', async () => {
    const { ports } = setUpOld();
    const end = await run(ports, { policyHash: 'old' });
    expect(end).toMatchObject({ reason: 'bad-policy', message: expect.stringContaining('older version of Weft') });
    expect(count(ports, 'patch node')).toBe(0);
  });

  it('is carried out for a user at a terminal', async () => {
    const { cluster, ports } = setUpOld();
    expect(await run(ports)).toMatchObject({ exitCode: 0 });
    expect(stateOf(cluster, 'n1')).toBe('upgrade-done');
  });
});

describe('a Job that a newer policy supersedes', () => {
  it('ends with 0 before it begins', async () => {
    const { ports } = setUpCluster(1);
    expect(await run(ports, { policyHash: 'old' })).toMatchObject({ exitCode: 0, reason: 'superseded' });
    expect(count(ports, 'patch node')).toBe(0);
  });

  it('ends with 0 in the middle, and releases the Lease', async () => {
    const { cluster, policy, ports } = setUpCluster(3);
    const policyHash = upgradePolicyHash(policyOf(policy));
    const end = await run(ports, { policyHash }, () => {
      if (stateOf(cluster, 'n1') !== 'upgrade-done') return;
      set(policy, 'maxParallelUpgrades=2');
      ports.policy.text = canonicalJson(policyOf(policy));
    });
    expect(end).toMatchObject({ exitCode: 0, reason: 'superseded' });
    expect(leaseOf(ports.simulated)?.record.holderIdentity).toBe('');
  });
});

describe('the Lease of another holder', () => {
  const theirs = { holderIdentity: 'pod-z', leaseDurationSeconds: 30 };

  it('is left to a holder that renews it by a CronJob', async () => {
    const { ports } = setUpCluster(1);
    putLease(ports.simulated, theirs);
    const end = await run(ports, { mode: 'cronjob' }, () => {
      renewLease(ports.simulated, theirs, 10_000);
    });
    expect(end).toMatchObject({ exitCode: 0, reason: 'lease-held' });
    expect(count(ports, 'patch node')).toBe(0);
  });

  it('is waited for by a Job', async () => {
    const { ports } = setUpCluster(1);
    putLease(ports.simulated, theirs);
    const end = await run(ports, {}, (elapsedMs) => {
      if (elapsedMs < 120_000) renewLease(ports.simulated, theirs, 10_000);
    });
    expect(end).toMatchObject({ exitCode: 0, reason: 'done' });
    expect(leaseOf(ports.simulated)?.record.leaseTransitions).toBe(1);
  });

  it('is taken from a holder that died', async () => {
    const { ports } = setUpCluster(1);
    putLease(ports.simulated, theirs);
    expect(await run(ports, { mode: 'cronjob' })).toMatchObject({ exitCode: 0, reason: 'done' });
  });

  it('ends all acting when it is lost', async () => {
    const { cluster, ports } = setUpCluster(3);
    let patches = -1;
    const end = await run(ports, { mode: 'cronjob' }, () => {
      if (patches < 0 && stateOf(cluster, 'n1') === 'pod-restart-required') patches = 0;
      if (patches < 0) return;
      renewLease(ports.simulated, theirs, 5_000);
      if (ports.logs.some(({ message }) => message === 'the Lease is lost')) patches ||= count(ports, 'patch node');
    });
    expect(end).toMatchObject({ exitCode: 0, reason: 'lease-held' });
    expect(count(ports, 'patch node')).toBe(patches);
  });

  it('is taken again by a Job, which keeps its earlier failed nodes', async () => {
    const { cluster, ports } = setUpCluster(3, ['drain.timeoutSeconds=60', 'rollout.failureBudget=2']);
    putKeptPod(cluster, 'n1');
    const updateLease = ports.cluster.updateLease.bind(ports.cluster);
    let isLost = false;
    const patchNode = ports.cluster.patchNode.bind(ports.cluster);
    // The last patch has no answer until the Lease is lost, and the other holder writes its own status.
    ports.cluster.patchNode = async (action) => {
      const answer = await patchNode(action);
      if (isLost || stateOf(cluster, 'n1') !== 'upgrade-failed') return answer;
      isLost = true;
      ports.cluster.updateLease = () => {
        putLease(ports.simulated, theirs);
        removeStatus(ports.simulated);
        ports.cluster.updateLease = updateLease;
        return Promise.resolve({ kind: 'gone', message: '' });
      };
      await new Promise<void>((resolve) => void ports.clock.after(15_000, resolve));
      return answer;
    };
    expect(await run(ports)).toMatchObject({ exitCode: 10, failedNodes: ['ofed/n1'] });
    expect(['n2', 'n3'].map((name) => stateOf(cluster, name))).toEqual(['upgrade-done', 'upgrade-done']);
    expect(isLost).toBe(true);
    expect(ports.logs.map(({ message }) => message)).toContain('the Lease is lost');
  });

  it('cannot be renewed: nothing is sent after the margin, and the run continues with the next renewal', async () => {
    const { cluster, ports } = setUpCluster(3);
    const updateLease = ports.cluster.updateLease.bind(ports.cluster);
    let failingMs = -1;
    let last = 0;
    ports.cluster.updateLease = (lease) =>
      failingMs >= 0 && ports.clock.monotonicMs() - failingMs < 120_000
        ? Promise.resolve({ kind: 'retry', message: 'etcd is away' })
        : updateLease(lease);
    const end = await run(ports, {}, () => {
      if (failingMs < 0 && stateOf(cluster, 'n1') === 'pod-restart-required') failingMs = ports.clock.monotonicMs();
      const since = ports.clock.monotonicMs() - failingMs;
      if (failingMs >= 0 && since > 30_000 && since < 120_000) last ||= count(ports, 'patch node');
      if (last > 0 && since < 120_000) expect(count(ports, 'patch node')).toBe(last);
    });
    expect(last).toBeGreaterThan(0);
    expect(end).toMatchObject({ exitCode: 0, reason: 'done' });
  });
});
