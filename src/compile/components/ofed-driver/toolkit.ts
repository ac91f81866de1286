import type { Cluster, NodePool } from '../../model/config.js';
import { since } from '../../releases/changes.js';
import type { EnvVar } from '../../model/shapes/pod.js';
import type { Container, Volume, VolumeMount } from '../../../shared/kubernetes/types.js';
import { containerResources, visible } from '../pod-parts.js';
import { driverImage } from './pool.js';
import type { OfedDriverSpec } from './schema.js';

const SHARED_DIRECTORY = '/mnt/shared-doca-driver-toolkit';
const SHARED_VOLUME = 'shared-doca-driver-toolkit';
const SHARED_DIRECTORY_VARIABLE = { name: 'DTK_OCP_NIC_SHARED_DIR', value: SHARED_DIRECTORY };

export const TOOLKIT_CONTAINER = 'openshift-driver-toolkit-ctr';
export const TOOLKIT_MOUNT: VolumeMount = { name: SHARED_VOLUME, mountPath: SHARED_DIRECTORY };
export const TOOLKIT_VOLUME: Volume = { name: SHARED_VOLUME, emptyDir: {} };

/** True if a pool's driver is compiled in a side container with the OpenShift Driver Toolkit. */
export function usesToolkit(spec: OfedDriverSpec, pool: NodePool, cluster: Cluster): boolean {
  return (
    cluster.isOpenshift &&
    cluster.spec.openshift.useDriverToolkit &&
    driverImage(spec, pool, cluster.spec.driver.precompiledTags).kind === 'compiled'
  );
}

/** The toolkit image of a pool, if it uses one; a rule has checked that it is known. */
export function toolkitImage(spec: OfedDriverSpec, pool: NodePool, cluster: Cluster): string | undefined {
  return usesToolkit(spec, pool, cluster) ? cluster.spec.openshift.driverToolkitImages[pool.rhcosVersion] : undefined;
}

/** The environment that makes the driver container wait for the toolkit. */
export function toolkitEnvironment(): readonly EnvVar[] {
  return [{ name: 'DTK_OCP_DRIVER_BUILD', value: 'true' }, SHARED_DIRECTORY_VARIABLE];
}

/**
 * The side container that compiles the driver. Its command is data of the operator's template (network-operator
 * b06827e0, manifests/state-ofed-driver/0050_ofed-driver-ds.yaml): a changed byte would restart drivers on adoption.
 */
export function toolkitContainer(
  image: string,
  spec: OfedDriverSpec,
  pool: NodePool,
  cluster: Cluster,
  env: readonly EnvVar[],
  volumeMounts: readonly VolumeMount[],
): Container {
  return {
    name: TOOLKIT_CONTAINER,
    image,
    imagePullPolicy: 'IfNotPresent',
    command: ['bash', '-xc'],
    args: [toolkitScript(`${SHARED_DIRECTORY}/${pool.kernel ?? ''}`, since(cluster, 'toolkit-stops-on-signal'))],
    env: visible([SHARED_DIRECTORY_VARIABLE, ...env]),
    volumeMounts: [...volumeMounts, TOOLKIT_MOUNT],
    ...containerResources(spec, TOOLKIT_CONTAINER),
  };
}

function toolkitScript(directory: string, stopsOnSignal: boolean): string {
  return [
    ...(stopsOnSignal ? stoppingWait(directory) : plainWait(directory)),
    `exec ${directory}/dtk_nic_driver_build.sh`,
    '',
  ].join('\n');
}

function plainWait(directory: string): readonly string[] {
  return [
    `until [ -f ${directory}/dtk_start_compile ]; do`,
    '  echo Waiting for mofed-container container to prepare the shared directory',
    '  sleep 3',
    'done',
  ];
}

function stoppingWait(directory: string): readonly string[] {
  return [
    '# PID 1 ignores SIGTERM unless a handler is installed; without this trap the',
    '# DTK sidecar can stay Running after mofed-container exits and block pod deletion',
    '# until terminationGracePeriodSeconds elapses and kubelet sends SIGKILL.',
    `trap 'echo "DTK sidecar received termination signal, exiting"; exit 0' TERM INT`,
    `until [ -f ${directory}/dtk_start_compile ]; do`,
    '  echo Waiting for mofed-container container to prepare the shared directory',
    '  # Background sleep + wait so SIGTERM interrupts promptly (sleep alone may not)',
    '  sleep 3 &',
    '  wait $! || true',
    'done',
  ];
}
