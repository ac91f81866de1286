import { expect, it } from '@jest/globals';
import { clusterText, compile, policyText, UBUNTU_POOL } from '../../../test/golden/compile.js';

const compiled = (name: string) =>
  compile({
    'cluster.yaml': clusterText(`  release: v26.4\n  nodePools:\n${UBUNTU_POOL}`),
    'policy.yaml': policyText('NicClusterPolicy', 'nic-cluster-policy', '  nvIpam: {}\n'),
    'namespaces.yaml': `apiVersion: v1\nkind: Namespace\nmetadata:\n  name: ${name}\n  labels: {openshift.io/cluster-monitoring: "true"}\n  annotations: {owner: net}\n`,
  });

const namespaces = (name: string) =>
  compiled(name)
    .placed.map(({ object }) => object)
    .filter(({ kind }) => kind === 'Namespace');

it('merges a Namespace document into the namespace of the cluster', () => {
  expect(compiled('nvidia-network-operator').diagnostics).toEqual([]);
  const [merged, ...others] = namespaces('nvidia-network-operator');
  expect(others).toEqual([]);
  expect(merged?.metadata.labels).toMatchObject({
    'openshift.io/cluster-monitoring': 'true',
    'pod-security.kubernetes.io/enforce': 'privileged',
  });
  expect(merged?.metadata.annotations).toMatchObject({ owner: 'net' });
});

it('passes another Namespace on', () => {
  expect(namespaces('other').map(({ metadata }) => metadata.name)).toEqual(['nvidia-network-operator', 'other']);
});
