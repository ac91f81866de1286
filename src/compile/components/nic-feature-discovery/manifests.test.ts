import { testSection } from '../../../../test/golden/manifests.js';

testSection(__dirname, {
  goldens: [
    {
      name: 'minimal',
      spec: '  nicFeatureDiscovery: {image: nic-feature-discovery, repository: nvcr.io/nvidia/mellanox, version: v1}',
    },
    {
      name: 'full',
      cluster: '  namespace: drivers\n',
      spec: `  nicFeatureDiscovery:
    image: nic-feature-discovery
    repository: nvcr.io/nvidia/mellanox
    version: v1
    imagePullSecrets: [first, second]
    containerResources: [{name: nic-feature-discovery, requests: {cpu: "0.1"}, limits: {memory: 1024Mi}}]
  tolerations: [{key: dedicated, operator: Exists}]
  nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: zone, operator: In, values: [a]}]}]}}`,
    },
    {
      name: 'openshift',
      cluster: `  platform: openshift
  release: v26.4
`,
      spec: '  nicFeatureDiscovery: {}',
    },
  ],
  rejected: [
    {
      name: 'a section without a version',
      spec: '  nicFeatureDiscovery: {image: nic-feature-discovery, repository: nvcr.io/nvidia/mellanox}',
      expected: ['policy.yaml:6:3 WEFT0200 `spec.nicFeatureDiscovery.version` is missing'],
    },
  ],
});
