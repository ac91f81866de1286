import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { LiveObject } from '../bed/api-client.js';
import { until } from '../bed/guarded-process.js';
import { binaries } from '../bed/test-bed.js';
import { isReady, podsOf } from '../simulated/fleet.js';
import { sriovImage } from './driver-node.js';
import type { ImageOptions } from './images.js';
import { modulePrograms, SHELL_IMAGE, untilPod, type NodeBed } from './node-bed.js';
import type { RealNode } from './node.js';
import { nvIpamImage } from './nv-ipam.js';

/** The device of a node that macvlan networks use. Its other end is on the other node. */
export const FABRIC = 'fabric0';
/** A PCI address and its network device, by which a node reaches `WIRE_ADDRESS`. */
export const PCI_ADDRESS = '0000:03:00.0';
export const PCI_DEVICE = 'ens3f0v0';
export const WIRE_ADDRESS = '192.168.60.1';

/** One end of a pair of veth devices, which CNI plugins find as a virtual function of the driver mlx5_core. */
export const PCI_FUNCTION = `
ip link add ${PCI_DEVICE} type veth peer name wire0
ip address add ${WIRE_ADDRESS}/24 dev wire0
ip link set wire0 up
mount -t tmpfs tmpfs /sys/bus/pci/devices
mkdir -p /sys/bus/pci/devices/drivers/mlx5_core /sys/bus/pci/devices/${PCI_ADDRESS}/net/${PCI_DEVICE}
ln -s ../drivers/mlx5_core /sys/bus/pci/devices/${PCI_ADDRESS}/driver
`;

/** Connects two nodes by `FABRIC`. */
export async function connectNodes(one: RealNode, other: RealNode): Promise<void> {
  const script = resolve('test/cluster/node-bed/cable.sh');
  await promisify(execFile)('sh', [script, one.folder, other.folder, FABRIC]);
}

/** The cluster's labels by which Weft's DaemonSets select nodes with NICs. */
export const NIC_LABELS = { 'feature.node.kubernetes.io/pci-15b3.present': 'true' };

/** Images of Multus, the CNI plugins, whereabouts, NV-IPAM, and a stand-in for the SR-IOV device plugin, by the names that are rendered. */
export function networkImages(objects: readonly LiveObject[]): Readonly<Record<string, ImageOptions>> {
  const rendered = [...new Set(objects.flatMap(containersOf).map(({ image }) => image))];
  return Object.fromEntries(
    Object.entries(IMAGES).flatMap(([title, imageOf]) => {
      const names = rendered.filter((name) => name.includes(`/${title}:`));
      return names.length === 0 ? [] : [[title, { names, ...imageOf() }]];
    }),
  );
}

const IMAGES: Readonly<Record<string, () => Omit<ImageOptions, 'names'>>> = {
  'multus-cni': multusImage,
  plugins: pluginsImage,
  whereabouts: whereaboutsImage,
  'nvidia-k8s-ipam': nvIpamImage,
  'sriov-network-device-plugin': sriovImage,
};

interface Container {
  readonly image: string;
}

function containersOf(object: LiveObject): readonly Container[] {
  const { template } = (object['spec'] ?? {}) as {
    readonly template?: {
      readonly spec: { readonly initContainers?: readonly Container[]; readonly containers: readonly Container[] };
    };
  };
  return [...(template?.spec.initContainers ?? []), ...(template?.spec.containers ?? [])];
}

/** As multus-cni's images/Dockerfile. */
function multusImage(): Omit<ImageOptions, 'names'> {
  return {
    files: modulePrograms('cniplugins', {
      '/usr/src/multus-cni/bin/multus': 'multus',
      '/usr/src/multus-cni/bin/passthru': 'passthru-cni',
      '/install_multus': 'install_multus',
      '/thin_entrypoint': 'thin_entrypoint',
    }),
    entrypoint: ['/thin_entrypoint'],
  };
}

/** The plugins of the image that are built here. */
export const PLUGINS = [
  'bandwidth',
  'bridge',
  'host-device',
  'host-local',
  'loopback',
  'macvlan',
  'sbr',
  'static',
  'tuning',
] as const;

/** As k8snetworkplumbingwg/plugins, entrypoint.sh. */
function pluginsImage(): Omit<ImageOptions, 'names'> {
  const programs = Object.fromEntries(PLUGINS.map((name) => [`/usr/src/cni/bin/${name}`, name]));
  const script = '#!/bin/sh\ncp /usr/src/cni/bin/* /host/opt/cni/bin/\nsleep 2147483647\n';
  return {
    files: { ...modulePrograms('cniplugins', programs), '/entrypoint.sh': { text: script } },
    entrypoint: ['/entrypoint.sh'],
  };
}

/** As whereabouts' Dockerfile. */
function whereaboutsImage(): Omit<ImageOptions, 'names'> {
  const programs = { '/whereabouts': 'cmd', '/ip-control-loop': 'controlloop', '/ip-reconciler': 'reconciler' };
  const scripts = ['install-cni.sh', 'lib.sh', 'token-watcher.sh'];
  return {
    files: {
      ...modulePrograms('cniplugins', programs),
      ...Object.fromEntries(scripts.map((name) => [`/${name}`, join(binaries().cniplugins, name)])),
    },
    entrypoint: ['/install-cni.sh'],
  };
}

