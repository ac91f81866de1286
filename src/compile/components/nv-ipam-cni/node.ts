import type { BuildContext } from '../component.js';
import type { Instance } from '../../model/config.js';
import { imageReference } from '../../../shared/kubernetes/image-reference.js';
import type { Container, KubernetesObject, PodSpec } from '../../../shared/kubernetes/types.js';
import {
  clusterMetadata,
  cniDirectories,
  daemonSetTolerations,
  podField,
  pullSecrets,
  resourcesOr,
} from '../pod-parts.js';
import { NODE } from './names.js';
import type { NvIpamCniSpec } from './schema.js';

const LABELS = { component: NODE, app: 'nv-ipam', name: NODE };
const STATE_DIRECTORY = '/var/lib/cni/nv-ipam/';
const SOCKET = `unix://${STATE_DIRECTORY}daemon.sock`;

const ARGUMENTS = [
  '--node-name=$(NODE_NAME)',
  '--v=1',
  '--logging-format=json',
  `--bind-address=${SOCKET}`,
  `--store-file=${STATE_DIRECTORY}store`,
  `--cni-daemon-socket=${SOCKET}`,
  '--cni-daemon-call-timeout=5',
  '--cni-bin-dir=/opt/cni/bin',
  '--cni-conf-dir=/etc/cni/net.d/nv-ipam.d',
  '--cni-log-file=/var/log/nv-ipam-cni.log',
  '--cni-log-level=info',
  '--ippools-namespace=$(IPPOOLS_NAMESPACE)',
];

/** The DaemonSet that allocates a node's addresses to pods (040-nv-ipam-node.yaml). */
export function nodeDaemonSet(
  component: { readonly statusName: string },
  instance: Instance<NvIpamCniSpec>,
  { cluster }: BuildContext,
): KubernetesObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: clusterMetadata(NODE, cluster.namespace, component, LABELS),
    spec: {
      selector: { matchLabels: { name: NODE } },
      updateStrategy: { type: 'RollingUpdate' },
      template: { metadata: { labels: LABELS }, spec: podSpec(instance, cniDirectories(cluster)) },
    },
  };
}

function podSpec(instance: Instance<NvIpamCniSpec>, cni: ReturnType<typeof cniDirectories>): PodSpec {
  const type = 'DirectoryOrCreate';
  return {
    serviceAccountName: NODE,
    terminationGracePeriodSeconds: 10,
    tolerations: daemonSetTolerations(instance),
    ...(instance.affinity && { affinity: { nodeAffinity: instance.affinity } }),
    ...pullSecrets(instance.spec),
    containers: [container(instance.spec)],
    volumes: [
      { name: 'cnibin', hostPath: { path: cni.bin, type } },
      { name: 'cniconf', hostPath: { path: `${cni.network}/nv-ipam.d`, type } },
      { name: 'daemonstate', hostPath: { path: STATE_DIRECTORY, type } },
    ],
  };
}

function container(spec: NvIpamCniSpec): Container {
  return {
    name: NODE,
    image: imageReference(spec),
    imagePullPolicy: 'IfNotPresent',
    env: [podField('NODE_NAME', 'spec.nodeName'), podField('IPPOOLS_NAMESPACE', 'metadata.namespace')],
    command: ['/ipam-node'],
    args: ARGUMENTS,
    ...resourcesOr(spec, NODE, {
      requests: { cpu: '100m', memory: '50Mi' },
      limits: { cpu: '300m', memory: '300Mi' },
    }),
    securityContext: { privileged: true, runAsUser: 0 },
    volumeMounts: [
      { name: 'cnibin', mountPath: '/opt/cni/bin' },
      { name: 'cniconf', mountPath: '/etc/cni/net.d/nv-ipam.d' },
      { name: 'daemonstate', mountPath: STATE_DIRECTORY },
    ],
  };
}
