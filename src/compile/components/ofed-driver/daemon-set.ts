import type { BuildContext } from '../component.js';
import type { Cluster, Instance, NodePool } from '../../model/config.js';
import type { Probe } from '../../model/shapes/pod.js';
import {
  INSTALL_DIGEST_ANNOTATION,
  KEEP_ANNOTATIONS,
  OFED_DRIVER_LABEL,
  OFED_READY_FILE,
  DS_OWNER_LABEL,
  ARCH_LABEL,
  NFD_LABELS,
} from '../../../shared/contract/labels.js';
import { onlyArchitecture } from '../../../shared/contract/driver-placement.js';
import { installDigest, type PodTemplateLike } from '../../../shared/contract/install-digest.js';
import type {
  Container,
  ContainerProbe,
  KubernetesObject,
  PodSpec,
  PodTemplate,
  StringMap,
} from '../../../shared/kubernetes/types.js';
import {
  containerResources,
  daemonSetTolerations,
  NIC_NODES,
  operatorMetadata,
  pullSecrets,
  visible,
} from '../pod-parts.js';
import { driverEnvironment } from './environment.js';
import { additionalMounts } from './additional-mounts.js';
import { initContainer } from './init-container.js';
import { HOST_MOUNTS, joinMounts, type Mounts } from './mounts.js';
import { daemonSetName, driverImage, type DriverPool } from './pool.js';
import type { OfedDriverSpec } from './schema.js';
import { TOOLKIT_MOUNT, TOOLKIT_VOLUME, toolkitContainer, toolkitEnvironment, toolkitImage } from './toolkit.js';

const STARTUP_PROBE: Required<Probe> = {
  initialDelaySeconds: 30,
  periodSeconds: 10,
  failureThreshold: 120,
  timeoutSeconds: 10,
};
const PROBE: Required<Probe> = { initialDelaySeconds: 10, periodSeconds: 30, failureThreshold: 1, timeoutSeconds: 10 };

const MODULES_ARE_LOADED = 'lsmod | grep mlx5_core';

/**
 * The driver DaemonSet of one pool (network-operator b06827e0, manifests/state-ofed-driver/0050_ofed-driver-ds.yaml),
 * without its install digest.
 */
export function driverDaemonSet(
  component: { readonly statusName: string },
  instance: Instance<OfedDriverSpec>,
  driverPool: DriverPool,
  context: BuildContext,
): KubernetesObject {
  const { app } = driverPool;
  const template = podTemplate(instance, driverPool, context);
  const metadata = operatorMetadata(daemonSetName(driverPool), context.cluster.namespace, component, instance, {
    app,
    [OFED_DRIVER_LABEL]: '',
    'mofed-ds-format-version': '1',
  });
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    // Pruning a driver DaemonSet would remove running drivers without a drain, so the companion deletes it.
    metadata: { ...metadata, annotations: KEEP_ANNOTATIONS },
    spec: { updateStrategy: { type: 'OnDelete' }, selector: { matchLabels: { app } }, template },
  };
}

/** The DaemonSet with the install digest of its pod template. */
export function withInstallDigest(daemonSet: KubernetesObject): KubernetesObject {
  const { template = {} } = (daemonSet['spec'] ?? {}) as { readonly template?: PodTemplateLike };
  const annotations = { ...daemonSet.metadata.annotations, [INSTALL_DIGEST_ANNOTATION]: installDigest(template) };
  return { ...daemonSet, metadata: { ...daemonSet.metadata, annotations } };
}

function podTemplate(instance: Instance<OfedDriverSpec>, driverPool: DriverPool, context: BuildContext): PodTemplate {
  const { pool, app } = driverPool;
  return {
    metadata: {
      labels: {
        app,
        ...(pool.kernel === undefined ? {} : { kernel: pool.kernel }),
        [OFED_DRIVER_LABEL]: '',
        [DS_OWNER_LABEL]: instance.owner.label,
      },
    },
    spec: podSpec(instance, driverPool, context),
  };
}

