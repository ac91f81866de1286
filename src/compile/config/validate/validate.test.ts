import { describe, expect, it } from '@jest/globals';
import {
  clusterText,
  compile,
  PLAIN_CLUSTER,
  policyText,
  problemLines,
  UBUNTU_POOL,
} from '../../../../test/golden/compile.js';
import { testRule } from '../../../../test/golden/rule-table.js';

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
      name: 'a limit that this driver has in the Cluster document',
      policy: policy('  ofedDriver:\n    upgradePolicy: {autoUpgrade: true, maxUnavailable: 2}\n'),
      expected: ['policy.yaml:7:40 `spec.ofedDriver.upgradePolicy` has no key `maxUnavailable`'],
      help: 'the policy of this driver has none: set `spec.upgrade.pools[].maxUnavailable` in the Cluster document, or `maxParallelUpgrades` here',
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
      help: '`kubectl get nodes -o json | weft pools` prints the pools of a cluster',
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
    {
      name: 'selectors of pods',
      policy: policy(
        '  ofedDriver: {upgradePolicy: {waitForCompletion: {podSelector: "app in (a, b),!c"}, drain: {podSelector: d==e}}}\n',
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
    {
      name: 'selectors of pods, which the operator takes and cannot read',
      policy: policy(
        '  ofedDriver: {upgradePolicy: {autoUpgrade: true, waitForCompletion: {podSelector: app==a==b}, drain: {podSelector: app in x}}}\n',
      ),
      expected: [
        'policy.yaml:6:84 `spec.ofedDriver.upgradePolicy.waitForCompletion.podSelector`: `a==b` in `app==a==b` is no valid label value',
        'policy.yaml:6:117 `spec.ofedDriver.upgradePolicy.drain.podSelector`: `app in x` is neither a label key nor a requirement',
      ],
    },
  ],
});

const upgrade = (fields: string): string => `upgrade: {${fields}}`;
const openings = (fields: string): string => upgrade(`maintenanceWindows: [{${fields}}]`);
const asked = (fields: string): string => upgrade(`drainer: MaintenanceOperator, nodeMaintenance: {${fields}}`);
const fieldOf = (path: string) => (fact: string) => [expect.stringContaining(`\`spec.${path}\`${fact}`)];

