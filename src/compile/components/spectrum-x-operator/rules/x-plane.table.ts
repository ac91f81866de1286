import { clusterText, policyText, UBUNTU_POOL } from '../../../../../test/golden/compile.js';
import { testRule } from '../../../../../test/golden/rule-table.js';

const IMAGE = 'image: spectrum-x-operator, repository: nvcr.io/nvidia/mellanox, version: v1';
const policy = (xPlane?: string, before = ''): string =>
  policyText(
    'NicClusterPolicy',
    'nic-cluster-policy',
    `${before}  spectrumXOperator: {${IMAGE}${xPlane === undefined ? '' : `,\n    xPlane: ${xPlane}`}}\n`,
  );
/** A cluster without a release, which fills nothing. */
const cluster = clusterText(`  nodePools:\n${UBUNTU_POOL}`);
const GLOBAL = '  global: {repository: nvcr.io/nvidia/doca, version: v1}\n';

testRule('WEFT0272', {
  valid: [
    { name: 'an image of the release', policy: policy('{}') },
    { name: 'no XPlane at all', cluster, policy: policy() },
  ],
  invalid: [
    {
      name: 'an image without a version beside a release',
      policy: policy('{image: xplane}'),
      expected: ['policy.yaml:7:5 `spec.spectrumXOperator.xPlane` has no version, so XPlane is left out'],
    },
    {
      name: 'a version in global only',
      cluster,
      policy: policy('{image: xplane}', GLOBAL),
      expected: ['policy.yaml:8:5 `spec.spectrumXOperator.xPlane` has no version, so XPlane is left out'],
    },
  ],
});

testRule('WEFT0273', {
  valid: [{ name: 'an empty list', policy: policy('{containerResources: []}') }],
  invalid: [
    {
      name: 'amounts that nothing reads',
      policy: policy('{containerResources: [{name: spectrum-x-flowcontroller, limits: {cpu: 1}}]}'),
      expected: ['policy.yaml:7:14 `spec.spectrumXOperator.xPlane.containerResources` has no effect'],
    },
  ],
});
