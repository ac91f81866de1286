import { escapeUnsafe } from '../diagnostics/render-escape.js';
import { compareText } from '../lib/json.js';
import { countByImpact, type ObjectDiff } from './diff.js';
import type { FieldChange } from './diff-fields.js';
import type { ImpactClass } from './impact.js';
import type { Referrer } from './references.js';

/** What each class means, for people. */
export const CLASS_MEANINGS: Readonly<Record<ImpactClass, string>> = {
  drain: 'the driver on nodes changes',
  restart: 'pods are replaced',
  remove: 'objects go',
  add: 'new objects',
  cosmetic: 'no pod restarts',
};

/** Values are shown up to so many characters, and where they differ. */
const SHOWN_LENGTH = 100;
/** Of what two long texts have in common, so much is shown before the difference. */
const SHOWN_BEFORE = 30;
const SHOWN_REFERRERS = 5;

/** `2 drain, 1 restart`. */
export function countsText(objects: readonly ObjectDiff[]): string {
  return [...countByImpact(objects)].map(([impact, count]) => `${count} ${impact}`).join(', ');
}

/** Text of others on one line, with nothing that changes how what is around it looks. */
export function safeText(text: string): string {
  return escapeUnsafe(text).replaceAll('\t', ' ');
}

/** `DaemonSet nvidia-network-operator/mofed-ds`. */
export function objectName({ kind, namespace, name }: Referrer): string {
  return safeText(namespace === '' ? `${kind} ${name}` : `${kind} ${namespace}/${name}`);
}

/** Both sides of a field, shortened to where they differ. */
export function changedValues(from: unknown, to: unknown): readonly [from: string, to: string] {
  if (typeof from !== 'string' || typeof to !== 'string' || Math.max(from.length, to.length) <= SHOWN_LENGTH) {
    return [valueText(from), valueText(to)];
  }
  let common = 0;
  while (common < from.length && from[common] === to[common]) common += 1;
  const start = Math.max(0, common - SHOWN_BEFORE);
  return [excerpt(from, start), excerpt(to, start)];
}

/** A value as JSON on one line, not longer than a line. */
export function valueText(value: unknown): string {
  if (typeof value === 'string') return excerpt(value, 0);
  const json = JSON.stringify(value);
  return safeText(json.length > SHOWN_LENGTH ? `${json.slice(0, SHOWN_LENGTH)}…` : json);
}

function excerpt(text: string, start: number): string {
  const isCut = text.length > start + SHOWN_LENGTH;
  const shown = JSON.stringify(text.slice(start, start + SHOWN_LENGTH)).slice(1, -1);
  return safeText(`"${start > 0 ? '…' : ''}${shown}${isCut ? '…' : ''}"`);
}

/** What else is to be known about an object: its notes, and who refers to it. */
export function remarks({ notes, referrers }: ObjectDiff): readonly string[] {
  if (referrers.length === 0) return notes.map(safeText);
  const shown = referrers.slice(0, SHOWN_REFERRERS).map(objectName);
  const more = referrers.length - shown.length;
  return [
    ...notes.map(safeText),
    `still referred to by ${[...shown, ...(more > 0 ? [`${more} more`] : [])].join(', ')}`,
  ];
}

/** The one place of a field change that has no values. */
export function orderText({ kind }: Extract<FieldChange, { kind: 'reordered' | 'reformatted' }>): string {
  switch (kind) {
    case 'reordered':
      return 'other order';
    case 'reformatted':
      return 'written differently, same data';
  }
}

/** Which nodes a cluster's change drains, as far as the new configuration has pools for them. */
export interface DrainSummary {
  /** Pools whose nodes the companion takes through the flow, sorted. */
  readonly automatic: readonly string[];
  /** Pools of which nothing happens by itself, sorted. */
  readonly manual: readonly string[];
  /** Some driver changes for nodes that are in no pool. */
  readonly hasUnknown: boolean;
}

/** `undefined` where no object drains nodes. */
export function drainSummary(objects: readonly ObjectDiff[]): DrainSummary | undefined {
  const drains = objects.filter(({ impact }) => impact === 'drain');
  if (drains.length === 0) return undefined;
  const poolsOf = (some: readonly ObjectDiff[]) => [...new Set(some.flatMap(({ pools }) => pools))].sort(compareText);
  return {
    automatic: poolsOf(drains.filter(({ isAutomatic }) => isAutomatic)),
    manual: poolsOf(drains.filter(({ isAutomatic }) => !isAutomatic)),
    hasUnknown: drains.some(({ pools }) => pools.length === 0),
  };
}

/**
 * One sentence each about the nodes.
 *
 * @param quote how a pool's name is written
 */
export function drainSentences(summary: DrainSummary, quote: (name: string) => string): readonly string[] {
  const { automatic, manual, hasUnknown } = summary;
  return [
    ...(automatic.length > 0 ? [`nodes of ${counted(automatic, quote)} will be drained`] : []),
    ...(manual.length > 0
      ? [`the driver changes for ${counted(manual, quote)}, but without \`autoUpgrade\` nothing is upgraded by itself`]
      : []),
    ...(hasUnknown ? ['a driver leaves nodes that no pool of the configuration has'] : []),
  ];
}

/** `2 pools (a, b)`. */
function counted(names: readonly string[], quote: (name: string) => string): string {
  return `${names.length} ${names.length === 1 ? 'pool' : 'pools'} (${names.map(quote).join(', ')})`;
}

/** Up to so many names, then how many more. */
export function namesText(names: readonly string[], shownMax: number): string {
  const more = names.length - shownMax;
  return more > 1 ? `${names.slice(0, shownMax).join(', ')} and ${more} more` : names.join(', ');
}
