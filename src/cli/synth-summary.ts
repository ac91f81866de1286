import type { WriteSummary } from '../render/write-plan.js';

/** True where the files on the disk are not what the input says. */
export function isStale({ added, changed, removed, kept }: WriteSummary): boolean {
  return added.length + changed.length + removed.length + kept.length > 0;
}

const WRITTEN = {
  added: 'added',
  changed: 'changed',
  removed: 'removed',
  kept: 'no longer rendered, but edited and so kept',
};
const CHECKED = {
  added: 'missing',
  changed: 'different',
  removed: 'no longer rendered',
  kept: 'no longer rendered, and edited',
};

/** What a run did to one folder, or what a check found there, in numbers. */
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

/** The same with every path. */
export function summaryText(target: string, summary: WriteSummary, isCheck: boolean): string {
  const lines = [
    ...summary.added.map((path) => `  + ${path}`),
    ...summary.changed.map((path) => `  ~ ${path}`),
    ...summary.removed.map((path) => `  - ${path}`),
    ...summary.kept.map((path) => `  ! ${path}`),
  ];
  return `${[`${target}: ${countsText(summary, isCheck)}`, ...lines].join('\n')}\n`;
}
