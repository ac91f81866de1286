import { driverKeys } from '../../shared/contract/labels.js';
import { IN_PROGRESS } from '../../companion/model/node-states.js';
import type { SnapshotNode, Waiting } from '../../companion/model/types.js';
import type { StatusObject } from '../../companion/runtime/ports.js';
import type { Answer } from '../../shared/kube-client/types.js';
import { timeSpan } from './render-time.js';
import { readSavedStatus } from './saved-status.js';

/** What the companion wrote about nodes, and whether it is about the policy in the cluster. */
export type CompanionStatus =
  | {
      readonly kind: 'same-policy';
      readonly run: string;
      readonly writtenMs?: number;
      readonly waiting: readonly Waiting[];
      /** How many waits it left out because of their size. */
      readonly moreWaiting: number;
      /** Messages of the actions that failed, and that are tried again. */
      readonly problems: readonly string[];
    }
  | { readonly kind: 'other-policy'; readonly run: string; readonly writtenMs?: number }
  /** There is none, it cannot be read, or a companion of another version wrote it. */
  | { readonly kind: 'none' };

/** @param policyHash of the policy that is in the cluster */
export function companionStatus(answer: Answer<StatusObject>, policyHash: string): CompanionStatus {
  const saved = answer.kind === 'ok' ? readSavedStatus(answer.value.data) : undefined;
  if (answer.kind !== 'ok' || saved === undefined) return { kind: 'none' };
  const { run, waiting, moreWaiting, problems } = saved;
  const written = answer.value.writtenMs === undefined ? {} : { writtenMs: answer.value.writtenMs };
  return saved.policyHash === policyHash
    ? { kind: 'same-policy', run, ...written, waiting, moreWaiting, problems }
    : { kind: 'other-policy', run, ...written };
}

/**
 * What nodes wait for. Only the companion knows the answers to its evictions, so for a node in progress its status counts, unless the
 * node has another state by now. For other nodes the decision that was made here is as good, and newer.
 */
export function knownWaits(
  decided: readonly Waiting[],
  companion: CompanionStatus,
  nodes: readonly SnapshotNode[],
): readonly Waiting[] {
  if (companion.kind !== 'same-policy') return decided;
  const byName = new Map(nodes.map((node) => [node.name, node]));
  const keyOf = ({ driver, node }: Waiting): string => `${driver}/${node}`;
  const current = companion.waiting.filter(
    ({ driver, node, state }) => IN_PROGRESS.has(state) && byName.get(node)?.labels[driverKeys(driver).state] === state,
  );
  const known = new Map(current.map((one) => [keyOf(one), one]));
  const others = decided.filter((one) => !known.has(keyOf(one)));
  return [...others, ...current];
}

/** Where the waits are from, and how old that is. */
export function companionLines(companion: CompanionStatus, nowMs: number): readonly string[] {
  const here = 'what nodes wait for is decided here, without the answers to the evictions of the companion';
  if (companion.kind === 'none') return [`no status of the companion can be read: ${here}`];
  const age = companion.writtenMs === undefined ? '' : `, ${timeSpan(nowMs - companion.writtenMs)} ago`;
  if (companion.kind === 'other-policy') {
    return [`the last status of the companion is of another policy (${companion.run}${age}): ${here}`];
  }
  const { run, waiting, moreWaiting, problems } = companion;
  const listed = moreWaiting === 0 ? '' : `; it lists ${waiting.length} of ${waiting.length + moreWaiting} waits`;
  return [
    `what nodes in progress wait for is what ${run} last wrote${age}${listed}`,
    ...problems.map((problem) => `fails, and is tried again: ${problem}`),
  ];
}

/** When the next eviction of a node is tried again; undefined if none was refused. */
export function nextRetryMs({ blockers }: Waiting): number | undefined {
  const times = blockers.flatMap(({ retryMs }) => (retryMs === undefined ? [] : [retryMs]));
  return times.length === 0 ? undefined : Math.min(...times);
}
