import { isSafePath } from './safe-path.js';

/** Without `.yaml` or `.json` at its end, or Argo CD in directory mode would take it for a manifest. */
export const INDEX_PATH = 'weft.index';

const FIRST_LINE = 'weft index 1';

/** A file that we wrote, with the SHA-256 of its bytes in hexadecimal. */
export interface IndexEntry {
  readonly path: string;
  readonly hash: string;
}

export type ParsedIndex =
  | { readonly kind: 'index'; readonly entries: readonly IndexEntry[] }
  | { readonly kind: 'broken'; readonly line: number; readonly reason: string };

/** The index as text: a line for its format, then a line for each file as `sha256sum` prints it, sorted by path. */
export function formatIndex(entries: readonly IndexEntry[]): string {
  return [FIRST_LINE, ...[...entries].sort(compareEntries).map(({ hash, path }) => `${hash}  ${path}`), ''].join('\n');
}

/**
 * Reads an index strictly, because files are removed by it. `repeatedPaths` allows a path with several hashes, as in the
 * journal of an unfinished run. Lines may end with CRLF, as git for Windows checks them out.
 */
export function parseIndex(text: string, options: { readonly repeatedPaths: boolean }): ParsedIndex {
  const [first, ...lines] = text.split(/\r?\n/);
  if (first !== FIRST_LINE) return broken(1, `the first line is not "${FIRST_LINE}"`);
  if (lines.pop() !== '') return broken(lines.length + 2, 'the last line is cut off');
  const entries: IndexEntry[] = [];
  for (const [index, line] of lines.entries()) {
    const entry = parseLine(line);
    if (typeof entry === 'string') return broken(index + 2, entry);
    const previous = entries.at(-1);
    if (previous !== undefined && compareEntries(previous, entry) >= 0) return broken(index + 2, 'not in order');
    if (previous?.path === entry.path && !options.repeatedPaths) return broken(index + 2, 'a path occurs twice');
    entries.push(entry);
  }
  return { kind: 'index', entries };
}

function parseLine(line: string): IndexEntry | string {
  const [, hash, path] = /^([0-9a-f]{64}) {2}(.+)$/.exec(line) ?? [];
  if (hash === undefined || path === undefined) return 'not a SHA-256, two spaces and a path';
  return isSafePath(path) ? { hash, path } : 'the path is not one that Weft writes';
}

function broken(line: number, reason: string): ParsedIndex {
  return { kind: 'broken', line, reason };
}

function compareEntries(a: IndexEntry, b: IndexEntry): number {
  if (a.path !== b.path) return a.path < b.path ? -1 : 1;
  return a.hash < b.hash ? -1 : a.hash > b.hash ? 1 : 0;
}