function podSpec(instance: Instance<OfedDriverSpec>, driverPool: DriverPool, context: BuildContext): PodSpec {
  const { spec } = instance;
  const { cluster } = context;
  const toolkit = toolkitImage(spec, driverPool.pool, cluster);
  const env = driverEnvironment(spec, cluster);
  const added = additionalMounts(spec, driverPool.pool, context);
  const host = joinMounts([HOST_MOUNTS, added]);
  return {
    priorityClassName: 'system-node-critical',
    tolerations: daemonSetTolerations(instance),
    affinity: {
      // The operator's template has the key `affinity` twice, so this one is lost; without it two drivers could run on
      // a node.
      podAntiAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [
          {
            labelSelector: { matchExpressions: [{ key: OFED_DRIVER_LABEL, operator: 'Exists' }] },
            topologyKey: 'kubernetes.io/hostname',
          },
        ],
      },
      ...(instance.affinity && { nodeAffinity: instance.affinity }),
    },
    serviceAccountName: 'ofed-driver',
    hostNetwork: true,
    ...pullSecrets(spec),
    ...(cluster.initContainerImage === '' ? {} : { initContainers: [initContainer(cluster, env)] }),
    containers: [
      driverContainer(spec, driverPool, context, host, env, toolkit !== undefined),
      ...(toolkit === undefined
        ? []
        : [toolkitContainer(toolkit, spec, driverPool.pool, cluster, env, added.volumeMounts)]),
    ],
    // Unloading the modules takes longer than the 30 seconds that Kubernetes gives by default.
    terminationGracePeriodSeconds: spec.terminationGracePeriodSeconds,
    volumes: [...host.volumes, ...(toolkit === undefined ? [] : [TOOLKIT_VOLUME])],
    nodeSelector: nodeSelector(instance, driverPool.pool, cluster, toolkit !== undefined),
  };
}

function driverContainer(
  spec: OfedDriverSpec,
  { pool }: DriverPool,
  { cluster }: BuildContext,
  mounts: Mounts,
  env: ReturnType<typeof driverEnvironment>,
  usesToolkit: boolean,
): Container {
  return {
    name: 'mofed-container',
    image: driverImage(spec, pool, cluster.spec.driver.precompiledTags).image,
    imagePullPolicy: 'IfNotPresent',
    securityContext: { privileged: true, seLinuxOptions: { level: 's0' } },
    env: visible([...(usesToolkit ? toolkitEnvironment() : []), ...env]),
    volumeMounts: [...mounts.volumeMounts, ...(usesToolkit ? [TOOLKIT_MOUNT] : [])],
    ...containerResources(spec, 'mofed-container'),
    startupProbe: shellProbe(`ls ${OFED_READY_FILE}`, spec.startupProbe, STARTUP_PROBE),
    livenessProbe: shellProbe(MODULES_ARE_LOADED, spec.livenessProbe, PROBE),
    readinessProbe: shellProbe(MODULES_ARE_LOADED, spec.readinessProbe, PROBE),
  };
}

/** Values below 1 mean the default (as above, pkg/state/state_ofed.go `sanitizeProbeSpec`). */
function shellProbe(command: string, timing: Probe | undefined, defaults: Required<Probe>): ContainerProbe {
  const pick = (key: keyof Required<Probe>): number => {
    const value = timing?.[key] ?? 0;
    return value < 1 ? (defaults[key] ?? 0) : value;
  };
  return {
    exec: { command: ['sh', '-c', command] },
    initialDelaySeconds: pick('initialDelaySeconds'),
    periodSeconds: pick('periodSeconds'),
    failureThreshold: pick('failureThreshold'),
    successThreshold: 1,
    timeoutSeconds: pick('timeoutSeconds'),
  };
}

/**
 * The operator's selector ignores the architecture. Where the cluster has several, every driver selects its own whatever
 * its kernels are: otherwise the next kernel of one pool would decide whether the driver of another selects it, and an image
 * would reach nodes of another architecture.
 */
function nodeSelector(instance: Instance, pool: NodePool, { pools }: Cluster, usesToolkit: boolean): StringMap {
  const selectsArch = onlyArchitecture(pools) === undefined;
  return {
    ...NIC_NODES,
    [NFD_LABELS.osName]: pool.osName,
    [NFD_LABELS.osVersion]: pool.osVersion,
    ...(pool.kernel === undefined ? {} : { [NFD_LABELS.kernel]: pool.kernel }),
    ...(usesToolkit ? { [NFD_LABELS.rhcosVersion]: pool.rhcosVersion } : {}),
    ...(selectsArch ? { [ARCH_LABEL]: pool.arch } : {}),
    ...instance.nodeSelector,
  };
}
