import { EFFECTS } from './effects.js';
import { GUARDS } from './guards.js';
import type { TransitionRow } from './transition-row.js';
import type { Hold, Turn } from './node-plan.js';
import type { NodeState, PatchNode } from '../model/types.js';

/** Rows by the state that they start from, in their order. */
export type RowsByState = ReadonlyMap<NodeState, readonly TransitionRow[]>;

export function rowsByState(table: readonly TransitionRow[]): RowsByState {
  const rows = new Map<NodeState, TransitionRow[]>();
  for (const row of table) {
    for (const state of row.from) rows.set(state, [...(rows.get(state) ?? []), row]);
  }
  return rows;
}

/** Longer than any path through the table; a table that goes in circles ends here. */
const MOST_STEPS = 30;

/** States in which a turn ends: what comes after them is looked at only once they were written. */
const ENDS: ReadonlySet<NodeState> = new Set(['upgrade-done', 'upgrade-failed']);

/** Takes rows as long as one holds, and notes what the node waits for when none does. */
export function runTurn(turn: Turn, rows: RowsByState): void {
  for (let taken = 0; taken < MOST_STEPS; taken += 1) {
    turn.hold = undefined;
    const row = (rows.get(turn.state) ?? NO_ROWS).find((one) => holds(turn, one));
    if (row === undefined) return;
    leaveRest(turn);
    const before = turn.state;
    const to = row.to === 'stay' ? before : row.to;
    if (row.to !== 'stay') {
      turn.state = row.to;
      turn.steps.push({ row: row.id, from: before, to, message: row.words });
    }
    for (const effect of row.then) EFFECTS[effect](turn);
    if (row.to === 'stay' || ENDS.has(row.to)) return;
  }
}

/** Before its first row, and where it rested before, a turn shares what it changes with others. */
function leaveRest(turn: Turn): void {
  if (turn.still === undefined && turn.steps.length > 0) return;
  turn.annotations = { ...turn.annotations };
  turn.steps = [...turn.steps];
  turn.still = undefined;
  turn.view.turn = undefined;
}

const NO_ROWS: readonly TransitionRow[] = [];

/** Whether every guard of the row holds; the first reason that any row gives is what the node waits for. */
function holds(turn: Turn, row: TransitionRow): boolean {
  for (const name of row.when) {
    const answer: boolean | Hold = GUARDS[name](turn);
    if (answer === true) continue;
    if (answer !== false) turn.hold ??= answer;
    return false;
  }
  return true;
}

/** The one patch of a turn; undefined when it changes nothing. */
export function patchOf(turn: Turn): PatchNode | undefined {
  const { node } = turn.view;
  const { keys, policy } = turn.context.world;
  if (turn.state !== turn.view.state) turn.labels = { ...turn.labels, [keys.state]: turn.state };
  const labels = changes(turn.labels, node.labels);
  const annotations = changes(turn.annotations, node.annotations);
  const cordon =
    turn.unschedulable === undefined || turn.unschedulable === node.unschedulable ? undefined : turn.unschedulable;
  if (cordon === undefined && labels === NO_CHANGES && annotations === NO_CHANGES) return undefined;
  return {
    kind: 'patchNode',
    driver: policy.labelPrefix,
    node: node.name,
    uid: node.uid,
    resourceVersion: node.resourceVersion,
    labels,
    annotations,
    ...(cordon === undefined ? {} : { unschedulable: cordon }),
    steps: turn.steps,
  };
}

function changes(
  wanted: Readonly<Record<string, string | null>>,
  present: Readonly<Record<string, string>>,
): Readonly<Record<string, string | null>> {
  let changed: Record<string, string | null> | undefined;
  for (const key in wanted) {
    const value = wanted[key] ?? null;
    if ((present[key] ?? null) !== value) (changed ??= {})[key] = value;
  }
  return changed ?? NO_CHANGES;
}

const NO_CHANGES: Readonly<Record<string, string | null>> = {};
