import { clusterText, UBUNTU_POOL } from '../../../../../test/golden/compile.js';
import { testRule } from '../../../../../test/golden/rule-table.js';

const cluster = (more = ''): string => clusterText(`  release: v26.7\n${more}  nodePools:\n${UBUNTU_POOL}`);
const SRIOV = cluster('  sriovNetworkOperator: {deploy: true}\n');
const object = (apiVersion: string, kind: string, spec: string, name = 'x'): string =>
  `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: {name: ${name}, namespace: ops}\nspec: {${spec}}\n`;
const subscription = (name: string): string => object('operators.coreos.com/v1alpha1', 'Subscription', `name: ${name}`);
const helmRelease = (spec: string): string => object('helm.toolkit.fluxcd.io/v2', 'HelmRelease', spec);
const application = (spec: string): string => object('argoproj.io/v1alpha1', 'Application', spec);

const installs = (kind: string, name = 'x') =>
  `network.yaml:3:18 ${kind} \`${name}\` installs the NVIDIA Network Operator, whose work the output and the companion do`;

testRule('WEFT0574', {
  valid: [
    { name: 'the GPU operator', cluster: cluster(), network: subscription('gpu-operator-certified') },
    {
      name: 'an add-on that Weft does not deploy',
      cluster: cluster(),
      network: subscription('sriov-network-operator'),
    },
    {
      name: 'another chart',
      cluster: SRIOV,
      network: helmRelease('chart: {spec: {chart: gpu-operator}}, values: {network-operator: {enabled: false}}'),
    },
    { name: 'other kinds', cluster: cluster(), network: object('apps/v1', 'StatefulSet', 'serviceName: a') },
    {
      name: 'a Subscription of Knative',
      cluster: cluster(),
      network: object('messaging.knative.dev/v1', 'Subscription', 'name: nvidia-network-operator'),
    },
  ],
  invalid: [
    {
      name: 'a Subscription',
      cluster: cluster(),
      network: subscription('nvidia-network-operator'),
      expected: [installs('Subscription')],
      help: 'remove the document; if it is applied already, take the cluster over with `weft takeover`; where it is never applied to this cluster, write `# weft-ignore WEFT0574: reason` above it',
    },
    {
      name: 'a ClusterServiceVersion',
      cluster: cluster(),
      network: object(
        'operators.coreos.com/v1alpha1',
        'ClusterServiceVersion',
        'version: 26.1.0',
        'nvidia-network-operator.v26.1.0',
      ),
      expected: [installs('ClusterServiceVersion', 'nvidia-network-operator.v26.1.0')],
    },
    {
      name: 'a ClusterExtension',
      cluster: cluster(),
      network: object(
        'olm.operatorframework.io/v1',
        'ClusterExtension',
        'source: {catalog: {packageName: nvidia-network-operator}}',
      ),
      expected: [installs('ClusterExtension')],
    },
    {
      name: 'a HelmRelease',
      cluster: cluster(),
      network: helmRelease('chart: {spec: {chart: network-operator}}'),
      expected: [installs('HelmRelease')],
    },
    {
      name: 'a HelmRelease of a chart that depends on it',
      cluster: cluster(),
      network: helmRelease('chart: {spec: {chart: platform}}, values: {network-operator: {nfd: {enabled: false}}}'),
      expected: [installs('HelmRelease')],
    },
    {
      name: 'an Application with several sources',
      cluster: cluster(),
      network: application('sources: [{path: a/b}, {chart: network-operator}]'),
      expected: [installs('Application')],
    },
    {
      name: 'a HelmChart',
      cluster: cluster(),
      network: object('helm.cattle.io/v1', 'HelmChart', 'chart: oci://mirror.example/nvidia/network-operator'),
      expected: [installs('HelmChart')],
    },
    {
      name: 'its Deployment',
      cluster: cluster(),
      network: object(
        'apps/v1',
        'Deployment',
        'selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: a, image: "mirror.example/network-operator:v26.1.0"}]}}',
      ),
      expected: [installs('Deployment')],
    },
    {
      name: 'an add-on that Weft deploys',
      cluster: SRIOV,
      network: subscription('sriov-network-operator'),
      expected: [
        'network.yaml:3:18 Subscription `x` installs `sriov-network-operator`, which `spec.sriovNetworkOperator` of the Cluster deploys, too',
      ],
      help: 'remove the document, or `spec.sriovNetworkOperator`; where it is never applied to this cluster, write `# weft-ignore WEFT0574: reason` above it',
    },
    {
      name: 'the GPU operator, without which the companion upgrades',
      cluster: cluster('  gpuDriver: {upgradePolicy: {autoUpgrade: true}}\n'),
      network: subscription('gpu-operator-certified'),
      expected: [
        'network.yaml:3:18 Subscription `x` installs the GPU operator, without which `spec.gpuDriver` upgrades the driver',
      ],
      help: 'set `operator: true` in `spec.gpuDriver`, or remove the document; where it is never applied to this cluster, write `# weft-ignore WEFT0574: reason` above it',
    },
  ],
});
