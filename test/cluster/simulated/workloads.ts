import type { ApiClient, LiveObject } from '../bed/api-client.js';
import { setStatus } from './nodes.js';
import { makeRandom } from '../../../src/forecast/simulation/random.js';
import { podStatus } from './pod-status.js';
import { seed } from '../bed/test-bed.js';

/** The namespace of pods that may be evicted, and the prefix of more such namespaces. */
export const WORKLOADS = 'work';

export interface WorkloadOptions {
  readonly nodes: number;
  /** Pods of ReplicaSets with budgets, for each node. */
  readonly podsPerNode: number;
  /** How many pods of each ReplicaSet may be unavailable. Default: 20 %. */
  readonly budget?: string;
}

/** Pods of one ReplicaSet and one budget: the API server handles the evictions of one budget one after the other. */
const PODS_PER_BUDGET = 25;
/** The disruption controller compares each pod that changes with all budgets of its namespace. */
const BUDGETS_PER_NAMESPACE = 40;

/**
 * ReplicaSets of pods that may be evicted, each with its own budget. Deployments would cost the control plane a fifth more writes,
 * without a difference for the companion. The pods already run, on random nodes. No controller may run yet, because it would create
 * the pods itself, with four times as many requests.
 */
export async function createWorkloads(client: ApiClient, options: WorkloadOptions): Promise<void> {
  const { nodes, podsPerNode, budget = '20%' } = options;
  const places = placesOf(nodes, podsPerNode);
  const sets = Array.from({ length: Math.ceil(places.length / PODS_PER_BUDGET) }, (_, index) => ({
    namespace: namespaceOf(Math.floor(index / BUDGETS_PER_NAMESPACE)),
    name: `web-${index}`,
    places: places.slice(index * PODS_PER_BUDGET, (index + 1) * PODS_PER_BUDGET),
  }));
  for (const namespace of new Set([WORKLOADS, ...sets.map((set) => set.namespace)])) {
    const labels = { 'pod-security.kubernetes.io/enforce': 'privileged' };
    await client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace, labels } });
    await client.create({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default', namespace } });
  }
  await Promise.all(sets.map((set) => createSet(client, set, budget)));
}

/** Whether a pod is in a namespace of the workloads. */
export function isWorkload({ metadata: { namespace = '' } }: LiveObject): boolean {
  return namespace === WORKLOADS || namespace.startsWith(`${WORKLOADS}-`);
}

function namespaceOf(index: number): string {
  return index === 0 ? WORKLOADS : `${WORKLOADS}-${index}`;
}

/** The nodes of the pods in random order, each as often as it has pods. */
function placesOf(nodes: number, podsPerNode: number): readonly string[] {
  const random = makeRandom(seed(), 'workloads');
  const names = Array.from({ length: nodes }, (_, index) => `node-${index}`);
  return Array.from({ length: podsPerNode }, () => random.shuffle(names)).flat();
}

interface WorkloadSet {
  readonly namespace: string;
  readonly name: string;
  /** The node of each of its pods. */
  readonly places: readonly string[];
}

async function createSet(client: ApiClient, { namespace, name, places }: WorkloadSet, budget: string): Promise<void> {
  const metadata = { name, namespace };
  const labels = { app: name };
  const selector = { matchLabels: labels };
  // Without requests the scheduler does not distinguish full nodes from empty ones, and pods are evicted repeatedly.
  const resources = { requests: { cpu: '2', memory: '8Gi' } };
  const containers = [{ name: 'web', image: 'registry.example.com/web:1', resources }];
  const podSpec = { terminationGracePeriodSeconds: 1, automountServiceAccountToken: false, containers };
  const set = await client.create({
    ...{ apiVersion: 'apps/v1', kind: 'ReplicaSet', metadata },
    spec: { replicas: places.length, selector, template: { metadata: { labels }, spec: podSpec } },
  });
  const owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name, uid: set.metadata.uid ?? '' };
  const ownerReferences = [{ ...owner, controller: true, blockOwnerDeletion: true }];
  await Promise.all(
    places.map(async (nodeName, index) => {
      const pod = {
        ...{ apiVersion: 'v1', kind: 'Pod' },
        metadata: { namespace, name: `${name}-${index}`, labels, ownerReferences },
        spec: { ...podSpec, nodeName },
      };
      await client.create(pod);
      await setStatus(client, pod, podStatus(pod, { kind: 'ready' }, new Date().toISOString()));
    }),
  );
  const spec = { maxUnavailable: budget, selector };
  await client.create({ apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata, spec });
}
