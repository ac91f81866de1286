import { testRule } from '../../../../../test/golden/rule-table.js';

const network = (kind: string, name: string, spec = '{}'): string =>
  `apiVersion: mellanox.com/v1alpha1\nkind: ${kind}\nmetadata:\n  name: ${name}\nspec: ${spec}\n`;

const SRIOV = 'sriovnetwork.openshift.io/v1';
/** An object of another kind, with a namespace of its own where it is not empty. */
const object = (apiVersion: string, kind: string, namespace: string, spec = '{resourceName: a}'): string =>
  `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata:\n  name: net\n` +
  `${namespace && `  namespace: ${namespace}\n`}spec: ${spec}\n`;
const definition = (namespace: string): string =>
  object('k8s.cni.cncf.io/v1', 'NetworkAttachmentDefinition', namespace, "{config: '{}'}");
const TO_X = '{networkNamespace: x, resourceName: a}';
const both = (kinds: string, namespace: string): string =>
  `${kinds} \`net\` both become a network of that name in namespace \`${namespace}\``;

testRule('WEFT0239', {
  valid: [
    {
      name: 'networks of the SR-IOV operator and definitions in other namespaces',
      network: [
        object(SRIOV, 'SriovNetwork', 'a'),
        object(SRIOV, 'SriovIBNetwork', 'a', TO_X),
        object(SRIOV, 'OVSNetwork', 'b', '{networkNamespace: "", resourceName: a}'),
        definition('c'),
        network('MacvlanNetwork', 'net'),
      ].join('---\n'),
    },
    {
      name: 'kinds of others that have these names',
      network: [network('MacvlanNetwork', 'net'), object('example.com/v1', 'SriovNetwork', 'default')].join('---\n'),
    },
    { name: 'one document twice, which is said elsewhere', network: [definition('x'), definition('x')].join('---\n') },
    {
      name: 'other names',
      network: [network('MacvlanNetwork', 'first'), network('IPoIBNetwork', 'second')].join('---\n'),
    },
    {
      name: 'other namespaces',
      network: [
        network('MacvlanNetwork', 'net', '{networkNamespace: first}'),
        network('HostDeviceNetwork', 'net', '{networkNamespace: second, resourceName: a}'),
      ].join('---\n'),
    },
  ],
  invalid: [
    {
      name: 'a network of the SR-IOV operator and one of ours',
      network: [
        network('MacvlanNetwork', 'net', '{networkNamespace: x}'),
        object(SRIOV, 'SriovNetwork', 'a', TO_X),
      ].join('---\n'),
      expected: [`network.yaml:10:9 ${both('SriovNetwork and MacvlanNetwork', 'x')}`],
      help: 'give one of them another name, or another `networkNamespace`',
    },
    {
      name: 'networks of the SR-IOV operator, one of them without `networkNamespace`',
      network: [
        object(SRIOV, 'SriovNetwork', 'a', TO_X),
        object(SRIOV, 'SriovNetwork', 'b', TO_X),
        object(SRIOV, 'SriovIBNetwork', 'a', TO_X),
        object(SRIOV, 'OVSNetwork', 'x'),
      ].join('---\n'),
      expected: [
        `network.yaml:4:9 ${both('SriovNetwork and OVSNetwork', 'x')}`,
        `network.yaml:11:9 ${both('SriovNetwork and OVSNetwork', 'x')}`,
        `network.yaml:18:9 ${both('SriovIBNetwork and OVSNetwork', 'x')}`,
      ],
    },
    {
      name: 'two of one kind',
      network: [object(SRIOV, 'SriovNetwork', 'a', TO_X), object(SRIOV, 'SriovNetwork', 'b', TO_X)].join('---\n'),
      expected: [`network.yaml:11:9 ${both('two SriovNetworks', 'x')}`],
    },
    {
      name: 'a definition and a network of the SR-IOV operator',
      network: [definition('x'), object(SRIOV, 'SriovNetwork', 'a', TO_X)].join('---\n'),
      expected: [`network.yaml:11:9 ${both('SriovNetwork and NetworkAttachmentDefinition', 'x')}`],
      help: 'give one of them another name, or another namespace',
    },
    {
      name: 'definitions without a namespace and with the one that it stands for, and a network',
      network: [definition(''), definition('default'), network('MacvlanNetwork', 'net')].join('---\n'),
      expected: [
        `network.yaml:4:9 ${both('NetworkAttachmentDefinition and MacvlanNetwork', 'default')}`,
        `network.yaml:10:9 ${both('NetworkAttachmentDefinition and MacvlanNetwork', 'default')}`,
      ],
    },
    {
      name: 'one name',
      network: [
        network('IPoIBNetwork', 'net'),
        network('MacvlanNetwork', 'net', '{networkNamespace: default}'),
        network('HostDeviceNetwork', 'net', '{networkNamespace: "", resourceName: a}'),
      ].join('---\n'),
      expected: [
        `network.yaml:4:9 ${both('IPoIBNetwork and HostDeviceNetwork', 'default')}`,
        `network.yaml:10:9 ${both('MacvlanNetwork and HostDeviceNetwork', 'default')}`,
      ],
      help: 'give one of them another name, or another `networkNamespace`',
    },
  ],
});
