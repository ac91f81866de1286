import { testSection } from '../../../../test/golden/manifests.js';

testSection(__dirname, {
  goldens: [
    {
      name: 'minimal',
      spec: '  spectrumXOperator: {image: spectrum-x-operator, repository: nvcr.io/nvidia/mellanox, version: v1}',
    },
    {
      name: 'full',
      cluster: `  namespace: drivers
  cni: {binDirectory: /srv/cni/bin, networkDirectory: /srv/cni/net.d}
`,
      spec: `  global: {imagePullSecrets: [everywhere]}
  spectrumXOperator:
    image: spectrum-x-operator
    repository: nvcr.io/nvidia/mellanox
    version: v1
    containerResources: [{name: spectrum-x-flowcontroller, requests: {cpu: "0.1"}, limits: {memory: 1024Mi}}]
    xPlane: {image: xplane, repository: nvcr.io/nvidia/doca, version: "1.0", imagePullSecrets: [first, second]}
  tolerations: [{key: dedicated, operator: Exists}]
  nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: zone, operator: In, values: [a]}]}]}}`,
    },
    {
      name: 'global-does-not-fill-x-plane',
      spec: `  global: {repository: nvcr.io/nvidia/mellanox, version: v1}
  spectrumXOperator: {image: spectrum-x-operator, xPlane: {image: xplane}}`,
      warnings: ['policy.yaml:7:51 WEFT0272 `spec.spectrumXOperator.xPlane` has no version, so XPlane is left out'],
    },
    {
      name: 'openshift',
      cluster: `  platform: openshift
  release: v26.4
`,
      spec: '  spectrumXOperator: {xPlane: {}}',
      warnings: [
        'policy.yaml:6:23 WEFT0311 release v26.4 fills `spec.spectrumXOperator.xPlane` with an image of a staging registry: `nvcr.io/nvstaging/doca`',
      ],
    },
  ],
  rejected: [
    {
      name: 'a version that is no text',
      spec: '  spectrumXOperator: {image: spectrum-x-operator, repository: nvcr.io/nvidia/mellanox, version: v1, xPlane: {image: xplane, version: 1.0}}',
      expected: ['policy.yaml:6:134 WEFT0142 `spec.spectrumXOperator.xPlane.version` must be a string'],
    },
  ],
});
