import { testSection } from '../../../../test/golden/manifests.js';

const SECTION = `  secondaryNetwork:
    cniPlugins:
      image: plugins
      repository: nvcr.io/nvidia/mellanox
      version: v1`;

testSection(__dirname, {
  goldens: [
    { name: 'minimal', spec: SECTION },
    {
      name: 'full',
      cluster: '  namespace: drivers\n  cni: {binDirectory: /var/lib/rancher/k3s/data/cni}\n',
      spec: `${SECTION}
      imagePullSecrets: [first, second]
      containerResources: [{name: cni-plugins, requests: {cpu: "0.1", memory: 64Mi}, limits: {memory: 1024Mi}}]
  tolerations: [{key: dedicated, operator: Exists, value: ""}]
  nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: a, operator: Exists}]}]}}`,
    },
    { name: 'openshift', cluster: '  platform: openshift\n', spec: SECTION },
  ],
  rejected: [
    {
      name: 'resources for another container',
      spec: `${SECTION}\n      containerResources: [{name: plugin, limits: {cpu: 1}}]`,
      expected: [
        'policy.yaml:11:35 WEFT0202 `spec.secondaryNetwork.cniPlugins.containerResources` names a container `plugin` that does not exist',
      ],
    },
    {
      name: 'a configuration',
      spec: `${SECTION}\n      config: "{}"`,
      expected: ['policy.yaml:11:7 WEFT0140 `spec.secondaryNetwork.cniPlugins` has no key `config`'],
    },
  ],
});
