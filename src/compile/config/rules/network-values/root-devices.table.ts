import { testRule } from '../../../../../test/golden/rule-table.js';

const roots = (addresses: string): string =>
  `apiVersion: sriovnetwork.openshift.io/v1\nkind: SriovNetworkNodePolicy\nmetadata: {name: policy}\nspec:\n  resourceName: r\n  nodeSelector: {}\n  nicSelector: {rootDevices: [${addresses}]}\n  numVfs: 1\n`;

testRule('WEFT0223', {
  valid: [
    { name: 'addresses of the operator', policy: roots('"0000:3b:00.0"') },
    { name: 'a variable that was not filled in', policy: roots('"${ROOT}"') },
  ],
  invalid: [
    {
      name: 'an address without a domain',
      policy: roots('"0000:af:00.0", "3b:00.0"'),
      expected: [
        'policy.yaml:7:47 `rootDevices[1]` of SriovNetworkNodePolicy `policy` is `3b:00.0`, which no device has: PCI addresses are such as `0000:3b:00.0`',
      ],
      help: 'write `0000:3b:00.0`',
    },
  ],
});
