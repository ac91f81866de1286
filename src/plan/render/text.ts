import { escapeLine } from '../../diagnostics/render/escape.js';
import { counted } from '../../lib/listed.js';
import { tableLines } from '../../lib/table.js';
import type { NodePlan, Obstacle, PlannedDuration, UpgradePlan } from '../types.js';

/** `1h12m`, `4m`, `30s`. */
export function spanText(seconds: number): string {
  const rounded = seconds < 600 ? Math.round(seconds) : Math.round(seconds / 60) * 60;
  const [hours, minutes, rest] = [Math.floor(rounded / 3600), Math.floor((rounded % 3600) / 60), rounded % 60];
  const parts = [hours > 0 && `${hours}h`, minutes > 0 && `${minutes}m`, rest > 0 && `${rest}s`].filter(Boolean);
  return parts.length === 0 ? '0s' : parts.join('');
}

/** A time as `2026-12-04 22:00Z`. */
export function timeText(iso: string): string {
  return `${iso.slice(0, 16).replace('T', ' ')}Z`;
}

/** The first lines: how long, from when to when, how much, and what will not work. */
export function headlines(plan: UpgradePlan): readonly string[] {
  const { nodes, upgraded, waves, podsEvicted, duration, runs, startsAt, endsAt, obstacles } = plan;
  if (nodes === 0) return [`the plan upgrades no node: ${plan.idle.join('; ')}`];
  const left = nodes - upgraded;
  const long =
    endsAt === null
      ? 'nothing comes through'
      : `takes ${spanText(duration.half)} in half of ${counted(runs, 'run')}, ${spanText(duration.nineOfTen)} in nine of ten; from ${timeText(startsAt)} to ${timeText(endsAt)}`;
  const stuck = obstacles.filter(({ isStuck }) => isStuck).length;
  const fails =
    left === 0
      ? []
      : [`${counted(left, 'node does', 'nodes do')} not come through: ${counted(stuck, 'obstacle')} below`];
  return [
    long,
    `${counted(nodes, 'node')} in ${counted(waves, 'wave')}, ${counted(podsEvicted, 'pod')} evicted`,
    ...fails,
  ];
}

/** What a node waited for last, in a word or two. */
export function afterText({ after, beginsAt }: NodePlan): string {
  if (after.kind === 'nothing') return after.message || (beginsAt === null ? '' : 'first');
  return beginsAt === null ? `waits: ${after.message || after.kind}` : after.kind;
}

const EVICTED_SHOWN = 3;

/** The pods that are evicted, and how many more. */
export function evictedText({ evicted }: NodePlan): string {
  const more = evicted.length - EVICTED_SHOWN;
  return [...evicted.slice(0, EVICTED_SHOWN), ...(more > 0 ? [`${more} more`] : [])].join(', ');
}

const NODES_SHOWN = 5;

export function nodesText(nodes: readonly string[]): string {
  const more = nodes.length - NODES_SHOWN;
  return `${nodes.slice(0, NODES_SHOWN).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** What an obstacle is about, and the fact. */
export function whatText({ pod, budget, message }: Obstacle): string {
  const subject = [
    ...(pod === undefined || message.includes(pod) ? [] : [`pod ${pod}`]),
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
  const lines = [...headlines(plan)];
  if (nodePlans.length > 0) lines.push('', ...tableLines([HEADER, ...nodePlans.map(rowOf)]));
  if (obstacles.length > 0) lines.push('', 'in the way:', ...obstacles.flatMap(obstacleLines));
  lines.push('', 'durations:', ...durations.map((one) => `  ${durationText(one)}`));
  if (notes.length > 0) lines.push('', 'not simulated:', ...notes.map((note) => `  ${note}`));
  return lines.map((line) => `${escapeLine(line)}\n`).join('');
}

const HEADER = ['NODE', 'WAVE', 'BEGINS', 'ENDS', 'OUTCOME', 'AFTER', 'EVICTS'];

function rowOf(plan: NodePlan): readonly string[] {
  const { node, wave, beginsAt, endsAt, outcome } = plan;
  const time = (iso: string | null): string => (iso === null ? '-' : timeText(iso));
  return [node, String(wave ?? '-'), time(beginsAt), time(endsAt), outcome, afterText(plan), evictedText(plan)];
}

export function obstacleLines(obstacle: Obstacle): readonly string[] {
  const { kind, help, nodes, isStuck } = obstacle;
  const on = nodes.length === 0 ? '' : ` (${nodesText(nodes)})`;
  return [`  ${isStuck ? 'stuck' : 'note'}: ${kind}: ${whatText(obstacle)}${on}`, `    help: ${help}`];
}
