import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { clusterText, compile, policyText, problemLines, UBUNTU_POOL } from '../../../test/golden/compile.js';
import { expectGolden, manifestText } from '../../../test/golden/golden-file.js';

const IMAGE = '      image: multus-cni\n      repository: nvcr.io/nvidia/mellanox\n      version: v1\n';
const TEXT =
  '{"cniVersion":"0.3.1", "name":"multus","type":"multus","delegates":[{"type":"flannel"}],"Note":"a comment"}';
const OBJECT = `      config:
        type: multus
        name: multus-cni-network
        kubeconfig: /etc/cni/net.d/multus.d/multus.kubeconfig
        capabilities: {portMappings: true}
        logOptions: {maxAge: 5, compress: true}
        delegates:
          - name: default-cni-network
            plugins: [{type: flannel, delegate: {isDefaultGateway: true}}, {type: portmap}]
`;
const FULL = `${OBJECT}      imagePullSecrets: [first, second]
      containerResources: [{name: kube-multus, requests: {cpu: "0.1", memory: 64Mi}, limits: {memory: 1024Mi}}]
`;
const POD_SETTINGS = `  tolerations: [{key: dedicated, operator: Exists, value: ""}]
  nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: a, operator: Exists}]}]}}
`;

const policy = (more = '', podSettings = ''): string =>
  policyText(
    'NicClusterPolicy',
    'nic-cluster-policy',
    `  secondaryNetwork:\n    multus:\n${IMAGE}${more}${podSettings}`,
  );

const cluster = (more = ''): string => clusterText(`${more}  nodePools:\n${UBUNTU_POOL}`);

const goldens = [
  { name: 'minimal', cluster: cluster(), policy: policy() },
  { name: 'config-as-text', cluster: cluster(), policy: policy(`      config: '${TEXT}'\n`) },
  {
    name: 'full',
    cluster: cluster('  namespace: drivers\n  cni: {binDirectory: /opt/k3s/bin, networkDirectory: /opt/k3s/net.d}\n'),
    policy: policy(FULL, POD_SETTINGS),
  },
  { name: 'openshift', cluster: cluster('  platform: openshift\n'), policy: policy() },
];

function objectsOf(section: string) {
  const { placed } = compile({ 'cluster.yaml': cluster(), 'policy.yaml': policy(section) });
  return placed.filter(({ folder }) => folder === 'multus-cni').map(({ object }) => object);
}

describe('the manifests of secondaryNetwork.multus', () => {
  it.each(goldens)('$name', ({ name, ...documents }) => {
    const { placed, diagnostics } = compile({ 'cluster.yaml': documents.cluster, 'policy.yaml': documents.policy });
    expect(problemLines(diagnostics)).toEqual([]);
    const objects = placed.filter(({ folder }) => folder === 'multus-cni').map(({ object }) => object);
    expectGolden(join(__dirname, 'golden', `${name}.yaml`), manifestText(objects));
  });

  it('keeps text as it is written, and hashes it', () => {
    const objects = objectsOf(`      config: '${TEXT}'\n`);
    expect(objects.find(({ kind }) => kind === 'ConfigMap')?.['data']).toEqual({ 'cni-conf.json': TEXT });
    const hash = createHash('sha256').update(TEXT).digest('base64');
    expect(manifestText(objects)).toContain(`nvidia.network-operator.config-hash: ${hash}`);
  });

  const rejected = [
    {
      name: 'text that is not an object',
      config: "'[]'",
      expected: ['WEFT0143 `spec.secondaryNetwork.multus.config`: the document must be a mapping'],
    },
    {
      name: 'a wrong type in text',
      config: '\'{"delegates": {}}\'',
      expected: ['WEFT0143 `spec.secondaryNetwork.multus.config`: `delegates` must be a list'],
    },
    {
      name: 'an unknown key in an object',
      config: '{delegate: []}',
      expected: ['WEFT0140 `spec.secondaryNetwork.multus.config` has no key `delegate`'],
    },
  ];
  it.each(rejected)('refuses $name', ({ config, expected }) => {
    const documents = { 'cluster.yaml': cluster(), 'policy.yaml': policy(`      config: ${config}\n`) };
    const lines = problemLines(compile(documents).diagnostics);
    expect(lines.map((line) => line.replace(/^\S+ /, ''))).toEqual(expected);
  });

  it('has one container whose resources can be set', () => {
    const more = '      containerResources: [{name: install-multus-binary, limits: {cpu: 1}}]\n';
    const { diagnostics } = compile({ 'cluster.yaml': cluster(), 'policy.yaml': policy(more) });
    expect(diagnostics.map(({ code, help }) => [code, help])).toEqual([
      ['WEFT0202', 'known containers: `kube-multus`'],
    ]);
  });
});
