import { describe, expect, it } from '@jest/globals';
import { compile, policyText } from '../../../test/golden/compile.js';
import { isObject } from '../../shared/lib/json.js';
import { CONFIG_HASH_ANNOTATION } from './pod-parts.js';

const SECTIONS = [
  {
    section: 'secondaryNetwork: {multus: {config: {cniVersion: 1.0.0, clusterNetwork: default}}}',
    file: 'cni-conf.json',
  },
  {
    section:
      'rdmaSharedDevicePlugin: {config: {configList: [{resourceName: a, rdmaHcaMax: 1, selectors: {vendors: ["15b3"]}}]}}',
    file: 'config.json',
  },
  {
    section: 'sriovDevicePlugin: {config: {resourceList: [{resourceName: a, selectors: {vendors: ["15b3"]}}]}}',
    file: 'config.json',
  },
];

function hashesOf(section: string, patches: string): readonly unknown[] {
  const cluster = `apiVersion: weft.dev/v1alpha1
kind: Cluster
metadata: {name: east}
spec:
  release: v26.4
  nodePools: [{name: workers, osName: ubuntu, osVersion: "24.04", arch: amd64}]
  patches: [${patches}]
`;
  const policy = policyText('NicClusterPolicy', 'nic-cluster-policy', `  ${section}\n`);
  const { placed, diagnostics } = compile({ 'cluster.yaml': cluster, 'policy.yaml': policy });
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  return placed
    .filter(({ object }) => object.kind === 'DaemonSet')
    .map(({ object }) =>
      ['spec', 'template', 'metadata', 'annotations', CONFIG_HASH_ANNOTATION].reduce<unknown>(
        (value, key) => (isObject(value) ? value[key] : undefined),
        object,
      ),
    );
}

describe('the hash of the configuration that pods read', () => {
  it.each(SECTIONS)('follows a patch of the file, and of nothing else: $section', ({ section, file }) => {
    const patch = (content: string) => `{target: {kind: ConfigMap}, patch: {${content}}}`;
    const [plain] = hashesOf(section, '');
    expect(plain).toEqual(expect.any(String));
    expect(hashesOf(section, patch('metadata: {labels: {a: b}}'))).toEqual([plain]);
    const [one] = hashesOf(section, patch(`data: {${file}: '{"a": 1}'}`));
    const [two] = hashesOf(section, patch(`data: {${file}: '{"a": 2}'}`));
    expect(new Set([plain, one, two]).size).toBe(3);
  });
});
