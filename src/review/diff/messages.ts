import { escapeLine } from '../../shared/lib/escape.js';
import { canonicalJson } from '../../shared/lib/json.js';
import { counted } from '../../shared/lib/listed.js';
import { countByImpact, type ObjectDiff } from './diff.js';
import type { FieldChange } from '../../cluster/changes/fields.js';
import type { ImpactClass } from '../impact/impact.js';
import type { Referrer } from '../impact/references.js';

/** The meaning of each class, for users. */
export const CLASS_MEANINGS: Readonly<Record<ImpactClass, string>> = {
  'driver-loss': 'nodes end without a driver, keep an old one that nothing upgrades, or lose it under running pods',
  policy: 'what the companion may do changes, or which cluster commands reach',
  drain: 'nodes are drained',
  restart: 'pods are replaced, or differ when they are made anew',
  network: 'new pods get another network, running pods keep theirs',
  rights: 'rights are gained or lost, or what runs, is admitted or is delivered',
  remove: 'objects go, or pods go and none come back',
  add: 'new objects',
  metadata: 'nothing happens to pods, networks and rights',
};

/** The note for an object in which only hashes differ. */
export const HASHES = 'only hashes of what else changes';

/** Maximum number of characters of a value that are shown. */
const SHOWN_LENGTH = 100;
/** Characters of the common prefix of two long texts that are shown before the difference. */
const SHOWN_BEFORE = 30;
const SHOWN_REFERRERS = 5;

/** `drain: 2 driver DaemonSets, restart: 1 DaemonSet, add: 3 objects`. */
export function countsText(objects: readonly ObjectDiff[]): string {
  const counts = [...countByImpact(objects)].map(([impact, count]) => {
    const kinds = new Set(objects.filter((object) => object.impact === impact).map(nounOf));
    const [only = ''] = kinds;
    const noun = kinds.size === 1 ? only : 'object';
    return `${impact}: ${counted(count, noun, pluralOf(noun))}`;
  });
  return counts.length === 0 ? 'no object differs' : counts.join(', ');
}

function nounOf({ impact, kind, pools }: ObjectDiff): string {
  const isDriver = kind === 'DaemonSet' && (impact === 'driver-loss' || impact === 'drain' || pools.length > 0);
  if (isDriver) return 'driver DaemonSet';
  // Committed output may name any kind.
  return /^[A-Za-z]{1,63}$/.test(kind) ? kind : 'object';
}

function pluralOf(noun: string): string {
  if (/[^aeiou]y$/.test(noun)) return `${noun.slice(0, -1)}ies`;
  return `${noun}${/(?:s|x|ch|sh)$/.test(noun) ? 'es' : 's'}`;
}

/** `DaemonSet nvidia-network-operator/mofed-ds`. */
export function objectName({ kind, namespace, name }: Referrer): string {
  return escapeLine(namespace === '' ? `${kind} ${name}` : `${kind} ${namespace}/${name}`);
}

/** Both sides of a field, cut to the first part that differs; the new one says where more differs than is shown. */
export function changedValues(from: unknown, to: unknown): readonly [from: string, to: string] {
  if (typeof from !== 'string' || typeof to !== 'string' || Math.max(from.length, to.length) <= SHOWN_LENGTH) {
    return [valueText(from), valueText(to)];
  }
  let common = 0;
  while (common < from.length && from[common] === to[common]) common += 1;
  const start = Math.max(0, common - SHOWN_BEFORE);
  const end = start + SHOWN_LENGTH;
  const shortest = Math.min(from.length, to.length);
  let same = 0;
  while (same < shortest - common && from.at(-1 - same) === to.at(-1 - same)) same += 1;
  const isAllShown = Math.max(from.length, to.length) - same <= end;
  return [excerpt(from, start), `${excerpt(to, start)}${isAllShown ? '' : ', and more of it differs'}`];
}

/** A value as JSON on one line with a maximum length, with sorted keys so that readers can compare two sides. */
export function valueText(value: unknown): string {
  if (typeof value === 'string') return excerpt(value, 0);
  const json = canonicalJson(value);
  return escapeLine(json.length > SHOWN_LENGTH ? `${json.slice(0, SHOWN_LENGTH)}…` : json);
}

function excerpt(text: string, start: number): string {
  const isCut = text.length > start + SHOWN_LENGTH;
  const shown = JSON.stringify(text.slice(start, start + SHOWN_LENGTH)).slice(1, -1);
  return escapeLine(`"${start > 0 ? '…' : ''}${shown}${isCut ? '…' : ''}"`);
}

/** The notes of an object, and the objects that refer to it. */
export function remarks({ notes, referrers }: ObjectDiff): readonly string[] {
  if (referrers.length === 0) return notes.map(escapeLine);
  const shown = referrers.slice(0, SHOWN_REFERRERS).map(objectName);
  const more = referrers.length - shown.length;
  return [
    ...notes.map(escapeLine),
    `still referred to by ${[...shown, ...(more > 0 ? [`${more} more`] : [])].join(', ')}`,
  ];
}

/** The text for a field change without values. */
export function orderText({ kind }: Extract<FieldChange, { kind: 'reordered' | 'reformatted' }>): string {
  switch (kind) {
    case 'reordered':
      return 'other order';
    case 'reformatted':
      return 'written differently, same data';
  }
}
