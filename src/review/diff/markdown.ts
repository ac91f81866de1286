import type { ObjectDiff } from './diff.js';
import type { FieldChange } from '../../cluster/changes/fields.js';
import { alikeGroups, type AlikeGroups } from './alike.js';
import { causeLines, type Causes } from './causes.js';
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
import { escapeHtml, escapeLine } from '../../shared/lib/escape.js';
import { shorten } from '../../shared/lib/text.js';
import { markdownBlockLine, markdownCode, markdownText } from '../../shared/lib/escape-markdown.js';
import { groupBy } from '../../shared/lib/group-by.js';
import { counted, listed } from '../../shared/lib/listed.js';
import { mergeObjects, type MergedField, type MergedObjects } from './merged.js';
import { nodeSentences } from './node-messages.js';
import { moreText, rankOf, worstFirst, type Ranked } from './order.js';
import { podRows, poolRows } from './pool-messages.js';
import { impactClasses, type ImpactClass } from '../impact/impact.js';

/** GitHub refuses comments of more than 65,536 characters. */
const MAX_LENGTH = 60_000;
/** Long names must not make a comment that GitHub refuses, nor take the room of another part. */
const HEAD_LENGTH = 45_000;
const PART_LENGTH = 6_000;
const EFFECTS_LENGTH = 12_000;
/** The longest name of an object of Kubernetes. */
const NAME_LENGTH = 253;
const SHOWN_CLUSTERS = 5;
const SHOWN_OBJECTS = 3;
const SHOWN_SENTENCES = 10;

/** The plans of more clusters are left out. */
const SHOWN_PLANS = 10;

/** The plan of the upgrade of a cluster, in the format of the differences. */
export interface ShownPlan {
  /** What it costs, as an item of a list. Absent in text, which has it in the plan. */
  readonly cost?: string | undefined;
  readonly text: string;
}

/**
 * The differences as a comment on a pull request: the effect on nodes, a table, and the fields in collapsed sections.
 *
 * @param context what comes before the effect: clusters that are not compared or left behind, changes of bases
 * @param plans how the upgrades will go, for each cluster; what they cost comes first. Default: none
 */
export function renderDiffMarkdown(
  groups: readonly DiffGroup[],
  { plans = [], ...context }: DiffContext & { readonly plans?: readonly ShownPlan[] } = {},
): string {
  const { causes } = context;
  const title = titleOf(groups, context);
  const exceptions = exceptionLines(context);
  if (groups.length === 0) return `${within(HEAD_LENGTH, [title, '', ...exceptions]).trimEnd()}\n`;
  const shown = plans.slice(0, SHOWN_PLANS);
  const alike = alikeGroups(groups);
  const first = [...shown.flatMap(({ cost }) => cost ?? []), ...exceptions];
  const effects = within(EFFECTS_LENGTH, [...drainLines(alike), ...refusedLines(alike), ...missedLines(alike)]);
  const isOneList = causes === undefined && exceptions.length === 0;
  const parts = [
    title,
    ...(isOneList ? [] : [within(PART_LENGTH, first)]),
    ...(causes ? [within(PART_LENGTH, causeLists(causes, groups)), 'What happens:'] : []),
    [...(isOneList ? first : []), effects].join('\n'),
    within(PART_LENGTH, poolTable(alike)),
    within(PART_LENGTH, podTable(alike)),
    within(PART_LENGTH, table(groups)),
    ...shown.map(({ text }) => text),
    plans.length > SHOWN_PLANS ? `… and ${plans.length - SHOWN_PLANS} more: run \`weft plan\` for each.` : '',
  ]
    .filter((part) => part !== '')
    .join('\n\n');
  const start = within(HEAD_LENGTH, parts.split('\n')).trimEnd();
  return `${start}\n\n${details(alike, MAX_LENGTH - start.length)}`;
}

function titleOf(groups: readonly DiffGroup[], { failed = [] }: DiffContext): string {
  const objects = groups.flatMap((group) => group.names.flatMap(() => group.objects));
  const counts = groups.length === 0 ? 'no differences' : countsText(objects);
  const failures = failed.length === 0 ? '' : `; ${counted(failed.length, 'cluster')} not compared`;
  return `### Weft: ${markdownText(`${counts}${failures}`)}`;
}

