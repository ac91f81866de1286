import { desiredOf } from '../../src/plan/desired.js';
import { readCluster, startCluster } from '../../src/plan/cluster/planned-cluster.js';
import { drive } from '../../src/plan/run/drive.js';
import type { PlanOptions } from '../../src/plan/types.js';
import type { Action } from '../../src/upgrade/model/types.js';
import { patchOccurrence } from '../../src/upgrade/runtime/report/events.js';
import { EMPTY_LOG, logAction, logDecision, type LogEntry } from '../../src/upgrade/runtime/report/log.js';
import type { Fleet } from './fleet.js';

/** What the companion leaves of an upgrade. */
export interface LoggedRun {
  /** Its log. */
  readonly log: string;
  readonly events: readonly { readonly node: string; readonly atMs: number; readonly message: string }[];
  /** The nodes at the end, with their annotations. */
  readonly nodes: readonly { readonly name: string; readonly labels: object; readonly annotations: object }[];
}

/** The upgrade that a plan simulates, with the log and the Events that the companion writes in it. */
export function loggedRun({ objects, snapshot }: Fleet, options: PlanOptions): LoggedRun {
  const desired = desiredOf(objects);
  if (desired === undefined) throw new Error('the fleet has no companion');
  const cluster = startCluster(readCluster(desired, snapshot, options), options.seed ?? 1);
  const lines: string[] = [];
  const events: { node: string; atMs: number; message: string }[] = [];
  let lastStepMs = cluster.policyWrittenMs;
  cluster.store.nodes.listen(() => (lastStepMs = cluster.events.now()));
  const write = (entry: LogEntry, nowMs: number): void =>
    void lines.push(JSON.stringify({ ...entry, time: new Date(nowMs).toISOString() }));
  let logged = EMPTY_LOG;
  const acted = (action: Action, isAccepted: boolean, nowMs: number): void => {
    if (!isAccepted) return;
    for (const entry of logAction(action)) write(entry, nowMs);
    const occurrence = action.kind === 'patchNode' ? patchOccurrence(action) : undefined;
    if (occurrence !== undefined) events.push({ node: occurrence.node, atMs: nowMs, message: occurrence.message });
  };
  drive(cluster, desired.schedule, {
    lastStepMs: () => lastStepMs,
    decided: (decision, nowMs) => {
      const { state, entries } = logDecision(logged, decision);
      logged = state;
      for (const entry of entries) write(entry, nowMs);
    },
    acted,
  });
  return { log: `${lines.join('\n')}\n`, events, nodes: [...cluster.store.nodes.values()] };
}
