import type { Construct } from 'constructs';
import type { InCluster } from '../../model/cluster-scope.js';
import type { SpectrumXOperatorInput } from '../../model/input.js';
import type { BuildContext, ComponentProps } from '../component.js';
import { ComponentConstruct } from '../component-construct.js';
import type { Cluster, Instance } from '../../model/config.js';
import { since } from '../../releases/changes.js';
import type { EnvVar } from '../../model/shapes/pod.js';
import { imageReference } from '../../../shared/kubernetes/image-reference.js';
import type { Container, KubernetesObject, PodSpec, Volume } from '../../../shared/kubernetes/types.js';
import { addObject } from '../../../shared/kubernetes/objects.js';
import {
  clusterMetadata,
  cniDirectories,
  containerResources,
  daemonSetTolerations,
  environment,
  NIC_NODES,
  podField,
  pullSecrets,
} from '../pod-parts.js';
import { ACCOUNT, accessObjects } from './access.js';
import type { SpectrumXOperatorSpec } from './schema.js';

/** Name of the state in the operator's status. */
export const STATUS_NAME = 'state-spectrum-x-operator';
/** Name of the DaemonSet and of its container. */
export const CONTAINER = 'spectrum-x-flowcontroller';

const component = { statusName: STATUS_NAME };

interface HostMount {
  readonly name: string;
  readonly path: string;
  readonly type?: string;
}

const MOUNTS: readonly HostMount[] = [
  { name: 'proc', path: '/proc' },
  { name: 'sys', path: '/sys' },
  { name: 'ovs', path: '/var/run/openvswitch/' },
  { name: 'ovs-systemd-config', path: '/etc/default/openvswitch-switch', type: 'FileOrCreate' },
];
const DROP_IN_MOUNTS: readonly HostMount[] = [
  { name: 'spectrum-x-lib', path: '/var/lib/spectrum-x', type: 'DirectoryOrCreate' },
  { name: 'ovs-vswitchd-dropin', path: '/etc/systemd/system/ovs-vswitchd.service.d', type: 'DirectoryOrCreate' },
];

const hostMounts = (cluster: Cluster): readonly HostMount[] =>
  since(cluster, 'spectrum-x-writes-drop-ins') ? [...MOUNTS, ...DROP_IN_MOUNTS] : MOUNTS;

/** The props of `SpectrumXOperator`: its section of a policy, and the cluster. */
export interface SpectrumXOperatorProps extends SpectrumXOperatorInput, InCluster {}

/**
 * The Spectrum-X operator: a DaemonSet that sets up the flows of its node (network-operator b06827e0,
 * manifests/state-spectrum-x-operator).
 */
export class SpectrumXOperator extends ComponentConstruct {
  constructor(scope: Construct, id: string, props: SpectrumXOperatorProps) {
    super(scope, id, 'spectrum-x-operator', props);
  }

  /** @internal */
  protected override build({ instances, context }: ComponentProps<SpectrumXOperatorSpec>): void {
    for (const instance of instances) {
      for (const object of accessObjects(component, context.cluster)) addObject(this, object);
      addObject(this, daemonSet(instance, context));
    }
  }
}

function daemonSet(instance: Instance<SpectrumXOperatorSpec>, context: BuildContext): KubernetesObject {
  const labels = { 'control-plane': CONTAINER };
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: clusterMetadata(CONTAINER, context.cluster.namespace, component, {
      ...labels,
      'app.kubernetes.io/name': 'spectrum-x-operator',
    }),
    spec: {
      selector: { matchLabels: labels },
      template: {
        metadata: { annotations: { 'kubectl.kubernetes.io/default-container': CONTAINER }, labels },
        spec: podSpec(instance, context),
      },
    },
  };
}

function podSpec(instance: Instance<SpectrumXOperatorSpec>, { cluster }: BuildContext): PodSpec {
  return {
    nodeSelector: NIC_NODES,
    tolerations: daemonSetTolerations(instance),
    securityContext: { runAsNonRoot: false },
    hostNetwork: true,
    ...pullSecrets(instance.spec),
    containers: [container(instance.spec, cluster)],
    volumes: volumes(cluster),
    serviceAccountName: ACCOUNT,
    ...(instance.affinity && { affinity: { nodeAffinity: instance.affinity } }),
    terminationGracePeriodSeconds: 10,
  };
}

function container(spec: SpectrumXOperatorSpec, cluster: Cluster): Container {
  return {
    command: ['/flowcontroller'],
    args: ['--metrics-bind-address=0', '--health-probe-bind-address=0'],
    image: imageReference(spec),
    name: CONTAINER,
    env: [
      ...xPlaneEnvironment(spec),
      podField('POD_NAMESPACE', 'metadata.namespace'),
      podField('NODE_NAME', 'spec.nodeName'),
    ],
    securityContext: { privileged: true, runAsUser: 0, runAsGroup: 0, capabilities: { drop: ['ALL'] } },
    volumeMounts: hostMounts(cluster).map(({ name, path }) => ({ name, mountPath: path })),
    ...containerResources(spec, CONTAINER),
  };
}

/** The flow controller creates XPlane's pods from these; the operator sets them only if there is a version. */
function xPlaneEnvironment({ xPlane }: SpectrumXOperatorSpec): readonly EnvVar[] {
  if (!xPlane?.version) return [];
  return environment([
    { name: 'XPLANE_REPOSITORY', value: xPlane.repository },
    { name: 'XPLANE_IMAGE', value: xPlane.image },
    { name: 'XPLANE_VERSION', value: xPlane.version },
    { name: 'IMAGE_PULL_SECRETS', value: xPlane.imagePullSecrets.join(',') },
  ]);
}

/** No container mounts the last one, but the operator has it, and removing it would restart every pod. */
function volumes(cluster: Cluster): readonly Volume[] {
  return [
    ...hostMounts(cluster).map(({ name, ...hostPath }) => ({ name, hostPath })),
    { name: 'host-cni-bin', hostPath: { path: cniDirectories(cluster).bin, type: 'DirectoryOrCreate' } },
  ];
}
