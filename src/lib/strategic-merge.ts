import { isObject } from './json.js';

/**
 * Keys by which the API server merges lists of built-in kinds (`patchMergeKey` in k8s.io/api v0.36). Lists that are not here
 * are replaced as a whole, as it does with lists of custom resources.
 */
const MERGE_KEYS: Readonly<Record<string, readonly string[]>> = {
  containers: ['name'],
  env: ['name'],
  ephemeralContainers: ['name'],
  hostAliases: ['ip'],
  imagePullSecrets: ['name'],
  initContainers: ['name'],
  ports: ['containerPort', 'port'],
  secrets: ['name'],
  topologySpreadConstraints: ['topologyKey'],
  volumeDevices: ['devicePath'],
  volumeMounts: ['mountPath'],
  volumes: ['name'],
  webhooks: ['name'],
};

/** The key by which a patch says what it does with what it stands in. */
export const DIRECTIVE = '$patch';

/**
 * A strategic merge patch: mappings are merged, `null` removes a key, lists whose entries have a merge key are merged entry by
 * entry, others are replaced. `$patch: delete` in an entry removes it, `$patch: replace` replaces what it stands in.
 */
export function strategicMerge(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  if (!isObject(target) || patch[DIRECTIVE] === 'replace') return withoutNulls(patch);
  const merged = new Map(Object.entries(target));
  for (const [key, value] of Object.entries(patch)) {
    if (key === DIRECTIVE) continue;
    if (value === null || isDeletion(value)) merged.delete(key);
    else merged.set(key, mergeField(key, merged.get(key), value));
  }
  return Object.fromEntries(merged);
}

function isDeletion(value: unknown): boolean {
  return isObject(value) && value[DIRECTIVE] === 'delete';
}

function mergeField(key: string, target: unknown, patch: unknown): unknown {
  if (!Array.isArray(patch)) return strategicMerge(target, patch);
  const mergeKey = (MERGE_KEYS[key] ?? []).find((candidate) =>
    patch.every((entry) => isObject(entry) && (entry[candidate] !== undefined || entry[DIRECTIVE] === 'replace')),
  );
  const isReplacement = patch.some((entry) => isObject(entry) && entry[DIRECTIVE] === 'replace');
  if (mergeKey === undefined || isReplacement || !Array.isArray(target)) return newEntries(patch);
  return mergeEntries(target, patch, mergeKey);
}

/** Entries of a list that did not exist, without directives. */
function newEntries(patch: readonly unknown[]): readonly unknown[] {
  return patch.filter((entry) => !(isObject(entry) && DIRECTIVE in entry)).map(withoutNulls);
}

function mergeEntries(target: readonly unknown[], patch: readonly unknown[], mergeKey: string): readonly unknown[] {
  const keyOf = (entry: unknown) => (isObject(entry) ? entry[mergeKey] : undefined);
  const changed = target.flatMap((entry) => {
    const change = patch.find((candidate) => keyOf(candidate) === keyOf(entry));
    if (change === undefined) return [entry];
    return isDeletion(change) ? [] : [strategicMerge(entry, change)];
  });
  const added = patch.filter(
    (change) => !isDeletion(change) && !target.some((entry) => keyOf(entry) === keyOf(change)),
  );
  return [...changed, ...added.map(withoutNulls)];
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).filter(
    ([key, inner]) => inner !== null && key !== DIRECTIVE && !isDeletion(inner),
  );
  return Object.fromEntries(entries.map(([key, inner]) => [key, withoutNulls(inner)]));
}
