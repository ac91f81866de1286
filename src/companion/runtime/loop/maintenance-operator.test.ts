import { expect, it } from '@jest/globals';
import { KEYS, putDriverPod, putNode, putPod } from '../../../../test/kit/idle-cluster.js';
import { ready } from '../../../../test/kit/maintenances.js';
import { run, setUpCluster, stateOf } from '../../../../test/kit/runs.js';
import { MAINTENANCE_OPERATOR_POD_SELECTOR } from '../../../shared/contract/node-maintenance.js';
import { upgradePolicySchema } from '../../../shared/contract/upgrade-policy.js';

it('a node that the Maintenance Operator gives back while a run makes its first lists is finished by that run', async () => {
  const { ports, cluster } = setUpCluster(0);
  const policy = upgradePolicySchema.parse(JSON.parse(ports.policy.text));
  ports.policy.text = JSON.stringify({ ...policy, nodeMaintenance: { namespace: 'maintenance' } });
  const node = putNode(cluster, 'n1', {
    labels: { [KEYS.state]: 'post-maintenance-required' },
    annotations: { [KEYS.requestorMode]: 'true' },
    unschedulable: true,
  });
  putDriverPod(cluster, 'n1', 'mofed', 'v2', true);
  const [label = '', component = ''] = MAINTENANCE_OPERATOR_POD_SELECTOR.split('=');
  putPod(cluster, { namespace: 'maintenance', name: 'operator', nodeName: 'n1', labels: { [label]: component } });
  const { nodes, nodeMaintenances } = cluster.store;
  const object = ready('n1', { isDeleting: true });
  const spec = { requestorID: object.requestor, nodeName: 'n1', cordon: true } as const;
  nodeMaintenances.put(object.name, { ...object, hasFinalizer: true, spec }, 'setup');
  const list = ports.cluster.list.bind(ports.cluster);
  ports.cluster.list = async (kind, namespace) => {
    const answer = await list(kind, namespace);
    if (kind !== 'pods' || nodeMaintenances.size === 0) return answer;
    nodes.put('n1', { ...node, unschedulable: false }, 'maintenance-operator');
    nodeMaintenances.remove(object.name, 'maintenance-operator');
    return answer;
  };
  expect(await run(ports)).toMatchObject({ exitCode: 0, reason: 'done' });
  expect(stateOf(cluster, 'n1')).toBe('upgrade-done');
});
