import type { ObjectDiff } from './diff.js';
import type { FieldChange } from '../../cluster/changes/fields.js';
import { alikeGroups, separateGroups, shownFor, type AlikeGroups } from './alike.js';
import { causeLines, type Quoting } from './causes.js';
import { failedLines, type DiffContext } from './context.js';
import type { DiffGroup } from './groups.js';
import {
  changedValues,
  CLASS_MEANINGS,
  countsText,
  HASHES,
  objectName,
  orderText,
  remarks,
  valueText,
} from './messages.js';
import { escapeLine } from '../../shared/lib/escape.js';
import { counted, listed } from '../../shared/lib/listed.js';
import { mergeObjects, type MergedField, type MergedObjects } from './merged.js';
import { nodeSentences } from './node-messages.js';
import { countText } from '../impact/node-text.js';
import { podRows, poolRows, type PodRow, type PoolRow } from './pool-messages.js';
import { impactClasses, type ImpactClass } from '../impact/impact.js';

const CODES = { bold: '1', red: '31', green: '32', yellow: '33', dim: '2' } as const;
type Paint = (colour: keyof typeof CODES, text: string) => string;

const plain: Paint = (_, text) => text;
const coloured: Paint = (colour, text) => `\u001b[${CODES[colour]}m${text}\u001b[0m`;

const MARKS = { added: '+', removed: '-', changed: '~', reordered: '~', reformatted: '~' } as const;
const COLOURS = {
  added: 'green',
  removed: 'red',
  changed: 'yellow',
  reordered: 'yellow',
  reformatted: 'yellow',
} as const;
const CLASS_COLOURS: Readonly<Record<ImpactClass, keyof typeof CODES>> = {
  'driver-loss': 'red',
  policy: 'yellow',
  drain: 'red',
  restart: 'yellow',
  network: 'yellow',
  rights: 'yellow',
  remove: 'red',
  add: 'green',
  metadata: 'dim',
};

const SHOWN_CLUSTERS = 10;
const SHOWN_POOLS = 10;

/**
 * The differences for a terminal: clusters, their objects by impact, their fields. Yields parts, because the text may
 * be long; yields none if nothing differs.
 */
export function* renderDiffText(
  groups: readonly DiffGroup[],
  options: DiffContext & {
    readonly colour: boolean;
    /** Whether an object is only counted, and a cluster stands for others that are alike. Default: all is shown. */
    readonly isFolded?: (object: ObjectDiff) => boolean;
  },
): Generator<string, void> {
  const paint = options.colour ? coloured : plain;
  const { isFolded } = options;
  const head = headLines(groups, options, paint);
  if (head.length > 0) yield `${head.join('\n')}\n${groups.length === 0 ? '' : '\n'}`;
  const shown = isFolded ? alikeGroups(groups) : separateGroups(groups);
  for (const [index, group] of shown.entries()) {
    yield `${index === 0 ? '' : '\n'}${groupLines(group, paint, isFolded ?? (() => false)).join('\n')}\n`;
  }
}

/** What changed in bases, what becomes of the clusters that extend them, and the clusters that are not compared. */
function headLines(
  groups: readonly DiffGroup[],
  { causes, failed = [] }: DiffContext,
  paint: Paint,
): readonly string[] {
  const quote: Quoting = { name: escapeLine, place: (place) => paint('bold', place), text: escapeLine };
  const failures = failedLines(failed, quote).map((line) => paint('red', line));
  if (causes === undefined || (groups.length === 0 && failed.length === 0)) return failures;
  const lines = causeLines(causes, groups, quote);
  return [...lines.changes, ...[...lines.clusters, ...failures].map((line) => `  ${line}`)];
}

