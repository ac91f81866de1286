import { allKeys } from '../../../../test/kit/snapshots.js';
import { expect, it } from '@jest/globals';
import { NAMESPACE, putNode } from '../../../../test/kit/idle-cluster.js';
import { count, run, setUpCluster } from '../../../../test/kit/runs.js';
import { upgradePolicySchema } from '../../../shared/contract/upgrade-policy.js';
import type { SriovNodeState } from '../../model/sriov.js';
import { runCompanion } from './loop.js';

const keys = allKeys('weft-sriov');

/** A cluster whose policy is about virtual functions alone. */
function setUp(nodes: number) {
  const { ports, cluster } = setUpCluster(nodes);
  const policy = upgradePolicySchema.parse(JSON.parse(ports.policy.text));
  const driver = {
    ...{ kind: 'sriov', namespace: 'sriov', change: 'one', resourcePrefixes: ['nvidia.com/'] },
    policies: [{ name: '(no pool)', upgradePolicy: { maxUnavailable: 1 } }],
  };
  const sriovNodeStates = { namespace: 'sriov', resourcePrefix: 'nvidia.com/' };
  ports.policy.text = JSON.stringify({ ...policy, drivers: [driver], sriovNodeStates });
  const putState = (name: string, more: Partial<SriovNodeState> = {}): void => {
    const state = {
      ...{ namespace: 'sriov', name, uid: 'state', resourceVersion: '', generation: 1 },
      isExternal: true,
    };
    const synced = { syncStatus: 'Succeeded', lastSyncError: '', resources: [] };
    cluster.store.sriovNodeStates.put(name, { ...state, ...synced, ...more }, 'setup');
  };
  return { ports, cluster, putState };
}

it('a run that has nothing to do but to answer a config daemon answers it', async () => {
  const { ports, cluster, putState } = setUp(1);
  const [name = ''] = [...cluster.store.nodes.values()].map((node) => node.name);
  putState(name);
  expect(await run(ports)).toMatchObject({ reason: 'done' });
  expect(count(ports, 'patch SriovNetworkNodeState')).toBe(1);
  expect(cluster.store.sriovNodeStates.get(name)).toMatchObject({ desired: 'Idle', current: 'Idle' });
});

it('a node that its config daemon works on stays as it is while the API server does not serve the kind', async () => {
  const { ports, cluster, putState } = setUp(0);
  const labels = { [keys.state]: 'pod-restart-required' };
  putNode(cluster, 'a', { labels, annotations: { [keys.cordoned]: 'true' }, unschedulable: true });
  putState('a', { desired: 'Reboot_Required', current: 'DrainComplete', syncStatus: 'InProgress' });
  const list = ports.cluster.list.bind(ports.cluster);
  let isServed = true;
  ports.cluster.list = (kind, namespace) =>
    kind === 'sriovNodeStates' && !isServed
      ? Promise.resolve({ kind: 'ok', value: { items: [], resourceVersion: '' } })
      : list(kind, namespace);
  const answer = { kind: 'expired', message: 'the watch was interrupted' } as const;
  const ended = runCompanion(ports, { namespace: NAMESPACE, identity: 'pod-a', mode: 'cronjob', runId: 'job-a' });
  await ports.runUntil(ended, (ms) => {
    if (isServed && ms > 60_000) {
      isServed = false;
      for (const { kind, send } of ports.watches) if (kind === 'sriovNodeStates') send({ kind: 'end', answer });
    }
    if (ms > 120_000) ports.stop();
  });
  expect(isServed).toBe(false);
  expect(ports.logs.map(({ message }) => message)).not.toContain('it is uncordoned');
});