/** The clusters that are not compared, and those that are left behind. */
function exceptionLines({ failed = [], left = [] }: DiffContext): readonly string[] {
  const behind = [...groupBy(left, ({ weft }) => weft)].map(([weft, clusters]) => {
    const names = clusters.map(({ name }) => markdownCode(name));
    return `Left behind on purpose at Weft ${markdownText(weft)}: ${listed(names, SHOWN_CLUSTERS)}`;
  });
  return [...failedLines(failed, { name: markdownCode }), ...behind].map((item) => `- ${item}`);
}

function causeLists(causes: Causes, groups: readonly DiffGroup[]): readonly string[] {
  const lines = causeLines(causes, groups, { name: markdownCode, place: markdownCode, text: markdownText });
  const list = (items: readonly string[]) => items.map((item) => `- ${item}`);
  return [
    ...['Changed in bases:', '', ...list(lines.changes)],
    ...['', 'The clusters that extend them:', '', ...list(lines.clusters)],
  ];
}

function drainLines(groups: readonly AlikeGroups[]): readonly Line[] {
  const sentences = groups.flatMap((group) =>
    nodeSentences(group.shown, quoted).map(({ text, ...rank }) => ({
      ...rank,
      line: `- ${clusterNames(group)}: ${markdownText(text)}.`,
    })),
  );
  return sentences.length === 0 ? ['- No node is drained.'] : shownLines(sentences, 'more about nodes');
}

/** A line about a part of a difference. */
interface RankedLine extends Ranked {
  readonly line: string;
}

/** A line that is about no difference, or what it is about, which is counted where the line is left out. */
type Line = string | { readonly line: string; readonly of: readonly Pick<Ranked, 'impact'>[] };

const rankedLine = (ranked: RankedLine): Line => ({ line: ranked.line, of: [ranked] });

/** The worst lines, and what is left out by class. */
function shownLines(lines: readonly RankedLine[], what: string): readonly Line[] {
  const ordered = worstFirst(lines);
  const left = ordered.slice(SHOWN_SENTENCES);
  return [
    ...ordered.slice(0, SHOWN_SENTENCES).map(rankedLine),
    ...(left.length > 0 ? [{ line: `- … and ${moreText(left, what)}.`, of: left }] : []),
  ];
}

/** A line for each object of some, which are not collapsed. */
function objectSentences(
  groups: readonly AlikeGroups[],
  what: string,
  sentenceOf: (object: ObjectDiff) => string | undefined,
): readonly Line[] {
  const lines = groups.flatMap((group) =>
    group.shown.objects.flatMap((object): readonly RankedLine[] => {
      const sentence = sentenceOf(object);
      if (sentence === undefined) return [];
      const line = `- ${clusterNames(group)}: ${markdownCode(objectName(object))} ${sentence}`;
      return [{ impact: object.impact, isNew: group.shown.change === 'added', line }];
    }),
  );
  return shownLines(lines, what);
}

/** Changes that a GitOps controller can never apply. */
function refusedLines(groups: readonly AlikeGroups[]): readonly Line[] {
  return objectSentences(groups, 'more that cannot be applied', ({ refusedFields = [] }) => {
    const fields = listed(refusedFields.map(markdownCode), SHOWN_OBJECTS);
    return fields === '' ? undefined : `cannot be applied before it is deleted: ${fields} cannot be changed.`;
  });
}

/** Removed objects that a remaining object refers to: probably a mistake. */
function missedLines(groups: readonly AlikeGroups[]): readonly Line[] {
  return objectSentences(groups, 'more that are still referred to', ({ referrers, isKept }) => {
    if (referrers.length === 0 || isKept) return undefined;
    const names = referrers.map((referrer) => markdownCode(objectName(referrer)));
    return `goes, but ${listed(names, SHOWN_OBJECTS)} still refers to it.`;
  });
}

/** The clusters, or the one that stands for others: the folded section names these. */
function clusterNames({ names, others }: AlikeGroups): string {
  if (others.length === 0) return listed(names.map(markdownCode), SHOWN_CLUSTERS);
  const [first = ''] = names.filter((name) => !others.includes(name));
  return `${markdownCode(first)} and ${others.length} alike`;
}

const SHOWN_ROWS = 20;
const SHOWN_POOLS = 5;

/** A name as sentences have it, of which `markdownText` makes a code span. */
const quoted = (name: string): string => `\`${name}\``;