describe('a value of the Cluster that Kubernetes or the companion cannot use', () => {
  const opening = fieldOf('upgrade.maintenanceWindows[0].schedule');
  const length = fieldOf('upgrade.maintenanceWindows[0].duration');
  const zone = fieldOf('upgrade.maintenanceWindows[0].timeZone');
  const companion = fieldOf('companion.schedule');
  const table: readonly { spec: string; expected: readonly unknown[]; help?: string }[] = [
    { spec: openings('schedule: "0 22 * * 5", duration: 6h, timeZone: Europe/Oslo'), expected: [] },
    {
      spec: openings('schedule: "0 25 * * 5", duration: 6h'),
      expected: opening(': `0 25 * * 5` is no schedule: Invalid value for hour: 25'),
    },
    {
      spec: openings('schedule: "0 22 * * FRYDAY", duration: 6h'),
      expected: opening(': `FRYDAY` is no field of a schedule'),
    },
    { spec: openings('schedule: "0 0 22 * * 5", duration: 6h'), expected: opening(': a schedule has five fields') },
    {
      spec: openings('schedule: "0 22 31 2 *", duration: 6h'),
      expected: opening(': `0 22 31 2 *` names a day that no year has'),
    },
    { spec: openings('schedule: "0 22 * * 5", duration: 0h'), expected: length(' must be a minute at least') },
    { spec: openings('schedule: "0 22 * * 5", duration: 6 hours'), expected: length(' must be a duration such as') },
    { spec: openings('schedule: "0 22 * * 5", duration: ""'), expected: length(' must be a duration such as') },
    {
      spec: openings('schedule: "0 22 * * 5", duration: 6'),
      expected: length(' must be a string'),
      help: 'it must be a duration such as `30m` or `1h30m`',
    },
    {
      spec: openings('schedule: "0 22 * * 5", duration: 6h, timeZone: Europe/Olso'),
      expected: zone(' must be an IANA time zone'),
      help: 'did you mean `Europe/Oslo`?',
    },
    { spec: upgrade('canary: {soak: 1 day}'), expected: fieldOf('upgrade.canary.soak')(' must be a duration such as') },
    { spec: upgrade('canary: {soak: 0s}'), expected: [] },
    { spec: upgrade('topologyKey: rack name'), expected: fieldOf('upgrade.topologyKey')(' must be a label key') },
    { spec: upgrade('topologyKey: example.com/rack'), expected: [] },
    {
      spec: upgrade('validation: {podSelector: app in x}'),
      expected: fieldOf('upgrade.validation.podSelector')(': `app in x` is neither a label key nor a requirement'),
    },
    { spec: upgrade('validation: {podSelector: "app in (x, y), !a"}'), expected: [] },
    {
      spec: upgrade('validation: {resources: [rdma_shared_device_b]}'),
      expected: fieldOf('upgrade.validation.resources[0]')(' must be the full name of a resource'),
    },
    { spec: upgrade('validation: {resources: [rdma/rdma_shared_device_b]}'), expected: [] },
    ...[
      { budget: '0', fact: ' must be at least 1' },
      { budget: '0%', fact: ' must be a whole number or a percentage, and not 0' },
    ].map(({ budget, fact }) => ({
      spec: upgrade(`failureBudget: ${budget}`),
      expected: fieldOf('upgrade.failureBudget')(fact),
      help: 'write `1`: new nodes stop after the first failure. `paused: true` begins none',
    })),
    ...['1', '1%', '100%'].map((budget) => ({ spec: upgrade(`failureBudget: ${budget}`), expected: [] })),
    ...['nvidia.gpu.operator', 'nvidia.doca-driver-upgrade-nnp-a'].map((id) => ({
      spec: asked(`requestorID: ${id}`),
      expected: fieldOf('upgrade.nodeMaintenance.requestorID')(' must be an ID that no other program has'),
    })),
    { spec: asked('requestorID: weft.nvidia'), expected: [] },
    {
      spec: asked('requestorID: ""'),
      expected: fieldOf('upgrade.nodeMaintenance.requestorID')(' must have at least 2 characters'),
    },
    {
      spec: asked('namePrefix: foo-'),
      expected: fieldOf('upgrade.nodeMaintenance.namePrefix')(
        ' must be lower-case letters, digits, `-` and `.`, and begin and end with a letter or a digit',
      ),
    },
    {
      spec: 'driver: {initContainerImage: foo bar}',
      expected: fieldOf('driver.initContainerImage')(' must be an image such as'),
    },
    {
      spec: 'openshift: {driverToolkitImages: {"417.94.202503060903-0": foo bar}}',
      expected: fieldOf('openshift.driverToolkitImages["417.94.202503060903-0"]')(' must be an image such as'),
    },
    { spec: 'companion: {schedule: "", image: ""}', expected: [] },
    {
      spec: 'companion: {program: configMap, image: a}',
      expected: fieldOf('companion.program')(' must not be `configMap` beside an `image`, which has the program'),
    },
    {
      spec: 'companion: {program: image}',
      expected: fieldOf('companion.program')(' must not be `image` without an `image`: this build of Weft names none'),
    },
    { spec: 'companion: {program: image, image: a}', expected: [] },
    { spec: 'companion: {program: configMap, nodeImage: a}', expected: [] },
    {
      spec: 'companion: {image: foo bar}',
      expected: fieldOf('companion.image')(' must be an image such as'),
    },
    {
      spec: 'companion: {image: "node:24@sha256:x"}',
      expected: fieldOf('companion.image')(' must be an image such as'),
    },
    { spec: `companion: {image: "a.b:5000/node:24@sha256:${'a'.repeat(64)}"}`, expected: [] },
    {
      spec: 'companion: {schedule: every day}',
      expected: companion(': a schedule has five fields, `every day` has 2'),
    },
    {
      spec: 'companion: {schedule: 0 3 * * 5-7}',
      expected: companion(': `5-7` is no weekday of a CronJob: Sunday is 0'),
    },
    {
      spec: 'companion: {schedule: 0 3 * * fri-sun}',
      expected: companion(': `fri-sun` is no weekday of a CronJob: Sunday is 0'),
    },
    { spec: 'companion: {schedule: "@hourly"}', expected: [] },
    {
      spec: 'companion: {tolerations: [{operator: Exists, key: a, value: hpc}]}',
      expected: fieldOf('companion.tolerations[0].value')(' must not be there with the operator `Exists`'),
    },
  ];
  it.each(table)('$spec', ({ spec, expected, help }) => {
    const { diagnostics } = compile({ 'cluster.yaml': cluster(`  ${spec}\n`) });
    const errors = diagnostics.filter(({ severity }) => severity === 'error');
    expect(errors.map(({ message }) => message)).toEqual(expected);
    if (help !== undefined) expect(errors.map((error) => error.help)).toEqual([help]);
  });
});

