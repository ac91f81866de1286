import type { Construct } from 'constructs';
import type { InCluster } from '../../model/cluster-scope.js';
import type { SriovDevicePluginInput } from '../../model/input.js';
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
import { privilegedOnOpenshift, serviceAccount } from '../../../shared/kubernetes/rbac.js';
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
import type { SriovDevicePluginSpec } from './schema.js';

/** Name of the state in the operator's status. */
export const STATUS_NAME = 'state-SRIOV-device-plugin';
export const CONTAINER = 'kube-sriovdp';

const component = { statusName: STATUS_NAME };
/** Name of the ServiceAccount and of the NicClusterPolicy's DaemonSet. */
const NAME = 'network-operator-sriov-device-plugin';
const LABELS = { tier: 'node', app: 'sriovdp' };

type SriovInstance = Instance<SriovDevicePluginSpec>;

/** The props of `SriovDevicePlugin`: its section of a policy, and the cluster. */
export interface SriovDevicePluginProps extends SriovDevicePluginInput, InCluster {}

/**
 * The SR-IOV network device plugin: a DaemonSet and its configuration for each policy (network-operator b06827e0,
 * manifests/state-sriov-device-plugin).
 */
export class SriovDevicePlugin extends ComponentConstruct {
  constructor(scope: Construct, id: string, props: SriovDevicePluginProps) {
    super(scope, id, 'sriov-device-plugin', props);
  }

  /** The ConfigMap with the plugin's configuration; absent if the section has no `config`. */
  get configMap(): MadeObject<ConfigMapObject> | undefined {
    return this.configMaps[0];
  }

  /** The resources that pods can request, in the order of the configuration. */
  get resources(): readonly DeviceResource[] {
    return deviceResources(this, this.cluster, (this.specs as readonly SriovDevicePluginSpec[]).flatMap(offers));
  }

  /** @internal */
  protected override build(props: ComponentProps<SriovDevicePluginSpec>): void {
    const { instances, context } = props;
    const owner = sharedOwner(instances);
    if (owner) {
      const metadata = operatorMetadata(NAME, context.cluster.namespace, component, owner);
      addObject(this, serviceAccount(metadata));
      for (const object of context.cluster.isOpenshift ? privilegedOnOpenshift(metadata) : []) addObject(this, object);
    }
    for (const instance of instances) {
      const file = configFile(configMapName(instance), component, instance, context);
      addConfigured(this, file, daemonSet(instance, context));
    }
  }
}

/** The ConfigMap that the pods of a policy mount. */
export function configMapName(instance: SriovInstance): string {
  return `network-operator-sriovdp-config${instance.nameSuffix}`;
}

function daemonSet(instance: SriovInstance, context: BuildContext): KubernetesObject {
  const name = `${NAME}${instance.daemonSetSuffix}`;
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: operatorMetadata(name, context.cluster.namespace, component, instance, LABELS),
    spec: {
      selector: { matchLabels: { name } },
      template: {
        metadata: {
          labels: { ...LABELS, name, [DS_OWNER_LABEL]: instance.owner.label },
          ...configAnnotation(instance.spec),
        },
        spec: podSpec(instance, context),
      },
    },
  };
}

function podSpec(instance: SriovInstance, { gateOf }: BuildContext): PodSpec {
  // nvcr.io/nvidia/distroless/go has no shell (Mellanox/sriov-network-device-plugin, images/Dockerfile.nvidia).
  const gate = driverGate(gateOf(instance), { image: imageReference(instance.spec), hasShell: false });
  return {
    priorityClassName: 'system-node-critical',
    hostNetwork: true,
    nodeSelector: { ...NIC_NODES, ...gate.nodeSelector, ...instance.nodeSelector },
    ...(instance.affinity && { affinity: { nodeAffinity: instance.affinity } }),
    tolerations: daemonSetTolerations(instance),
    serviceAccountName: NAME,
    ...pullSecrets(instance.spec),
    ...gate.waits,
    containers: [pluginContainer(instance.spec)],
    volumes: [...volumes(instance), ...gate.volumes],
  };
}

function pluginContainer(spec: SriovDevicePluginSpec): Container {
  return {
    name: CONTAINER,
    image: imageReference(spec),
    imagePullPolicy: 'IfNotPresent',
    args: ['--log-dir=sriovdp', '--log-level=10', ...(spec.useCdi ? ['--use-cdi'] : [])],
    securityContext: { privileged: true },
    volumeMounts: [
      { name: 'devicesock', mountPath: '/var/lib/kubelet/device-plugins', readOnly: false },
      { name: 'plugins-registry', mountPath: '/var/lib/kubelet/plugins_registry', readOnly: false },
      { name: 'log', mountPath: '/var/log' },
      { name: 'config-volume', mountPath: '/etc/pcidp' },
      { name: 'device-info', mountPath: '/var/run/k8s.cni.cncf.io/devinfo/dp' },
      ...(spec.useCdi ? CDI_MOUNTS : []),
    ],
    ...containerResources(spec, CONTAINER),
  };
}

function volumes(instance: SriovInstance): readonly Volume[] {
  return [
    { name: 'devicesock', hostPath: { path: '/var/lib/kubelet/device-plugins' } },
    { name: 'plugins-registry', hostPath: { path: '/var/lib/kubelet/plugins_registry' } },
    { name: 'log', hostPath: { path: '/var/log' } },
    {
      name: 'device-info',
      hostPath: { path: '/var/run/k8s.cni.cncf.io/devinfo/dp', type: 'DirectoryOrCreate' },
    },
    configVolume('config-volume', configMapName(instance)),
    ...(instance.spec.useCdi ? CDI_VOLUMES : []),
  ];
}
