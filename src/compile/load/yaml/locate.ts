import type { ParsedNode, YAMLMap } from 'yaml';
import { isAlias, isMap, isPair, isScalar, isSeq } from 'yaml';
import type { PathStep, TextRange } from '../../../shared/diagnostics/diagnostic.js';
import { scalarToKey } from './scalars.js';
import type { AliasTargets } from './aliases.js';
import { mergeSources, resolveAliases } from './aliases.js';
import { isMergeKey, readScalar } from './yaml-to-json.js';
import { type At, placeInScalar, type ScalarPlaces } from './scalar-place.js';

/** The nodes of a key and its value. */
interface Entry {
  readonly key: ParsedNode;
  readonly value: ParsedNode | null;
}

/** A parsed document, with the results of earlier lookups. */
export interface DocumentTree {
  readonly root: ParsedNode;
  readonly targets: AliasTargets;
  readonly entries: Map<YAMLMap.Parsed, ReadonlyMap<string, Entry>>;
  readonly scalars: ScalarPlaces;
}

export function documentTree(root: ParsedNode): DocumentTree {
  return { root, targets: resolveAliases(root), entries: new Map(), scalars: new WeakMap() };
}

const dereference = (node: ParsedNode | null, targets: AliasTargets): ParsedNode | null =>
  node !== null && isAlias(node) ? (targets.get(node) ?? null) : node;

function keyText(node: ParsedNode, targets: AliasTargets): string | undefined {
  const target = dereference(node, targets);
  const scalar = isScalar(target) ? readScalar(target) : undefined;
  const key = scalar?.ok === true ? scalarToKey(scalar.value) : undefined;
  return key?.ok === true ? key.value : undefined;
}

/**
 * The entry that sets the value of each key: the last one, including entries of merge keys at their position. Computed
 * once for a mapping, so that many errors in a large one do not take quadratic time.
 */
function entriesOf(map: YAMLMap.Parsed, tree: DocumentTree): ReadonlyMap<string, Entry> {
  const known = tree.entries.get(map);
  if (known !== undefined) {
    return known;
  }
  const entries = new Map<string, Entry>();
  // Cached before it is complete, so that a mapping that merges itself does not recurse.
  tree.entries.set(map, entries);
  for (const { key, value } of map.items) {
    if (isMergeKey(key)) {
      for (const node of mergeSources(value, tree.targets) ?? []) {
        const source = dereference(node, tree.targets);
        if (isMap(source)) entriesOf(source, tree).forEach((entry, name) => entries.set(name, entry));
      }
      continue;
    }
    const name = keyText(key, tree.targets);
    if (name !== undefined) {
      entries.set(name, { key, value });
    }
  }
  return entries;
}

const rangeOf = (node: ParsedNode): TextRange => [node.range[0], node.range[1]];

/** The position of a document's first key. */
function startOf(root: ParsedNode): TextRange {
  const first = isMap(root) ? root.items[0] : undefined;
  return isPair(first) ? rangeOf(first.key) : rangeOf(root);
}

/**
 * The text range of a value, of its key, or of a part of a text. A list entry has no key, so its value is used; a value
 * that is left out has only its key. If the path does not exist, the place is the key of its nearest existing ancestor.
 */
export function locateInDocument(tree: DocumentTree, path: readonly PathStep[], at: At, source: string): TextRange {
  const { root, targets } = tree;
  let key: ParsedNode | undefined;
  let node: ParsedNode | null = root;
  for (const step of path) {
    const parent: ParsedNode | null = dereference(node, targets);
    const entry: Entry | undefined = isMap(parent) ? entriesOf(parent, tree).get(String(step)) : undefined;
    const item: ParsedNode | undefined = isSeq(parent) ? parent.items[Number(step)] : undefined;
    if (entry === undefined && item === undefined) {
      return placeOf(root, key, node, 'key');
    }
    key = entry?.key;
    node = entry === undefined ? (item ?? null) : entry.value;
  }
  const target = dereference(node, targets) ?? node;
  if (typeof at === 'string') return placeOf(root, key, target, at);
  return placeInScalar(target, at, source, tree.scalars) ?? placeOf(root, key, target, 'value');
}

function placeOf(
  root: ParsedNode,
  key: ParsedNode | undefined,
  node: ParsedNode | null,
  at: 'key' | 'value',
): TextRange {
  if (key !== undefined && (at === 'key' || node === null || node.range[0] === node.range[1])) {
    return rangeOf(key);
  }
  return node === null || node === root || (at === 'key' && isMap(node)) ? startOf(node ?? root) : rangeOf(node);
}
