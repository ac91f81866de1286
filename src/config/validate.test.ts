import { describe, expect, it } from '@jest/globals';
import {
  clusterText,
  compile,
  PLAIN_CLUSTER,
  policyText,
  problemLines,
  UBUNTU_POOL,
} from '../../test/golden/compile.js';
import { testRule } from '../../test/golden/rule-table.js';

const policy = (spec: string): string => policyText('NicClusterPolicy', 'nic-cluster-policy', spec);
const cluster = (spec: string): string => clusterText(`${spec}  nodePools:\n${UBUNTU_POOL}`);

testRule('WEFT0140', {
  valid: [
    {
      name: 'what kubectl exports',
      policy: policy('  {}\n').replace(
        'metadata:',
        'status: {state: ready}\nmetadata:\n  uid: a\n  managedFields: [{manager: x}]',
      ),
    },
    { name: 'labels of any name', policy: policy('  {}\n').replace('metadata:', 'metadata:\n  labels: {a.b/c: d}') },
  ],
  invalid: [
    {
      name: 'a near miss',
      policy: policy('  ofedDriver:\n    imagePullSecret: [a]\n'),
      expected: ['policy.yaml:7:5 `spec.ofedDriver` has no key `imagePullSecret`'],
      help: 'did you mean `imagePullSecrets`?',
    },
    {
      name: 'several in one mapping, each at its place',
      policy: policy('  ofedDriver: {foo: 1, bar: 2}\n'),
      expected: [
        'policy.yaml:6:16 `spec.ofedDriver` has no key `foo`',
        'policy.yaml:6:24 `spec.ofedDriver` has no key `bar`',
      ],
    },
    {
      name: 'a key far from any other',
      cluster: cluster('  zzzzzzzz: 1\n  cni: {qqqqqqqqqqqq: 1}\n'),
      expected: [
        'cluster.yaml:6:3 `spec` has no key `zzzzzzzz`',
        'cluster.yaml:7:9 `spec.cni` has no key `qqqqqqqqqqqq`',
      ],
      help: 'known keys: `binDirectory`, `networkDirectory`',
    },
    {
      name: 'a key of the document',
      policy: `${policy('  {}\n')}sepc: {}\n`,
      expected: ['policy.yaml:7:1 the document has no key `sepc`'],
      help: 'did you mean `spec`?',
    },
    {
      name: 'a key in a list',
      cluster: cluster('').replace('arch:', 'archh: x, arch:'),
      expected: ['cluster.yaml:7:59 `spec.nodePools[0]` has no key `archh`'],
      help: 'did you mean `arch`?',
    },
    {
      name: 'a key in one of two forms',
      policy: policy(
        '  rdmaSharedDevicePlugin:\n    config: {configLst: [], configList: [{resourceName: a, rdmaHcaMax: 1, devices: [b]}]}\n',
      ),
      expected: ['policy.yaml:7:14 `spec.rdmaSharedDevicePlugin.config` has no key `configLst`'],
      help: 'did you mean `configList`?',
    },
  ],
});

testRule('WEFT0141', {
  valid: [{ name: 'everything that is required' }],
  invalid: [
    {
      name: 'a list',
      cluster: clusterText('  {}\n'),
      expected: ['cluster.yaml:5:1 `spec.nodePools` is missing'],
    },
    {
      name: 'the metadata',
      policy: 'apiVersion: mellanox.com/v1alpha1\nkind: NicClusterPolicy\n',
      expected: ['policy.yaml:1:1 `metadata` is missing'],
    },
    {
      name: 'keys of a pool',
      cluster: clusterText('  nodePools:\n    - {name: a}\n'),
      expected: [
        'cluster.yaml:7:8 `spec.nodePools[0].arch` is missing',
        'cluster.yaml:7:8 `spec.nodePools[0].osName` is missing',
        'cluster.yaml:7:8 `spec.nodePools[0].osVersion` is missing',
      ],
    },
    {
      name: 'keys of a probe',
      policy: policy('  ofedDriver:\n    startupProbe: {periodSeconds: 1}\n'),
      expected: ['policy.yaml:7:5 `spec.ofedDriver.startupProbe.initialDelaySeconds` is missing'],
    },
  ],
});

