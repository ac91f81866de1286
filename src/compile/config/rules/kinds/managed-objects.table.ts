import { testRule } from '../../../../../test/golden/rule-table.js';

const daemonSet = (labels: string, ofPods: string): string =>
  `apiVersion: apps/v1\nkind: DaemonSet\nmetadata: {name: a, namespace: b, labels: ${labels}}\nspec:\n` +
  `  selector: {matchLabels: {a: b}}\n  template: {metadata: {labels: ${ofPods}}, spec: {containers: [{name: a, image: a}]}}\n`;

const configMap = (name: string, namespace = 'nvidia-network-operator'): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, namespace: ${namespace}}\ndata: {a: b}\n`;

testRule('WEFT0282', {
  valid: [
    { name: 'a DaemonSet without the label', policy: daemonSet('{a: b}', '{a: b}') },
    { name: 'another name', policy: configMap('weft-companions') },
    { name: 'another namespace', policy: configMap('weft-companion-status', 'default') },
    {
      name: 'a kind that the companion does not have',
      policy:
        'apiVersion: v1\nkind: Service\nmetadata: {name: weft-companion, namespace: nvidia-network-operator}\nspec: {ports: [{port: 80}]}\n',
    },
  ],
  invalid: [
    {
      name: 'the label of the driver',
      policy: daemonSet('{nvidia.com/ofed-driver: ""}', '{a: b}'),
      expected: [
        'policy.yaml:3:44 the label `nvidia.com/ofed-driver` makes DaemonSet `a` an OFED driver, for which nodes are drained',
      ],
      help: 'describe the driver in a NicClusterPolicy or NicNodePolicy, with `spec.patches` of the Cluster for what differs; or remove the label',
    },
    {
      name: 'the label of its pods',
      policy: daemonSet('{}', '{a: b, nvidia.com/ofed-driver: ""}'),
      expected: [
        'policy.yaml:6:40 the label `nvidia.com/ofed-driver` makes DaemonSet `a` an OFED driver, for which nodes are drained',
      ],
    },
    {
      name: 'the status of the companion',
      policy: configMap('weft-companion-status'),
      expected: [
        'policy.yaml:3:18 ConfigMap `weft-companion-status` of namespace `nvidia-network-operator` belongs to the companion',
      ],
    },
    {
      name: 'its Lease, in the namespace by default',
      policy: 'apiVersion: coordination.k8s.io/v1\nkind: Lease\nmetadata: {name: weft-companion}\nspec: {}\n',
      expected: [
        'policy.yaml:3:18 Lease `weft-companion` of namespace `nvidia-network-operator` belongs to the companion',
      ],
    },
  ],
});
