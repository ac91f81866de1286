import type { Finding, Origin } from '../model/config.js';
import type { CheckedValues, ReadDocuments, ValidDocument } from './documents.js';
import { checkRules, type CheckedConfig } from './check-rules.js';
import { createKnownTexts, type KnownTexts } from '../load/yaml/known-texts.js';
import type { SourceDocument } from '../load/yaml/yaml.js';

/** Results of one run for the clusters that it has seen. The clusters of a fleet have most of their documents in common. */
export interface FleetCache {
  readonly texts: KnownTexts;
  readonly values: CheckedValues;
  readonly checkRules: (cluster: ValidDocument, read: ReadDocuments) => CheckedConfig;
}

/** Clusters of so many kinds are remembered, as in test, staging and production of several sites. */
const KINDS = 8;

/** Kinds that were seen once, by their keys, which are short. */
const KINDS_SEEN_ONCE = 64;

export function createFleetCache(): FleetCache {
  return { texts: createKnownTexts(), values: new WeakMap(), checkRules: cachedCheck() };
}

interface CheckedCluster {
  readonly documents: readonly ValidDocument[];
  readonly checked: CheckedConfig;
}

/**
 * Checks clusters that differ only in their names once. Their configurations share all parts but `cluster`. Of clusters that were
 * seen once only the last is kept: where no two are alike, the results of others would fill the memory for nothing.
 */
function cachedCheck(): FleetCache['checkRules'] {
  const numberOf = createNumbering();
  const known = new Map<string, CheckedCluster>();
  const seenOnce = new Set<string>();
  let last: (CheckedCluster & { readonly key: string }) | undefined;
  return (cluster, read) => {
    const { documents } = read;
    const key = documents.map((one) => (one === cluster ? specText(one) : numberOf(one.value))).join();
    const before = known.get(key) ?? (last?.key === key ? last : undefined);
    const found = before ?? { documents, checked: checkRules(cluster, read, true) };
    if (seenOnce.delete(key)) known.set(key, found);
    else if (!known.has(key)) seenOnce.add(key);
    last = { ...found, key };
    dropOldest(known, KINDS);
    dropOldest(seenOnce, KINDS_SEEN_ONCE);
    return before === undefined ? found.checked : atPlacesOf(before, documents, cluster);
  };
}

/** Sets and maps list their keys in the order in which they were added. */
function dropOldest(keys: Map<string, unknown> | Set<string>, max: number): void {
  const [oldest] = keys.keys();
  if (keys.size > max && oldest !== undefined) keys.delete(oldest);
}

/** A Cluster's name is in nothing that is built or said. */
const specText = ({ value }: ValidDocument): string => JSON.stringify((value as { readonly spec: unknown }).spec);

/** Values that are read from the same text are the same. */
function createNumbering(): (value: unknown) => number {
  const numbers = new WeakMap<object, number>();
  let last = 0;
  return (value) => {
    const known = numbers.get(value as object);
    if (known !== undefined) return known;
    last += 1;
    numbers.set(value as object, last);
    return last;
  };
}

/** Returns the findings with the places of these documents. */
function atPlacesOf(
  { documents: before, checked }: CheckedCluster,
  documents: readonly ValidDocument[],
  cluster: ValidDocument,
): CheckedConfig {
  const places = new Map(before.map(({ document }, index) => [document, documents[index]?.document] as const));
  const { document, name } = cluster;
  const config = { ...checked.config, cluster: { ...checked.config.cluster, name, origin: { document, path: [] } } };
  return { config, findings: checked.findings.map(({ code, finding }) => ({ code, finding: moved(finding, places) })) };
}

type Places = ReadonlyMap<SourceDocument, SourceDocument | undefined>;

function moved(finding: Finding, places: Places): Finding {
  const { origin, related } = finding;
  return {
    ...finding,
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
