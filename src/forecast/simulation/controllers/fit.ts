import { isFinished } from '../../../companion/model/pod.js';
import { portInTheWay } from '../rules/host-ports.js';
import { amountsOf, lackingResource, type Amounts } from '../rules/resources.js';
import { isSelected, nodeMisfit, reachesVolumes } from '../rules/node-fit.js';
import { repellingKeys } from '../rules/pod-affinity.js';
import { countsFor, exceedsSkew, type SpreadConstraint } from '../rules/topology-spread.js';
import type { PodScheduling } from '../rules/scheduling.js';
import type { Store, StoredNode, StoredPod } from '../store.js';
import { memoized, once } from '../../../shared/lib/memo.js';
import type { NodeUsage } from './node-usage.js';

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

/**
 * The function that tells why a node does not take the pod now: the first reason in the order of the scheduler's plug-ins.
 *
 * @param podCapacity how many pods a node takes beside those of the driver
 */
export function misfitOf(
  store: Store,
  usage: NodeUsage,
  pod: StoredPod,
  podCapacity: number,
): (node: StoredNode) => Misfit | undefined {
  const { scheduling } = pod;
  if (scheduling === undefined)
    return (node) => {
      if (!fitsPlainly(pod, node)) return ofNode('not for pods without requirements');
      return usage(node.name).places < podCapacity ? undefined : byPods('full');
    };
  // Most nodes are refused before these are asked for, and they go through all pods of the namespace.
  const isRepelled = once(() => repelling(store, pod, scheduling));
  const isSkewed = once(() => scheduling.spread.map((constraint) => skewing(store, pod, scheduling, constraint)));
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
function repelling(store: Store, pod: StoredPod, { antiAffinity }: PodScheduling): (node: StoredNode) => boolean {
  const domains = new Map<string, Set<string>>();
  const note = (topologyKey: string, nodeName: string): void => {
    const domain = store.nodes.get(nodeName)?.labels[topologyKey];
    if (domain === undefined) return;
    domains.set(topologyKey, (domains.get(topologyKey) ?? new Set()).add(domain));
  };
  for (const other of candidates(store, pod, antiAffinity.length > 0)) {
    if (other.nodeName === '' || isFinished(other)) continue;
    for (const key of repellingKeys(antiAffinity, pod, other)) note(key, other.nodeName);
    for (const key of repellingKeys(other.scheduling?.antiAffinity ?? [], other, pod)) note(key, other.nodeName);
  }
  if (domains.size === 0) return () => false;
  return ({ labels }) => [...domains].some(([key, taken]) => taken.has(labels[key] ?? ''));
}

function candidates(store: Store, pod: StoredPod, hasTerms: boolean): Iterable<StoredPod> {
  // Those of other namespaces that repel this pod have terms, too.
  return hasTerms ? [...store.podsIn(pod.namespace), ...store.repelling('')] : store.repelling('');
}

function skewing(
  store: Store,
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
  for (const other of store.podsIn(pod.namespace)) {
    const node = store.nodes.get(other.nodeName);
    const domain = node?.labels[constraint.topologyKey];
    if (node === undefined || domain === undefined || other.deletionMs !== undefined || isFinished(other)) continue;
    if (isAllowed(node) && countsFor(constraint, other.labels)) counts.set(domain, (counts.get(domain) ?? 0) + 1);
  }
  const self = countsFor(constraint, pod.labels);
  return ({ labels }) => exceedsSkew(constraint, counts, labels[constraint.topologyKey], self);
}