testRule('WEFT0144', {
  valid: [
    { name: 'a section without keys', policy: policy('  ofedDriver: {}\n') },
    {
      name: 'values that are not there',
      policy: policy('  tolerations:\n  ofedDriver: {version: ~, imagePullSecrets: ~}\n'),
    },
    { name: 'a mapping with defaults of its own', cluster: cluster('  cni:\n  driver: ~\n') },
  ],
  invalid: [
    {
      name: 'sections of a policy',
      policy: policy('  ofedDriver:\n  secondaryNetwork:\n    multus:\n    cniPlugins: {}\n'),
      expected: [
        'policy.yaml:6:3 `spec.ofedDriver` is empty and ignored',
        'policy.yaml:8:5 `spec.secondaryNetwork.multus` is empty and ignored',
      ],
      help: 'write `multus: {}`, or remove the key; what belongs to it must be indented deeper',
    },
    {
      name: 'a section that needs keys, and one in a list',
      policy: policy('  ibKubernetes:\n  ofedDriver: {env: [{name: A, valueFrom: ~}]}\n'),
      expected: [
        'policy.yaml:6:3 `spec.ibKubernetes` is empty and ignored',
        'policy.yaml:7:32 `spec.ofedDriver.env[0].valueFrom` is empty and ignored',
      ],
      help: 'give it its keys, indented deeper, or remove it',
    },
    {
      name: 'a section beside an error',
      policy: policy('  ofedDriver:\n  versoin: 1\n'),
      expected: ['policy.yaml:6:3 `spec.ofedDriver` is empty and ignored'],
    },
  ],
});

describe('a document', () => {
  it('has all of its problems at once', () => {
    const lines = problemLines(
      compile({
        'cluster.yaml': PLAIN_CLUSTER,
        'policy.yaml': policy('  ofedDriver: {versoin: 1, env: [{other: a}]}\n  tolerations: [{key: 1}]\n'),
      }).diagnostics,
    );
    expect(lines.map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual([
      'policy.yaml:6:16 WEFT0140',
      'policy.yaml:6:35 WEFT0140',
      'policy.yaml:6:35 WEFT0141',
      'policy.yaml:7:23 WEFT0142',
    ]);
  });

  it('has one problem where a required key is misspelt', () => {
    const { diagnostics } = compile({
      'cluster.yaml': PLAIN_CLUSTER,
      'policy.yaml': policy('  ofedDriver: {env: [{nam: a}]}\n'),
    });
    expect(problemLines(diagnostics)).toEqual(['policy.yaml:6:23 WEFT0140 `spec.ofedDriver.env[0]` has no key `nam`']);
  });

  it('has one problem where a key cannot be used', () => {
    const { diagnostics } = compile({
      'cluster.yaml': PLAIN_CLUSTER,
      'policy.yaml': policy('  ofedDriver: {__proto__: 1, constructor: 2}\n'),
    });
    expect(diagnostics.map(({ code }) => code)).toEqual(['WEFT0106', 'WEFT0106']);
  });

  it('may have keys that JavaScript knows, which are unknown here as well', () => {
    const { diagnostics } = compile({
      'cluster.yaml': PLAIN_CLUSTER,
      'policy.yaml': policy('  ofedDriver: {toString: 1, hasOwnProperty: 2}\n'),
    });
    expect(diagnostics.map(({ code }) => code)).toEqual(['WEFT0140', 'WEFT0140']);
  });
});
