import { parseTree, type Node } from 'jsonc-parser';
import type { PathStep, TextRange } from '../../../shared/diagnostics/diagnostic.js';

/** JSON allows tabs for indentation, YAML does not; a space in their place keeps every column. */
export function untabJson(text: string): string {
  return text.replace(/^[ \t]*\t[ \t]*/gm, (indent) => ' '.repeat(indent.length));
}

/** The place of a value (default) or of its key. */
export type PlaceInJson = (path: readonly PathStep[], at?: 'key' | 'value') => TextRange | undefined;

/**
 * Finds places in JSON text. `JSON.parse` returns none, so the text is parsed again for the first place. A path that
 * does not exist gives the place of its nearest existing ancestor.
 */
export function placesInJson(text: string): PlaceInJson {
  let root: Node | undefined;
  return (path, at = 'value') => {
    root ??= parseTree(text);
    return root && rangeAt(root, path, at);
  };
}

interface Entry {
  readonly key?: Node | undefined;
  readonly value: Node;
}

function rangeAt(root: Node, path: readonly PathStep[], at: 'key' | 'value'): TextRange {
  let entry: Entry = { value: root };
  for (const step of path) {
    const next = entryOf(entry.value, step);
    if (next === undefined) return rangeOf(root, entry, 'key');
    entry = next;
  }
  return rangeOf(root, entry, at);
}

/** JSON.parse takes the last value of a duplicate key. Where there is no such key, it is the one in another case, which programs of Go read. */
function entryOf({ type, children = [] }: Node, step: PathStep): Entry | undefined {
  if (type === 'array') {
    const value = children[Number(step)];
    return value && { value };
  }
  const name = String(step);
  const keyOf = ({ children: [key] = [] }: Node) => String(key?.value);
  const property =
    children.findLast((one) => keyOf(one) === name) ??
    children.findLast((one) => keyOf(one).toLowerCase() === name.toLowerCase());
  const [key, value] = property?.children ?? [];
  return value && { key, value };
}

/** The place of the root, or of a mapping without a key, is its first key. */
function rangeOf(root: Node, { key, value }: Entry, at: 'key' | 'value'): TextRange {
  const isFirstKeyShown = value === root || (at === 'key' && value.type === 'object');
  const firstKey = isFirstKeyShown && value.type === 'object' ? value.children?.[0]?.children?.[0] : undefined;
  const { offset, length } = at === 'key' && key !== undefined ? key : (firstKey ?? value);
  return [offset, offset + length];
}
