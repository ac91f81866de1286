import { testRule } from '../../../../../test/golden/rule-table.js';

const object = (apiVersion: string, kind: string): string =>
  `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: {name: a, namespace: b}\n`;
const said = (line: number, apiVersion: string, kind: string): string =>
  `policy.yaml:${line} \`${kind}\` of \`${apiVersion}\` is no kind that is known here`;

const typo = (apiVersion: string, kind: string, line: number, help: string) => ({
  name: `${apiVersion} ${kind}`,
  policy: object(apiVersion, kind),
  expected: [said(line, apiVersion, kind).replace(/^(policy\.yaml:\d)/, line === 1 ? '$1:13' : '$1:7')],
  help: `did you mean ${help}?`,
});

testRule('WEFT0107', {
  valid: [
    ['apps/v1', 'DaemonSet'],
    ['v1', 'Service'],
    ['v1', 'ReplicationController'],
    ['k8s.cni.cncf.io/v1', 'NetworkAttachmentDefinition'],
    // Kinds of others that have names like those of ours, or that are called like them.
    ['crd.projectcalico.org/v1', 'IPPool'],
    ['whereabouts.cni.cncf.io/v1alpha1', 'IPPool'],
    ['cluster.x-k8s.io/v1beta1', 'Cluster'],
    ['authorization.openshift.io/v1', 'ClusterRole'],
    ['sriovnetwork.openshift.io/v1', 'SriovNetworkNodePolicy'],
    ['gateway.networking.k8s.io/v1', 'Gateway'],
    ['monitoring.coreos.com/v1', 'ServiceMonitor'],
    ['configuration.konghq.com/v1', 'KongPlugin'],
  ].map(([apiVersion = '', kind = '']) => ({
    name: `${apiVersion} ${kind}`,
    policy: object(apiVersion, kind) + (kind.startsWith('Network') ? 'spec: {}\n' : ''),
  })),
  invalid: [
    typo('nv-ipam.nvidia.com/v1alpha1', 'IpPool', 2, '`kind: IPPool`'),
    typo('nv-ipam.nvidia.com/v1alpha1', 'CiderPool', 2, '`kind: CIDRPool`'),
    typo('nvipam.nvidia.com/v1alpha1', 'IPPool', 1, '`apiVersion: nv-ipam.nvidia.com/v1alpha1`'),
    typo('nv-ipam.nvidia.com/v1', 'IPPool', 1, '`apiVersion: nv-ipam.nvidia.com/v1alpha1`'),
    typo('nvipam.nvidia.com/v1alpha1', 'IpPool', 2, '`apiVersion: nv-ipam.nvidia.com/v1alpha1`, `kind: IPPool`'),
    typo('melanox.com/v1alpha1', 'MacVlanNetwork', 2, '`apiVersion: mellanox.com/v1alpha1`, `kind: MacvlanNetwork`'),
    typo('configuration.net.nvidia.com/v1alpha1', 'NicConfigTemplate', 2, '`kind: NicConfigurationTemplate`'),
  ],
});
