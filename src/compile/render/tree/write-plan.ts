import type { OutputFile } from '../layout.js';
import { headersOf, withHeader } from './header.js';
import { formatIndex, INDEX_PATH } from './manifest-index.js';

/** The wanted content of an output folder. */
export interface Tree {
  /** The folder of the input that it comes from, such as `clusters/east`; without white space. */
  readonly source: string;
  /** Minor version of Weft, for the output of a cluster. */
  readonly weft?: string | undefined;
  /** Lines of the index about the configuration. */
  readonly facts: readonly string[];
  /** The bases that its kustomizations list, relative to the folder that the output folder is in. */
  readonly bases: readonly string[];
  /** Files without the first line, which the writer adds. */
  readonly files: readonly OutputFile[];
}

/** What a run changes, or a check finds different; paths relative to the output folder, sorted. */
export interface WriteSummary {
  readonly added: readonly string[];
  /** Files whose bytes differ from the rendered ones, for instance because a user edited them. */
  readonly changed: readonly string[];
  readonly removed: readonly string[];
  /**
   * Files that are no longer rendered, but without Weft's first line: Weft keeps them, and removes them from the index.
   */
  readonly kept: readonly string[];
  readonly unchanged: number;
}

/**
 * The state of a path on the disk: for a file its text, or its first lines if it will not be written. `blocked` is
 * anything other than a regular file in real folders.
 */
export type Observed =
  { readonly kind: 'absent' } | { readonly kind: 'file'; readonly text: string } | { readonly kind: 'blocked' };

export interface WritePlan {
  /** With their first line. */
  readonly write: readonly OutputFile[];
  readonly remove: readonly string[];
  /** Paths that are no longer rendered and whose folder may become empty. */
  readonly vacated: readonly string[];
  /** Paths with files of others; nothing is written while there are any. */
  readonly conflicts: readonly string[];
  /** The new index; undefined if it would list no file. */
  readonly indexText: string | undefined;
  readonly summary: WriteSummary;
}

/** The input of a plan. */
interface PlanInput {
  readonly tree: Tree;
  /** Paths that the index lists. */
  readonly recorded: ReadonlySet<string>;
  /** By path: all that are to be written, all that are recorded, and all other files of the folder. */
  readonly observed: ReadonlyMap<string, Observed>;
  readonly oldIndexText: string | undefined;
}

/**
 * Compares the rendered files with the folder. Weft owns a file if its first line says that Weft wrote it from this
 * input and at this path, or at a path in the index. Only such files are removed. Merges may leave files with conflicts
 * that are neither in the index nor in the input; their first line distinguishes them from files of others.
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
  const indexText = rendered.size === 0 ? undefined : formatIndex({ ...tree, paths: [...rendered] });
  if (Object.values(lists).every((list) => list.length === 0)) noteIndex(lists, oldIndexText, indexText);
  for (const list of Object.values(lists)) list.sort();
  return { write, remove, vacated, conflicts: conflicts.sort(), indexText, summary: { ...lists, unchanged } };
}

/** The index depends on the files, so it is reported only if nothing else differs. */
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
