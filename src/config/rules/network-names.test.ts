import { testRule } from '../../../test/golden/rule-table.js';

const network = (kind: string, name: string, spec = '{}'): string =>
  `apiVersion: mellanox.com/v1alpha1\nkind: ${kind}\nmetadata:\n  name: ${name}\nspec: ${spec}\n`;

testRule('WEFT0239', {
  valid: [
    {
      name: 'other names',
      network: [network('MacvlanNetwork', 'first'), network('IPoIBNetwork', 'second')].join('---\n'),
    },
    {
      name: 'other namespaces',
      network: [
        network('MacvlanNetwork', 'net', '{networkNamespace: first}'),
        network('HostDeviceNetwork', 'net', '{networkNamespace: second, resourceName: a}'),
      ].join('---\n'),
    },
  ],
  invalid: [
    {
      name: 'one name',
      network: [
        network('IPoIBNetwork', 'net'),
        network('MacvlanNetwork', 'net', '{networkNamespace: default}'),
        network('HostDeviceNetwork', 'net', '{networkNamespace: "", resourceName: a}'),
      ].join('---\n'),
      expected: [
        'network.yaml:4:9 IPoIBNetwork and MacvlanNetwork `net` both become a network of that name in namespace `default`',
        'network.yaml:16:9 HostDeviceNetwork and MacvlanNetwork `net` both become a network of that name in namespace `default`',
      ],
      help: 'give one of them another name, or another `networkNamespace`',
    },
  ],
});
