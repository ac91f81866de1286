import { type ReadNodes, readNodes } from './nodes.js';

/** Ten thousand nodes with all their images. The text is in memory at least twice. */
export const nodesTextMax = 256 * 1024 * 1024;

/**
 * What text may hold before it is parsed: a value takes many times the memory of the two characters that it may be written
 * with. Nodes are far below, those with their managed fields too.
 */
const HELD_MAX = {
  /** Nodes nest about ten deep. */
  depth: 64,
  /** In one mapping, whose table is copied whenever it grows. */
  keys: 10_000,
  /** In a text of any length. */
  values: 250_000,
  /** For each value beyond those. */
  charactersPerValue: 24,
} as const;

/** The nodes in JSON text, such as kubectl prints; or why it has none, or holds more than nodes do. */
export function readNodesText(text: string): ReadNodes {
  const problem = excess(text);
  if (problem !== undefined) return { problem };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { problem: `it is not JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
  return readNodes(value);
}

/** What there is too much of. It counts as `JSON.parse` does up to the first error, where that stops. */
function excess(text: string): string | undefined {
  const valuesMax = HELD_MAX.values + Math.floor(text.length / HELD_MAX.charactersPerValue);
  let values = 0;
  /** Entries of each open mapping and list; a list has no limit of its own. */
  const keys: number[] = [];
  // A search is fast without optimized code, too, which bin/weft.cjs does without.
  const marks = /["{}[\],]/g;
  while (marks.test(text)) {
    const at = marks.lastIndex - 1;
    switch (text.charAt(at)) {
      case '"':
        marks.lastIndex = behindText(text, at);
        continue;
      case '{':
        keys.push(1);
        break;
      case '[':
        keys.push(-Infinity);
        break;
      case '}':
      case ']':
        keys.pop();
        continue;
      default:
        keys.push((keys.pop() ?? 0) + 1);
    }
    values += 1;
    if (keys.length > HELD_MAX.depth) return `it is nested more than ${HELD_MAX.depth} deep`;
    if ((keys.at(-1) ?? 0) > HELD_MAX.keys) return `a mapping in it has more than ${HELD_MAX.keys} keys`;
    if (values > valuesMax) return `it has more than ${valuesMax} values in ${text.length} characters`;
  }
  return undefined;
}

/** The place behind text in quotes that begins at `start`. */
function behindText(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let before = end;
    while (text[before - 1] === '\\') before -= 1;
    // Each two of them are one in the text.
    if ((end - before) % 2 === 0) return end + 1;
  }
  return text.length;
}
