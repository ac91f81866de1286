import { type ReadNodes, readNodes } from './nodes.js';

/** Ten thousand nodes with all their images. The text is in memory at least twice. */
export const nodesTextMax = 256 * 1024 * 1024;

/**
 * Limits that are checked before the text is parsed, because a value can take many times the memory of its two
 * characters. Nodes are far below, also with managed fields.
 */
const HELD_MAX = {
  /** Nodes nest about ten deep. */
  depth: 64,
  /** In one mapping, whose hash table is copied whenever it grows. */
  keys: 10_000,
  /** In a text of any length. */
  values: 250_000,
  /** Additional characters for each value above that number. */
  charactersPerValue: 24,
} as const;

/** The nodes in the JSON output of kubectl, or why there are none or the text exceeds a limit. */
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

/** The limit that the text exceeds. Counts the values that `JSON.parse` would create before its first error. */
function excess(text: string): string | undefined {
  const valuesMax = HELD_MAX.values + Math.floor(text.length / HELD_MAX.charactersPerValue);
  let values = 0;
  /** Entries of each open mapping and list; a list has no limit of its own. */
  const keys: number[] = [];
  // A regular expression is fast also before V8 has optimized this function.
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

/** The offset after the quoted text that begins at `start`. */
function behindText(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let before = end;
    while (text[before - 1] === '\\') before -= 1;
    // Two backslashes are one in the text.
    if ((end - before) % 2 === 0) return end + 1;
  }
  return text.length;
}