function groupLines(alike: AlikeGroups, paint: Paint, isFolded: (object: ObjectDiff) => boolean): readonly string[] {
  const { shown: group, others } = alike;
  const names = listed(group.names.map(escapeLine), SHOWN_CLUSTERS);
  const also = listed(others.map(escapeLine), SHOWN_CLUSTERS);
  return [
    `${paint('bold', others.length === 0 ? names : shownFor(alike, escapeLine))}${stateText(group)}: ${countsText(group.objects)}`,
    ...(others.length === 0
      ? []
      : [`  ${paint('dim', `the same but for names of pools, kernels and drivers: ${also}`)}`]),
    ...nodeSentences(group, escapeLine).map((sentence) => `  ${paint('red', escapeLine(sentence.text))}`),
    ...poolRows(group.pools, escapeLine).map((row) => `    ${rowText(row)}`),
    ...podRows(group.coverage, escapeLine).map((row) => `    ${podText(row)}`),
    ...impactClasses.flatMap((impact) => classLines(impact, group.objects, { paint, isFolded })),
  ];
}

function rowText({ pool, kernel, before, after, nodes }: PoolRow): string {
  const where = kernel === '' ? '' : `, kernel ${kernel}`;
  return escapeLine(`pool ${pool}${where}: ${before} -> ${after}${countText(nodes)}`);
}

function podText({ pools, program, before, after }: PodRow): string {
  const names = listed(pools, SHOWN_POOLS);
  return escapeLine(`${pools.length === 1 ? 'pool' : 'pools'} ${names}, pods of ${program}: ${before} -> ${after}`);
}

function stateText({ change }: DiffGroup): string {
  switch (change) {
    case 'added':
      return ' (new cluster)';
    case 'removed':
      return ' (cluster is gone)';
    case 'changed':
      return '';
  }
}

function classLines(
  impact: ImpactClass,
  all: readonly ObjectDiff[],
  { paint, isFolded }: { readonly paint: Paint; readonly isFolded: (object: ObjectDiff) => boolean },
): readonly string[] {
  const objects = all.filter((object) => object.impact === impact);
  if (objects.length === 0) return [];
  const title = `  ${paint(CLASS_COLOURS[impact], impact)}: ${CLASS_MEANINGS[impact]}`;
  const shown = objects.filter((object) => !isFolded(object));
  const count = objects.length - shown.length;
  const noun = shown.length === 0 ? counted(count, 'object') : counted(count, 'more object');
  return [
    title,
    ...mergeObjects(shown).flatMap((merged) => objectLines(merged, paint)),
    ...(count === 0 ? [] : [`    ${paint('dim', `… ${noun}: \`--all\` shows ${count === 1 ? 'it' : 'them'}`)}`]),
  ];
}

function objectLines({ objects, fields, derivedCount }: MergedObjects, paint: Paint): readonly string[] {
  const [first] = objects;
  const pools = first.pools.length > 0 ? ` (pools: ${first.pools.map(escapeLine).join(', ')})` : '';
  return [
    ...objects.map(
      (object) => `    ${paint(COLOURS[object.change], `${MARKS[object.change]} ${objectName(object)}`)}${pools}`,
    ),
    ...remarks(first).map((remark) => `        = ${remark}`),
    ...fields.flatMap((field) => fieldLines(field, paint)),
    ...(fields.length === 0 && derivedCount > 0 ? [`        ${paint('dim', HASHES)}`] : []),
  ];
}

function fieldLines({ field, alsoAt }: MergedField, paint: Paint): readonly string[] {
  return [`        ${fieldText(field, paint)}`, ...alsoAt.map((path) => `          the same at ${escapeLine(path)}`)];
}

/** One line about a field, as it follows the object that has it. */
export function fieldText(field: FieldChange, paint: Paint = plain): string {
  const start = paint(COLOURS[field.kind], `${MARKS[field.kind]} ${escapeLine(field.path)}`);
  switch (field.kind) {
    case 'added':
      return `${start}: ${valueText(field.to)}`;
    case 'removed':
      return `${start}: ${valueText(field.from)}`;
    case 'changed':
      return `${start}: ${changedValues(field.from, field.to).join(' -> ')}`;
    case 'reordered':
    case 'reformatted':
      return `${start}: ${orderText(field)}`;
  }
}
