import { expect, it } from '@jest/globals';
import { clusterText, compile, policyText } from '../../../test/golden/compile.js';
import { KEEP_ANNOTATIONS } from '../../shared/contract/labels.js';

const configMap = (name: string, metadata = '') =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}${metadata}}\ndata: {a: b}\n`;

it('keeps the ConfigMaps that driver pods read, and no other', () => {
  const { placed, diagnostics } = compile({
    'cluster.yaml': clusterText(
      '  release: v26.4\n  nodePools: [{name: a, osName: ubuntu, osVersion: "24.04", arch: amd64, kernel: "6.8"}]\n',
    ),
    'policy.yaml': policyText(
      'NicClusterPolicy',
      'nic-cluster-policy',
      '  ofedDriver:\n    certConfig: {name: certs}\n    repoConfig: {name: repositories}\n' +
        '    env: [{name: UNLOAD_STORAGE_MODULES, valueFrom: {configMapKeyRef: {name: settings, key: a}}}]\n',
    ),
    'certs.yaml': configMap('certs'),
    'repositories.yaml': configMap('repositories', ', annotations: {helm.sh/resource-policy: ""}'),
    'settings.yaml': configMap('settings'),
    'other.yaml': configMap('other'),
    'elsewhere.yaml': configMap('certs', ', namespace: elsewhere'),
  });
  expect(diagnostics).toEqual([]);
  const found = placed
    .filter(({ folder }) => folder === 'config-maps')
    .map(({ object: { metadata } }) => [metadata.namespace, metadata.name, metadata.annotations]);
  const own = 'nvidia-network-operator';
  expect(found).toEqual([
    [own, 'certs', KEEP_ANNOTATIONS],
    ['elsewhere', 'certs', undefined],
    [own, 'other', undefined],
    [own, 'repositories', { ...KEEP_ANNOTATIONS, 'helm.sh/resource-policy': '' }],
    [own, 'settings', KEEP_ANNOTATIONS],
  ]);
});
