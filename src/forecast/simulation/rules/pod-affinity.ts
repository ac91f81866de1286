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

const known = new WeakMap<readonly AntiAffinityTerm[], WeakMap<Labels, Map<string, readonly string[]>>>();

/**
 * The topology keys of the terms of `owner` that keep `other` out of its domain. Computed once for the terms and the labels, which a plan
 * compares again and again: a tenant may have written thousands of terms.
 */
export function repellingKeys(
  terms: readonly AntiAffinityTerm[],
  owner: PlacedPod,
  other: PlacedPod,
): readonly string[] {
  if (terms.length === 0) return NO_KEYS;
  const ofTerms = known.get(terms) ?? new WeakMap<Labels, Map<string, readonly string[]>>();
  known.set(terms, ofTerms);
  const ofLabels = ofTerms.get(other.labels) ?? new Map<string, readonly string[]>();
  ofTerms.set(other.labels, ofLabels);
  const namespaces = `${owner.namespace}/${other.namespace}`;
  const before = ofLabels.get(namespaces);
  if (before !== undefined) return before;
  const found = terms.filter((term) => repels(term, owner, other)).map(({ topologyKey }) => topologyKey);
  const keys = found.length === 0 ? NO_KEYS : [...new Set(found)];
  ofLabels.set(namespaces, keys);
  return keys;
}

const NO_KEYS: readonly string[] = Object.freeze([]);

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
