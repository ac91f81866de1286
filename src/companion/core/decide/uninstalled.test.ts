import { expect, it } from '@jest/globals';
import { recorded } from '../../../../test/kit/records.js';
import { gpuPod, gpuSet, ofed, ownGpu, policyFor } from '../../../../test/kit/shared-nodes.js';
import { node, NOW, patchesOf, pod, policyOf, snapshot, stateAfter } from '../../../../test/kit/snapshots.js';
import { decide } from '../../decide.js';

const policies = [{ name: 'NicClusterPolicy', upgradePolicy: { autoUpgrade: true }, daemonSets: [] }];
const gate = { kind: 'label' as const, label: 'gate', podSelectors: ['app=plugin'] };

it.each([
  { name: 'as many pods that wait for it as before', validation: { gatedPods: true } },
  { name: 'a pod that waits for it', validation: { podSelector: 'app=plugin' } },
  { name: 'its resources', validation: { resources: ['rdma/hca'] } },
])('a node whose driver was uninstalled comes back without $name', ({ validation }) => {
  const record = { cordon: '', wants: { ofed: 'none' }, before: { gatedPods: 1, resources: { 'rdma/hca': '1' } } };
  const a = node('a', { state: 'pod-restart-required', unschedulable: true, annotations: recorded(record) });
  const plugin = pod('a', 'plugin', { namespace: 'nno', labels: { app: 'plugin' }, ready: false });
  const policy = policyOf({}, { uninstall: true, policies, gate, rollout: { validation } });
  const decision = decide(snapshot({ nodes: [a], pods: [plugin], daemonSets: [] }), policy, NOW);
  expect(stateAfter(decision, a)).toBe('upgrade-done');
});

it('a node without the driver that was uninstalled is not limited by a share of the nodes that have it', () => {
  const pools = [{ name: 'all', nodeSelector: { nic: 'yes' }, maxUnavailable: '50%' }];
  const policy = policyFor([{ ...ofed(), uninstall: true, policies, gate }, ownGpu()], { pools });
  const nodes = [node('a', { labels: { nic: 'yes', gate: 'false' } })];
  const decision = decide(snapshot({ nodes, pods: [gpuPod('a')], daemonSets: [gpuSet()] }), policy, NOW);
  expect(patchesOf(decision)).toMatchObject([{ unschedulable: true }]);
});
