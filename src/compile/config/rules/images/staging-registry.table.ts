import { clusterText, policyText, UBUNTU_POOL } from '../../../../../test/golden/compile.js';
import { testRule } from '../../../../../test/golden/rule-table.js';

const cluster = (more: string): string => clusterText(`${more}  nodePools:\n${UBUNTU_POOL}`);
const policy = (sections: string): string => policyText('NicClusterPolicy', 'nic-cluster-policy', sections);
const RELEASED = '  release: v26.4\n';
const HELP = 'name a registry of released images, or a mirror of your own';

testRule('WEFT0311', {
  valid: [
    { name: 'a release', cluster: cluster(RELEASED), policy: policy('  nvIpam: {}\n') },
    {
      name: 'a word in a name',
      cluster: cluster(RELEASED),
      policy: policy('  nvIpam: {repository: a.b/mystagings}\n'),
    },
    {
      name: 'the image of a release with a mirror',
      cluster: cluster(RELEASED),
      policy: policy('  global: {repository: mirror.example/nvidia}\n  spectrumXOperator: {xPlane: {}}\n'),
    },
  ],
  invalid: [
    {
      name: 'the repository of a section',
      cluster: cluster(RELEASED),
      policy: policy('  nvIpam: {repository: nvcr.io/nvstaging/mellanox}\n'),
      expected: ['policy.yaml:6:24 `spec.nvIpam.repository` is a staging registry: `nvcr.io/nvstaging/mellanox`'],
      help: HELP,
    },
    {
      name: 'add-ons',
      cluster: cluster(
        `${RELEASED}  sriovNetworkOperator:\n    deploy: true\n    images: {operator: "nvcr.io/nvstaging/mellanox/a:1"}\n` +
          '  maintenanceOperator: {deploy: true, operator: {image: {repository: nvcr.io/nvstaging/mellanox}}}\n' +
          '  nodeFeatureDiscovery: {deploy: true, image: {repository: "staging.example.com/nfd"}}\n',
      ),
      expected: [
        'cluster.yaml:9:24 `spec.sriovNetworkOperator.images.operator` is of a staging registry: `nvcr.io/nvstaging/mellanox/a:1`',
        'cluster.yaml:10:57 `spec.maintenanceOperator.operator.image` is of a staging registry: `nvcr.io/nvstaging/mellanox`',
        'cluster.yaml:11:47 `spec.nodeFeatureDiscovery.image` is of a staging registry: `staging.example.com/nfd`',
      ],
      help: HELP,
    },
    {
      name: '`global.repository`, once for all sections',
      cluster: cluster(RELEASED),
      policy: policy('  global: {repository: staging.example.com}\n  nvIpam: {}\n  nicFeatureDiscovery: {}\n'),
      expected: ['policy.yaml:6:24 `spec.global.repository` is a staging registry: `staging.example.com`'],
    },
    {
      name: 'an image of a final release',
      cluster: cluster(RELEASED),
      policy: policy('  spectrumXOperator: {xPlane: {}}\n'),
      expected: [
        'policy.yaml:6:23 release v26.4 fills `spec.spectrumXOperator.xPlane` with an image of a staging registry: ' +
          '`nvcr.io/nvstaging/doca`',
      ],
    },
    {
      name: 'an add-on of a release whose final tag is not known',
      cluster: cluster('  release: v26.7\n  nodeFeatureDiscovery: {deploy: true}\n'),
      expected: [
        'cluster.yaml:7:3 release v26.7 fills `spec.nodeFeatureDiscovery` with an image of a staging registry: ' +
          '`nvcr.io/nvstaging/mellanox/node-feature-discovery:network-operator-v26.7.0-rc.2`',
      ],
    },
    {
      name: 'images of the Cluster',
      cluster: cluster(
        '  driver: {initContainerImage: "nvcr.io/nvstaging/a:1"}\n  companion: {image: "a.staging/b:1", nodeImage: "a.staging/node:24"}\n',
      ),
      expected: [
        'cluster.yaml:6:32 `spec.driver.initContainerImage` is of a staging registry: `nvcr.io/nvstaging/a:1`',
        'cluster.yaml:7:22 `spec.companion.image` is of a staging registry: `a.staging/b:1`',
        'cluster.yaml:7:50 `spec.companion.nodeImage` is of a staging registry: `a.staging/node:24`',
      ],
    },
  ],
});
