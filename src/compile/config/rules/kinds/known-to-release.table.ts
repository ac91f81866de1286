import { clusterText } from '../../../../../test/golden/compile.js';
import { testRule } from '../../../../../test/golden/rule-table.js';

const cluster = (release: string): string => clusterText(`  release: ${release}\n  nodePools: []\n`);
const none = clusterText('  nodePools: []\n');

const network = (kind: string, spec: string): string =>
  `apiVersion: mellanox.com/v1alpha1\nkind: ${kind}\nmetadata: {name: a}\nspec:\n${spec}`;
const metaPlugins = network('MacvlanNetwork', '  metaPlugins: [{type: tuning}]\n');
const rails = (spec: string): string =>
  `apiVersion: spectrumx.nvidia.com/v1alpha2\nkind: SpectrumXRailPoolConfig\nmetadata: {name: a}\nspec:\n  numVfs: 1\n` +
  `  railTopology: [{name: r, mtu: 9000, nicSelector: {pfNames: [a]}}]\n${spec}`;
const nics = (template: string, nicType = '1023'): string =>
  'apiVersion: configuration.net.nvidia.com/v1alpha1\nkind: NicConfigurationTemplate\nmetadata: {name: a}\nspec:\n' +
  `  nicSelector: {nicType: "${nicType}"}\n  template: {numVfs: 1, ${template}}\n`;

const first = (release: string): string =>
  `release ${release} is the first that takes it: choose that one or a newer one, or remove it`;

testRule('WEFT0283', {
  valid: [
    { name: 'a field of the newest release, without a release', cluster: none, network: metaPlugins },
    { name: 'a field of the chosen release', cluster: cluster('v26.10'), network: metaPlugins },
    {
      name: 'a field without a value',
      cluster: cluster('v26.4'),
      network: network('HostDeviceNetwork', '  resourceName: a\n  metaPlugins:\n'),
    },
    { name: 'an object of an old release', cluster: cluster('v26.4'), policy: nics('linkType: Ethernet') },
    { name: 'a field of a definition', cluster: cluster('v26.7'), policy: nics('linkType: Ethernet, force: true') },
    { name: 'an unknown release', cluster: cluster('v1.0'), network: metaPlugins },
  ],
  invalid: [
    {
      name: 'a field of MacvlanNetwork',
      cluster: cluster('v26.7'),
      network: metaPlugins,
      expected: ['network.yaml:5:3 `spec.metaPlugins` is not known in release v26.7'],
      help: first('v26.10'),
    },
    {
      name: 'a field of HostDeviceNetwork',
      cluster: cluster('v26.4'),
      network: network('HostDeviceNetwork', '  resourceName: a\n  metaPlugins: \'{"type": "rdma"}\'\n'),
      expected: ['network.yaml:6:3 `spec.metaPlugins` is not known in release v26.4'],
      help: first('v26.10'),
    },
    {
      name: 'a field of a definition',
      cluster: cluster('v26.7'),
      policy: rails('  vfStateFollow: false\n'),
      expected: ['policy.yaml:7:3 `spec.vfStateFollow` is not known in release v26.7'],
      help: first('v26.10'),
    },
    {
      name: 'fields, and a required one',
      cluster: cluster('v26.4'),
      policy: nics('force: true, networkBay: {conf: a}', '1025'),
      expected: [
        'policy.yaml:6:3 `spec.template.linkType` is missing in release v26.4',
        'policy.yaml:6:25 `spec.template.force` is not known in release v26.4',
        'policy.yaml:6:38 `spec.template.networkBay` is not known in release v26.4',
      ],
      help: first('v26.7'),
    },
    {
      name: 'a value',
      cluster: cluster('v26.4'),
      policy: nics('linkType: Ethernet, spectrumXOptimized: {enabled: true, version: RA3.0}'),
      expected: [
        'policy.yaml:6:90 `spec.template.spectrumXOptimized.version` must be `RA1.3`, `RA2.0`, `RA2.1` or `RA2.2` in release v26.4',
      ],
      help: first('v26.7'),
    },
    {
      name: 'two values that do not fit together',
      cluster: cluster('v26.4'),
      policy: nics(
        'linkType: Ethernet, spectrumXOptimized: {enabled: true, version: RA2.0, multiplaneMode: swplb, numberOfPlanes: 2}',
      ),
      expected: [
        'policy.yaml:6:65 `spec.template.spectrumXOptimized`: when Version is RA1.3 or RA2.0, MultiplaneMode must be none and numberOfPlanes must be 1 in release v26.4',
      ],
      help: first('v26.7'),
    },
  ],
});
