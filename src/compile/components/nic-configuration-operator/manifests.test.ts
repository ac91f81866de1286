import { LABEL_WARNING, testSection } from '../../../../test/golden/manifests.js';

testSection(__dirname, {
  goldens: [
    {
      name: 'minimal',
      spec: `  nicConfigurationOperator:
    operator: {image: nic-configuration-operator, repository: nvcr.io/nvidia/mellanox, version: v1}
    configurationDaemon: {image: nic-configuration-operator-daemon, repository: nvcr.io/nvidia/mellanox, version: v1}`,
    },
    {
      name: 'full',
      cluster: `  namespace: drivers
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
  ofedDriver: {image: doca-driver, repository: nvcr.io/nvidia/mellanox, version: 24.10-0.7.0.0-0}`,
    },
    {
      name: 'existing-storage',
      spec: `  nicConfigurationOperator:
    operator: {image: nic-configuration-operator, repository: nvcr.io/nvidia/mellanox, version: v1}
    configurationDaemon: {image: nic-configuration-operator-daemon, repository: nvcr.io/nvidia/mellanox, version: v1}
    nicFirmwareStorage: {create: false}`,
    },
    {
      name: 'gate-label',
      cluster: '  driver: {gate: label}\n',
      spec: `  nicConfigurationOperator:
    operator: {image: nic-configuration-operator, repository: nvcr.io/nvidia/mellanox, version: v1}
    configurationDaemon: {image: nic-configuration-operator-daemon, repository: nvcr.io/nvidia/mellanox, version: v1}
    nicFirmwareStorage: {}`,
      warnings: [LABEL_WARNING],
    },
    {
      name: 'openshift',
      cluster: `  platform: openshift
  release: v26.4
`,
      spec: '  nicConfigurationOperator: {}',
    },
  ],
  rejected: [
    {
      name: 'a section without images',
      spec: '  nicConfigurationOperator: {}',
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
    logLevel: trace`,
      expected: ['policy.yaml:9:15 WEFT0143 `spec.nicConfigurationOperator.logLevel` must be `info` or `debug`'],
    },
    {
      name: 'a size without a unit',
      spec: `  nicConfigurationOperator:
    operator: {image: nic-configuration-operator, repository: nvcr.io/nvidia/mellanox, version: v1}
    configurationDaemon: {image: nic-configuration-operator-daemon, repository: nvcr.io/nvidia/mellanox, version: v1}
    nicFirmwareStorage: {availableStorageSize: "1"}`,
      expected: [
        'policy.yaml:9:48 WEFT0143 `spec.nicConfigurationOperator.nicFirmwareStorage.availableStorageSize` must be a whole number with a binary unit, such as `1Gi`',
      ],
    },
    {
      name: 'names that a claim cannot have',
      spec: `  nicConfigurationOperator:
    operator: {image: nic-configuration-operator, repository: nvcr.io/nvidia/mellanox, version: v1}
    configurationDaemon: {image: nic-configuration-operator-daemon, repository: nvcr.io/nvidia/mellanox, version: v1}
    nicFirmwareStorage: {pvcName: a.b, storageClassName: ""}`,
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
    configurationDaemon: {image: nic-configuration-operator-daemon, repository: nvcr.io/nvidia/mellanox, version: v1}`,
      expected: [
        'policy.yaml:7:129 WEFT0202 `spec.nicConfigurationOperator.operator.containerResources` names a container `manager` that does not exist',
      ],
    },
  ],
});
