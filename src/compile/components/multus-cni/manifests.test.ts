import { createHash } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { manifestText } from '../../../../test/golden/golden-file.js';
import { compileSection, objectsIn, testSection } from '../../../../test/golden/manifests.js';

const SECTION = `  secondaryNetwork:
    multus:
      image: multus-cni
      repository: nvcr.io/nvidia/mellanox
      version: v1`;
const TEXT =
  '{"cniVersion":"0.3.1", "name":"multus","type":"multus","delegates":[{"type":"flannel"}],"Note":"a comment"}';
const AS_TEXT = `${SECTION}\n      config: '${TEXT}'`;

testSection(__dirname, {
  goldens: [
    { name: 'minimal', spec: SECTION },
    { name: 'config-as-text', spec: AS_TEXT },
    {
      name: 'full',
      cluster: '  namespace: drivers\n  cni: {binDirectory: /opt/k3s/bin, networkDirectory: /opt/k3s/net.d}\n',
      spec: `${SECTION}
      config:
        type: multus
        name: multus-cni-network
        kubeconfig: /etc/cni/net.d/multus.d/multus.kubeconfig
        capabilities: {portMappings: true}
        logOptions: {maxAge: 5, compress: true}
        delegates:
          - name: default-cni-network
            plugins: [{type: flannel, delegate: {isDefaultGateway: true}}, {type: portmap}]
      imagePullSecrets: [first, second]
      containerResources: [{name: kube-multus, requests: {cpu: "0.1", memory: 64Mi}, limits: {memory: 1024Mi}}]
  tolerations: [{key: dedicated, operator: Exists, value: ""}]
  nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: a, operator: Exists}]}]}}`,
    },
    { name: 'openshift', cluster: '  platform: openshift\n', spec: SECTION },
  ],
  rejected: [
    {
      name: 'text that is not an object',
      spec: `${SECTION}\n      config: '[]'`,
      expected: ['policy.yaml:11:16 WEFT0143 `spec.secondaryNetwork.multus.config`: the document must be a mapping'],
    },
    {
      name: 'a program that the nodes do not have, a version, and no default network',
      spec: `${SECTION}\n      config: '{"cniVersion": "0.9.9", "type": "multuss"}'`,
      expected: [
        'policy.yaml:11:17 WEFT0143 `spec.secondaryNetwork.multus.config`: the document needs `clusterNetwork` or `delegates`, the default network of pods',
        'policy.yaml:11:31 WEFT0143 `spec.secondaryNetwork.multus.config`: `cniVersion` must be one of `0.1.0`, `0.2.0`, `0.3.0`, `0.3.1`, `0.4.0`, `1.0.0`, `1.1.0`',
        'policy.yaml:11:48 WEFT0143 `spec.secondaryNetwork.multus.config`: `type` must be `multus`, the program on the nodes',
      ],
    },
    {
      name: 'a wrong type in text',
      spec: `${SECTION}\n      config: '{"delegates": {}}'`,
      expected: ['policy.yaml:11:30 WEFT0143 `spec.secondaryNetwork.multus.config`: `delegates` must be a list'],
    },
    {
      name: 'an unknown key in an object',
      spec: `${SECTION}\n      config: {delegate: []}`,
      expected: [
        'policy.yaml:11:15 WEFT0143 `spec.secondaryNetwork.multus.config` needs `clusterNetwork` or `delegates`, the default network of pods',
        'policy.yaml:11:16 WEFT0140 `spec.secondaryNetwork.multus.config` has no key `delegate`',
      ],
    },
    {
      name: 'resources of the init container',
      spec: `${SECTION}\n      containerResources: [{name: install-multus-binary, limits: {cpu: 1}}]`,
      expected: [
        'policy.yaml:11:35 WEFT0202 `spec.secondaryNetwork.multus.containerResources` names a container `install-multus-binary` that does not exist',
      ],
    },
  ],
});

it('keeps text as it is written, and hashes it', () => {
  const objects = objectsIn('multus-cni', compileSection({ spec: AS_TEXT }));
  expect(objects.find(({ kind }) => kind === 'ConfigMap')?.['data']).toEqual({ 'cni-conf.json': TEXT });
  const hash = createHash('sha256').update(TEXT).digest('base64');
  expect(manifestText(objects)).toContain(`nvidia.network-operator.config-hash: ${hash}`);
});
