import { escapeLine } from '../../lib/escape.js';
import { counted } from '../../lib/listed.js';
import { tableLines } from '../../lib/table.js';
import { nodesText, spanText, timeText } from '../../plan/render/text.js';
import type { NodeReport, UpgradeReport } from '../types.js';

/** The first lines: how long, how much, what failed, and how that compares with the plan. */
export function reportHeadlines(report: UpgradeReport): readonly string[] {
  const { nodes, upgraded, failed, waves, podsEvicted, startsAt, endsAt, duration } = report;
  if (nodes === 0) return [`no node was upgraded, by ${report.source}`];
  const left = nodes - upgraded - failed;
  const span = endsAt === null || startsAt === null ? '' : `; from ${timeText(startsAt)} to ${timeText(endsAt)}`;
  const long = startsAt === null ? 'when it began is not known' : `took ${spanText(duration)}${span}`;
  return [
    left === 0 ? long : `${long}; it has not ended`,
    `${counted(upgraded, 'node')} upgraded in ${counted(waves, 'wave')}, ${counted(podsEvicted, 'pod')} evicted`,
    ...(failed === 0 ? [] : [`${counted(failed, 'node')} failed`]),
    ...(left === 0 ? [] : [`${counted(left, 'node is', 'nodes are')} not through`]),
    ...plannedLines(report),
  ];
}

function plannedLines({ planned }: UpgradeReport): readonly string[] {
  if (planned === null) return [];
  const { duration, nodes, upgraded, podsEvicted, lateSeconds, otherOutcome } = planned;
  const late =
    Math.abs(lateSeconds) < 60
      ? ''
      : `; it began ${spanText(Math.abs(lateSeconds))} ${lateSeconds > 0 ? 'later' : 'earlier'}`;
  return [
    `planned: ${spanText(duration.half)} in half of the runs, ${spanText(duration.nineOfTen)} in nine of ten, ` +
      `${upgraded} of ${counted(nodes, 'node')} through, ${counted(podsEvicted, 'pod')} evicted${late}`,
    ...(otherOutcome.length === 0 ? [] : [`ended otherwise than planned: ${nodesText(otherOutcome)}`]),
  ];
}

/** How long a node took, and how long it was planned to. */
function tookText({ beginsAt, endsAt }: { readonly beginsAt: string | null; readonly endsAt: string | null }): string {
  return beginsAt === null || endsAt === null ? '' : spanText((Date.parse(endsAt) - Date.parse(beginsAt)) / 1000);
}

/** The columns of the table, and what each says about a node. `isPlanned`: only beside a plan; `isOfSeveral`: only with several drivers. */
const COLUMNS: readonly {
  readonly name: string;
  readonly isPlanned?: true;
  readonly isOfSeveral?: true;
  readonly of: (one: NodeReport) => string;
}[] = [
  { name: 'node', of: ({ node }) => node },
  { name: 'driver', isOfSeveral: true, of: ({ driver }) => driver },
  { name: 'wave', of: ({ wave }) => (wave === null ? '' : String(wave)) },
  { name: 'began', of: ({ beginsAt }) => (beginsAt === null ? '' : timeText(beginsAt)) },
  { name: 'ended', of: ({ endsAt }) => (endsAt === null ? '' : timeText(endsAt)) },
  { name: 'took', of: tookText },
  {
    name: 'planned',
    isPlanned: true,
    of: ({ planned }) => (planned === null ? '' : tookText(planned) || planned.outcome),
  },
  { name: 'outcome', of: ({ outcome }) => outcome },
  { name: 'pods', of: ({ evicted }) => String(evicted.length) },
  { name: 'reason', of: ({ reason }) => reason },
];

/** Columns that a report has. */
export function columnsOf({ planned, nodeReports }: UpgradeReport): typeof COLUMNS {
  const hasSeveral = new Set(nodeReports.map(({ driver }) => driver)).size > 1;
  return COLUMNS.filter(
    ({ isPlanned, isOfSeveral }) => (isPlanned !== true || planned !== null) && (isOfSeveral !== true || hasSeveral),
  );
}

/** The report for a terminal. */
export function reportText(report: UpgradeReport): string {
  const columns = columnsOf(report);
  const rows = report.nodeReports.map((one) => columns.map(({ of }) => of(one) || '-'));
  const lines = [
    ...reportHeadlines(report),
    ...(rows.length === 0 ? [] : ['', ...tableLines([columns.map(({ name }) => name.toUpperCase()), ...rows])]),
    ...(report.problems.length === 0 ? [] : ['', 'problems:', ...report.problems.map((one) => `  ${one}`)]),
    ...['', `from ${report.source}`],
  ];
  return lines.map((line) => `${escapeLine(line)}\n`).join('');
}
