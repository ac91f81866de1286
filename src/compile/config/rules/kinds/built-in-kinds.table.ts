import { testRule } from '../../../../../test/golden/rule-table.js';

const object = (apiVersion: string, kind: string): string =>
  `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: {name: a, namespace: b}\n`;
const POOLS = '  nodePools:\n    - {name: a, osName: ubuntu, osVersion: "24.04", arch: amd64}\n';
const cluster = (version: string): string =>
  `apiVersion: weft.dev/v1alpha1\nkind: Cluster\nmetadata: {name: a}\nspec:\n  kubernetesVersion: "${version}"\n${POOLS}`;

testRule('WEFT0484', {
  valid: [
    { name: 'a version of today', policy: object('policy/v1', 'PodDisruptionBudget') },
    { name: 'a kind of others', policy: object('example.com/v1beta1', 'PodDisruptionBudget') },
    {
      name: 'a version that the cluster has still',
      cluster: cluster('1.31'),
      policy: object('flowcontrol.apiserver.k8s.io/v1beta3', 'FlowSchema'),
    },
    { name: 'a newer kind where no version is known', policy: object('resource.k8s.io/v1', 'DeviceClass') },
    {
      name: 'a newer kind in a newer cluster',
      cluster: cluster('1.34'),
      policy: object('resource.k8s.io/v1', 'DeviceClass'),
    },
  ],
  invalid: [
    {
      name: 'a version that is gone',
      policy: object('policy/v1beta1', 'PodDisruptionBudget'),
      expected: ['policy.yaml:1:13 Kubernetes has no PodDisruptionBudget of `policy/v1beta1` since 1.25'],
      help: 'write `apiVersion: policy/v1`',
    },
    {
      name: 'a kind that is gone',
      policy: object('policy/v1beta1', 'PodSecurityPolicy'),
      expected: ['policy.yaml:1:13 Kubernetes has no PodSecurityPolicy of `policy/v1beta1` since 1.25'],
      help: 'remove it: nothing took its place',
    },
    {
      name: 'a kind that is newer than the cluster',
      cluster: cluster('1.33'),
      policy: object('resource.k8s.io/v1', 'DeviceClass'),
      expected: [
        'policy.yaml:1:13 Kubernetes has DeviceClass of `resource.k8s.io/v1` since 1.34, and the cluster is 1.33',
      ],
    },
  ],
});

testRule('WEFT0485', {
  valid: [
    ['v1', 'Service'],
    ['v1', 'ReplicationController'],
    ['resource.k8s.io/v1beta1', 'DeviceClass'],
    ['policy/v1beta1', 'PodDisruptionBudget'],
    ['snapshot.storage.k8s.io/v1', 'VolumeSnapshot'],
    ['gateway.networking.k8s.io/v1', 'Gateway'],
  ].map(([apiVersion = '', kind = '']) => ({ name: `${apiVersion} ${kind}`, policy: object(apiVersion, kind) })),
  invalid: [
    {
      name: 'a kind that Kubernetes does not have',
      policy: object('v1', 'Frobnicator'),
      expected: ['policy.yaml:2:7 Kubernetes v1.36.3 has no Frobnicator of `v1`'],
      help: 'the API group is of Kubernetes itself, and all of its kinds are known',
    },
    {
      name: 'another case',
      policy: object('apps/v1', 'Daemonset'),
      expected: ['policy.yaml:2:7 Kubernetes v1.36.3 has no Daemonset of `apps/v1`'],
      help: 'did you mean `DaemonSet`?',
    },
    {
      name: 'another version',
      policy: object('apps/v2', 'DaemonSet'),
      expected: ['policy.yaml:1:13 Kubernetes v1.36.3 has no DaemonSet of `apps/v2`'],
      help: 'write `apiVersion: apps/v1`',
    },
    {
      name: 'a version that never had the kind',
      policy: object('extensions/v1beta1', 'CronJob'),
      expected: ['policy.yaml:2:7 Kubernetes v1.36.3 has no CronJob of `extensions/v1beta1`'],
    },
  ],
});
