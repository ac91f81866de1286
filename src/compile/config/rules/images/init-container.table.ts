import { clusterText, policyText, UBUNTU_POOL } from '../../../../../test/golden/compile.js';
import { testRule } from '../../../../../test/golden/rule-table.js';

const cluster = (more: string): string => clusterText(`${more}  nodePools:\n${UBUNTU_POOL}`);
const policy = (upgradePolicy: string): string =>
  policyText(
    'NicClusterPolicy',
    'nic-cluster-policy',
    `  ofedDriver:\n    image: a\n    repository: b\n    version: doca3.4.0-26.04-0.8.6.0-0\n    upgradePolicy: ${upgradePolicy}\n`,
  );
const SAFE = '{autoUpgrade: true, safeLoad: true}';

testRule('WEFT0267', {
  valid: [
    { name: 'an image of the release', cluster: cluster('  release: v26.4\n'), policy: policy(SAFE) },
    { name: 'an image', cluster: cluster('  driver: {initContainerImage: "a/b:c"}\n'), policy: policy(SAFE) },
    { name: 'no safe load', cluster: cluster(''), policy: policy('{autoUpgrade: true}') },
  ],
  invalid: [
    {
      name: 'no image',
      cluster: cluster(''),
      policy: policy(SAFE),
      expected: [
        'policy.yaml:10:50 `spec.ofedDriver.upgradePolicy.safeLoad` has no effect: the image of the init container is not known',
      ],
      help: 'set `spec.driver.initContainerImage` or `spec.release` in the Cluster document',
    },
    {
      name: 'an empty image in a release',
      cluster: cluster('  release: v26.4\n  driver: {initContainerImage: ""}\n'),
      policy: policy(SAFE),
      expected: [
        'policy.yaml:10:50 `spec.ofedDriver.upgradePolicy.safeLoad` has no effect: the image of the init container is not known',
      ],
    },
  ],
});

testRule('WEFT0304', {
  valid: [
    { name: 'a release', cluster: cluster('  release: v26.4\n'), policy: policy('{}') },
    { name: 'an image', cluster: cluster('  driver: {initContainerImage: "a/b:c"}\n'), policy: policy('{}') },
    { name: 'none on purpose', cluster: cluster('  driver: {initContainerImage: ""}\n'), policy: policy('{}') },
    {
      name: 'no driver',
      cluster: cluster(''),
      policy: policyText(
        'NicClusterPolicy',
        'nic-cluster-policy',
        '  nicFeatureDiscovery: {image: a, repository: b, version: c}\n',
      ),
    },
  ],
  invalid: [
    {
      name: 'no release',
      cluster: cluster(''),
      policy: policy('{}'),
      expected: ['policy.yaml:6:3 the driver gets no init container, because the Cluster document has no `release`'],
      help: 'set `spec.release`, or `spec.driver.initContainerImage`: the image, or an empty text for none',
    },
  ],
});
