import { expect, it } from '@jest/globals';
import { count, run, setUpCluster } from '../../../../test/kit/runs.js';
import { upgradePolicySchema } from '../../../contract/upgrade-policy.js';

it('a run that has nothing to do but to answer a config daemon answers it', async () => {
  const { ports, cluster } = setUpCluster(1);
  const policy = upgradePolicySchema.parse(JSON.parse(ports.policy.text));
  const driver = {
    ...{ api: 'sriov', labelPrefix: 'weft-sriov', namespace: 'sriov', daemonSets: 'selected', change: 'one' },
    ...{ daemonSetSelector: 'app=daemon', podSelector: 'app=daemon', containerName: 'daemon' },
    ...{ restartedBy: 'sriov-config-daemon', resourcePrefixes: ['nvidia.com/'], controllerPodSelector: '' },
    policies: [{ name: 'no-pool', upgradePolicy: { maxUnavailable: 1 }, daemonSets: [] }],
  };
  const sriovNodeStates = { namespace: 'sriov', resourcePrefix: 'nvidia.com/' };
  ports.policy.text = JSON.stringify({ ...policy, drivers: [driver], sriovNodeStates });
  const [name = ''] = [...cluster.store.nodes.values()].map((node) => node.name);
  const state = { ...{ namespace: 'sriov', name, uid: 'state', resourceVersion: '', generation: 1 }, isExternal: true };
  const synced = { syncStatus: 'Succeeded', lastSyncError: '', resources: [] };
  cluster.store.sriovNodeStates.put(name, { ...state, ...synced }, 'setup');
  expect(await run(ports)).toMatchObject({ reason: 'done' });
  expect(count(ports, 'patch SriovNetworkNodeState')).toBe(1);
  expect(cluster.store.sriovNodeStates.get(name)).toMatchObject({ desired: 'Idle', current: 'Idle' });
});
