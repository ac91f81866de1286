import { escapeLine } from '../../shared/lib/escape.js';
import { counted } from '../../shared/lib/listed.js';
import type { WriteSummary } from '../../compile/render/tree/write-plan.js';

/** True when the files on the disk differ from what the input renders. */
export function isStale({ added, changed, removed, kept }: WriteSummary): boolean {
  return added.length + changed.length + removed.length + kept.length > 0;
}

const WRITTEN = {
  added: 'added',
  changed: 'changed',
  removed: 'removed',
  kept: 'no longer rendered, but without the first line of Weft and so kept',
};
const CHECKED = {
  added: 'missing',
  changed: 'different',
  removed: 'no longer rendered',
  kept: 'no longer rendered, and without the first line of Weft',
};

/** Counts the changes that a run made in one folder, or that a check found there. */
export function countsText({ added, changed, removed, kept, unchanged }: WriteSummary, isCheck: boolean): string {
  const words = isCheck ? CHECKED : WRITTEN;
  return [
    `${added.length} ${words.added}`,
    `${changed.length} ${words.changed}`,
    `${removed.length} ${words.removed}`,
    ...(kept.length > 0 ? [`${kept.length} ${words.kept}`] : []),
    `${unchanged} unchanged`,
  ].join(', ');
}

/** The same with the first paths of each kind of change. */
function summaryText(target: string, summary: WriteSummary, isCheck: boolean, pathsMax: number): string {
  const lines = [
    ...pathLines('+', summary.added, pathsMax),
    ...pathLines('~', summary.changed, pathsMax),
    ...pathLines('-', summary.removed, pathsMax),
    ...pathLines('!', summary.kept, pathsMax),
  ];
  return [`${target}: ${countsText(summary, isCheck)}`, ...lines].map((line) => `${escapeLine(line)}\n`).join('');
}

function pathLines(sign: string, paths: readonly string[], max: number): readonly string[] {
  const lines = paths.slice(0, max).map((path) => `  ${sign} ${path}`);
  return paths.length > max ? [...lines, `  ${sign} and ${paths.length - max} more`] : lines;
}

/** The path of an output folder for messages, and the changes in it. */
export interface SummarizedTree {
  readonly shown: string;
  readonly summary: WriteSummary;
}

/** A run with more folders names only the first ones with changes, and a few of their files. */
const NAMED_FOLDERS = 10;
const NAMED_FILES = 5;

/** The changes that a run made in all its folders, or that a check found in them. */
export function runText(trees: readonly SummarizedTree[], isCheck: boolean): string {
  const isFleet = trees.length > NAMED_FOLDERS;
  const changed = isFleet ? trees.filter(({ summary }) => isStale(summary)) : trees;
  const pathsMax = isFleet ? NAMED_FILES : Infinity;
  const named = changed.slice(0, NAMED_FOLDERS);
  const more = changed.slice(NAMED_FOLDERS);
  const others = trees.length - changed.length;
  const files = trees.reduce((sum, { summary }) => (isStale(summary) ? sum : sum + summary.unchanged), 0);
  return [
    ...named.map(({ shown, summary }) => summaryText(shown, summary, isCheck, pathsMax)),
    ...(more.length > 0 ? [`and ${counted(more.length, 'more folder')}: ${countsText(totalOf(more), isCheck)}\n`] : []),
    ...(others > 0 ? [`${counted(others, 'folder')} unchanged, with ${files} files\n`] : []),
  ].join('');
}

function totalOf(trees: readonly SummarizedTree[]): WriteSummary {
  const all = trees.map(({ summary }) => summary);
  return {
    added: all.flatMap(({ added }) => added),
    changed: all.flatMap(({ changed }) => changed),
    removed: all.flatMap(({ removed }) => removed),
    kept: all.flatMap(({ kept }) => kept),
    unchanged: all.reduce((sum, { unchanged }) => sum + unchanged, 0),
  };
}
