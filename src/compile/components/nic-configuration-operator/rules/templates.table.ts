import { policyText } from '../../../../../test/golden/compile.js';
import { testRule } from '../../../../../test/golden/rule-table.js';

const POLICY = policyText('NicClusterPolicy', 'nic-cluster-policy', '  nicConfigurationOperator: {}\n');
const SETTINGS = 'numVfs: 2, linkType: Ethernet';
const template = (name: string, selector: string, settings = SETTINGS, nodes = '') =>
  `---\napiVersion: configuration.net.nvidia.com/v1alpha1\nkind: NicConfigurationTemplate\nmetadata: {name: ${name}}\nspec:\n  ${nodes && `nodeSelector: {${nodes}}\n  `}nicSelector: {nicType: "1021"${selector}}\n  template: {${settings}}\n`;
const input = (...templates: readonly string[]) => ({ policy: `${POLICY}${templates.join('')}` });
const PCI = (address: string) => `, pciAddresses: ["0000:${address}:00.0"]`;
const said = (one: string, other: string) =>
  `NicConfigurationTemplates \`${one}\` and \`${other}\` select the same NICs, to which the operator then applies neither`;
const RACK = 'rack: "1"';

testRule('WEFT0536', {
  valid: [
    { name: 'NICs of other types', ...input(template('a', ''), template('b', '').replace('1021', '1023')) },
    { name: 'NICs at other addresses', ...input(template('a', PCI('03')), template('b', PCI('04'))) },
    {
      name: 'an address and a serial number',
      ...input(template('a', PCI('03')), template('b', ', serialNumbers: [x]')),
    },
    { name: 'other nodes', ...input(template('a', '', SETTINGS, RACK), template('b', '', SETTINGS, 'rack: "2"')) },
    {
      name: 'all optimizations of Ethernet',
      ...input(
        template(
          'a',
          '',
          `${SETTINGS}, roceOptimized: {enabled: true}, pciPerformanceOptimized: {enabled: true}, gpuDirectOptimized: {enabled: true, env: Baremetal}`,
        ),
      ),
    },
  ],
  invalid: [
    {
      name: 'two for all NICs',
      ...input(template('a', ''), template('b', '')),
      expected: [`policy.yaml:19:16 ${said('a', 'b')}`],
      help: 'make one of them, or narrow both: `pciAddresses`, `serialNumbers`, `partNumbers`, `nodeSelector`',
    },
    {
      name: 'one for all nodes, and one for some',
      ...input(template('a', PCI('03'), SETTINGS, RACK), template('b', '')),
      expected: [`policy.yaml:20:16 ${said('a', 'b')}`],
    },
    {
      name: 'one for all NICs, and one for an address',
      ...input(template('a', '', SETTINGS, RACK), template('b', PCI('03'), SETTINGS, RACK)),
      expected: [`policy.yaml:21:16 ${said('a', 'b')}`],
    },
    {
      name: 'RoCE on InfiniBand',
      ...input(template('a', '', 'numVfs: 2, linkType: Infiniband, roceOptimized: {enabled: true}')),
      expected: [
        'policy.yaml:13:47 NicConfigurationTemplate `a`: `roceOptimized` is for `linkType: Ethernet` only, so the operator does not configure the NICs',
      ],
    },
    {
      name: 'GPUDirect alone',
      ...input(template('a', '', `${SETTINGS}, gpuDirectOptimized: {enabled: true, env: Baremetal}`)),
      expected: [
        'policy.yaml:13:45 NicConfigurationTemplate `a`: `gpuDirectOptimized` needs `pciPerformanceOptimized`, so the operator does not configure the NICs',
      ],
      help: 'add `pciPerformanceOptimized: {enabled: true}`',
    },
  ],
});
