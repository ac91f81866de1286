import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { clusterText, compile, policyText, problemLines, UBUNTU_POOL } from '../../../../test/golden/compile.js';
import { type GoldenCase, LABEL_WARNING, objectsIn, testGoldens } from '../../../../test/golden/manifests.js';

const IMAGE = `    image: k8s-rdma-shared-dev-plugin
    repository: nvcr.io/nvidia/mellanox
    version: v1
`;
const TEXT = '{"configList": [ {"resourceName":"rdma_a", "rdmaHcaMax":63,"selectors":{"vendors":["15b3"]}}]}';
const OBJECT = `    config:
      periodicUpdateInterval: 300
      configList:
        - {resourceName: rdma_a, resourcePrefix: rdma.example.com, rdmaHcaMax: 63, devices: [ib0]}
        - resourceName: rdma_b
          rdmaHcaMax: 1
          selectors: {vendors: ["15b3"], deviceIDs: [a2dc], drivers: [mlx5_core], ifNames: [ens1f0], linkTypes: [ether]}
`;
const DRIVER = '  ofedDriver: {image: doca-driver, repository: nvcr.io/nvidia/mellanox, version: 24.10-0.7.0.0-0}\n';
/** Without a release there is no image of the init container. */
const NO_INIT = '  driver: {initContainerImage: ""}\n';

const clusterPolicy = (section: string, more = ''): string =>
  policyText('NicClusterPolicy', 'nic-cluster-policy', `${more}  rdmaSharedDevicePlugin:\n${section}`);

const nodePolicy = (pool: string, section: string, more = ''): string =>
  policyText('NicNodePolicy', pool, `  nodeSelector: {pool: ${pool}}\n${more}  rdmaSharedDevicePlugin:\n${section}`);

/** Without `config` in a section, the user provides its ConfigMap. */
const EXISTING =
  '  existingConfigMaps: [{name: rdma-devices, keys: [config.json]}, {name: rdma-devices-cpu, keys: [config.json]}]\n';

const cluster = (more = '', pools = UBUNTU_POOL): string => clusterText(`${more}${EXISTING}  nodePools:\n${pools}`);

const LABEL_GATE = '  driver: {gate: label, initContainerImage: ""}\n';
const TWO_POOLS =
  UBUNTU_POOL.replace('}', ', labels: {pool: gpu}}') +
  UBUNTU_POOL.replace('workers', 'cpu').replace('}', ', labels: {pool: cpu}}');

const goldens: readonly GoldenCase[] = [
  { name: 'minimal', cluster: cluster(), policy: clusterPolicy(IMAGE) },
  { name: 'config-as-text', cluster: cluster(), policy: clusterPolicy(`${IMAGE}    config: '${TEXT}'\n`) },
  { name: 'config-as-object', cluster: cluster(), policy: clusterPolicy(IMAGE + OBJECT) },
  {
    name: 'full',
    cluster: cluster(`  namespace: drivers\n${NO_INIT}`),
    policy: clusterPolicy(
      `${IMAGE}${OBJECT}    useCdi: true
    imagePullSecrets: [first, second]
    containerResources: [{name: rdma-shared-dp, requests: {cpu: "0.1", memory: 64Mi}, limits: {memory: 1024Mi}}]
  tolerations: [{key: dedicated, operator: Exists}]
  nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: a, operator: Exists}]}]}}
`,
      DRIVER,
    ),
  },
  { name: 'gate-ready-file', cluster: cluster(NO_INIT), policy: clusterPolicy(IMAGE, DRIVER) },
  { name: 'gate-label', cluster: cluster(LABEL_GATE), policy: clusterPolicy(IMAGE, DRIVER) },
  {
    name: 'gate-label-without-driver',
    cluster: cluster(LABEL_GATE),
    policy: clusterPolicy(IMAGE),
    warnings: [LABEL_WARNING],
  },
  {
    name: 'openshift',
    cluster: cluster('  platform: openshift\n'),
    policy: clusterPolicy(`${IMAGE}    config: '${TEXT}'\n`),
  },
  {
    name: 'node-policies',
    cluster: cluster('  platform: openshift\n', TWO_POOLS),
    policy: [nodePolicy('gpu', `${IMAGE}    config: '${TEXT}'\n`), nodePolicy('cpu', IMAGE)].join('---\n'),
  },
];

const objectsOf = (compiled: Parameters<typeof objectsIn>[1]) => objectsIn('rdma-shared-device-plugin', compiled);

