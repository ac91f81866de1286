import { until } from '../bed/guarded-process.js';
import type { ApiClient, LiveObject } from '../bed/api-client.js';
import type { NodeOptions } from './nodes.js';

/** Nodes of one kind, as Node Feature Discovery labels them. */
export interface FleetPool {
  readonly name: string;
  readonly count: number;
  readonly os: string;
  readonly osVersion: string;
  readonly kernel: string;
  readonly arch?: string;
  readonly taints?: NonNullable<NodeOptions['taints']>;
  /** Whether the nodes have a NIC of vendor 15b3. Default: true. */
  readonly hasNic?: boolean;
  readonly labels?: Readonly<Record<string, string>>;
}

const NFD = 'feature.node.kubernetes.io';
export const KERNEL_LABEL = `${NFD}/kernel-version.full`;
export const READY_FILE = '/run/mellanox/drivers/.driver-ready';
export const DRIVER_LABEL = 'nvidia.com/ofed-driver';
export const NAMESPACE = 'nvidia-network-operator';

/** The nodes of a pool: `<pool>-0`, `<pool>-1`, … */
export function nodesOf(pool: FleetPool): readonly NodeOptions[] {
  return Array.from({ length: pool.count }, (_, index) => ({
    name: `${pool.name}-${index}`,
    labels: {
      ...(pool.hasNic === false ? {} : { [`${NFD}/pci-15b3.present`]: 'true' }),
      [`${NFD}/system-os_release.ID`]: pool.os,
      [`${NFD}/system-os_release.VERSION_ID`]: pool.osVersion,
      [KERNEL_LABEL]: pool.kernel,
      'kubernetes.io/arch': pool.arch ?? 'amd64',
      ...pool.labels,
    },
    ...(pool.taints === undefined ? {} : { taints: pool.taints }),
  }));
}

/** Files that a ready driver leaves on its node. */
export function driverFiles(pod: LiveObject): readonly string[] {
  return isDriver(pod) ? [READY_FILE] : [];
}

export function isDriver({ metadata }: LiveObject): boolean {
  return metadata.labels?.[DRIVER_LABEL] !== undefined;
}

export function nodeOf(pod: LiveObject): string {
  return (pod['spec'] as { readonly nodeName?: string }).nodeName ?? '';
}

export function isReady(pod: LiveObject): boolean {
  const { conditions = [] } = (pod['status'] ?? {}) as { conditions?: readonly { type: string; status: string }[] };
  return conditions.some(({ type, status }) => type === 'Ready' && status === 'True');
}

export function isRunning(pod: LiveObject): boolean {
  return (pod['status'] as { readonly phase?: string } | undefined)?.phase === 'Running';
}

export function isCordoned(node: LiveObject): boolean {
  return (node['spec'] as { readonly unschedulable?: boolean }).unschedulable === true;
}

export function ownerOf({ metadata }: LiveObject): string {
  return metadata.ownerReferences?.[0]?.name ?? '';
}

export async function podsOf(client: ApiClient, namespace = NAMESPACE): Promise<readonly LiveObject[]> {
  return client.list(`/api/v1/namespaces/${namespace}/pods`);
}

export async function daemonSetsOf(client: ApiClient, namespace = NAMESPACE): Promise<readonly LiveObject[]> {
  const items = await client.list(`/apis/apps/v1/namespaces/${namespace}/daemonsets`);
  return items.map((item) => ({ ...item, apiVersion: 'apps/v1', kind: 'DaemonSet' }));
}

/** Waits until the controller has seen every DaemonSet and all pods that it wants are bound and are as expected. */
export async function untilRolledOut(
  client: ApiClient,
  isExpected: (pod: LiveObject) => boolean,
  { namespace = NAMESPACE, timeoutSeconds = 60 } = {},
): Promise<readonly LiveObject[]> {
  return until(
    'the DaemonSets have their pods',
    async () => {
      const daemonSets = await daemonSetsOf(client, namespace);
      const areSeen = daemonSets.every(({ metadata, status }) => {
        const { observedGeneration, desiredNumberScheduled, currentNumberScheduled } = status as Readonly<
          Record<string, number>
        >;
        return observedGeneration === metadata.generation && desiredNumberScheduled === currentNumberScheduled;
      });
      const pods = (await podsOf(client, namespace)).filter((pod) =>
        daemonSets.some(({ metadata }) => metadata.name === ownerOf(pod)),
      );
      const wanted = daemonSets.reduce(
        (sum, { status }) => sum + (status as { desiredNumberScheduled: number }).desiredNumberScheduled,
        0,
      );
      if (areSeen && pods.length === wanted && pods.every(isExpected)) return pods;
      throw new Error(`${wanted} wanted; there are ${pods.map((pod) => podLine(pod, isExpected(pod))).join(', ')}`);
    },
    timeoutSeconds,
  );
}

function podLine(pod: LiveObject, isExpected: boolean): string {
  const ending = pod.metadata.deletionTimestamp === undefined ? '' : ', ending';
  return `${pod.metadata.name} on ${nodeOf(pod) || 'no node'}${ending}${isExpected ? '' : ', not as expected'}`;
}

/**
 * Counts the maximum number of driver pods that were on one node at the same time. A kubelet ends the containers of a deleted pod, writes
 * that the pod has ended, and then lets it go; from that status on the scheduler binds the next one.
 */
export function watchDriversPerNode(client: ApiClient): { readonly most: () => number; readonly stop: () => void } {
  const byNode = new Map<string, Set<string>>();
  let most = 0;
  const stop = client.watch(`/api/v1/pods?labelSelector=${encodeURIComponent(DRIVER_LABEL)}`, (type, pod) => {
    const node = nodeOf(pod);
    if (node === '') return;
    const pods = byNode.get(node) ?? new Set<string>();
    byNode.set(node, pods);
    const { phase = '' } = (pod['status'] ?? {}) as { readonly phase?: string };
    if (type === 'DELETED' || phase === 'Succeeded' || phase === 'Failed') pods.delete(pod.metadata.uid ?? '');
    else pods.add(pod.metadata.uid ?? '');
    most = Math.max(most, pods.size);
  });
  return { most: () => most, stop };
}
