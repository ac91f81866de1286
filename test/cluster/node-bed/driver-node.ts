import type { LiveObject } from '../bed/api-client.js';
import { applyOrder } from '../bed/apply-order.js';
import { applyAll } from '../bed/apply-set.js';
import { until } from '../bed/guarded-process.js';
import { daemonSetsOf, isDriver, NAMESPACE, nodesOf, ownerOf } from '../simulated/fleet.js';
import { isRun, KERNEL, synthesizedFiles, VERSIONS } from '../upgrade-bed/companion-input.js';
import { modulePrograms, type NodeBed, type PodStatus } from './node-bed.js';
import { programsWithLibraries, type ImageOptions } from './images.js';
import type { RealNode } from './node.js';

/** Labels by which rendered drivers select a node. */
export const DRIVER_NODE_LABELS =
  nodesOf({ name: '', count: 1, os: 'ubuntu', osVersion: '24.04', kernel: KERNEL })[0]?.labels ?? {};

export interface DriverInput {
  readonly version?: string;
  readonly gate?: 'ready-file' | 'label';
  /** How long the stand-in driver takes, as Go reads it. */
  readonly load?: string;
  readonly unload?: string;
  readonly fails?: boolean;
  /** Whether probes have the times that the operator gives them. Default: false, which is every second. */
  readonly hasDefaultProbes?: boolean;
  /** More of the section `ofedDriver`. */
  readonly ofedDriver?: object;
  /** More of the policy's spec. */
  readonly policy?: object;
  /** More of the Cluster document's spec. */
  readonly cluster?: object;
}

/** Renders a driver and the RDMA shared device plugin behind it. */
export function renderDriver(folder: string, input: DriverInput): Promise<readonly LiveObject[]> {
  const environment = {
    STANDIN_LOAD: input.load ?? '0s',
    STANDIN_UNLOAD: input.unload ?? '0s',
    ...(input.fails === true && { STANDIN_FAIL: 'true' }),
  };
  const env = Object.entries(environment).map(([name, value]) => ({ name, value }));
  const probe = { initialDelaySeconds: 1, periodSeconds: 1 };
  const startupProbe = { ...probe, failureThreshold: 900 };
  const driver = {
    ...{ version: input.version ?? VERSIONS[0], env },
    ...(input.hasDefaultProbes !== true && { startupProbe, livenessProbe: probe, readinessProbe: probe }),
    ...input.ofedDriver,
  };
  const cluster = {
    apiVersion: 'weft.dev/v1alpha1',
    kind: 'Cluster',
    metadata: { name: 'real' },
    spec: {
      release: 'v26.7',
      nodeFeatureDiscovery: { rules: false },
      nodePools: [{ name: 'real', osName: 'ubuntu', osVersion: '24.04', arch: 'amd64', kernel: KERNEL }],
      driver: { gate: input.gate ?? 'ready-file' },
      ...input.cluster,
    },
  };
  const policy = {
    apiVersion: 'mellanox.com/v1alpha1',
    kind: 'NicClusterPolicy',
    metadata: { name: 'nic-cluster-policy' },
    spec: { ofedDriver: driver, rdmaSharedDevicePlugin: { config: PLUGIN_CONFIG }, ...input.policy },
  };
  return synthesizedFiles(folder, { 'cluster.yaml': JSON.stringify(cluster), 'policy.yaml': JSON.stringify(policy) });
}

/** The folder of a node in which the stand-in driver has its journal. */
export const DRIVER_FOLDER = '/var/opt/mofed-container/inventory';
const HOLD = `${DRIVER_FOLDER}/hold`;

/** Until the test lets it go on, the driver of a node loads, if it does so now or begins to: over restarts and reboots. */
export async function holdDriver(node: RealNode): Promise<void> {
  await node.run('sh', '-c', `mkdir -p ${DRIVER_FOLDER} && touch ${HOLD}`);
}

export async function releaseDriver(node: RealNode): Promise<void> {
  await node.run('rm', HOLD);
}

const PLUGIN_CONFIG = JSON.stringify({
  configList: [{ resourceName: 'rdma_shared_device_a', rdmaHcaMax: 8, selectors: { vendors: ['15b3'] } }],
});
export const RESOURCE = 'rdma/rdma_shared_device_a';

export const SRIOV_RESOURCE = 'nvidia.com/vf';
/** The section of the SR-IOV device plugin. */
export const SRIOV_DEVICE_PLUGIN = {
  config: JSON.stringify({
    resourceList: [{ resourcePrefix: 'nvidia.com', resourceName: 'vf', selectors: { pciAddresses: ['0000:03:00.0'] } }],
  }),
};

