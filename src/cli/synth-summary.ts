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

/** What a run did to one folder, or what a check found there. */
export function summaryText(target: string, summary: WriteSummary, isCheck: boolean): string {
  const { added, changed, removed, kept, unchanged } = summary;
  const words = isCheck ? CHECKED : WRITTEN;
  const counts = [
    `${added.length} ${words.added}`,
    `${changed.length} ${words.changed}`,
    `${removed.length} ${words.removed}`,
    ...(kept.length > 0 ? [`${kept.length} ${words.kept}`] : []),
    `${unchanged} unchanged`,
  ];
  const lines = [
    ...added.map((path) => `  + ${path}`),
    ...changed.map((path) => `  ~ ${path}`),
    ...removed.map((path) => `  - ${path}`),
    ...kept.map((path) => `  ! ${path}`),
  ];
  return `${[`${target}: ${counts.join(', ')}`, ...lines].join('\n')}\n`;
}
