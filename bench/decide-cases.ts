import { NETWORK_OPERATOR_POD_SELECTOR, OFED_GATE_LABEL } from '../src/shared/contract/labels.js';
import type { UpgradePolicy } from '../src/shared/contract/upgrade-policy.js';
import type { SnapshotBudget, SnapshotNode, SnapshotPod } from '../src/companion/model/types.js';
import { recorded } from '../test/kit/records.js';
import { driverPod, node, NOW, pod, policyOf } from '../test/kit/snapshots.js';

/** The lists of a large cluster, and the results of evictions. */
export interface ClusterObjects {
  readonly nodes: readonly SnapshotNode[];
  readonly pods: readonly SnapshotPod[];
  readonly budgets: readonly SnapshotBudget[];
  /** Pods with a recently refused eviction. */
  readonly refused: readonly SnapshotPod[];
}

/** Large clusters, one for each kind of decision. */
export interface DecideCase {
  readonly name: string;
  readonly policy: UpgradePolicy;
  readonly build: (nodes: number) => ClusterObjects;
}

const PODS_PER_NODE = 20;
const LABELS_PER_NODE = 40;
const GATED_LABEL = 'gated';
/** Coprime to every number of pods, so that a walk with this step visits every pod once. */
const PRIME = 7919;

const driver = {
  controllerPodSelector: NETWORK_OPERATOR_POD_SELECTOR,
  gate: { kind: 'ready-file' as const, label: OFED_GATE_LABEL, podSelectors: [`${GATED_LABEL}=yes`] },
};
const drain = { enable: true, force: true, deleteEmptyDir: true, timeoutSeconds: 600 };

export const decideCases: readonly DecideCase[] = [
  {
    name: 'all done',
    policy: policyOf({ maxParallelUpgrades: 4, drain }, driver),
    build: (nodes) => objectsOf(nodes, () => ({ state: 'upgrade-done', digest: 'new' })),
  },
  {
    name: 'bounded rollout, half-way',
    policy: policyOf({ maxParallelUpgrades: 20, drain }, driver),
    build: (nodes) => objectsOf(nodes, (index) => halfWay(index, nodes)),
  },
  {
    name: 'all outdated, unbounded',
    policy: policyOf({ maxParallelUpgrades: 0, drain }, driver),
    build: (nodes) => objectsOf(nodes, () => ({ state: 'upgrade-done', digest: 'old' })),
  },
  {
    name: 'half draining, evictions refused',
    policy: policyOf({ maxParallelUpgrades: 0, drain }, driver),
    build: (nodes) =>
      objectsOf(nodes, (index) => (index % 2 === 0 ? draining : { state: 'upgrade-required', digest: 'old' })),
  },
  {
    name: 'all draining, evictions due',
    policy: policyOf({ maxParallelUpgrades: 0, drain }, driver),
    build: (nodes) => objectsOf(nodes, () => ({ ...draining, refused: false })),
  },
];

interface NodeSetup {
  readonly state: string;
  readonly digest: string;
  readonly draining?: boolean;
  /** Evictions were tried and refused. */
  readonly refused?: boolean;
}

const draining: NodeSetup = { state: 'drain-required', digest: 'old', draining: true, refused: true };

function halfWay(index: number, nodes: number): NodeSetup {
  if (index < nodes / 2) return { state: 'upgrade-done', digest: 'new' };
  return index < nodes / 2 + 20 ? draining : { state: 'upgrade-required', digest: 'old' };
}

function objectsOf(count: number, setupOf: (index: number) => NodeSetup): ClusterObjects {
  const setups = Array.from({ length: count }, (_, index) => setupOf(index));
  const nodes = setups.map((setup, index) => nodeOf(`node-${index}`, setup));
  // Lists are sorted by namespace and name, so the pods of a node are spread over the list, and over memory.
  const total = count * PODS_PER_NODE;
  const pods = Array.from({ length: total }, (_, index) => {
    const place = (index * PRIME) % total;
    const nodeIndex = Math.floor(place / PODS_PER_NODE);
    return podOf(`node-${nodeIndex}`, place % PODS_PER_NODE, setups[nodeIndex]?.digest ?? '');
  });
  const refusing = new Set(nodes.filter((_, index) => setups[index]?.refused === true).map(({ name }) => name));
  const refused = pods.filter(
    ({ controller, nodeName }) => controller?.kind === 'ReplicaSet' && refusing.has(nodeName),
  );
  const budgets = [0, 1, 2, 3].map((index) => ({
    namespace: 'apps',
    name: `budget-${index}`,
    selector: { matchLabels: { app: `app-${index}` } },
    disruptionsAllowed: 0,
  }));
  return { nodes, pods, budgets, refused };
}

function nodeOf(name: string, { state, draining: isDraining }: NodeSetup): SnapshotNode {
  const labels = Object.fromEntries(
    Array.from({ length: LABELS_PER_NODE }, (_, index) => [`feature.node.kubernetes.io/feature-${index}`, 'true']),
  );
  const since = { 'drain-required': NOW / 1000 - 100 };
  const annotations = isDraining === true ? recorded({ cordon: '', since }) : {};
  return node(name, { state, labels, annotations, unschedulable: isDraining === true });
}

function podOf(nodeName: string, index: number, digest: string): SnapshotPod {
  const daemon = (name: string) => ({ apiVersion: 'apps/v1', kind: 'DaemonSet', name, uid: `uid-${name}` });
  switch (index) {
    case 0:
      return driverPod(nodeName, { digest });
    case 1:
      return pod(nodeName, `plugin-${nodeName}`, {
        namespace: 'nno',
        labels: { [GATED_LABEL]: 'yes' },
        controller: daemon('plugin'),
        containers: [{ name: 'main', ready: true, restarts: 0, startedMs: NOW - 3_000_000 }],
      });
    case 2:
      return pod(nodeName, `agent-${nodeName}`, { namespace: 'monitoring', controller: daemon('agent') });
    default:
      return pod(nodeName, `app-${index}-${nodeName}`, { labels: { app: `app-${index % 4}`, tier: 'work' } });
  }
}
