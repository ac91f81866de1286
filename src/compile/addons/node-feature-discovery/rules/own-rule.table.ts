import { clusterText, UBUNTU_POOL } from '../../../../../test/golden/compile.js';
import { testRule } from '../../../../../test/golden/rule-table.js';

const rule = (label: string): string =>
  `apiVersion: nfd.k8s-sigs.io/v1alpha1\nkind: NodeFeatureRule\nmetadata: {name: own}\nspec:\n  rules:\n    - name: own\n      labels: {${label}: "true"}\n`;
const MESSAGE =
  'this rule says which nodes have a NIC, so Weft leaves out its own, which labels every node with a NIC of NVIDIA';

testRule('WEFT0339', {
  valid: [
    { name: 'another label', network: rule('example.com/rack') },
    {
      name: 'no rule of Weft',
      cluster: clusterText(`  release: v26.4\n  nodeFeatureDiscovery: {rules: false}\n  nodePools:\n${UBUNTU_POOL}`),
      network: rule('feature.node.kubernetes.io/pci-15b3.present'),
    },
  ],
  invalid: [
    {
      name: 'the label',
      network: rule('feature.node.kubernetes.io/pci-15b3.present'),
      expected: [`network.yaml:7:16 ${MESSAGE}`],
    },
    {
      name: 'the label in a template',
      network: rule('example.com/rack').replace(
        '      labels:',
        '      labelsTemplate: |\n        {{ range .pci.device }}a={{ .class }}\n        pci-15b3.present=true\n        {{ end }}\n      labels:',
      ),
      expected: [`network.yaml:7:7 ${MESSAGE}`],
    },
    {
      name: 'the label without its prefix',
      network: rule('pci-15b3.present'),
      expected: [`network.yaml:7:16 ${MESSAGE}`],
    },
  ],
});
