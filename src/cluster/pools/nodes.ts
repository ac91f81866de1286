import { NFD_LABELS, STOCK_NFD_NIC_LABEL } from '../../shared/contract/labels.js';
import type { ApiNode } from '../../shared/kubernetes/shapes/cluster.js';
import { isNamesake, shapeProblem, withoutNulls } from '../../shared/kubernetes/shapes/read.js';
import { compareText, isObject, readJson } from '../../shared/lib/json.js';
import {
  CONDITION_TAINTS,
  DAEMON_SET_TOLERATIONS,
  taintText,
  toleratesAll,
  type Taint,
} from '../../shared/kubernetes/selection/taints.js';

/** The properties of a live node that pools depend on. */
export interface ClusterNode {
  readonly name: string;
  readonly labels: ReadonlyMap<string, string>;
  /** Taints that repel driver pods unless a policy tolerates them; sorted, without duplicates. */
  readonly taints: readonly Taint[];
  /** Absent if the node does not report it, or if the operator does not distinguish the runtime. */
  readonly containerRuntime?: ContainerRuntime;
}

export type ContainerRuntime = 'containerd' | 'cri-o' | 'docker';

/** The nodes, sorted by name; or why the value is not a list of nodes. */
type ReadNodes = { readonly nodes: readonly ClusterNode[] } | { readonly problem: string };

/**
 * Keys of taints that depend on the current state of a node, and not on its pool, for any effect: Kubernetes v1.34
 * (k8s.io/api core/v1 `well_known_taints.go`, k8s.io/cloud-provider api `well_known_taints.go`) and the cluster
 * autoscaler (utils/taints `taints.go`).
 */
const TRANSIENT_TAINTS: ReadonlySet<string> = new Set([
  ...CONDITION_TAINTS,
  'node.kubernetes.io/out-of-service',
  'node.cloudprovider.kubernetes.io/uninitialized',
  'node.cloudprovider.kubernetes.io/shutdown',
  'ToBeDeletedByClusterAutoscaler',
]);

/** True for a node with an NVIDIA NIC, by the label that the operator's DaemonSets select or by those of stock Node Feature Discovery. */
export function isNicNode(node: ClusterNode): boolean {
  return node.labels.get(NFD_LABELS.nicPresent) === 'true' || lacksRule(node);
}

/** True where Node Feature Discovery found an NVIDIA NIC, but no rule gives the node the label that DaemonSets select. */
export function lacksRule({ labels }: ClusterNode): boolean {
  if (labels.has(NFD_LABELS.nicPresent)) return false;
  return [...labels].some(([key, value]) => value === 'true' && STOCK_NFD_NIC_LABEL.test(key));
}

/** Reads what `kubectl get nodes -o json` or `kubectl get node <name> -o json` prints: a List, a NodeList or a Node. */
export function readNodes(value: unknown): ReadNodes {
  if (!isObject(value)) return { problem: 'it is not a list of nodes' };
  const { kind, items } = value;
  if (kind === 'Node') return collect([value]);
  if (kind !== 'List' && kind !== 'NodeList') {
    return { problem: typeof kind === 'string' ? `it is a ${kind}, not a list of nodes` : 'it is not a list of nodes' };
  }
  if (!Array.isArray(items)) return { problem: `the ${kind} has no \`items\`` };
  // The items of the API server's NodeList have no kind; those of kubectl's List have one.
  return collect(
    items.map((item: unknown) => (kind === 'NodeList' && isObject(item) ? { kind: 'Node', ...item } : item)),
  );
}

/** Ten thousand nodes with all their images, in characters. */
export const nodesTextMax = 256 * 1024 * 1024;

/** The nodes in the JSON output of kubectl, or why there are none. */
export function readNodesText(text: string): ReadNodes {
  const read = readJson(text);
  return 'value' in read ? readNodes(read.value) : read;
}

function collect(items: readonly unknown[]): ReadNodes {
  const nodes: ClusterNode[] = [];
  for (const [index, item] of items.entries()) {
    const kind = isObject(item) ? item['kind'] : undefined;
    if (!isObject(item) || kind !== 'Node' || isNamesake(item)) {
      return {
        problem: `item ${index} is ${typeof kind === 'string' && kind !== 'Node' ? `a ${kind}` : 'something else'}, not a Node`,
      };
    }
    const node = withoutNulls(item);
    const problem = shapeProblem(node);
    if (problem !== undefined) return { problem };
    const read = clusterNode(node);
    if (read.name === '') return { problem: `item ${index} is a Node without a name` };
    nodes.push(read);
  }
  return { nodes: nodes.sort((a, b) => compareText(a.name, b.name)) };
}

export function clusterNode({ metadata, spec, status }: ApiNode): ClusterNode {
  const containerRuntime = runtimeOf(status?.nodeInfo?.containerRuntimeVersion);
  return {
    name: metadata?.name ?? '',
    labels: new Map(Object.entries(metadata?.labels ?? {})),
    taints: lastingTaints((spec?.taints ?? []).map(taintOf)),
    ...(containerRuntime && { containerRuntime }),
  };
}

/** `containerd://1.7.27` is containerd: network-operator v26.7, pkg/nodeinfo/node_info.go `getContainerRuntime`. */
function runtimeOf(version = ''): ContainerRuntime | undefined {
  return /^(containerd|cri-o|docker)/.exec(version)?.[1] as ContainerRuntime | undefined;
}

function taintOf({ key, value = '', effect }: Taint): Taint {
  return { key, ...(value !== '' && { value }), effect };
}

/** The permanent taints that repel driver pods; sorted, without duplicates. */
export function lastingTaints(taints: readonly Taint[]): readonly Taint[] {
  const lasting = taints.filter(
    (taint) =>
      taint.effect !== 'PreferNoSchedule' &&
      !TRANSIENT_TAINTS.has(taint.key) &&
      !toleratesAll(DAEMON_SET_TOLERATIONS, [taint]),
  );
  const byText = new Map(lasting.map((taint) => [taintText(taint), taint]));
  return [...byText].sort(([a], [b]) => compareText(a, b)).map(([, taint]) => taint);
}