/** Pods with networks need the capabilities of the profile `baseline`, to send ICMP. */
export async function allowNetworkPods({ controlPlane }: NodeBed): Promise<void> {
  const labels = { 'pod-security.kubernetes.io/enforce': 'baseline' };
  await controlPlane.client.ask('PATCH', '/api/v1/namespaces/default', { metadata: { labels } }, 'merge');
}

export interface NetworkPod {
  readonly name: string;
  /** Default: where the scheduler puts it. */
  readonly node?: string;
  /** The value of the annotation `k8s.v1.cni.cncf.io/networks`. */
  readonly networks: string;
  readonly resources?: Readonly<Record<string, string>>;
}

/** A pod of the namespace `default` with networks. */
export function networkPod({ name, node, networks, resources = {} }: NetworkPod): LiveObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      ...{ name, namespace: 'default', annotations: { 'k8s.v1.cni.cncf.io/networks': networks } },
    },
    spec: {
      ...(node !== undefined && { nodeName: node }),
      terminationGracePeriodSeconds: 1,
      containers: [
        {
          name: 'shell',
          image: SHELL_IMAGE,
          command: ['sleep', '3600'],
          resources: { limits: resources, requests: resources },
        },
      ],
    },
  };
}

/** Creates a pod with networks, and waits until it runs. */
export async function runNetworkPod({ controlPlane }: NodeBed, pod: NetworkPod): Promise<LiveObject> {
  await controlPlane.client.create(networkPod(pod));
  return untilPod(controlPlane, nameOf(pod), 'runs', ({ phase }) => phase === 'Running');
}

/** Deletes a pod of the namespace `default`, and waits until it is gone, and its networks with it. */
export async function deletePod({ controlPlane: { client } }: NodeBed, name: string): Promise<void> {
  const pod: LiveObject = { apiVersion: 'v1', kind: 'Pod', metadata: nameOf({ name }) };
  await client.delete(pod);
  await until(`${name} is gone`, async () => ((await client.get(pod)) === undefined ? true : undefined));
}

export const nameOf = ({ name }: { readonly name: string }) => ({ namespace: 'default', name });

const STATUS_ANNOTATION = 'k8s.v1.cni.cncf.io/network-status';

/** A pod's entry for one interface in the annotation that Multus writes. */
export interface NetworkStatus {
  readonly name: string;
  readonly interface?: string;
  readonly ips?: readonly string[];
  readonly mac?: string;
}

export function networkStatus(pod: LiveObject, device = 'net1'): NetworkStatus {
  const text = pod.metadata.annotations?.[STATUS_ANNOTATION] ?? '[]';
  const found = (JSON.parse(text) as readonly NetworkStatus[]).find((one) => one.interface === device);
  if (found === undefined) throw new Error(`${pod.metadata.name} has no ${device}: ${text}`);
  return found;
}

/** The address that a network gave to a pod. */
export function addressOf(pod: LiveObject, device = 'net1'): string {
  const [address] = networkStatus(pod, device).ips ?? [];
  if (address === undefined) throw new Error(`${pod.metadata.name} has no address of ${device}`);
  return address;
}

/** Waits for an event of an object whose message matches. */
export function untilEvent(
  { controlPlane }: NodeBed,
  object: { readonly namespace: string; readonly name: string },
  message: RegExp,
  timeoutSeconds = 60,
): Promise<string> {
  return until(
    `an event of ${object.name} matches ${message}`,
    async () => {
      const events = await controlPlane.client.list(`/api/v1/namespaces/${object.namespace}/events`);
      const ofObject = events.filter((event) => (event['involvedObject'] as { name: string }).name === object.name);
      return ofObject.map((event) => String(event['message'])).find((text) => message.test(text));
    },
    timeoutSeconds,
  );
}

/** Waits until all pods of the operator's namespace are ready, and the container runtime of each node calls Multus. */
export async function untilComponentsReady(bed: NodeBed, daemonSets: number): Promise<void> {
  await until('all pods of components are ready', async () => {
    const pods = await podsOf(bed.controlPlane.client);
    const waiting = pods.filter((pod) => !isReady(pod)).map(({ metadata }) => metadata.name);
    if (waiting.length > 0) throw new Error(`not ready: ${waiting.join(', ')}`);
    return pods.length >= daemonSets * bed.nodes.length || undefined;
  });
  for (const { name } of bed.nodes) await untilMultusIsCalled(bed, name);
}

/** The runtime reads the configuration that Multus wrote some time after it was written. Until then pods get no annotation. */
async function untilMultusIsCalled(bed: NodeBed, node: string): Promise<void> {
  for (let attempt = 1; attempt <= 20; attempt += 1) {
    const pod = await runNetworkPod(bed, { name: `probe-${node}-${attempt}`, node, networks: '' });
    // Tests count the containers of the namespace: a probe that is ending is none of theirs.
    await deletePod(bed, pod.metadata.name);
    if (STATUS_ANNOTATION in (pod.metadata.annotations ?? {})) return;
  }
  throw new Error(`Multus adds no annotation to pods of ${node}`);
}
