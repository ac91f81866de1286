import type { Construct } from 'constructs';
import type { InCluster } from '../../model/cluster-scope.js';
import type { ContainerNetworkingPluginsInput } from '../../model/input.js';
import type { BuildContext, ComponentProps } from '../component.js';
import { ComponentConstruct } from '../component-construct.js';
import type { Instance } from '../../model/config.js';
import { imageReference } from '../../../shared/kubernetes/image-reference.js';
import type { KubernetesObject, PodSpec } from '../../../shared/kubernetes/types.js';
import { addObject } from '../../../shared/kubernetes/objects.js';
import { cniDirectories, clusterMetadata, daemonSetTolerations, pullSecrets, resourcesOr } from '../pod-parts.js';
import type { ContainerNetworkingPluginsSpec } from './schema.js';

/** Name of the state in the operator's status. */
export const STATUS_NAME = 'state-container-networking-plugins';
export const CONTAINER = 'cni-plugins';

const component = { statusName: STATUS_NAME };
const LABELS = { tier: 'node', app: 'cni-plugins' };
const AMOUNTS = { cpu: '100m', memory: '50Mi' };

/** The props of `ContainerNetworkingPlugins`: its section of a policy, and the cluster. */
export interface ContainerNetworkingPluginsProps extends ContainerNetworkingPluginsInput, InCluster {}

/**
 * The standard CNI plugins: a DaemonSet that copies them to every node (network-operator b06827e0,
 * manifests/state-container-networking-plugins).
 */
export class ContainerNetworkingPlugins extends ComponentConstruct {
  constructor(scope: Construct, id: string, props: ContainerNetworkingPluginsProps) {
    super(scope, id, 'container-networking-plugins', props);
  }

  /** @internal */
  protected override build(props: ComponentProps<ContainerNetworkingPluginsSpec>): void {
    for (const instance of props.instances) addObject(this, daemonSet(instance, props.context));
  }
}

function daemonSet(instance: Instance<ContainerNetworkingPluginsSpec>, { cluster }: BuildContext): KubernetesObject {
  const name = 'cni-plugins';
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: clusterMetadata('cni-plugins-ds', cluster.namespace, component, LABELS),
    spec: {
      selector: { matchLabels: { name } },
      template: {
        metadata: { labels: { ...LABELS, name } },
        spec: podSpec(instance, cniDirectories(cluster).bin),
      },
    },
  };
}

function podSpec(instance: Instance<ContainerNetworkingPluginsSpec>, binDirectory: string): PodSpec {
  const { spec } = instance;
  return {
    hostNetwork: true,
    ...pullSecrets(spec),
    ...(instance.affinity && { affinity: { nodeAffinity: instance.affinity } }),
    tolerations: daemonSetTolerations(instance),
    containers: [
      {
        name: CONTAINER,
        image: imageReference(spec),
        imagePullPolicy: 'IfNotPresent',
        securityContext: { privileged: true },
        ...resourcesOr(spec, CONTAINER, { requests: AMOUNTS, limits: AMOUNTS }),
        volumeMounts: [{ name: 'cnibin', mountPath: '/host/opt/cni/bin' }],
      },
    ],
    volumes: [{ name: 'cnibin', hostPath: { path: binDirectory } }],
  };
}
