import type { ApiClient, LiveObject } from '../bed/api-client.js';
import { until } from '../bed/guarded-process.js';

/** A node as Node Feature Discovery and its kubelet describe it. */
export interface NodeOptions {
  readonly name: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly taints?: readonly { readonly key: string; readonly value?: string; readonly effect: string }[];
  /** Extended resources in addition to CPU, memory and pods, for instance `{ 'rdma/rdma_shared_device_a': '63' }`. */
  readonly allocatable?: Readonly<Record<string, string>>;
}

/** Merges a patch into the status of an object. */
export async function setStatus(client: ApiClient, object: LiveObject, status: object): Promise<void> {
  await client.ask('PATCH', `${await client.pathOf(object)}/status`, { status }, 'strategic');
}

const NOT_READY_TAINT = 'node.kubernetes.io/not-ready';

const READY_CONDITION = (status: 'True' | 'Unknown') => ({
  type: 'Ready',
  status,
  reason: status === 'True' ? 'KubeletReady' : 'NodeStatusUnknown',
  message: '',
});

function nodeObject(name: string): LiveObject {
  return { apiVersion: 'v1', kind: 'Node', metadata: { name } };
}

/** Writes the condition that the kubelet of a node would write, or the controller for one that is unreachable. */
export async function setNodeReady(client: ApiClient, name: string, status: 'True' | 'Unknown'): Promise<void> {
  await setStatus(client, nodeObject(name), { conditions: [READY_CONDITION(status)] });
}

/** Creates the node with what a kubelet reports when it registers. */
export async function registerNode(
  client: ApiClient,
  { name, labels, taints, allocatable }: NodeOptions,
): Promise<void> {
  const node = nodeObject(name);
  const base = { 'kubernetes.io/hostname': name, 'kubernetes.io/os': 'linux', 'kubernetes.io/arch': 'amd64' };
  await client.create({
    ...node,
    metadata: { name, labels: { ...base, ...labels } },
    spec: { ...(taints === undefined ? {} : { taints }) },
  });
  const resources = { cpu: '64', memory: '512Gi', pods: '250', 'ephemeral-storage': '1Ti', ...allocatable };
  await setStatus(client, node, {
    capacity: resources,
    allocatable: resources,
    conditions: [READY_CONDITION('True')],
    addresses: [{ type: 'Hostname', address: name }],
  });
}

/**
 * Admission taints a new node as not ready until the controller of node lifecycles sees its condition; a DaemonSet that is
 * counted before that has no pod there. Without a name: waits for all nodes.
 */
export async function untilSchedulable(client: ApiClient, name?: string): Promise<void> {
  await until(`${name ?? 'each node'} is no longer tainted as not ready`, async () => {
    const nodes = name === undefined ? await client.list('/api/v1/nodes') : [await client.get(nodeObject(name))];
    const isTainted = nodes.some((node) => {
      const { taints = [] } = (node?.['spec'] ?? {}) as { readonly taints?: readonly { readonly key: string }[] };
      return taints.some(({ key }) => key === NOT_READY_TAINT);
    });
    return isTainted ? undefined : true;
  });
}
