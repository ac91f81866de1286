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
    {
      name: 'variables of the driver',
      policy: policy('UNLOAD_STORAGE_MODULES', 'CREATE_IFNAMES_UDEV', 'USE_NEW_ENTRYPOINT'),
    },
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
      name: 'one that is there twice',
      policy: policy('USE_DKMS', 'USE_DKMS'),
      expected: [
        'policy.yaml:9:16 the variable `USE_DKMS` is there twice: the last value counts, and server-side apply refuses it',
      ],
      help: 'remove one of them',
    },
    {
      name: 'one of something else',
      policy: policy('FAVOURITE_COLOUR'),
      expected: ['policy.yaml:8:16 the driver does not know the variable `FAVOURITE_COLOUR`'],
      help: 'remove it; if your image of the driver reads it, write `# weft-ignore WEFT0325: reason` above it',
    },
  ],
});

const withValue = (name: string, value: string): string => policy(name).replace('"true"', JSON.stringify(value));

testRule('WEFT0345', {
  valid: [
    ...['true', 'False', '0', ''].map((value) => ({
      name: `a boolean: ${value}`,
      policy: withValue('USE_DKMS', value),
    })),
    { name: 'a number', policy: withValue('BIND_DELAY_SEC', '10') },
    { name: 'text', policy: withValue('STORAGE_MODULES', 'ib_isert nvme_rdma') },
    { name: 'a variable that was not filled in', policy: withValue('USE_DKMS', '${USE_DKMS}') },
  ],
  invalid: [
    {
      name: 'a word that is no boolean',
      policy: withValue('UNLOAD_STORAGE_MODULES', 'yes'),
      expected: [
        'policy.yaml:8:47 the driver cannot read its variable `UNLOAD_STORAGE_MODULES`, and exits: the value is no boolean',
      ],
      help: 'write `"true"` or `"false"`',
    },
    {
      name: 'a duration',
      policy: withValue('BIND_DELAY_SEC', '10s'),
      expected: [
        'policy.yaml:8:39 the driver cannot read its variable `BIND_DELAY_SEC`, and exits: the value is no integer',
      ],
      help: 'write a number of seconds, such as `"10"`',
    },
  ],
});
