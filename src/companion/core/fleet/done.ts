import { readDone } from '../../../shared/contract/done-record.js';
import { timeOf } from '../maintenance/clock.js';
import type { Part } from '../maintenance/plan.js';
import type { SnapshotNode } from '../../model/types.js';

/**
 * When a node was done in the rollout of a participant. With `countsInSync` a node that needed no maintenance counts from when it was ready. So
 * does a node whose record is ahead of the clock, because it was written before the clock was set back; if it is not ready, it soaks from now on.
 */
export function doneMs(node: SnapshotNode, part: Part, nowMs: number, countsInSync: boolean): number | undefined {
  if (part.state !== 'upgrade-done') return undefined;
  const { keys, rollout } = part.participant;
  const record = readDone(node.annotations[keys.done]);
  const isOfThis = record?.rollout === rollout;
  const recorded = isOfThis ? timeOf(String(record.doneMs / 1000), nowMs) : undefined;
  if (recorded !== undefined) return recorded;
  const sinceMs = isOfThis || countsInSync || part.isSettled() ? part.inSyncSinceMs() : undefined;
  return sinceMs ?? (isOfThis ? nowMs : undefined);
}
