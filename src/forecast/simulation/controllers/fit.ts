import { isFinished } from '../../../companion/model/pod.js';
import { portInTheWay } from '../rules/host-ports.js';
import { amountsOf, lackingResource, type Amounts } from '../rules/resources.js';
import { isSelected, nodeMisfit, reachesVolumes } from '../rules/node-fit.js';
import { repellingKeys } from '../rules/pod-affinity.js';
import { countsFor, exceedsSkew, type SpreadConstraint } from '../rules/topology-spread.js';
import type { PodScheduling } from '../rules/scheduling.js';
import type { Store, StoredNode, StoredPod } from '../store.js';
import { memoized, once } from '../../../shared/lib/memo.js';
import type { SimulatedCluster } from '../simulated-cluster.js';
import { createNodeUsage, type NodeUsage } from './node-usage.js';

/** Whether a change of one node can make the pod fit another one. */
export function needsEveryNode({ scheduling }: StoredPod): boolean {
  return scheduling !== undefined && (scheduling.spread.length > 0 || scheduling.antiAffinity.length > 0);
}

/** Why a node does not take a pod. */
interface Misfit {
  readonly text: string;
  /** It would not take it without its other pods, either: the scheduler's status `UnschedulableAndUnresolvable`. */
  readonly isOfNode: boolean;
}

const byPods = (text: string): Misfit => ({ text, isOfNode: false });
const ofNode = (text: string): Misfit => ({ text, isOfNode: true });

/** Tells which nodes take pods now. */
export interface Fit {
  /** The function that tells why a node does not take the pod: the first reason in the order of the scheduler's plug-ins. */
  misfitOf(pod: StoredPod): (node: StoredNode) => Misfit | undefined;
  /** Whether pods of the namespace are still tried. */
  isTried(namespace: string): boolean;
}

/**
 * How often the waiting pods of one namespace are compared with nodes and other pods. A tenant may have 20,000 that each ask for something else, with
 * constraints that are compared with all of them.
 */
export const COMPARISONS_MAX = 2_000_000;

type Compared = (namespace: string, times: number) => void;

/** @param onExhausted is told of a namespace whose pods are tried no more: it had `COMPARISONS_MAX` comparisons */
export function createFit(
  { store, conditions }: SimulatedCluster,
  onExhausted: (namespace: string) => void = () => undefined,
): Fit {
  const usage = createNodeUsage(store);
  const counts = new Map<string, number>();
  const isTried = (namespace: string): boolean => (counts.get(namespace) ?? 0) < COMPARISONS_MAX;
  const compared: Compared = (namespace, times) => {
    const wasTried = isTried(namespace);
    counts.set(namespace, (counts.get(namespace) ?? 0) + times);
    if (wasTried && !isTried(namespace)) onExhausted(namespace);
  };
  return {
    isTried,
    misfitOf: (pod) => {
      const misfit = misfitFor({ store, usage, compared, podCapacity: conditions.podCapacity }, pod);
      return (node) => {
        compared(pod.namespace, 1);
        return misfit(node);
      };
    },
  };
}

interface Context {
  readonly store: Store;
  readonly usage: NodeUsage;
  readonly compared: Compared;
  /** How many pods a node takes beside those of the driver. */
  readonly podCapacity: number;
}

