import type { NodeState } from '../../../shared/contract/node-states.js';
import { memoized } from '../../../shared/lib/memo.js';
import { EFFECTS } from './effects.js';
import { GUARDS } from './guards.js';
import type { TransitionRow } from './transition-row.js';
import { clearRecords } from './records.js';
import { runClock } from './clock.js';
import type { NodePlan } from './node-plan.js';
import type { PatchNode, WaitReason } from '../../model/types.js';

/** Rows by the state that they start from, in their order. */
export type RowsByState = ReadonlyMap<NodeState, readonly TransitionRow[]>;

export const rowsByState = memoized((table: readonly TransitionRow[]): RowsByState => {
  const rows = new Map<NodeState, TransitionRow[]>();
  for (const row of table) {
    for (const state of row.from) rows.set(state, [...(rows.get(state) ?? []), row]);
  }
  return rows;
});

/** Limits the steps of one decision, in case the table has a cycle. Longer than any path through the table. */
const MOST_STEPS = 30;

/** A plan ends in these states. Rows from them are tried after the state was written. */
const FINAL_STATES: ReadonlySet<NodeState> = new Set(['upgrade-done', 'upgrade-failed']);

/** Takes rows as long as one holds, then sets the wait reason. */
export function planNode(plan: NodePlan, rows: RowsByState): void {
  clearRecords(plan);
  runClock(plan, false);
  for (let taken = 0; taken < MOST_STEPS; taken += 1) {
    plan.waitReason = undefined;
    const row = firstRow(plan, rows.get(plan.state) ?? NO_ROWS);
    if (row === undefined) return;
    for (const effect of row.then) EFFECTS[effect](plan);
    if (row.to === 'keep') return;
    plan.steps.push({ row: row.id, from: plan.state, to: row.to, message: row.message });
    plan.state = row.to;
    clearRecords(plan);
    runClock(plan, true);
    if (FINAL_STATES.has(row.to)) return;
  }
}

const NO_ROWS: readonly TransitionRow[] = [];
const NO_GUARDS: NonNullable<TransitionRow['unless']> = [];

/** The first row that holds. Most nodes of a decision have none, so nothing is allocated. */
function firstRow(plan: NodePlan, rows: readonly TransitionRow[]): TransitionRow | undefined {
  for (const row of rows) if (holds(plan, row)) return row;
  return undefined;
}

/** Whether the row holds for the node. The first reason of any row becomes the wait reason. */
function holds(plan: NodePlan, row: TransitionRow): boolean {
  for (const name of row.unless ?? NO_GUARDS) if (GUARDS[name](plan) === true) return false;
  for (const name of row.when) {
    const answer: boolean | WaitReason = GUARDS[name](plan);
    if (answer === true) continue;
    if (answer !== false) plan.waitReason ??= answer;
    return false;
  }
  return true;
}

/** The patch of a plan, with these labels besides that of its state; undefined if it changes nothing. */
export function patchOf(plan: NodePlan, otherLabels: Readonly<Record<string, string>> = {}): PatchNode | undefined {
  const { node } = plan.view;
  const { keys, policy } = plan.context.driver;
  const state = plan.state === plan.view.state ? {} : { [keys.state]: plan.state === '' ? null : plan.state };
  const labels = changes({ ...otherLabels, ...state }, node.labels);
  const annotations = changes(plan.annotations, node.annotations);
  const cordon =
    plan.unschedulable === undefined || plan.unschedulable === node.unschedulable ? undefined : plan.unschedulable;
  if (cordon === undefined && labels === NO_CHANGES && annotations === NO_CHANGES) return undefined;
  return {
    kind: 'patchNode',
    driver: policy.labelPrefix,
    ...(plan.steps.length > 0 && { pool: plan.policy.name }),
    node: node.name,
    uid: node.uid,
    resourceVersion: node.resourceVersion,
    labels,
    annotations,
    ...(cordon === undefined ? {} : { unschedulable: cordon }),
    steps: plan.steps,
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
