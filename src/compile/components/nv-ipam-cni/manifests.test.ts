import { testSection } from '../../../../test/golden/manifests.js';

const NOT_SERVED =
  'WEFT0281 the API server will refuse every new or changed IPPool and CIDRPool: NV-IPAM does not serve its webhook since v0.3.6, in no known release';

testSection(__dirname, {
  goldens: [
    {
      name: 'minimal',
      spec: '  nvIpam: {image: nvidia-k8s-ipam, repository: nvcr.io/nvidia/mellanox, version: v1}',
    },
    {
      name: 'full',
      cluster: `  namespace: drivers
  cni: {binDirectory: /srv/cni/bin, networkDirectory: /srv/cni/net.d}
`,
      spec: `  nvIpam:
    image: nvidia-k8s-ipam
    repository: nvcr.io/nvidia/mellanox
    version: sha256:${'0'.repeat(64)}
    enableWebhook: true
    imagePullSecrets: [first, second]
    containerResources: [{name: nv-ipam-node, requests: {cpu: "0.1", memory: 64Mi}, limits: {memory: 1024Mi}}]
  tolerations: [{key: dedicated, operator: Exists}]
  nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: zone, operator: In, values: [a]}]}]}}
  deploymentTolerations: [{key: infra, operator: Exists, effect: NoSchedule}]
  deploymentNodeAffinity:
    requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: infra, operator: Exists}]}]}
    preferredDuringSchedulingIgnoredDuringExecution: [{weight: 20, preference: {matchExpressions: [{key: disk, operator: NotIn, values: [hdd]}]}}]`,
      warnings: [
        `policy.yaml:10:5 ${NOT_SERVED}`,
        'policy.yaml:10:20 WEFT0266 `spec.nvIpam.enableWebhook` needs the API `cert-manager.io`, of which the input has nothing',
      ],
    },
    {
      name: 'openshift',
      cluster: '  platform: openshift\n',
      spec: '  nvIpam: {image: nvidia-k8s-ipam, repository: nvcr.io/nvidia/mellanox, version: v1, enableWebhook: true}',
      warnings: [`policy.yaml:6:86 ${NOT_SERVED}`],
    },
    {
      name: 'image-of-the-release',
      cluster: '  release: v26.4\n',
      spec: '  nvIpam: {}',
    },
  ],
  rejected: [
    {
      name: 'a misspelt key',
      spec: '  nvIpam: {image: nvidia-k8s-ipam, repository: nvcr.io/nvidia/mellanox, version: v1, enableWebHook: true}',
      expected: ['policy.yaml:6:86 WEFT0140 `spec.nvIpam` has no key `enableWebHook`'],
    },
    {
      name: 'a section without an image',
      spec: '  nvIpam: {repository: nvcr.io/nvidia/mellanox, version: v1}',
      expected: ['policy.yaml:6:3 WEFT0200 `spec.nvIpam.image` is missing'],
    },
    {
      name: 'amounts for a container that does not exist',
      spec: '  nvIpam: {image: nvidia-k8s-ipam, repository: nvcr.io/nvidia/mellanox, version: v1, containerResources: [{name: nv-ipam}]}',
      expected: [
        'policy.yaml:6:114 WEFT0202 `spec.nvIpam.containerResources` names a container `nv-ipam` that does not exist',
      ],
    },
  ],
});
