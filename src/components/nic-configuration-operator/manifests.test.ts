import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { clusterText, compile, policyText, problemLines, UBUNTU_POOL } from '../../../test/golden/compile.js';
import { expectGolden, manifestText } from '../../../test/golden/golden-file.js';

const cluster = (more = ''): string => clusterText(`${more}  nodePools:\n${UBUNTU_POOL}`);
const policy = (spec: string): string => policyText('NicClusterPolicy', 'nic-cluster-policy', spec);

interface Golden {
  readonly name: string;
  readonly more?: string;
  readonly spec: string;
  readonly warnings?: readonly string[];
}

const goldens: readonly Golden[] = [
  {
    name: 'minimal',
    spec: `  nicConfigurationOperator:
    operator: {image: nic-configuration-operator, repository: nvcr.io/nvidia/mellanox, version: v1}
    configurationDaemon: {image: nic-configuration-operator-daemon, repository: nvcr.io/nvidia/mellanox, version: v1}
`,
  },
  {
    name: 'full',
    more: `  namespace: drivers
  driver: {initContainerImage: ""}
`,
    spec: `  nicConfigurationOperator:
    operator:
      image: nic-configuration-operator
      repository: nvcr.io/nvidia/mellanox
      version: v1
      imagePullSecrets: [first]
      containerResources:
        - {name: nic-configuration-operator, requests: {cpu: "0.1"}, limits: {memory: 1024Mi}}
        - {name: nic-configuration-daemon, requests: {cpu: 1}}
    configurationDaemon:
      image: nic-configuration-operator-daemon
      repository: nvcr.io/nvidia/mellanox
      version: v2
      imagePullSecrets: [second]
      containerResources: [{name: nic-configuration-daemon, requests: {cpu: 2}}]
    env:
      - {name: FW_RESET_AFTER_CONFIG_UPDATE, value: "true"}
      - {name: NODE_IP, valueFrom: {fieldRef: {fieldPath: status.hostIP}}}
    nicFirmwareStorage: {pvcName: firmware, storageClassName: "123", availableStorageSize: 5Gi}
    logLevel: debug
  tolerations: [{key: dedicated, operator: Exists}]
  nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: zone, operator: In, values: [a]}]}]}}
  deploymentTolerations: [{key: infra, operator: Exists, effect: NoSchedule}]
  deploymentNodeAffinity:
    requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: infra, operator: Exists}]}]}
    preferredDuringSchedulingIgnoredDuringExecution: [{weight: 20, preference: {matchExpressions: [{key: disk, operator: NotIn, values: [hdd]}]}}]
  ofedDriver: {image: doca-driver, repository: nvcr.io/nvidia/mellanox, version: 24.10-0.7.0.0-0}
`,
  },
  {
    name: 'existing-storage',
    spec: `  nicConfigurationOperator:
    operator: {image: nic-configuration-operator, repository: nvcr.io/nvidia/mellanox, version: v1}
    configurationDaemon: {image: nic-configuration-operator-daemon, repository: nvcr.io/nvidia/mellanox, version: v1}
    nicFirmwareStorage: {create: false}
`,
  },
  {
    name: 'gate-label',
    more: `  driver: {gate: label}
`,
    spec: `  nicConfigurationOperator:
    operator: {image: nic-configuration-operator, repository: nvcr.io/nvidia/mellanox, version: v1}
    configurationDaemon: {image: nic-configuration-operator-daemon, repository: nvcr.io/nvidia/mellanox, version: v1}
    nicFirmwareStorage: {}
`,
    warnings: [
      'cluster.yaml:6:18 WEFT0236 with `gate: label` device plugins wait for a label that nothing in this output keeps',
    ],
  },
  {
    name: 'openshift',
    more: `  platform: openshift
  release: v26.4
`,
    spec: `  nicConfigurationOperator: {}
`,
  },
];

