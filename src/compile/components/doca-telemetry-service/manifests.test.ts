import { LABEL_WARNING, testSection } from '../../../../test/golden/manifests.js';

testSection(__dirname, {
  goldens: [
    {
      name: 'minimal',
      spec: '  docaTelemetryService: {image: doca_telemetry, repository: nvcr.io/nvidia/mellanox, version: v1}',
    },
    {
      name: 'full',
      cluster: `  namespace: drivers
  existingConfigMaps: [{name: own-configuration, keys: [dts_config_map.ini]}]
  driver: {initContainerImage: ""}
`,
      spec: `  docaTelemetryService:
    image: doca_telemetry
    repository: nvcr.io/nvidia/doca
    version: v1
    config: {fromConfigMap: own-configuration}
    imagePullSecrets: [first, second]
    containerResources: [{name: doca-telemetry-service, requests: {cpu: "0.1"}, limits: {memory: 1024Mi}}]
  tolerations: [{key: dedicated, operator: Exists}]
  nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: zone, operator: In, values: [a]}]}]}}
  ofedDriver: {image: doca-driver, repository: nvcr.io/nvidia/mellanox, version: 24.10-0.7.0.0-0}`,
    },
    {
      name: 'gate-label',
      cluster: '  driver: {gate: label}\n  existingConfigMaps: [{name: own, keys: [dts_config_map.ini]}]\n',
      spec: '  docaTelemetryService: {image: doca_telemetry, repository: nvcr.io/nvidia/mellanox, version: v1, config: {fromConfigMap: own}}',
      warnings: [LABEL_WARNING],
    },
    {
      name: 'openshift',
      cluster: `  platform: openshift
  release: v26.4
`,
      spec: '  docaTelemetryService: {}',
    },
  ],
  rejected: [
    {
      name: 'a name that no ConfigMap has',
      spec: '  docaTelemetryService: {image: doca_telemetry, repository: nvcr.io/nvidia/mellanox, version: v1, config: {fromConfigMap: Bad_Name}}',
      expected: [
        'policy.yaml:6:123 WEFT0143 `spec.docaTelemetryService.config.fromConfigMap` must be lower-case letters, digits, `-` and `.`, at most 253 of them',
      ],
    },
    {
      name: 'a configuration from nowhere',
      spec: '  docaTelemetryService: {image: doca_telemetry, repository: nvcr.io/nvidia/mellanox, version: v1, config: {}}',
      expected: ['policy.yaml:6:99 WEFT0141 `spec.docaTelemetryService.config.fromConfigMap` is missing'],
    },
  ],
});
