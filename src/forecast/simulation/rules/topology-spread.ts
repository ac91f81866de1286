import { matchesSelector, readOnce, type LabelSelector } from '../../../shared/kubernetes/selection/label-selector.js';

/** A constraint with `whenUnsatisfiable: DoNotSchedule`. */
export interface SpreadConstraint {
  readonly topologyKey: string;
  readonly maxSkew: number;
  /** Fewer domains than this count as a domain without pods. */
  readonly minDomains?: number;
  /** Absent: no pod. */
  readonly labelSelector?: LabelSelector;
}

/** Whether a pod counts for a constraint. Only pods of the same namespace are asked about. */
export function countsFor({ labelSelector }: SpreadConstraint, labels: Readonly<Record<string, string>>): boolean {
  return labelSelector !== undefined && matchesSelector(readOnce(labelSelector), labels);
}

/**
 * Whether a constraint keeps a pod off a domain: with it, the domain would have more than `maxSkew` pods more than the emptiest one. A
 * node without the label takes no such pod. Kubernetes' plug-in `PodTopologySpread`, `filtering.go`, v1.34.
 *
 * @param counts the matching pods by domain, of the nodes that the pod's node selector and affinity allow
 * @param self whether the pod itself matches the selector
 */
export function exceedsSkew(
  { maxSkew, minDomains = 1 }: SpreadConstraint,
  counts: ReadonlyMap<string, number>,
  domain: string | undefined,
  self: boolean,
): boolean {
  if (domain === undefined) return true;
  const least = counts.size < minDomains ? 0 : Math.min(...counts.values());
  const global = Number.isFinite(least) ? least : 0;
  return (counts.get(domain) ?? 0) + (self ? 1 : 0) - global > maxSkew;
}
