import type { Budget } from '../load/yaml/budget.js';
import type { FolderContent } from './folder.js';
import type { MergeValues } from './merge-documents.js';

/** What was read of a base. */
export interface ReadBase {
  readonly content: FolderContent;
  /** How much of the limits of a folder it takes. */
  readonly used: Budget;
}

/** The bases that a run has read, for the clusters that extend them, and what they became with the documents of clusters. */
export interface BaseCache {
  readonly find: (path: string) => ReadBase | undefined;
  readonly add: (path: string, read: ReadBase) => void;
  readonly mergeValues: MergeValues;
}

/** Characters of text that the cache holds: more than all bases of a fleet have, and fewer than one folder may have. */
const CHARACTERS_MAX = 2 * 1024 * 1024;

/** Merged values of one document of a base, such as those of test, staging and production. */
const VARIANTS_MAX = 8;

export function createBaseCache(): BaseCache {
  const cached = new Map<string, ReadBase>();
  let length = 0;
  return {
    find: (path) => cached.get(path),
    add(path, read) {
      cached.set(path, read);
      length += read.used.characters;
      for (const [oldest, { used }] of cached) {
        if (length <= CHARACTERS_MAX) break;
        cached.delete(oldest);
        length -= used.characters;
      }
    },
    mergeValues: cachedMerge(),
  };
}

interface Variant {
  readonly values: readonly unknown[];
  readonly merged: unknown;
}

/** Equal texts of a run have one value (`load/yaml/text-cache`), so values are compared by their identity. */
function cachedMerge(): MergeValues {
  const variants = new WeakMap<object, Variant[]>();
  return (values, merge) => {
    const first = values[0] as object;
    const known = variants.get(first) ?? [];
    const same = known.find(
      (one) => one.values.length === values.length && one.values.every((value, at) => value === values[at]),
    );
    if (same !== undefined) return same.merged;
    const merged = merge();
    variants.set(first, [{ values, merged }, ...known.slice(0, VARIANTS_MAX - 1)]);
    return merged;
  };
}
