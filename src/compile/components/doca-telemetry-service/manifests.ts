import type { Construct } from 'constructs';
import type { InCluster } from '../../model/cluster-scope.js';
import type { DocaTelemetryServiceInput } from '../../model/input.js';
import type { BuildContext, ComponentProps } from '../component.js';
import { ComponentConstruct } from '../component-construct.js';
import type { Cluster, Instance } from '../../model/config.js';
import { imageReference } from '../../../shared/kubernetes/image-reference.js';
import type { Container, KubernetesObject, PodSpec } from '../../../shared/kubernetes/types.js';
import { addObject } from '../../../shared/kubernetes/objects.js';
import { privilegedOnOpenshift, serviceAccount } from '../../../shared/kubernetes/rbac.js';
import {
  clusterMetadata,
  containerResources,
  daemonSetTolerations,
  driverGate,
  NIC_NODES,
  podField,
  pullSecrets,
} from '../pod-parts.js';
import { defaultConfig } from './default-config.js';
import type { DocaTelemetryServiceSpec } from './schema.js';

/** Name of the state in the operator's status. */
export const STATUS_NAME = 'state-doca-telemetry-service';
/** Name of the DaemonSet, its container, its account and its default configuration. */
export const NAME = 'doca-telemetry-service';

/** The program in the image reads a file of this name. */
export const CONFIG_KEY = 'dts_config_map.ini';

const component = { statusName: STATUS_NAME };
const CONFIG_VOLUME = 'doca-telemetry-service-configmap';

/** The props of `DocaTelemetryService`: its section of a policy, and the cluster. */
export interface DocaTelemetryServiceProps extends DocaTelemetryServiceInput, InCluster {}

/**
 * The DOCA telemetry service: a DaemonSet, and its configuration if the policy names none (network-operator b06827e0,
 * manifests/state-doca-telemetry-service).
 */
export class DocaTelemetryService extends ComponentConstruct {
  constructor(scope: Construct, id: string, props: DocaTelemetryServiceProps) {
    super(scope, id, 'doca-telemetry-service', props);
  }

  /** @internal */
  protected override build({ instances, context }: ComponentProps<DocaTelemetryServiceSpec>): void {
    const { cluster } = context;
    const metadata = clusterMetadata(NAME, cluster.namespace, component);
    for (const instance of instances) {
      const objects = [
        serviceAccount(metadata),
        ...(cluster.isOpenshift ? privilegedOnOpenshift(metadata) : []),
        ...(instance.spec.config ? [] : [defaultConfigMap(cluster)]),
        daemonSet(instance, context),
      ];
      for (const object of objects) addObject(this, object);
    }
  }
}

function defaultConfigMap(cluster: Cluster): KubernetesObject {
  const metadata = clusterMetadata(NAME, cluster.namespace, component);
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { [CONFIG_KEY]: defaultConfig(cluster) } };
}

function daemonSet(instance: Instance<DocaTelemetryServiceSpec>, context: BuildContext): KubernetesObject {
  const labels = { 'app.kubernetes.io/name': 'doca-telemetry' };
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: clusterMetadata(NAME, context.cluster.namespace, component),
    spec: {
      selector: { matchLabels: labels },
      updateStrategy: { type: 'RollingUpdate' },
      template: { metadata: { labels }, spec: podSpec(instance, context) },
    },
  };
}

function podSpec(instance: Instance<DocaTelemetryServiceSpec>, { gateOf }: BuildContext): PodSpec {
  const { spec } = instance;
  const gate = driverGate(gateOf(instance), { image: imageReference(spec), hasShell: true });
  return {
    hostNetwork: true,
    // The operator's spelling of `serviceAccountName`; the API server keeps both.
    serviceAccount: NAME,
    nodeSelector: { ...NIC_NODES, ...gate.nodeSelector },
    ...(instance.affinity && { affinity: { nodeAffinity: instance.affinity } }),
    ...pullSecrets(spec),
    tolerations: daemonSetTolerations(instance),
    ...gate.waits,
    containers: [container(spec)],
    volumes: [
      { name: CONFIG_VOLUME, configMap: { name: spec.config?.fromConfigMap ?? NAME } },
      { name: 'pod-device-resources', hostPath: { path: '/var/lib/kubelet/pod-resources' } },
      { name: 'cni', hostPath: { path: '/var/run/k8s.cni.cncf.io/devinfo/cni/' } },
      ...gate.volumes,
    ],
  };
}

function container(spec: DocaTelemetryServiceSpec): Container {
  const start = 'rm -rf /config/* && DTS_CONFIG_DIR=host /usr/bin/telemetry-init.sh && /usr/bin/telemetry-run.sh';
  return {
    name: NAME,
    image: imageReference(spec),
    ...containerResources(spec, NAME),
    volumeMounts: [
      { name: CONFIG_VOLUME, mountPath: '/configmap' },
      { name: 'pod-device-resources', mountPath: '/var/lib/kubelet/pod-resources' },
      { name: 'cni', mountPath: '/var/run/k8s.cni.cncf.io/devinfo/cni' },
    ],
    env: [
      podField('MY_POD_UID', 'metadata.uid'),
      { name: 'PROMETHEUS_XCSET_JOIN_FIELDS', value: 'hca' },
      { name: 'PROMETHEUS_XCSET_MANDATORY_TYPES', value: 'counters,pod_resources_event' },
    ],
    command: ['/bin/bash', '-c', start],
    securityContext: { privileged: true },
  };
}
