import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { clusterText, compile, policyText, problemLines, UBUNTU_POOL } from '../../../../test/golden/compile.js';
import { manifestText } from '../../../../test/golden/golden-file.js';
import { type GoldenCase, LABEL_WARNING, objectsIn, testGoldens } from '../../../../test/golden/manifests.js';

const IMAGE = `    image: sriov-network-device-plugin
    repository: nvcr.io/nvidia/mellanox
    version: v1
`;
const TEXT =
  '{"resourceList": [ {"resourceName":"hostdev", "resourcePrefix":"nvidia.com","selectors":{"vendors":["15b3"],"isRdma":true}}]}';
const OBJECT = `    config:
      resourceList:
        - resourceName: vf
          resourcePrefix: nvidia.com
          deviceType: netDevice
          excludeTopology: true
          additionalInfo: {"*": {ZONE: a}}
          selectors:
            - {vendors: ["15b3"], devices: ["101e"], drivers: [mlx5_core], pciAddresses: ["0000:86:00.1"], pfNames: ["ens1f0#0-7"]}
            - {rootDevices: ["0000:86:00.0"], linkTypes: [ether], ddpProfiles: [a], needVhostNet: true, vdpaType: vhost}
        - {resourceName: acc, deviceType: accelerator, selectors: {vendors: ["15b3"], devices: [a2d6]}}
        - {resourceName: sf, deviceType: auxNetDevice, selectors: {auxTypes: [sf], pfNames: [ens1f0]}}
`;
const DRIVER = '  ofedDriver: {image: doca-driver, repository: nvcr.io/nvidia/mellanox, version: 24.10-0.7.0.0-0}\n';
/** Without a release there is no image of the init container. */
const NO_INIT = '  driver: {initContainerImage: ""}\n';

const clusterPolicy = (section: string, more = ''): string =>
  policyText('NicClusterPolicy', 'nic-cluster-policy', `${more}  sriovDevicePlugin:\n${section}`);

const nodePolicy = (pool: string, section: string): string =>
  policyText('NicNodePolicy', pool, `  nodeSelector: {pool: ${pool}}\n  sriovDevicePlugin:\n${section}`);

/** Without `config` in a section, the user provides its ConfigMap. */
const EXISTING =
  '  existingConfigMaps: [{name: network-operator-sriovdp-config, keys: [config.json]}, {name: network-operator-sriovdp-config-cpu, keys: [config.json]}]\n';

const cluster = (more = '', pools = UBUNTU_POOL): string => clusterText(`${more}${EXISTING}  nodePools:\n${pools}`);

const TWO_POOLS =
  UBUNTU_POOL.replace('}', ', labels: {pool: gpu}}') +
  UBUNTU_POOL.replace('workers', 'cpu').replace('}', ', labels: {pool: cpu}}');

