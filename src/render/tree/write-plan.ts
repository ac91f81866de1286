import type { OutputFile } from '../layout.js';
import { formatIndex, INDEX_PATH } from './manifest-index.js';

/** What a run changes, or a check finds different; paths relative to the output folder, sorted. */
export interface WriteSummary {
  readonly added: readonly string[];
  /** Different from what we render, also because someone edited the file. */
  readonly changed: readonly string[];
  readonly removed: readonly string[];
  /** No longer rendered, but edited since we wrote them: left alone, and from then on not ours. */
  readonly kept: readonly string[];
  readonly unchanged: number;
}

/** What is on the disk at a path; `blocked` is anything but a regular file reached through real folders. */
export type Observed =
  { readonly kind: 'absent' } | { readonly kind: 'file'; readonly hash: string } | { readonly kind: 'blocked' };

/** Paths that we wrote, each with the hashes of what we may have written there. */
export type Recorded = ReadonlyMap<string, ReadonlySet<string>>;

export interface WritePlan {
  readonly write: readonly OutputFile[];
  readonly remove: readonly string[];
  /** Recorded paths that are no longer rendered and may leave an empty folder behind. */
  readonly vacated: readonly string[];
  /** Paths that hold something that is not ours; nothing may be written while there is one. */
  readonly conflicts: readonly string[];
  /** The new index; undefined when no file is left to list. */
  readonly indexText: string | undefined;
  readonly summary: WriteSummary;
}

/**
 * Compares what is rendered with what is there. Only a file that we recorded is ever overwritten or removed, and it is
 * removed only when it still has the bytes that we wrote.
 */
export function planWrite(input: {
  readonly files: readonly OutputFile[];
  readonly recorded: Recorded;
  readonly observed: ReadonlyMap<string, Observed>;
  readonly oldIndexText: string | undefined;
}): WritePlan {
  const { files, recorded, observed } = input;
  const lists = { added: [] as string[], changed: [] as string[], removed: [] as string[], kept: [] as string[] };
  const write: OutputFile[] = [];
  const conflicts: string[] = [];
  const vacated: string[] = [];
  let unchanged = 0;
  for (const file of files) {
    const found = observed.get(file.path) ?? { kind: 'absent' };
    const verdict = decideWrite(found, file.hash, recorded.has(file.path));
    if (verdict === 'unchanged') unchanged += 1;
    else if (verdict === 'conflict') conflicts.push(file.path);
    else {
      lists[verdict].push(file.path);
      write.push(file);
    }
  }
  const rendered = new Set(files.map(({ path }) => path));
  for (const [path, hashes] of recorded) {
    if (rendered.has(path)) continue;
    const found = observed.get(path) ?? { kind: 'absent' };
    if (found.kind !== 'blocked') vacated.push(path);
    if (found.kind === 'absent') continue;
    lists[found.kind === 'file' && hashes.has(found.hash) ? 'removed' : 'kept'].push(path);
  }
  const remove = [...lists.removed];
  const indexText = files.length === 0 ? undefined : formatIndex(files);
  if (Object.values(lists).every((list) => list.length === 0)) noteIndex(lists, input.oldIndexText, indexText);
  for (const list of Object.values(lists)) list.sort();
  return { write, remove, vacated, conflicts: conflicts.sort(), indexText, summary: { ...lists, unchanged } };
}

function decideWrite(
  found: Observed,
  wantedHash: string,
  isRecorded: boolean,
): 'added' | 'changed' | 'unchanged' | 'conflict' {
  switch (found.kind) {
    case 'absent':
      return 'added';
    case 'blocked':
      return 'conflict';
    case 'file':
      if (found.hash === wantedHash) return 'unchanged';
      return isRecorded ? 'changed' : 'conflict';
  }
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
