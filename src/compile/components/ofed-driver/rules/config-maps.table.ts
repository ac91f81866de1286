import { clusterText, policyText, UBUNTU_POOL } from '../../../../../test/golden/compile.js';
import { testRule } from '../../../../../test/golden/rule-table.js';

const policy = (more: string): string => policyText('NicClusterPolicy', 'nic-cluster-policy', `  ofedDriver:\n${more}`);
const cluster = (more: string, pools = UBUNTU_POOL): string =>
  clusterText(`  release: v26.4\n${more}  nodePools:\n${pools}`);
const configMap = (name: string, namespace = ''): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}${namespace}}\ndata: {a.crt: text}\n`;
const KNOWN = '  existingConfigMaps: [{name: corp-ca, keys: [a]}, {name: repos, keys: [b]}]\n';

testRule('WEFT0212', {
  valid: [
    { name: 'no name', policy: policy('    certConfig: {}\n    repoConfig: {name: ""}\n') },
    { name: 'in the cluster', cluster: cluster(KNOWN), policy: policy('    certConfig: {name: corp-ca}\n') },
    { name: 'in the input', policy: `${policy('    certConfig: {name: corp-ca}\n')}---\n${configMap('corp-ca')}` },
    {
      name: 'in the input with its namespace',
      policy: `${policy('    certConfig: {name: corp-ca}\n')}---\n${configMap('corp-ca', ', namespace: nvidia-network-operator')}`,
    },
  ],
  invalid: [
    {
      name: 'a near miss',
      cluster: cluster(KNOWN),
      policy: policy('    certConfig: {name: corp-cas}\n    repoConfig: {name: other}\n'),
      expected: [
        'policy.yaml:7:24 `spec.ofedDriver.certConfig.name` names a ConfigMap `corp-cas` that is not in the input',
        'policy.yaml:8:24 `spec.ofedDriver.repoConfig.name` names a ConfigMap `other` that is not in the input',
      ],
      help: 'did you mean `corp-ca`?',
    },
    {
      name: 'another namespace',
      policy: `${policy('    certConfig: {name: corp-ca}\n')}---\n${configMap('corp-ca', ', namespace: other')}`,
      expected: [
        'policy.yaml:7:24 `spec.ofedDriver.certConfig.name` names a ConfigMap `corp-ca` that is not in the input',
      ],
    },
  ],
});

const DEBIAN = UBUNTU_POOL.replace('ubuntu', 'debian');

testRule('WEFT0213', {
  valid: [
    { name: 'a known OS', cluster: cluster(KNOWN), policy: policy('    certConfig: {name: corp-ca}\n') },
    { name: 'nothing to mount', cluster: cluster('', DEBIAN), policy: policy('    image: a\n') },
    {
      name: 'empty names',
      cluster: cluster('', DEBIAN),
      policy: policy('    certConfig: {name: ""}\n    repoConfig: {}\n'),
    },
  ],
  invalid: [
    {
      name: 'an OS without a place',
      cluster: cluster(KNOWN, DEBIAN),
      policy: policy('    certConfig: {name: corp-ca}\n    repoConfig: {name: repos}\n'),
      expected: [
        'policy.yaml:7:5 `certConfig` has no place on debian, the OS of node pool `workers`',
        'policy.yaml:8:5 `repoConfig` has no place on debian, the OS of node pool `workers`',
      ],
      help: 'it works on ubuntu, rhcos, rhel, sles',
    },
    {
      name: "the proxy's CA on such an OS",
      cluster: cluster(
        '  platform: openshift\n  openshift: {useDriverToolkit: false, proxy: {trustedCA: true}}\n',
        DEBIAN,
      ),
      policy: policy('    image: a\n'),
      expected: ['policy.yaml:6:3 `certConfig` has no place on debian, the OS of node pool `workers`'],
    },
  ],
});

testRule('WEFT0219', {
  valid: [
    {
      name: 'two',
      cluster: cluster(KNOWN),
      policy: policy('    certConfig: {name: corp-ca}\n    repoConfig: {name: repos}\n'),
    },
  ],
  invalid: [
    {
      name: 'one',
      cluster: cluster(KNOWN),
      policy: policy('    certConfig: {name: repos}\n    repoConfig: {name: repos}\n'),
      expected: ['policy.yaml:8:24 `certConfig` and `repoConfig` name the same ConfigMap'],
    },
  ],
});

testRule('WEFT0220', {
  valid: [{ name: 'a name of a volume', cluster: cluster(KNOWN), policy: policy('    certConfig: {name: corp-ca}\n') }],
  invalid: [
    {
      name: 'a name with a dot',
      cluster: cluster('  existingConfigMaps: [{name: corp.ca, keys: [a]}]\n'),
      policy: policy('    certConfig: {name: corp.ca}\n'),
      expected: ['policy.yaml:7:24 `spec.ofedDriver.certConfig.name` cannot be the name of a volume: `corp.ca`'],
    },
  ],
});

const emptyConfigMap = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: corp-ca}\nbinaryData: {a: YQ==}\n';

testRule('WEFT0313', {
  valid: [
    { name: 'keys', policy: `${policy('    certConfig: {name: corp-ca}\n')}---\n${configMap('corp-ca')}` },
    { name: 'keys in the Cluster', cluster: cluster(KNOWN), policy: policy('    certConfig: {name: corp-ca}\n') },
  ],
  invalid: [
    {
      name: 'no text',
      policy: `${policy('    certConfig: {name: corp-ca}\n')}---\n${emptyConfigMap}`,
      expected: [
        'policy.yaml:7:24 the ConfigMap `corp-ca` of `certConfig` has no keys under `data`, so nothing is mounted',
      ],
      help: 'put each file under a key of `data`; `binaryData` is not mounted',
    },
  ],
});