describe('the manifests of rdmaSharedDevicePlugin', () => {
  testGoldens(__dirname, goldens);

  interface Template {
    readonly template: { readonly metadata: { readonly annotations?: Readonly<Record<string, string>> } };
  }
  const hashOf = (section: string): string | undefined => {
    const objects = objectsOf(compile({ 'cluster.yaml': cluster(), 'policy.yaml': clusterPolicy(IMAGE + section) }));
    const daemonSet = objects.find(({ kind }) => kind === 'DaemonSet');
    return (daemonSet?.['spec'] as Template).template.metadata.annotations?.['nvidia.network-operator.config-hash'];
  };
  const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64');

  it('hashes text as it is written, and an object as canonical JSON', () => {
    expect(hashOf('')).toBeUndefined();
    expect(hashOf(`    config: '${TEXT}'\n`)).toBe(sha256(TEXT));
    const one = '    config: {configList: [{resourceName: a, rdmaHcaMax: 1, devices: [b]}]}\n';
    const same =
      '    config:\n      configList:\n        - devices: [b]\n          rdmaHcaMax: 1\n          resourceName: a\n';
    expect(hashOf(one)).toBe(sha256('{"configList":[{"devices":["b"],"rdmaHcaMax":1,"resourceName":"a"}]}'));
    expect(hashOf(same)).toBe(hashOf(one));
  });

  it('keeps text as it is written, even where a template would break', () => {
    const text = `{"configList":[{"resourceName":"a","rdmaHcaMax":1,"devices":["it's {{ x }}"]}]}`;
    const policy = clusterPolicy(`${IMAGE}    config: ${JSON.stringify(text)}\n`);
    const [configMap] = objectsOf(compile({ 'cluster.yaml': cluster(), 'policy.yaml': policy }));
    expect(configMap?.['data']).toEqual({ 'config.json': text });
  });

  const rejected: readonly { readonly name: string; readonly config: string; readonly expected: readonly string[] }[] =
    [
      {
        name: 'text that is not JSON',
        config: "'{'",
        expected: ['WEFT0143 `spec.rdmaSharedDevicePlugin.config` is not valid JSON: it ends where `}` should be'],
      },
      {
        name: 'an empty list in an object',
        config: '{configList: []}',
        expected: ['WEFT0143 `spec.rdmaSharedDevicePlugin.config.configList` must have at least 1 entry'],
      },
      {
        name: 'an unknown key in an object',
        config: '{configList: [{resourceName: a, rdmaHcaMax: 1, device: [b], devices: [b]}]}',
        expected: ['WEFT0140 `spec.rdmaSharedDevicePlugin.config.configList[0]` has no key `device`'],
      },
      ...['{}', '{devices: []}', '{selectors: {}}', '{selectors: {vendors: [], ifNames: []}}'].map((given) => ({
        name: `a resource of no devices: ${given}`,
        config: `{configList: [{resourceName: a, rdmaHcaMax: 1${given.replace(/^\{|\}$/g, (brace) => (brace === '{' && given !== '{}' ? ', ' : ''))}}]}`,
        expected: [
          'WEFT0143 `spec.rdmaSharedDevicePlugin.config.configList[0]` needs `selectors` with one of `vendors`, `deviceIDs`, `drivers`, `ifNames`, `linkTypes`, or `devices`: a list without entries counts as none',
        ],
      })),
      {
        name: 'selectors and devices',
        config: '{configList: [{resourceName: a, rdmaHcaMax: 1, devices: [b], selectors: {vendors: ["15b3"]}}]}',
        expected: [
          'WEFT0143 `spec.rdmaSharedDevicePlugin.config.configList[0]` must not have both `selectors` and `devices`',
        ],
      },
      {
        name: 'negative numbers',
        config: '{periodicUpdateInterval: -1, configList: [{resourceName: a, rdmaHcaMax: -5, devices: [b]}]}',
        expected: [
          'WEFT0143 `spec.rdmaSharedDevicePlugin.config.periodicUpdateInterval` must be at least 0',
          'WEFT0143 `spec.rdmaSharedDevicePlugin.config.configList[0].rdmaHcaMax` must be at least 0',
        ],
      },
      ...['a-b', 'rdma.a', 'a_'].map((name) => ({
        name: `the name ${name}, and a bad prefix`,
        config: `{configList: [{resourceName: ${name}, resourcePrefix: B, rdmaHcaMax: 1, devices: [b]}]}`,
        expected: [
          'WEFT0143 `spec.rdmaSharedDevicePlugin.config.configList[0].resourceName` must be letters, digits and `_`, with a letter or digit at each end, and at most 63 characters',
          'WEFT0143 `spec.rdmaSharedDevicePlugin.config.configList[0].resourcePrefix` must be a DNS name in lower case such as `nvidia.com` or `rdma`, and none of `kubernetes.io`',
        ],
      })),
      {
        name: 'a number',
        config: '1',
        expected: ['WEFT0142 `spec.rdmaSharedDevicePlugin.config` must be a string or a mapping'],
      },
    ];
  it.each(rejected)('refuses $name', ({ config, expected }) => {
    const policy = clusterPolicy(`${IMAGE}    config: ${config}\n`);
    const lines = problemLines(compile({ 'cluster.yaml': cluster(), 'policy.yaml': policy }).diagnostics);
    expect(lines.map((line) => line.replace(/^\S+ /, ''))).toEqual(expected);
  });

  it('takes what the plugin takes', () => {
    const list = [
      '{"resourceName": "shared_ib", "resourcePrefix": "rdma", "rdmaHcaMax": 63, "selectors": {"vendors": ["15b3"], "ifNames": []}}',
      '{"resourceName": "b", "devices": ["ib0"], "selectors": {}}',
    ];
    const config = `{"periodicUpdateInterval": 0, "configList": [${list.join(', ')}]}`;
    for (const given of [config, `'${config}'`]) {
      const policy = clusterPolicy(`${IMAGE}    config: ${given}\n`);
      const { diagnostics } = compile({ 'cluster.yaml': cluster(), 'policy.yaml': policy });
      expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    }
  });

  it('takes keys in text that upstream ignores', () => {
    const text = '{"configList":[{"resourceName":"a","rdmaHcaMax":1,"devices":["b"],"more":1}],"other":{}}';
    const policy = clusterPolicy(`${IMAGE}    config: '${text}'\n`);
    expect(compile({ 'cluster.yaml': cluster(), 'policy.yaml': policy }).diagnostics).toEqual([]);
  });
});
