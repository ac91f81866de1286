import { matchesSelector, readOnce, type LabelSelector } from '../../../shared/kubernetes/selection/label-selector.js';

type Labels = Readonly<Record<string, string>>;

/** One required term of a pod's anti-affinity. */
export interface AntiAffinityTerm {
  /** Absent: the namespace of the pod. Empty: every namespace (`namespaceSelector: {}`). A set, because a tenant may have written thousands. */
  readonly namespaces?: ReadonlySet<string>;
  /** Absent: no pod. */
  readonly labelSelector?: LabelSelector;
  readonly topologyKey: string;
}

interface PlacedPod {
  readonly namespace: string;
  readonly labels: Labels;
}

/**
 * Whether a term of `owner` keeps `other` out of its domain, which is the nodes with the same value of the label: the namespace and the
 * labels match. A node without the label is in no domain. Kubernetes' `AffinityTerm.Matches` and
 * `pkg/scheduler/framework/plugins/interpodaffinity`, v1.34.
 */
export function repels({ namespaces, labelSelector }: AntiAffinityTerm, owner: PlacedPod, other: PlacedPod): boolean {
  const isInScope =
    namespaces === undefined
      ? owner.namespace === other.namespace
      : namespaces.size === 0 || namespaces.has(other.namespace);
  return isInScope && labelSelector !== undefined && matchesSelector(readOnce(labelSelector), other.labels);
}
