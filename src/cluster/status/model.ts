/** What the operator says of a component: network-operator b06827e0, `api/v1alpha1` (State). */
export type State = 'ready' | 'notReady' | 'ignore' | 'error';

/** Ready pods of those that are desired. */
export interface PodCount {
  readonly desired: number;
  readonly ready: number;
}

/** A component or a kind of network of one policy. */
export interface ComponentStatus {
  /** As in `status.appliedStates`. */
  readonly name: string;
  /** Kind and name of the custom resource in whose status the operator has it. */
  readonly owner: string;
  /** By the operator's rules. */
  readonly state: State;
  /** Why it is not ready; empty where it is. */
  readonly reason: string;
  /** Of its DaemonSets and Deployments. */
  readonly pods: PodCount;
  /** The pods of its DaemonSets by node pool, those of nodes in no pool under an empty name. */
  readonly pools: Readonly<Record<string, PodCount>>;
  /** What its pods say, which the operator does not look at: why they are not ready. Empty where all are. */
  readonly podsSay: string;
}

/** One driver of a node. */
export interface NodeStatus {
  readonly name: string;
  /** Node pool of the Cluster document; empty if it is in none. */
  readonly pool: string;
  /** Label prefix of the driver; absent where only one can be meant. */
  readonly labelPrefix?: string;
  /** Version of its driver and, after an arrow, that it will get; empty: it has none. */
  readonly driver: string;
  /** Whether the gate label lets pods run that wait for the driver; empty: the node has no such label. */
  readonly gate: 'open' | 'closed' | '';
  /** The label of the upgrade. */
  readonly upgrade: string;
  readonly waitsFor: string;
}

/** How a cluster is. */
export interface ClusterStatus {
  readonly name: string;
  /** Context and server, for people. */
  readonly where: string;
  /** As the operator has it for a policy: `notReady` if a component is not ready or in error. */
  readonly state: State;
  readonly components: readonly ComponentStatus[];
  /** A node with several drivers has an entry for each. */
  readonly nodes: readonly NodeStatus[];
  /** Nodes with NICs that no pool or no driver covers, with the reason. */
  readonly uncovered: readonly { readonly node: string; readonly why: string }[];
  /** How many objects differ from what is rendered, by class of `weft diff`; absent if nothing is rendered here. */
  readonly differs?: Readonly<Record<string, number>>;
  /** What could not be found out. */
  readonly notes: readonly string[];
}

/** A cluster of which nothing is known. */
export interface UnknownCluster {
  readonly name: string;
  readonly where: string;
  readonly error: string;
}

/** Whether everything is ready: the exit code of the command. */
export function isAllReady(cluster: ClusterStatus | UnknownCluster): boolean {
  if ('error' in cluster) return false;
  const isReady = ({ pods }: ComponentStatus) => pods.ready >= pods.desired;
  const hasFailed = cluster.nodes.some(({ upgrade }) => upgrade === 'upgrade-failed');
  return cluster.state === 'ready' && cluster.components.every(isReady) && cluster.uncovered.length === 0 && !hasFailed;
}
