import type { OutputFile } from '../layout.js';
import { headersOf, withHeader } from './header.js';
import { formatIndex, INDEX_PATH } from './manifest-index.js';

/** What an output folder is to hold. */
export interface Tree {
  /** The folder of the input that it comes from, such as `clusters/east`; without white space. */
  readonly source: string;
  /** Lines of the index about what the configuration says. */
  readonly facts: readonly string[];
  /** Files without their first line, which the writer adds. */
  readonly files: readonly OutputFile[];
}

/** What a run changes, or a check finds different; paths relative to the output folder, sorted. */
export interface WriteSummary {
  readonly added: readonly string[];
  /** Files whose bytes differ from what we render, also because a user edited them. */
  readonly changed: readonly string[];
  readonly removed: readonly string[];
  /** No longer rendered, but without our first line: Weft keeps these files, and drops them from the index. */
  readonly kept: readonly string[];
  readonly unchanged: number;
}

/**
 * What is on the disk at a path: for a file its text, or its first lines where it is not to be written. `blocked` is anything
 * but a regular file reached through real folders.
 */
export type Observed =
  { readonly kind: 'absent' } | { readonly kind: 'file'; readonly text: string } | { readonly kind: 'blocked' };

export interface WritePlan {
  /** With their first line. */
  readonly write: readonly OutputFile[];
  readonly remove: readonly string[];
  /** Paths that are no longer rendered and may leave an empty folder behind. */
  readonly vacated: readonly string[];
  /** Paths that hold something that is not ours; nothing may be written while there is one. */
  readonly conflicts: readonly string[];
  /** The new index; undefined when no file is left to list. */
  readonly indexText: string | undefined;
  readonly summary: WriteSummary;
}

/** What a plan is made from. */
interface PlanInput {
  readonly tree: Tree;
  /** Paths that an index or the journal of an unfinished run lists. */
  readonly recorded: ReadonlySet<string>;
  /** By path: all that are to be written, all that are recorded, and all other files of the folder. */
  readonly observed: ReadonlyMap<string, Observed>;
  readonly oldIndexText: string | undefined;
}

/**
 * Compares what is rendered with what is there. A file is ours where its first line says that we wrote it: from this input
 * and at this path, or at a path that the index lists. Only such a file is removed. Merges of two branches may leave files
 * that neither the index nor the input knows, with conflicts inside; their first line tells them from the files of others.
 */
export function planWrite({ tree, recorded, observed, oldIndexText }: PlanInput): WritePlan {
  const lists = { added: [] as string[], changed: [] as string[], removed: [] as string[], kept: [] as string[] };
  const write: OutputFile[] = [];
  const conflicts: string[] = [];
  const vacated: string[] = [];
  const isOurs = (path: string, text: string) =>
    headersOf(text).some((header) => recorded.has(path) || (header.source === tree.source && header.path === path));
  let unchanged = 0;
  for (const plain of tree.files) {
    const { path } = plain;
    const file = withHeader(plain, tree.source);
    const found = observed.get(path) ?? { kind: 'absent' };
    if (found.kind === 'file' && found.text === file.text) unchanged += 1;
    else if (found.kind === 'blocked') conflicts.push(path);
    else if (found.kind === 'file' && !recorded.has(path) && !isOurs(path, found.text)) conflicts.push(path);
    else {
      lists[found.kind === 'absent' ? 'added' : 'changed'].push(path);
      write.push(file);
    }
  }
  const rendered = new Set(tree.files.map(({ path }) => path));
  for (const [path, found] of observed) {
    if (rendered.has(path)) continue;
    const isRemoved = found.kind === 'file' && isOurs(path, found.text);
    if (found.kind !== 'blocked' && (isRemoved || recorded.has(path))) vacated.push(path);
    if (isRemoved) lists.removed.push(path);
    else if (found.kind !== 'absent' && recorded.has(path)) lists.kept.push(path);
  }
  const remove = [...lists.removed];
  const indexText =
    rendered.size === 0 ? undefined : formatIndex({ source: tree.source, facts: tree.facts, paths: [...rendered] });
  if (Object.values(lists).every((list) => list.length === 0)) noteIndex(lists, oldIndexText, indexText);
  for (const list of Object.values(lists)) list.sort();
  return { write, remove, vacated, conflicts: conflicts.sort(), indexText, summary: { ...lists, unchanged } };
}

/** The index follows from the files, so it is worth a word only when nothing else differs. */
function noteIndex(
  lists: { added: string[]; changed: string[]; removed: string[] },
  oldText: string | undefined,
  newText: string | undefined,
): void {
  if (oldText === newText) return;
  if (oldText === undefined) lists.added.push(INDEX_PATH);
  else if (newText === undefined) lists.removed.push(INDEX_PATH);
  else lists.changed.push(INDEX_PATH);
}
