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
import { podRows, poolRows } from './pool-messages.js';
import { impactClasses, type ImpactClass } from '../impact/impact.js';

/** GitHub refuses comments of more than 65,536 characters. */
const MAX_LENGTH = 60_000;
/** Long names must not make a comment that GitHub refuses. */
const HEAD_LENGTH = 40_000;
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
  if (groups.length === 0) return `${fitting([title, '', ...exceptions], HEAD_LENGTH).trimEnd()}\n`;
  const shown = plans.slice(0, SHOWN_PLANS);
  const alike = alikeGroups(groups);
  const first = [...shown.flatMap(({ cost }) => cost ?? []), ...exceptions];
  const effects = [...drainLines(alike), ...refusedLines(alike), ...missedLines(alike)];
  const isOneList = causes === undefined && exceptions.length === 0;
  const parts = [
    title,
    ...(isOneList ? [] : [first.join('\n')]),
    ...(causes ? [...causeLists(causes, groups), 'What happens:'] : []),
    [...(isOneList ? first : []), ...effects].join('\n'),
    poolTable(alike).join('\n'),
    podTable(alike).join('\n'),
    table(groups).join('\n'),
    ...shown.map(({ text }) => text),
    plans.length > SHOWN_PLANS ? `… and ${plans.length - SHOWN_PLANS} more: run \`weft plan\` for each.` : '',
  ]
    .filter((part) => part !== '')
    .join('\n\n');
  const start = fitting(parts.split('\n'), HEAD_LENGTH).trimEnd();
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
  const list = (items: readonly string[]) => items.map((item) => `- ${item}`).join('\n');
  return ['Changed in bases:', list(lines.changes), 'The clusters that extend them:', list(lines.clusters)];
}

function drainLines(groups: readonly AlikeGroups[]): readonly string[] {
  const sentences = groups.flatMap((group) =>
    nodeSentences(group.shown, quoted).map((sentence) => `${clusterNames(group)}: ${markdownText(sentence)}.`),
  );
  if (sentences.length === 0) return ['- No node is drained.'];
  const more = sentences.length - SHOWN_SENTENCES;
  return [
    ...sentences.slice(0, SHOWN_SENTENCES).map((sentence) => `- ${sentence}`),
    ...(more > 0 ? [`- … and ${more} more about drivers that change.`] : []),
  ];
}

/** Changes that a GitOps controller can never apply, so they are not collapsed. */
function refusedLines(groups: readonly AlikeGroups[]): readonly string[] {
  const refused = groups.flatMap((group) =>
    group.shown.objects.flatMap((object) => {
      const { refusedFields = [] } = object;
      if (refusedFields.length === 0) return [];
      const fields = listed(refusedFields.map(markdownCode), SHOWN_OBJECTS);
      return [
        `- ${clusterNames(group)}: ${markdownCode(objectName(object))} cannot be applied before it is deleted: ${fields} cannot be changed.`,
      ];
    }),
  );
  const more = refused.length - SHOWN_SENTENCES;
  return [...refused.slice(0, SHOWN_SENTENCES), ...(more > 0 ? [`- … and ${more} more that cannot be applied.`] : [])];
}

