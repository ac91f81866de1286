import { clusterText, policyText } from '../../../../../test/golden/compile.js';
import { testRule } from '../../../../../test/golden/rule-table.js';

const cluster = (release: string): string => clusterText(`  release: ${release}\n  nodePools: []\n`);
const policy = (sections: string): string => policyText('NicClusterPolicy', 'nic-cluster-policy', sections);
const REASON =
  'its init container, which copies the rail CNI plugin to the nodes, and version v1alpha1 of SpectrumXRailPoolConfig are ' +
  'gone from the templates of v26.7';

testRule('WEFT0262', {
  valid: [
    { name: 'a release that fits', cluster: cluster('v26.4'), policy: policy('  spectrumXOperator: {}\n') },
    {
      name: 'other components of an old release',
      cluster: cluster('v26.1'),
      policy: policy('  nvIpam: {}\n  docaTelemetryService: {}\n  secondaryNetwork: {multus: {}}\n'),
    },
    {
      name: 'a newer image in an old release',
      cluster: cluster('v26.1'),
      policy: policy('  spectrumXOperator: {version: network-operator-v26.4.1}\n'),
    },
  ],
  invalid: [
    {
      name: 'the image of an old release',
      cluster: cluster('v26.1'),
      policy: policy('  spectrumXOperator: {}\n'),
      expected: [`policy.yaml:6:3 \`spec.spectrumXOperator\` cannot run as of release v26.1: ${REASON}`],
      help: 'choose a newer release, or give the section the `version` of a newer image',
    },
    {
      name: 'an old image in a new release',
      cluster: cluster('v26.7'),
      policy: policy('  spectrumXOperator:\n    version: network-operator-v26.1.2\n'),
      expected: [`policy.yaml:7:5 \`spec.spectrumXOperator\` cannot run as of release v26.1: ${REASON}`],
    },
  ],
});