testRule('WEFT0142', {
  valid: [
    {
      name: 'null where there is a default',
      policy: policy('  tolerations: null\n  ofedDriver: {imagePullSecrets: ~}\n'),
    },
    {
      name: 'null where nothing is required',
      policy: policy(
        '  nodeAffinity:\n  rdmaSharedDevicePlugin:\n  ofedDriver: {env: [{name: A, value: ~}], startupProbe: null}\n',
      ),
    },
    {
      name: 'a number where there may be an amount',
      policy: policy('  ofedDriver: {containerResources: [{name: mofed-container, limits: {cpu: 1}}]}\n'),
    },
  ],
  invalid: [
    {
      name: 'numbers and booleans for text',
      policy: policy('  ofedDriver:\n    image: yes\n    version: 24.10\n    repository: 0x10\n'),
      expected: [
        'policy.yaml:7:12 `spec.ofedDriver.image` must be a string',
        'policy.yaml:8:14 `spec.ofedDriver.version` must be a string',
        'policy.yaml:9:17 `spec.ofedDriver.repository` must be a string',
      ],
      help: 'write "24.10"',
    },
    {
      name: 'text for numbers and booleans',
      policy: policy('  ofedDriver:\n    terminationGracePeriodSeconds: "300"\n    forcePrecompiled: "yes"\n'),
      expected: [
        'policy.yaml:7:36 `spec.ofedDriver.terminationGracePeriodSeconds` must be a number',
        'policy.yaml:8:23 `spec.ofedDriver.forcePrecompiled` must be `true` or `false`',
      ],
      help: 'write 300, without quotes',
    },
    {
      name: 'a fraction for a whole number',
      policy: policy('  ofedDriver:\n    terminationGracePeriodSeconds: 1.5\n'),
      expected: ['policy.yaml:7:36 `spec.ofedDriver.terminationGracePeriodSeconds` must be a whole number'],
    },
    {
      name: 'collections',
      policy: policy('  ofedDriver: []\n  tolerations: {}\n'),
      expected: [
        'policy.yaml:6:15 `spec.ofedDriver` must be a mapping',
        'policy.yaml:7:16 `spec.tolerations` must be a list',
      ],
    },
    {
      name: 'null',
      policy: policy('  ofedDriver:\n    startupProbe: {initialDelaySeconds: ~, periodSeconds: 1}\n'),
      expected: ['policy.yaml:7:41 `spec.ofedDriver.startupProbe.initialDelaySeconds` must be a number'],
      help: 'give a value, or remove the key',
    },
    {
      name: 'a value of a map',
      cluster: cluster('  cni: {}\n').replace('kernel: 6.8.0-31-generic', 'labels: {a: 1}'),
      expected: ['cluster.yaml:8:84 `spec.nodePools[0].labels.a` must be a string'],
    },
  ],
});

testRule('WEFT0143', {
  valid: [
    {
      name: 'fractions in quotes',
      policy: policy(
        '  ofedDriver: {containerResources: [{name: mofed-container, limits: {cpu: "0.5", memory: 1e3}}]}\n',
      ),
    },
  ],
  invalid: [
    {
      name: 'a fraction without quotes, which the API server refuses (int-or-string)',
      policy: policy('  ofedDriver: {containerResources: [{name: mofed-container, limits: {cpu: 0.5}}]}\n'),
      expected: [
        'policy.yaml:6:75 `spec.ofedDriver.containerResources[0].limits.cpu` must be a whole number, or an amount in quotes such as `"0.5"`',
      ],
    },
  ],
});

describe('a document', () => {
  it('has all of its problems at once', () => {
    const lines = problemLines(
      compile({
        'cluster.yaml': PLAIN_CLUSTER,
        'policy.yaml': policy('  ofedDriver: {versoin: 1, env: [{nam: a}]}\n  tolerations: [{key: 1}]\n'),
      }).diagnostics,
    );
    expect(lines.map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual([
      'policy.yaml:6:16 WEFT0140',
      'policy.yaml:6:35 WEFT0140',
      'policy.yaml:6:35 WEFT0141',
      'policy.yaml:7:23 WEFT0142',
    ]);
  });

  it('may have keys that JavaScript knows, which are unknown here as well', () => {
    const { diagnostics } = compile({
      'cluster.yaml': PLAIN_CLUSTER,
      'policy.yaml': policy('  ofedDriver: {toString: 1, hasOwnProperty: 2}\n'),
    });
    expect(diagnostics.map(({ code }) => code)).toEqual(['WEFT0140', 'WEFT0140']);
  });
});
