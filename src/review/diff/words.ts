import { escapeUnsafe } from '../../diagnostics/render/escape.js';
import { canonicalJson, compareText } from '../../lib/json.js';
import { countByImpact, type ObjectDiff } from './diff.js';
import type { FieldChange } from './fields.js';
import type { ImpactClass } from '../impact/impact.js';
import type { Mover } from '../impact/driver.js';
import type { Referrer } from '../impact/references.js';

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

/** A value as JSON on one line, its keys sorted so that two sides can be compared by eye, not longer than a line. */
export function valueText(value: unknown): string {
  if (typeof value === 'string') return excerpt(value, 0);
  const json = canonicalJson(value);
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

/**
 * One sentence about each way in which drivers on nodes change; none where none does.
 *
 * @param quote how a pool's name is written
 */
export function nodeSentences(objects: readonly ObjectDiff[], quote: (name: string) => string): readonly string[] {
  const drains = objects.filter(({ impact }) => impact === 'drain');
  const moved = MOVERS.flatMap((mover) => {
    const pools = poolsOf(drains, (drain) => {
      const { poolsAtOnce = [] } = drain;
      return drain.mover === mover ? drain.pools.filter((pool) => !poolsAtOnce.includes(pool)) : [];
    });
    return pools.length > 0 ? [`the driver of ${counted(pools, quote)} changes: ${moverText(mover)}`] : [];
  });
  const atOnce = poolsOf(drains, ({ poolsAtOnce = [] }) => poolsAtOnce);
  return [
    ...(atOnce.length > 0
      ? [`driver pods of ${counted(atOnce, quote)} are deleted when this is applied, without a drain`]
      : []),
    ...moved,
    ...(drains.some(({ pools }) => pools.length === 0)
      ? ['a driver leaves nodes that no pool of the configuration has']
      : []),
  ];
}

const MOVERS = ['companion', 'missing-companion', 'nobody'] as const satisfies readonly Mover[];

function moverText(mover: Mover): string {
  switch (mover) {
    case 'companion':
      return 'the companion moves these nodes when it runs';
    case 'missing-companion':
      return 'the companion moves these nodes when it runs, but this output has no companion';
    case 'nobody':
      return 'nothing moves these nodes: `autoUpgrade` is false';
  }
}

function poolsOf(drains: readonly ObjectDiff[], select: (drain: ObjectDiff) => readonly string[]): readonly string[] {
  return [...new Set(drains.flatMap(select))].sort(compareText);
}

/** `2 pools (a, b)`. */
function counted(names: readonly string[], quote: (name: string) => string): string {
  return `${names.length} ${names.length === 1 ? 'pool' : 'pools'} (${names.map(quote).join(', ')})`;
}
