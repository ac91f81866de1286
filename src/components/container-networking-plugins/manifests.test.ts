import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { clusterText, compile, policyText, problemLines, UBUNTU_POOL } from '../../../test/golden/compile.js';
import { expectGolden, manifestText } from '../../../test/golden/golden-file.js';

const IMAGE = '      image: plugins\n      repository: nvcr.io/nvidia/mellanox\n      version: v1\n';

const policy = (more = '', podSettings = ''): string =>
  policyText(
    'NicClusterPolicy',
    'nic-cluster-policy',
    `  secondaryNetwork:\n    cniPlugins:\n${IMAGE}${more}${podSettings}`,
  );

const cluster = (more = ''): string => clusterText(`${more}  nodePools:\n${UBUNTU_POOL}`);

const FULL = `      imagePullSecrets: [first, second]
      containerResources: [{name: cni-plugins, requests: {cpu: "0.1", memory: 64Mi}, limits: {memory: 1024Mi}}]
`;
const POD_SETTINGS = `  tolerations: [{key: dedicated, operator: Exists, value: ""}]
  nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: a, operator: Exists}]}]}}
`;

const goldens = [
  { name: 'minimal', cluster: cluster(), policy: policy() },
  {
    name: 'full',
    cluster: cluster('  namespace: drivers\n  cni: {binDirectory: /var/lib/rancher/k3s/data/cni}\n'),
    policy: policy(FULL, POD_SETTINGS),
  },
  { name: 'openshift', cluster: cluster('  platform: openshift\n'), policy: policy() },
];

describe('the manifests of secondaryNetwork.cniPlugins', () => {
  it.each(goldens)('$name', ({ name, ...documents }) => {
    const { placed, diagnostics } = compile({ 'cluster.yaml': documents.cluster, 'policy.yaml': documents.policy });
    expect(problemLines(diagnostics)).toEqual([]);
    const objects = placed
      .filter(({ folder }) => folder === 'container-networking-plugins')
      .map(({ object }) => object);
    expectGolden(join(__dirname, 'golden', `${name}.yaml`), manifestText(objects));
  });

  it('refuses resources for another container', () => {
    const more = '      containerResources: [{name: plugin, limits: {cpu: 1}}]\n';
    const { diagnostics } = compile({ 'cluster.yaml': cluster(), 'policy.yaml': policy(more) });
    expect(problemLines(diagnostics)).toEqual([
      'policy.yaml:11:35 WEFT0202 `spec.secondaryNetwork.cniPlugins.containerResources` names a container `plugin` that does not exist',
    ]);
  });

  it('has no configuration', () => {
    const { diagnostics } = compile({ 'cluster.yaml': cluster(), 'policy.yaml': policy('      config: "{}"\n') });
    expect(problemLines(diagnostics)).toEqual([
      'policy.yaml:11:7 WEFT0140 `spec.secondaryNetwork.cniPlugins` has no key `config`',
    ]);
  });
});