/** The drivers of each pool before and after. */
function poolTable(groups: readonly AlikeGroups[]): readonly Line[] {
  const rows = groups.flatMap((group) =>
    poolRows(group.shown.pools, quoted).map(({ pool, kernel, before, after, nodes, impact }): RankedLine => {
      const cells = [
        clusterNames(group),
        markdownCode(pool),
        kernel === '' ? 'every' : markdownCode(kernel),
        ...(isCounted(groups) ? [String(nodes ?? '')] : []),
        markdownText(before),
        markdownText(after),
      ];
      return { impact, isNew: group.shown.change === 'added', line: `| ${cells.join(' | ')} |` };
    }),
  );
  if (rows.length === 0) return [];
  const head = ['cluster', 'pool', 'kernel', ...(isCounted(groups) ? ['nodes'] : []), 'before', 'after'];
  return [
    `| ${head.join(' | ')} |`,
    `|${head.map((name) => (name === 'nodes' ? '--:' : ':--')).join('|')}|`,
    ...shownRows(rows, head.length),
  ];
}

/** The pods of components, without those of drivers, on the pools where they change. */
function podTable(groups: readonly AlikeGroups[]): readonly Line[] {
  const rows = groups.flatMap((group) =>
    podRows(group.shown.coverage, quoted).map(({ pools, program, before, after, impact }): RankedLine => {
      const cells = [
        clusterNames(group),
        listed(pools.map(markdownCode), SHOWN_POOLS),
        markdownCode(program),
        markdownText(before),
        markdownText(after),
      ];
      return { impact, isNew: group.shown.change === 'added', line: `| ${cells.join(' | ')} |` };
    }),
  );
  if (rows.length === 0) return [];
  return ['| cluster | pools | pods of | before | after |', '|:--|:--|:--|:--|:--|', ...shownRows(rows, 5)];
}

/** The worst rows of a table, and what is left out by class. */
function shownRows(rows: readonly RankedLine[], columnCount: number): readonly Line[] {
  const ordered = worstFirst(rows);
  const left = ordered.slice(SHOWN_ROWS);
  return [
    ...ordered.slice(0, SHOWN_ROWS).map(rankedLine),
    ...(left.length > 0 ? [{ line: `| … and ${moreText(left)} ${'| '.repeat(columnCount)}`.trimEnd(), of: left }] : []),
  ];
}

function isCounted(groups: readonly AlikeGroups[]): boolean {
  return groups.some(({ shown }) =>
    shown.pools.some(({ before, after }) => [...before, ...after].some((one) => one.nodes !== undefined)),
  );
}

function table(groups: readonly DiffGroup[]): readonly Line[] {
  const rows = impactClasses.flatMap((impact): readonly Line[] => {
    const found = worstFirst(
      groups.flatMap(({ names, objects, change }) =>
        objects
          .filter((object) => object.impact === impact)
          .map((object) => ({ impact, isNew: change === 'added', object, names })),
      ),
    );
    if (found.length === 0) return [];
    const count = found.reduce((sum, { names }) => sum + names.length, 0);
    const shown = namesOf(found.map(({ object }) => objectName(object)));
    // What a fold left out names no cluster.
    const where = groups.length === 1 ? '' : `, in ${namesOf(found.flatMap(({ names }) => names))}`;
    return [{ line: `| **${impact}** | ${count} | ${CLASS_MEANINGS[impact]}: ${shown}${where} |`, of: found }];
  });
  return ['| impact | objects | what |', '|:--|--:|:--|', ...rows];
}

function namesOf(names: readonly string[]): string {
  return listed([...new Set(names)].map(markdownCode), SHOWN_OBJECTS);
}

/** One collapsed section for each group of clusters, as many as fit. No group takes the room of those below it. */
function details(groups: readonly AlikeGroups[], room: number): string {
  const folds: string[] = [];
  let left = room;
  for (const [index, group] of groups.entries()) {
    const rest = groups.slice(index);
    const text = fold(group, Math.min(left, Math.max(left / rest.length, FOLD_LENGTH)));
    if (text === undefined) {
      const more = moreText(
        rest.map(({ shown }) => rankOf(shown)),
        rest.length === 1 ? 'more group of clusters left out' : 'more groups of clusters left out',
      );
      folds.push(`${more}: run \`weft diff\` to see all.\n`);
      break;
    }
    folds.push(text);
    left -= text.length;
  }
  return folds.join('\n');
}