function misfitFor(context: Context, pod: StoredPod): (node: StoredNode) => Misfit | undefined {
  const { usage, podCapacity } = context;
  const { scheduling } = pod;
  if (scheduling === undefined)
    return (node) => {
      if (!fitsPlainly(pod, node)) return ofNode('not for pods without requirements');
      return usage(node.name).places < podCapacity ? undefined : byPods('full');
    };
  // Most nodes are refused before these are asked for, and they go through all pods of the namespace.
  const isRepelled = once(() => repelling(context, pod, scheduling));
  const isSkewed = once(() => scheduling.spread.map((constraint) => skewing(context, pod, scheduling, constraint)));
  const { constraints, requests, hostPorts, volumes } = scheduling;
  return (node) => {
    if (node.ready !== 'True') return ofNode('not Ready');
    const misfit = nodeMisfit(constraints, node);
    if (misfit !== undefined) return ofNode(misfit);
    const used = usage(node.name);
    if (used.places >= podCapacity) return byPods('full');
    const allocatable = allocatableOf(node);
    const lacking = lackingResource(requests, used.requests, allocatable);
    if (lacking !== undefined)
      return { text: `with too little ${lacking}`, isOfNode: lackingResource(requests, {}, allocatable) !== undefined };
    if (portInTheWay(hostPorts, used.hostPorts) !== undefined) return byPods('where a host port is taken');
    if (!reachesVolumes(volumes, node)) return ofNode('that do not reach its volume');
    if (isRepelled()(node)) return byPods('against its pod anti-affinity');
    return isSkewed().some((exceeds) => exceeds(node)) ? byPods('against its topology spread') : undefined;
  };
}

/** A pod without requirements of its own. */
function fitsPlainly(pod: StoredPod, { taints, ready, unschedulable }: StoredNode): boolean {
  return taints.length === 0 && ready === 'True' && (!unschedulable || pod.toleratesUnschedulable);
}

const parsed = new WeakMap<StoredNode['allocatable'], Amounts>();

function allocatableOf({ allocatable }: StoredNode): Amounts {
  const known = parsed.get(allocatable) ?? amountsOf(allocatable);
  parsed.set(allocatable, known);
  return known;
}

/** Whether a pod of the node's domain keeps this pod off, or this pod keeps off one of them. */
function repelling(
  { store, compared }: Context,
  pod: StoredPod,
  { antiAffinity }: PodScheduling,
): (node: StoredNode) => boolean {
  const domains = new Map<string, Set<string>>();
  const note = (topologyKey: string, nodeName: string): void => {
    const domain = store.nodes.get(nodeName)?.labels[topologyKey];
    if (domain === undefined) return;
    domains.set(topologyKey, (domains.get(topologyKey) ?? new Set()).add(domain));
  };
  // Those of other namespaces that repel this pod have terms, too.
  const own = antiAffinity.length > 0 ? [...store.podsIn(pod.namespace)] : [];
  compared(pod.namespace, own.length);
  // Each for itself: a list of both would be a copy for each pod that is tried.
  for (const others of [own, store.repelling('')]) {
    for (const other of others) {
      if (other.nodeName === '' || isFinished(other)) continue;
      for (const key of repellingKeys(antiAffinity, pod, other)) note(key, other.nodeName);
      for (const key of repellingKeys(other.scheduling?.antiAffinity ?? [], other, pod)) note(key, other.nodeName);
    }
  }
  if (domains.size === 0) return () => false;
  return ({ labels }) => [...domains].some(([key, taken]) => taken.has(labels[key] ?? ''));
}

function skewing(
  { store, compared }: Context,
  pod: StoredPod,
  { constraints }: PodScheduling,
  constraint: SpreadConstraint,
): (node: StoredNode) => boolean {
  const counts = new Map<string, number>();
  const isAllowed = memoized((node: StoredNode) => isSelected(constraints, node));
  for (const node of store.nodes.values()) {
    const domain = node.labels[constraint.topologyKey];
    if (domain !== undefined && isAllowed(node) && !counts.has(domain)) counts.set(domain, 0);
  }
  const own = [...store.podsIn(pod.namespace)];
  compared(pod.namespace, own.length);
  for (const other of own) {
    const node = store.nodes.get(other.nodeName);
    const domain = node?.labels[constraint.topologyKey];
    if (node === undefined || domain === undefined || other.deletionMs !== undefined || isFinished(other)) continue;
    if (isAllowed(node) && countsFor(constraint, other.labels)) counts.set(domain, (counts.get(domain) ?? 0) + 1);
  }
  const self = countsFor(constraint, pod.labels);
  return ({ labels }) => exceedsSkew(constraint, counts, labels[constraint.topologyKey], self);
}