const goldens: readonly GoldenCase[] = [
  { name: 'minimal', cluster: cluster(), policy: clusterPolicy(IMAGE) },
  { name: 'config-as-text', cluster: cluster(), policy: clusterPolicy(`${IMAGE}    config: '${TEXT}'\n`) },
  {
    name: 'full',
    cluster: cluster(`  namespace: drivers\n${NO_INIT}`),
    policy: clusterPolicy(
      `${IMAGE}${OBJECT}    useCdi: true
    imagePullSecrets: [first, second]
    containerResources: [{name: kube-sriovdp, requests: {cpu: "0.1", memory: 64Mi}, limits: {memory: 1024Mi}}]
  tolerations: [{key: dedicated, operator: Exists, value: ""}]
  nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: a, operator: Exists}]}]}}
`,
      DRIVER,
    ),
  },
  {
    name: 'gate-label',
    cluster: cluster('  driver: {gate: label, initContainerImage: ""}\n'),
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

const objectsOf = (compiled: Parameters<typeof objectsIn>[1]) => objectsIn('sriov-device-plugin', compiled);

describe('the manifests of sriovDevicePlugin', () => {
  testGoldens(__dirname, goldens);

  it('keeps text as it is written, and hashes it', () => {
    const text = `{"resourceList":[{"resourceName":"a","selectors":{"drivers":["it's {{ x }}"]}}]}`;
    const policy = clusterPolicy(`${IMAGE}    config: ${JSON.stringify(text)}\n`);
    const objects = objectsOf(compile({ 'cluster.yaml': cluster(), 'policy.yaml': policy }));
    expect(objects.find(({ kind }) => kind === 'ConfigMap')?.['data']).toEqual({ 'config.json': text });
    const hash = createHash('sha256').update(text).digest('base64');
    expect(manifestText(objects)).toContain(`nvidia.network-operator.config-hash: ${hash}`);
  });
});

const CONFIG = 'spec.sriovDevicePlugin.config';
const VENDOR = ', "selectors": {"vendors": ["15b3"]}';

/** A configuration of one resource, in which JSON and YAML agree. */
const resource = (more: string, name = 'a'): string => `{"resourceList": [{"resourceName": "${name}"${more}}]}`;

describe('the configuration of sriovDevicePlugin', () => {
  const problems = (config: string): readonly string[] => {
    const policy = clusterPolicy(`${IMAGE}    config: ${config}\n`);
    const lines = problemLines(compile({ 'cluster.yaml': cluster(), 'policy.yaml': policy }).diagnostics);
    return lines.map((line) => line.replace(/^\S+ /, ''));
  };

  const accepted = [
    { name: 'an empty selector list', config: resource(', "selectors": {"vendors": []}') },
    { name: 'one letter as a name', config: resource(', "selectors": {"isRdma": false}') },
    { name: 'a domain as a prefix', config: resource(`, "resourcePrefix": "my-net.nvidia.com"${VENDOR}`) },
    { name: 'an empty prefix', config: resource(`, "resourcePrefix": ""${VENDOR}`), webhook: true },
    { name: 'a prefix without a dot', config: resource(`, "resourcePrefix": "rdma"${VENDOR}`), webhook: true },
    { name: 'a dash in a name', config: resource(VENDOR, 'a-b'), webhook: true },
    { name: 'ACPI indexes', config: resource(', "selectors": {"acpiIndexes": ["101"]}'), webhook: true },
    { name: 'partition keys', config: resource(', "selectors": {"pKeys": ["0x7fff"]}'), webhook: true },
    { name: 'a selector that selects all', config: resource(', "selectors": {}'), webhook: true },
    {
      name: 'subfunctions',
      config: resource(', "deviceType": "auxNetDevice", "selectors": {"auxTypes": ["sf"]}'),
    },
  ];
  it.each(accepted)('takes $name', ({ config, webhook = false }) => {
    const expected = webhook ? expect.arrayContaining([expect.stringMatching(/^WEFT0310 /)]) : [];
    expect(problems(config)).toEqual(expected);
    expect(problems(`'${config}'`)).toEqual(expected);
  });

  // Each is refused as an object and as text, at the same place.
  const rejected = [
    {
      name: 'a dot in a name',
      config: resource(VENDOR, 'my.res'),
      at: 'resourceList[0].resourceName',
      fact: 'must be letters, digits, `_` and `-`, with a letter or digit at each end, and at most 63 characters',
    },
    {
      name: 'a name that the kubelet refuses',
      config: resource(VENDOR, 'a'.repeat(64)),
      at: 'resourceList[0].resourceName',
      fact: 'must be letters, digits, `_` and `-`, with a letter or digit at each end, and at most 63 characters',
    },
    ...['Nvidia.com', 'x.kubernetes.io', 'a_b'].map((prefix) => ({
      name: `the prefix ${prefix}`,
      config: resource(`, "resourcePrefix": "${prefix}"${VENDOR}`),
      at: 'resourceList[0].resourcePrefix',
      fact: 'must be a DNS name in lower case such as `nvidia.com` or `rdma`, and none of `kubernetes.io`',
    })),
    {
      name: 'an unknown device type',
      config: resource(`, "deviceType": "net"${VENDOR}`),
      at: 'resourceList[0].deviceType',
      fact: 'must be `netDevice`, `accelerator` or `auxNetDevice`',
    },
    {
      name: 'no selector in a list',
      config: resource(', "selectors": []'),
      at: 'resourceList[0].selectors',
      fact: 'must have at least 1 entry',
    },
    {
      name: 'an auxiliary device without a type, second in a list',
      config: resource(', "deviceType": "auxNetDevice", "selectors": [{"auxTypes": ["sf"]}, {"pfNames": ["a"]}]'),
      at: 'resourceList[0].selectors[1]',
      fact: 'needs `auxTypes: [sf]`, as all devices of type `auxNetDevice`',
    },
    {
      name: 'an auxiliary device of an unknown type',
      config: resource(', "deviceType": "auxNetDevice", "selectors": {"auxTypes": ["rdma"]}'),
      at: 'resourceList[0].selectors.auxTypes',
      fact: 'must be `[sf]`: the plugin knows no other type',
    },
    {
      name: 'RDMA with vDPA',
      config: resource(', "selectors": {"isRdma": true, "vdpaType": "vhost"}'),
      at: 'resourceList[0].selectors.vdpaType',
      fact: 'must not be beside `isRdma: true`',
    },
    { name: 'no resources', config: '{"resourceList": []}', at: 'resourceList', fact: 'must have at least 1 entry' },
  ];
  it.each(rejected)('refuses $name', ({ config, at, fact }) => {
    expect(problems(config)).toEqual([`WEFT0143 \`${CONFIG}.${at}\` ${fact}`]);
    expect(problems(`'${config}'`)).toEqual([`WEFT0143 \`${CONFIG}\`: \`${at}\` ${fact}`]);
  });

  it('refuses a resource without a name', () => {
    const config = '{"resourceList": [{"selectors": {"vendors": ["15b3"]}}]}';
    expect(problems(config)).toEqual([`WEFT0141 \`${CONFIG}.resourceList[0].resourceName\` is missing`]);
    expect(problems(`'${config}'`)).toEqual([`WEFT0143 \`${CONFIG}\`: \`resourceList[0].resourceName\` is missing`]);
  });

  it('refuses a resource without selectors, with which the plugin panics', () => {
    expect(problems(resource(''))).toEqual([`WEFT0141 \`${CONFIG}.resourceList[0].selectors\` is missing`]);
    expect(problems(`'${resource('')}'`)).toEqual([`WEFT0143 \`${CONFIG}\`: \`resourceList[0].selectors\` is missing`]);
  });

  it('refuses unknown keys in an object, and warns of misspelt ones in text', () => {
    const unknown = resource(', "selectors": [{"vendors": ["15b3"]}, {"isRdma": true, "driver": ["mlx5_core"]}]');
    expect(problems(unknown)).toEqual([`WEFT0140 \`${CONFIG}.resourceList[0].selectors[1]\` has no key \`driver\``]);
    expect(problems(`'${unknown}'`)).toEqual([
      `WEFT0145 \`${CONFIG}\`: \`resourceList[0].selectors[1]\` has no key \`driver\``,
    ]);
    const other = resource(`, "more": 1${VENDOR}`);
    expect(problems(other)).toEqual([`WEFT0140 \`${CONFIG}.resourceList[0]\` has no key \`more\``]);
    expect(problems(`'${other}'`)).toEqual([]);
  });
});
