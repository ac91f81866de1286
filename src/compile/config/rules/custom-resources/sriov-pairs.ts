import { groupBy } from '../../../../shared/lib/group-by.js';
import { hasEntries } from '../../../../shared/lib/has-entries.js';
import type { NodePool } from '../../../model/config.js';
import type { PolicySpec } from './sriov-policy.js';

type Labels = Readonly<Record<string, string>>;

/** What the pairs of policies are made by. */
interface Paired {
  readonly namespace: string;
  readonly spec: PolicySpec;
}

/** Two policies are compared only if the later one looks for a key that the first one has. */
export interface PairKeys {
  readonly own: (spec: PolicySpec) => readonly string[];
  readonly sought: (spec: PolicySpec) => readonly string[];
}

/**
 * For each policy the earlier ones of its namespace that a node may have beside it, and that have a key which it looks for. Policies of one selector are
 * looked up together, so that the time grows with the policies and their pairs, not with all pairs.
 */
export function* nodePairs<Policy extends Paired>(
  policies: readonly Policy[],
  pools: readonly NodePool[],
  { own, sought }: PairKeys,
): Generator<readonly [policy: Policy, first: Policy]> {
  const ids = new Map<string, number>();
  const selectors: Labels[] = [];
  const selectorOf = policies.map(({ spec: { nodeSelector } }) => {
    const text = JSON.stringify(Object.entries(nodeSelector).sort());
    const id = ids.get(text) ?? selectors.push(nodeSelector) - 1;
    ids.set(text, id);
    return id;
  });
  const related = relatedSelectors(selectors, pools);
  /** Numbers of the policies so far, by namespace and key, and then by selector. */
  const known = new Map<string, Map<number, number[]>>();
  for (const [index, policy] of policies.entries()) {
    const selector = selectorOf[index] ?? 0;
    const found = new Set(
      sought(policy.spec).flatMap((key) => numbersOf(known.get(`${policy.namespace} ${key}`), related[selector])),
    );
    for (const number of [...found].sort((a, b) => a - b)) {
      const first = policies[number];
      if (first !== undefined) yield [policy, first];
    }
    for (const key of own(policy.spec)) {
      const bySelector = known.get(`${policy.namespace} ${key}`) ?? new Map<number, number[]>();
      known.set(`${policy.namespace} ${key}`, bySelector);
      const numbers = bySelector.get(selector) ?? [];
      bySelector.set(selector, numbers);
      numbers.push(index);
    }
  }
}

/** The numbers of those selectors. The shorter of the two is walked. */
function numbersOf(
  bySelector: ReadonlyMap<number, readonly number[]> = new Map(),
  related: ReadonlySet<number> = new Set(),
): readonly number[] {
  if (related.size < bySelector.size) return [...related].flatMap((selector) => bySelector.get(selector) ?? []);
  return [...bySelector].flatMap(([selector, numbers]) => (related.has(selector) ? numbers : []));
}

/**
 * The selectors that a node may meet together with each, itself included: one has all labels of the other, because the webhook refuses a policy that
 * selects no node, or a pool of the Cluster has the labels of both.
 */
function relatedSelectors(selectors: readonly Labels[], pools: readonly NodePool[]): readonly ReadonlySet<number>[] {
  const related = selectors.map((_, id) => new Set([id]));
  const partsOf = partFinder(selectors);
  for (const [id, selector] of selectors.entries()) {
    for (const part of partsOf(selector)) {
      related[id]?.add(part);
      related[part]?.add(id);
    }
  }
  for (const labels of new Map(pools.map((pool) => [JSON.stringify(pool.labels), pool.labels])).values()) {
    const met = partsOf(labels);
    for (const id of met) for (const other of met) related[id]?.add(other);
  }
  return related;
}

/** Finds the selectors that labels meet. Each selector is looked up by the label that the fewest of them have. */
function partFinder(selectors: readonly Labels[]): (labels: Labels) => readonly number[] {
  const entriesOf = (labels: Labels) => Object.entries(labels).map((entry) => JSON.stringify(entry));
  const counts = new Map<string, number>();
  for (const entry of selectors.flatMap(entriesOf)) counts.set(entry, (counts.get(entry) ?? 0) + 1);
  /** `undefined` for a selector without labels. */
  const rarestOf = (selector: Labels): string | undefined =>
    entriesOf(selector).sort((a, b) => (counts.get(a) ?? 0) - (counts.get(b) ?? 0))[0];
  const byRarest = groupBy([...selectors.entries()], ([, selector]) => rarestOf(selector));
  return (labels) => {
    const candidates = [undefined, ...entriesOf(labels)].flatMap((entry) => byRarest.get(entry) ?? []);
    return candidates.flatMap(([id, selector]) => (hasEntries(labels, selector) ? [id] : []));
  };
}