/** Removed objects that a remaining object refers to: probably a mistake, so they are not collapsed. */
function missedLines(groups: readonly AlikeGroups[]): readonly string[] {
  const missed = groups.flatMap((group) =>
    group.shown.objects
      .filter(({ referrers, isKept }) => referrers.length > 0 && !isKept)
      .map((object) => {
        const by = listed(
          object.referrers.map((referrer) => markdownCode(objectName(referrer))),
          SHOWN_OBJECTS,
        );
        return `- ${clusterNames(group)}: ${markdownCode(objectName(object))} goes, but ${by} still refers to it.`;
      }),
  );
  const more = missed.length - SHOWN_SENTENCES;
  return [
    ...missed.slice(0, SHOWN_SENTENCES),
    ...(more > 0 ? [`- … and ${more} more that are still referred to.`] : []),
  ];
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
function poolTable(groups: readonly AlikeGroups[]): readonly string[] {
  const rows = groups.flatMap((group) =>
    poolRows(group.shown.pools, quoted).map(({ pool, kernel, before, after, nodes }) => {
      const cells = [
        clusterNames(group),
        markdownCode(pool),
        kernel === '' ? 'every' : markdownCode(kernel),
        ...(isCounted(groups) ? [String(nodes ?? '')] : []),
        markdownText(before),
        markdownText(after),
      ];
      return `| ${cells.join(' | ')} |`;
    }),
  );
  if (rows.length === 0) return [];
  const more = rows.length - SHOWN_ROWS;
  const head = ['cluster', 'pool', 'kernel', ...(isCounted(groups) ? ['nodes'] : []), 'before', 'after'];
  return [
    `| ${head.join(' | ')} |`,
    `|${head.map((name) => (name === 'nodes' ? '--:' : ':--')).join('|')}|`,
    ...rows.slice(0, SHOWN_ROWS),
    ...(more > 0 ? [`| … and ${more} more ${'| '.repeat(head.length)}`.trimEnd()] : []),
  ];
}

/** The pods of components, without those of drivers, on the pools where they change. */
function podTable(groups: readonly AlikeGroups[]): readonly string[] {
  const rows = groups.flatMap((group) =>
    podRows(group.shown.coverage, quoted).map(({ pools, program, before, after }) => {
      const cells = [
        clusterNames(group),
        listed(pools.map(markdownCode), SHOWN_POOLS),
        markdownCode(program),
        markdownText(before),
        markdownText(after),
      ];
      return `| ${cells.join(' | ')} |`;
    }),
  );
  if (rows.length === 0) return [];
  const more = rows.length - SHOWN_ROWS;
  return [
    '| cluster | pools | pods of | before | after |',
    '|:--|:--|:--|:--|:--|',
    ...rows.slice(0, SHOWN_ROWS),
    ...(more > 0 ? [`| … and ${more} more | | | | |`] : []),
  ];
}

function isCounted(groups: readonly AlikeGroups[]): boolean {
  return groups.some(({ shown }) =>
    shown.pools.some(({ before, after }) => [...before, ...after].some((one) => one.nodes !== undefined)),
  );
}

function table(groups: readonly DiffGroup[]): readonly string[] {
  const rows = impactClasses.flatMap((impact) => {
    const found = groups.flatMap(({ names, objects }) =>
      objects.filter((object) => object.impact === impact).map((object) => ({ object, clusterCount: names.length })),
    );
    if (found.length === 0) return [];
    const count = found.reduce((sum, { clusterCount }) => sum + clusterCount, 0);
    return [`| **${impact}** | ${count} | ${CLASS_MEANINGS[impact]}: ${namesOf(found.map(({ object }) => object))} |`];
  });
  return ['| impact | objects | what |', '|:--|--:|:--|', ...rows];
}

function namesOf(objects: readonly ObjectDiff[]): string {
  const names = [...new Set(objects.map((object) => markdownCode(objectName(object))))];
  return listed(names, SHOWN_OBJECTS);
}

/** One collapsed section for each group of clusters, as many as fit. */
function details(groups: readonly AlikeGroups[], room: number): string {
  const folds: string[] = [];
  let left = room;
  for (const [index, group] of groups.entries()) {
    const text = fold(group, left);
    if (text === undefined) {
      const rest = groups.length - index;
      const more = counted(rest, 'more group');
      folds.push(`${more} of clusters left out: run \`weft diff\` to see all.\n`);
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
  const lines = impactClasses.flatMap((impact) => classLines(impact, group.objects)).map(markdownBlockLine);
  const start = `<details><summary>${names}${state}: ${escapeHtml(countsText(group.objects))}${also}</summary>\n\n\`\`\`diff\n`;
  const end = '```\n\n</details>\n';
  const body = fitting(lines, room - start.length - end.length - LEFT_OUT_LENGTH);
  return body === '' ? undefined : `${start}${body}${end}`;
}

const LEFT_OUT_LENGTH = 80;

function fitting(lines: readonly string[], room: number): string {
  let text = '';
  for (const [index, line] of lines.entries()) {
    if (text.length + line.length + 1 > room) {
      return text === '' ? '' : `${text}… ${lines.length - index} lines left out: run \`weft diff\` to see all\n`;
    }
    text += `${line}\n`;
  }
  return text;
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