/** Images of the stand-ins, by the names that are rendered for each version of the driver. */
export function driverImages(
  objects: readonly LiveObject[],
  drivers: readonly string[],
): Readonly<Record<string, ImageOptions>> {
  const rendered = new Set(imagesOf(objects));
  const driver = [...rendered].filter((name) => name.includes('/doca-driver:'));
  const sriov = [...rendered].filter((name) => name.includes('/sriov-network-device-plugin:'));
  const others = [...rendered].filter((name) => !driver.includes(name) && !sriov.includes(name));
  const versions = driver.flatMap((name) => drivers.map((version) => name.replace(VERSIONS[0], version)));
  // The shell of busybox runs its own `lsmod`, whatever is in the path.
  const files = {
    ...modulePrograms('standins', { '/bin/standins': 'standins' }),
    ...programsWithLibraries({ '/usr/bin/dash': '/bin/dash' }),
  };
  const entrypoint = (name: string) => ({ entrypoint: [`/bin/${name}`] });
  const programs = Object.fromEntries(
    ['driver', 'lsmod', 'k8s-rdma-shared-dp', 'network-operator-init-container'].map((name) => [
      `/bin/${name}`,
      'standins',
    ]),
  );
  const links = { ...programs, '/bin/sh': '/usr/bin/dash' };
  return {
    driver: { names: versions, files, links, ...entrypoint('driver') },
    standins: { names: others, files, links, ...entrypoint('network-operator-init-container') },
    ...(sriov.length > 0 && { sriov: { names: sriov, ...sriovImage() } }),
  };
}

/** As the image of NVIDIA it has no shell, and nothing but the program, which is linked statically. */
export function sriovImage(): Omit<ImageOptions, 'names'> {
  const files = modulePrograms('standins', { '/usr/bin/sriovdp': 'standins' });
  return { hasBusybox: false, files, entrypoint: ['/usr/bin/sriovdp'] };
}

interface PodTemplateSpec {
  readonly initContainers?: readonly { readonly image: string }[];
  readonly containers: readonly { readonly image: string }[];
}

/** The images of all DaemonSets. */
export function imagesOf(objects: readonly LiveObject[]): readonly string[] {
  return objects
    .filter(({ kind }) => kind === 'DaemonSet')
    .flatMap((object) => {
      const { template } = object['spec'] as { readonly template: { readonly spec: PodTemplateSpec } };
      return [...(template.spec.initContainers ?? []), ...template.spec.containers].map(({ image }) => image);
    });
}

/** Applies what is rendered, without the companion's runs. */
export async function applyRendered({ controlPlane }: NodeBed, objects: readonly LiveObject[]): Promise<void> {
  const { problems } = await applyAll(
    controlPlane.client,
    applyOrder(
      'Argo CD',
      objects.filter((object) => !isRun(object)),
    ),
  );
  if (problems.length > 0) throw new Error(problems.join('\n'));
}

/** Waits until the DaemonSet controller has seen all DaemonSets as they are: pods that it makes from now on have the new templates. */
export async function untilTemplatesSeen({ controlPlane }: NodeBed): Promise<void> {
  await until('the DaemonSet controller has seen the templates', async () => {
    const sets = await daemonSetsOf(controlPlane.client);
    const seen = ({ status }: LiveObject) => (status as { readonly observedGeneration?: number }).observedGeneration;
    return sets.every((set) => seen(set) === set.metadata.generation) || undefined;
  });
}

export const isPlugin = (pod: LiveObject) => ownerOf(pod).startsWith('rdma-shared-dp');
export const isSriovPlugin = (pod: LiveObject) => ownerOf(pod).startsWith('network-operator-sriov-device-plugin');
export { isDriver };

/** A pod of the namespace that is not being deleted. */
export function untilPodOf(
  { controlPlane }: NodeBed,
  what: string,
  condition: (pod: LiveObject, status: PodStatus) => boolean,
  timeoutSeconds = 60,
): Promise<LiveObject> {
  return until(
    what,
    async () =>
      (await controlPlane.client.list(`/api/v1/namespaces/${NAMESPACE}/pods`)).find(
        (pod) => pod.metadata.deletionTimestamp === undefined && condition(pod, pod['status'] as PodStatus),
      ),
    timeoutSeconds,
  );
}