describe('the manifests of nicConfigurationOperator', () => {
  it.each(goldens)('$name', ({ name, more, spec, warnings = [] }) => {
    const { placed, diagnostics } = compile({ 'cluster.yaml': cluster(more), 'policy.yaml': policy(spec) });
    expect(problemLines(diagnostics)).toEqual(warnings);
    const objects = placed.filter(({ folder }) => folder === 'nic-configuration-operator').map(({ object }) => object);
    expectGolden(join(__dirname, 'golden', `${name}.yaml`), manifestText(objects));
  });

  const rejected: readonly { readonly name: string; readonly spec: string; readonly expected: readonly string[] }[] = [
    {
      name: 'a section without images',
      spec: `  nicConfigurationOperator: {}
`,
      expected: [
        'policy.yaml:6:3 WEFT0200 `spec.nicConfigurationOperator.configurationDaemon` needs `image`, `repository` and `version`',
        'policy.yaml:6:3 WEFT0200 `spec.nicConfigurationOperator.operator` needs `image`, `repository` and `version`',
      ],
    },
    {
      name: 'a log level that does not exist',
      spec: `  nicConfigurationOperator:
    operator: {image: nic-configuration-operator, repository: nvcr.io/nvidia/mellanox, version: v1}
    configurationDaemon: {image: nic-configuration-operator-daemon, repository: nvcr.io/nvidia/mellanox, version: v1}
    logLevel: trace
`,
      expected: ['policy.yaml:9:15 WEFT0143 `spec.nicConfigurationOperator.logLevel` must be `info` or `debug`'],
    },
    {
      name: 'a size without a unit',
      spec: `  nicConfigurationOperator:
    operator: {image: nic-configuration-operator, repository: nvcr.io/nvidia/mellanox, version: v1}
    configurationDaemon: {image: nic-configuration-operator-daemon, repository: nvcr.io/nvidia/mellanox, version: v1}
    nicFirmwareStorage: {availableStorageSize: "1"}
`,
      expected: [
        'policy.yaml:9:48 WEFT0143 `spec.nicConfigurationOperator.nicFirmwareStorage.availableStorageSize` must be a whole number with a binary unit, such as `1Gi`',
      ],
    },
    {
      name: 'names that a claim cannot have',
      spec: `  nicConfigurationOperator:
    operator: {image: nic-configuration-operator, repository: nvcr.io/nvidia/mellanox, version: v1}
    configurationDaemon: {image: nic-configuration-operator-daemon, repository: nvcr.io/nvidia/mellanox, version: v1}
    nicFirmwareStorage: {pvcName: a.b, storageClassName: ""}
`,
      expected: [
        'policy.yaml:9:35 WEFT0143 `spec.nicConfigurationOperator.nicFirmwareStorage.pvcName` must be lower-case letters, digits and `-`, with a letter or digit at each end',
        'policy.yaml:9:58 WEFT0143 `spec.nicConfigurationOperator.nicFirmwareStorage.storageClassName` must be lower-case letters, digits and `-`, with a letter or digit at each end',
        'policy.yaml:9:58 WEFT0143 `spec.nicConfigurationOperator.nicFirmwareStorage.storageClassName` must have at least 1 characters',
      ],
    },
    {
      name: 'the name of the container instead of that of the program',
      spec: `  nicConfigurationOperator:
    operator: {image: nic-configuration-operator, repository: nvcr.io/nvidia/mellanox, version: v1, containerResources: [{name: manager}]}
    configurationDaemon: {image: nic-configuration-operator-daemon, repository: nvcr.io/nvidia/mellanox, version: v1}
`,
      expected: [
        'policy.yaml:7:129 WEFT0202 `spec.nicConfigurationOperator.operator.containerResources` names a container `manager` that does not exist',
      ],
    },
  ];

  it.each(rejected)('refuses $name', ({ spec, expected }) => {
    const { placed, diagnostics } = compile({ 'cluster.yaml': cluster(), 'policy.yaml': policy(spec) });
    expect(problemLines(diagnostics)).toEqual(expected);
    expect(placed).toEqual([]);
  });
});
