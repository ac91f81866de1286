import type { Construct } from 'constructs';
import type { InCluster } from '../../model/cluster-scope.js';
import type { RdmaSharedDevicePluginInput } from '../../model/input.js';
import type { BuildContext, ComponentProps } from '../component.js';
import { ComponentConstruct } from '../component-construct.js';
import { deviceResources, type DeviceResource } from '../device-resource.js';
import { offers } from './offers.js';
import { addConfigured, configAnnotation, configFile, configVolume } from '../config-hash.js';
import type { Instance } from '../../model/config.js';
import { DS_OWNER_LABEL } from '../../../shared/contract/labels.js';
import { imageReference } from '../../../shared/kubernetes/image-reference.js';
import type {
  ConfigMapObject,
  Container,
  KubernetesObject,
  PodSpec,
  Volume,
} from '../../../shared/kubernetes/types.js';
import type { MadeObject } from '../../../shared/kubernetes/made-objects.js';
import { addObject } from '../../../shared/kubernetes/objects.js';
import { openshiftAccount } from '../../../shared/kubernetes/rbac.js';
import {
  CDI_MOUNTS,
  CDI_VOLUMES,
  containerResources,
  daemonSetTolerations,
  driverGate,
  NIC_NODES,
  operatorMetadata,
  pullSecrets,
  sharedOwner,
} from '../pod-parts.js';
import type { RdmaSharedDevicePluginSpec } from './schema.js';

/** Name of the state in the operator's status. */
export const STATUS_NAME = 'state-RDMA-device-plugin';
export const CONTAINER = 'rdma-shared-dp';

const component = { statusName: STATUS_NAME };
const ACCOUNT = 'rdma-shared';

type RdmaInstance = Instance<RdmaSharedDevicePluginSpec>;

/** The props of `RdmaSharedDevicePlugin`: its section of a policy, and the cluster. */
export interface RdmaSharedDevicePluginProps extends RdmaSharedDevicePluginInput, InCluster {}

/**
 * The RDMA shared device plugin: a DaemonSet and its configuration for each policy (network-operator b06827e0,
 * manifests/state-rdma-shared-device-plugin).
 */
export class RdmaSharedDevicePlugin extends ComponentConstruct {
  constructor(scope: Construct, id: string, props: RdmaSharedDevicePluginProps) {
    super(scope, id, 'rdma-shared-device-plugin', props);
  }

  /** The ConfigMap with the plugin's configuration; absent if the section has no `config`. */
  get configMap(): MadeObject<ConfigMapObject> | undefined {
    return this.configMaps[0];
  }

  /** The resources that pods can request, in the order of the configuration. */
  get resources(): readonly DeviceResource[] {
    return deviceResources(this, this.cluster, (this.specs as readonly RdmaSharedDevicePluginSpec[]).flatMap(offers));
  }

  /** @internal */
  protected override build(props: ComponentProps<RdmaSharedDevicePluginSpec>): void {
    const { instances, context } = props;
    const owner = sharedOwner(instances);
    if (owner && context.cluster.isOpenshift) {
      const metadata = operatorMetadata(ACCOUNT, context.cluster.namespace, component, owner);
      for (const object of openshiftAccount(metadata)) addObject(this, object);
    }
    for (const instance of instances) {
      const file = configFile(configMapName(instance), component, instance, context);
      addConfigured(this, file, daemonSet(instance, context));
    }
  }
}

/** The ConfigMap that the pods of a policy mount. */
export function configMapName(instance: RdmaInstance): string {
  return `rdma-devices${instance.nameSuffix}`;
}

function daemonSet(instance: RdmaInstance, context: BuildContext): KubernetesObject {
  const app = `rdma-shared-dp${instance.nameSuffix}`;
  const name = `rdma-shared-dp-ds${instance.daemonSetSuffix}`;
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: operatorMetadata(name, context.cluster.namespace, component, instance),
    spec: {
      selector: { matchLabels: { app } },
      template: {
        metadata: {
          labels: { app, [DS_OWNER_LABEL]: instance.owner.label },
          ...configAnnotation(instance.spec),
        },
        spec: podSpec(instance, context),
      },
    },
  };
}

function podSpec(instance: RdmaInstance, { cluster, gateOf }: BuildContext): PodSpec {
  // Links /bin/sh to that of busybox (Mellanox/k8s-rdma-shared-dev-plugin, Dockerfile).
  const gate = driverGate(gateOf(instance), { image: imageReference(instance.spec), hasShell: true });
  return {
    priorityClassName: 'system-node-critical',
    hostNetwork: true,
    ...(cluster.isOpenshift ? { serviceAccountName: ACCOUNT } : {}),
    tolerations: daemonSetTolerations(instance),
    ...pullSecrets(instance.spec),
    ...gate.waits,
    containers: [pluginContainer(instance.spec)],
    volumes: [...volumes(instance), ...gate.volumes],
    nodeSelector: { ...NIC_NODES, ...gate.nodeSelector, ...instance.nodeSelector },
    ...(instance.affinity && { affinity: { nodeAffinity: instance.affinity } }),
  };
}

function pluginContainer(spec: RdmaSharedDevicePluginSpec): Container {
  return {
    name: CONTAINER,
    image: imageReference(spec),
    imagePullPolicy: 'IfNotPresent',
    command: ['/bin/k8s-rdma-shared-dp'],
    ...(spec.useCdi ? { args: ['--use-cdi'] } : {}),
    securityContext: { privileged: true },
    volumeMounts: [
      { name: 'device-plugin', mountPath: '/var/lib/kubelet/device-plugins', readOnly: false },
      { name: 'plugins-registry', mountPath: '/var/lib/kubelet/plugins_registry', readOnly: false },
      { name: 'config', mountPath: '/k8s-rdma-shared-dev-plugin' },
      { name: 'devs', mountPath: '/dev/' },
      ...(spec.useCdi ? CDI_MOUNTS : []),
    ],
    ...containerResources(spec, CONTAINER),
  };
}

function volumes(instance: RdmaInstance): readonly Volume[] {
  return [
    { name: 'device-plugin', hostPath: { path: '/var/lib/kubelet/device-plugins' } },
    { name: 'plugins-registry', hostPath: { path: '/var/lib/kubelet/plugins_registry' } },
    configVolume('config', configMapName(instance)),
    { name: 'devs', hostPath: { path: '/dev/' } },
    ...(instance.spec.useCdi ? CDI_VOLUMES : []),
  ];
}