/** `undefined` if nothing useful fits. */
function fold({ shown: group, others }: AlikeGroups, room: number): string | undefined {
  const state = group.change === 'added' ? ' (new cluster)' : group.change === 'removed' ? ' (cluster is gone)' : '';
  const listedHtml = (all: readonly string[]) =>
    listed(
      all.map((name) => `<code>${escapeHtml(shorten(name, NAME_LENGTH))}</code>`),
      SHOWN_CLUSTERS,
    );
  const also =
    others.length === 0 ? '' : `; the same but for names of pools, kernels and drivers: ${listedHtml(others)}`;
  const names = listedHtml(others.length === 0 ? group.names : group.names.slice(0, 1));
  const lines = impactClasses.flatMap((impact) =>
    classLines(impact, group.objects).map((line) => ({ impact, line: shorten(markdownBlockLine(line)) })),
  );
  const start = `<details><summary>${names}${state}: ${escapeHtml(countsText(group.objects))}${also}</summary>\n\n\`\`\`diff\n`;
  const end = '```\n\n</details>\n';
  const fit = fitting(
    lines.map(({ line }) => line),
    room - start.length - end.length - LEFT_OUT_LENGTH,
  );
  const [worst] = lines.slice(fit.length);
  const last = worst === undefined ? [] : [leftOut(lines.length - fit.length, `, none worse than ${worst.impact}`)];
  return fit.length === 0 ? undefined : `${start}${[...fit, ...last].map((line) => `${line}\n`).join('')}${end}`;
}

const LEFT_OUT_LENGTH = 110;
/** Room of a group, if there are many. */
const FOLD_LENGTH = 4_000;

/** The first lines that fit. */
function fitting(lines: readonly string[], room: number): readonly string[] {
  let length = 0;
  const end = lines.findIndex((line) => (length += line.length + 1) > room);
  return end === -1 ? lines : lines.slice(0, end);
}

/** A part of the comment, with the number of what does not fit into its room, by class. */
function within(room: number, lines: readonly Line[]): string {
  const fit = fitting(lines.map(lineText), room);
  const dropped = lines.slice(fit.length);
  const parts = dropped.flatMap((line) => (typeof line === 'string' ? [] : line.of));
  const rest = parts.length > 0 ? [`… ${moreText(parts, 'more left out')}: ${SEE_ALL}`] : [leftOut(dropped.length)];
  return [...fit, ...(dropped.length > 0 ? rest : [])].join('\n');
}

function lineText(line: Line): string {
  return typeof line === 'string' ? line : line.line;
}

const SEE_ALL = 'run `weft diff` to see all';

function leftOut(count: number, rank = ''): string {
  return `… ${counted(count, 'line')} left out${rank}: ${SEE_ALL}`;
}

function classLines(impact: ImpactClass, all: readonly ObjectDiff[]): readonly string[] {
  const objects = all.filter((object) => object.impact === impact);
  if (objects.length === 0) return [];
  return [`@@ ${impact}: ${CLASS_MEANINGS[impact]} @@`, ...mergeObjects(objects).flatMap(objectLines)];
}

const MARKS = { added: '+', removed: '-', changed: ' ' } as const;

function objectLines({ objects, fields, derivedCount }: MergedObjects): readonly string[] {
  const [first] = objects;
  const pools = first.pools.length > 0 ? ` (pools: ${first.pools.map(escapeLine).join(', ')})` : '';
  return [
    ...objects.map((object) => `${MARKS[object.change]} ${objectName(object)}${pools}`),
    ...remarks(first).map((remark) => `#   ${remark}`),
    ...fields.flatMap(mergedLines),
    ...(fields.length === 0 && derivedCount > 0 ? [`#   ${HASHES}`] : []),
  ];
}

function mergedLines({ field, alsoAt }: MergedField): readonly string[] {
  return [...fieldLines(field), ...alsoAt.map((path) => `#     the same at ${escapeLine(path)}`)];
}

/** GitHub and GitLab colour lines by their first character: green, red, and `!` for other changes. */
function fieldLines(field: FieldChange): readonly string[] {
  const path = escapeLine(field.path);
  switch (field.kind) {
    case 'added':
      return [`+   ${path}: ${valueText(field.to)}`];
    case 'removed':
      return [`-   ${path}: ${valueText(field.from)}`];
    case 'changed': {
      const [from, to] = changedValues(field.from, field.to);
      return [`-   ${path}: ${from}`, `+   ${path}: ${to}`];
    }
    case 'reordered':
    case 'reformatted':
      return [`!   ${path}: ${orderText(field)}`];
  }
}
