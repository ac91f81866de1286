import { escapeLine } from '../../../shared/lib/escape.js';
import { counted } from '../../../shared/lib/listed.js';
import { tableLines } from '../../../shared/lib/table.js';
import { costLine, costLines } from './cost.js';
import { spanText, timeText } from './span.js';
import { startLine, startLines } from './starts.js';
import type { NodePlan, Obstacle, PlannedDuration, UpgradePlan } from '../types.js';

/** The first lines: how long, from when to when, how much, and what will not work. */
export function headlines(plan: UpgradePlan): readonly string[] {
  const { nodes, begun, upgraded, waves, podsEvicted, obstacles } = plan;
  if (nodes === 0) return [`the plan upgrades no node: ${plan.idle.join('; ')}`];
  const left = nodes - upgraded;
  const stuck = obstacles.filter(({ isStuck, isNext }) => isStuck && isNext !== true).length;
  const next = obstacles.filter(({ isNext }) => isNext).length;
  const fails =
    left === 0
      ? []
      : [
          `${counted(left, 'node does', 'nodes do')} not come through: ${counted(stuck, 'obstacle')} below${next === 0 ? '' : `, and ${next} behind`}`,
        ];
  const begins = begun === nodes ? counted(nodes, 'node') : `${begun} of ${counted(nodes, 'node')} begin`;
  return [
    ...timeLines(plan),
    `${begins} in ${counted(waves, 'wave')}, ${counted(podsEvicted, 'pod')} evicted`,
    ...fails,
  ];
}

/** Shorter waits are not worth a word. */
const WAIT_MIN_SECONDS = 60;

/** How long it takes, waiting and working apart. */
function timeLines({ duration, time, runs, startsAt, endsAt }: UpgradePlan): readonly string[] {
  if (endsAt === null) return ['nothing comes through'];
  const waits = (
    [
      [time.window, 'a window'],
      [time.soak, 'the soak of the canaries'],
      [time.other, 'something else'],
    ] as const
  ).flatMap(([seconds, what]) => (seconds < WAIT_MIN_SECONDS ? [] : [`${spanText(seconds)} waiting for ${what}`]));
  const half = spanText(duration.half);
  const long = waits.length === 0 ? `takes ${half}` : `${spanText(time.work)} of work in ${half}; ${waits.join(', ')}`;
  return [
    `${long}; from ${timeText(startsAt)} to ${timeText(endsAt)}`,
    ...(runs === 1
      ? []
      : [`half of ${runs} runs take at most ${half}, ${mostText(runs)} ${spanText(duration.nineOfTen)}`]),
  ];
}

/** Nine of ten of fewer than ten runs are all of them. */
function mostText(runs: number): string {
  return runs < 10 ? 'the longest' : 'nine of ten';
}

/** What a node waited for last, in a word or two. */
export function afterText({ after, beginsAt }: NodePlan): string {
  if (after.kind === 'nothing') return after.message || (beginsAt === null ? '' : 'first');
  return beginsAt === null ? `waits: ${after.message || after.kind}` : after.kind;
}

const EVICTED_SHOWN = 3;

/** The pods that are evicted, and how many more. */
function evictedText({ evicted }: NodePlan): string {
  const more = evicted.length - EVICTED_SHOWN;
  return [...evicted.slice(0, EVICTED_SHOWN), ...(more > 0 ? [`${more} more`] : [])].join(', ');
}

const NODES_SHOWN = 5;

export function nodesText(nodes: readonly string[]): string {
  const more = nodes.length - NODES_SHOWN;
  return `${nodes.slice(0, NODES_SHOWN).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** Obstacles whose message names the pod: it is that of the node. */
const NAMES_POD: ReadonlySet<Obstacle['kind']> = new Set(['no-controller', 'empty-dir']);

/** What an obstacle is about, and the fact. */
export function whatText({ kind, pod, budget, message }: Obstacle): string {
  const subject = [
    ...(pod === undefined || NAMES_POD.has(kind) ? [] : [`pod ${pod}`]),
    ...(budget === undefined ? [] : [`PodDisruptionBudget ${budget}`]),
  ].join(', ');
  return subject === '' ? message : `${subject}: ${message}`;
}

export function durationText({ name, from, to, source }: PlannedDuration): string {
  return `${name} ${from === to ? spanText(from) : `${spanText(from)}..${spanText(to)}`} (${source})`;
}

/** The plan for a terminal. */
export function planText(plan: UpgradePlan): string {
  const { nodePlans, obstacles, durations, notes } = plan;
  const lines = [...headlines(plan), ...costLine(plan), ...startLine(plan)];
  if (nodePlans.length > 0) lines.push('', ...tableOf(plan));
  if (obstacles.length > 0) lines.push('', 'in the way:', ...obstacles.flatMap(obstacleLines));
  const costs = costLines(plan);
  if (costs.length > 0) lines.push('', 'cost:', ...costs.map((line) => `  ${line}`));
  const starts = startLines(plan);
  if (starts.length > 0) lines.push('', 'starts:', ...starts.map((line) => `  ${line}`));
  lines.push('', 'durations:', ...durations.map((one) => `  ${durationText(one)}`));
  if (notes.length > 0) lines.push('', 'not simulated:', ...notes.map((note) => `  ${note}`));
  return lines.map((line) => `${escapeLine(line)}\n`).join('');
}

/** The columns of the table, and what each says about a node. `isOfSeveral`: only with several drivers. */
const COLUMNS: readonly {
  readonly name: string;
  readonly isOfSeveral?: true;
  readonly of: (one: NodePlan) => string;
}[] = [
  { name: 'node', of: ({ node }) => node },
  { name: 'driver', isOfSeveral: true, of: ({ driver }) => driver },
  { name: 'wave', of: ({ wave }) => String(wave ?? '') },
  { name: 'begins', of: ({ beginsAt }) => (beginsAt === null ? '' : timeText(beginsAt)) },
  { name: 'ends', of: ({ endsAt }) => (endsAt === null ? '' : timeText(endsAt)) },
  { name: 'outcome', of: ({ outcome }) => outcome },
  { name: 'after', of: afterText },
  { name: 'evicts', of: evictedText },
];

/** Columns that a plan has. */
export function columnsOf({ nodePlans }: UpgradePlan): typeof COLUMNS {
  const hasSeveral = new Set(nodePlans.map(({ driver }) => driver)).size > 1;
  return COLUMNS.filter(({ isOfSeveral }) => isOfSeveral !== true || hasSeveral);
}

/** Columns whose empty cells a terminal shows as `-`. */
const DASHED: ReadonlySet<string> = new Set(['wave', 'begins', 'ends']);

function tableOf(plan: UpgradePlan): readonly string[] {
  const columns = columnsOf(plan);
  const rows = plan.nodePlans.map((one) => columns.map(({ name, of }) => of(one) || (DASHED.has(name) ? '-' : '')));
  return tableLines([columns.map(({ name }) => name.toUpperCase()), ...rows]);
}

/** How bad an obstacle is. */
export function rankText({ isStuck, isNext }: Pick<Obstacle, 'isStuck' | 'isNext'>): string {
  return isNext === true ? 'next, if the others were solved' : isStuck ? 'stuck' : 'note';
}

export function obstacleLines(obstacle: Obstacle): readonly string[] {
  const { help, nodes } = obstacle;
  const on = nodes.length === 0 ? '' : ` (${nodesText(nodes)})`;
  return [`  ${rankText(obstacle)}: ${obstacle.kind}: ${whatText(obstacle)}${on}`, `    help: ${help}`];
}
