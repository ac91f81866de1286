import type { Violation, Origin } from '../model/config.js';
import type { CheckedValues, ReadDocuments, ValidDocument } from './documents.js';
import { checkRules, type CheckedConfig } from './check-rules.js';
import { createTextCache, type TextCache } from '../load/yaml/text-cache.js';
import type { SourceDocument } from '../load/yaml/yaml.js';

/** Results of one run for the clusters that it has seen. The clusters of a fleet have most of their documents in common. */
export interface FleetCache {
  readonly texts: TextCache;
  readonly values: CheckedValues;
  readonly checkRules: (cluster: ValidDocument, read: ReadDocuments) => CheckedConfig;
}

/** Kept results of variants, such as test, staging and production of several sites. */
const VARIANTS_MAX = 8;

/** Kept keys of variants that were seen once. */
const SEEN_ONCE_MAX = 64;

export function createFleetCache(): FleetCache {
  return { texts: createTextCache(), values: new WeakMap(), checkRules: cachedCheck() };
}

interface CheckedCluster {
  readonly documents: readonly ValidDocument[];
  readonly checked: CheckedConfig;
}

/**
 * Checks each variant of a cluster once: clusters of one variant differ only in their names, and their configurations share all
 * parts but `cluster`. Of the variants that were seen once only the last result is kept, because a fleet may have no variant twice.
 */
function cachedCheck(): FleetCache['checkRules'] {
  const numberOf = createNumbering();
  const variants = new Map<string, CheckedCluster>();
  const seenOnce = new Set<string>();
  let last: (CheckedCluster & { readonly key: string }) | undefined;
  return (cluster, read) => {
    const { documents } = read;
    const key = documents.map((one) => (one === cluster ? specText(one) : numberOf(one.value))).join();
    const before = variants.get(key) ?? (last?.key === key ? last : undefined);
    const found = before ?? { documents, checked: checkRules(cluster, read, true) };
    if (seenOnce.delete(key)) variants.set(key, found);
    else if (!variants.has(key)) seenOnce.add(key);
    last = { ...found, key };
    dropOldest(variants, VARIANTS_MAX);
    dropOldest(seenOnce, SEEN_ONCE_MAX);
    return before === undefined ? found.checked : atPlacesOf(before, documents, cluster);
  };
}

/** Sets and maps list their keys in the order in which they were added. */
function dropOldest(keys: Map<string, unknown> | Set<string>, max: number): void {
  const [oldest] = keys.keys();
  if (keys.size > max && oldest !== undefined) keys.delete(oldest);
}

/** The name of a Cluster is in no object and in no message. */
const specText = ({ value }: ValidDocument): string => JSON.stringify((value as { readonly spec: unknown }).spec);

/** Numbers values by their identity: equal texts have one value (`load/yaml/text-cache`). */
function createNumbering(): (value: unknown) => number {
  const numbers = new WeakMap<object, number>();
  let last = 0;
  return (value) => {
    const number = numbers.get(value as object);
    if (number !== undefined) return number;
    last += 1;
    numbers.set(value as object, last);
    return last;
  };
}

/** Returns the violations with the places of these documents. */
function atPlacesOf(
  { documents: before, checked }: CheckedCluster,
  documents: readonly ValidDocument[],
  cluster: ValidDocument,
): CheckedConfig {
  const places = new Map(before.map(({ document }, index) => [document, documents[index]?.document] as const));
  const { document, name } = cluster;
  const config = { ...checked.config, cluster: { ...checked.config.cluster, name, origin: { document, path: [] } } };
  return {
    config,
    violations: checked.violations.map(({ code, violation }) => ({ code, violation: moved(violation, places) })),
  };
}

type Places = ReadonlyMap<SourceDocument, SourceDocument | undefined>;

function moved(violation: Violation, places: Places): Violation {
  const { origin, related } = violation;
  return {
    ...violation,
    origin: movedOrigin(origin, places),
    ...(related && { related: { ...related, origin: movedOrigin(related.origin, places) } }),
  };
}

function movedOrigin(origin: Origin, places: Places): Origin {
  const document = places.get(origin.document);
  if (document === undefined)
    throw new Error(`a rule found something in \`${origin.document.file}\`, which is no part of the cluster`);
  return { ...origin, document };
}
