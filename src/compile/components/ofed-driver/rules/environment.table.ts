import { policyText } from '../../../../../test/golden/compile.js';
import { testRule } from '../../../../../test/golden/rule-table.js';

const policy = (...names: readonly string[]): string =>
  policyText(
    'NicClusterPolicy',
    'nic-cluster-policy',
    `  ofedDriver:\n    env:\n${names.map((name) => `      - {name: ${name}, value: "true"}\n`).join('')}`,
  );

testRule('WEFT0325', {
  valid: [
    { name: 'variables of the driver', policy: policy('UNLOAD_STORAGE_MODULES', 'CREATE_IFNAMES_UDEV', 'USE_DKMS') },
    { name: 'variables of its scripts', policy: policy('HTTPS_PROXY', 'no_proxy', 'DEBIAN_FRONTEND') },
  ],
  invalid: [
    {
      name: 'one that is misspelt',
      policy: policy('ENABLE_NFSRDMA', 'UNLOAD_STORAGE_MODULE'),
      expected: ['policy.yaml:9:16 the driver does not know the variable `UNLOAD_STORAGE_MODULE`'],
      help: 'did you mean `UNLOAD_STORAGE_MODULES`?',
    },
    {
      name: 'one of something else',
      policy: policy('FAVOURITE_COLOUR'),
      expected: ['policy.yaml:8:16 the driver does not know the variable `FAVOURITE_COLOUR`'],
      help: 'remove it; if your image of the driver reads it, write `# weft-ignore WEFT0325: reason` above it',
    },
  ],
});
