import { readDone } from '../../../shared/contract/done-record.js';
import {
  eventReason,
  EVENT_ROWS_ANNOTATION,
  NODE_EVENT_NAMESPACE,
  type DriverKeys,
} from '../../../shared/contract/labels.js';
import type { NodeState } from '../../../shared/contract/node-states.js';
import { textAt, valueAt } from '../../../shared/lib/json.js';
import { read } from '../../../cluster/reader/read.js';
import type { SnapshotNode } from '../../../companion/model/types.js';
import type { Connection } from '../connect.js';

/** One decision about a node. */
export interface HistoryEntry {
  readonly timeMs: number;
  /** Rows of the transition table; empty if the record has none. */
  readonly rows: readonly string[];
  readonly message: string;
  /** How often; 1 if it is not an Event. */
  readonly count: number;
  /** The state that began, if it is not an Event. */
  readonly state?: NodeState;
}

/** What is known of the past of a node. */
export interface NodePast {
  readonly history: readonly HistoryEntry[];
  /** Why the history has no Events; absent: they were listed. */
  readonly withoutEvents?: string;
}

/**
 * The history of a node from Events and annotations, the oldest first. The API server keeps Events for an hour by
 * default.
 */
export async function historyOf(
  { client }: Connection,
  node: SnapshotNode,
  driver: string,
  keys: DriverKeys,
): Promise<NodePast> {
  const reason = eventReason(driver);
  const fields = `involvedObject.kind=Node,involvedObject.name=${node.name},reason=${reason}`;
  const want = { kind: 'Event', namespace: NODE_EVENT_NAMESPACE, fields } as const;
  const options = { without: ['forbidden', 'unavailable'] } as const;
  const { items, unread } = await read(client, [want], options, (event) => {
    const isMeant = valueAt(event, ['involvedObject', 'name']) === node.name && event['reason'] === reason;
    return isMeant ? entryOf(event) : undefined;
  });
  const [refused] = unread;
  return {
    history: [...items, ...recordsOf(node, keys)].sort((a, b) => a.timeMs - b.timeMs),
    ...(refused && { withoutEvents: `Events cannot be listed: ${refused.message}` }),
  };
}

function entryOf(event: Readonly<Record<string, unknown>>): HistoryEntry {
  const { message, count } = event;
  const timeMs = Date.parse(textAt(event, 'lastTimestamp') ?? textAt(event, 'eventTime') ?? '');
  const rows = valueAt(event, ['metadata', 'annotations', EVENT_ROWS_ANNOTATION]);
  return {
    timeMs: Number.isNaN(timeMs) ? 0 : timeMs,
    rows: typeof rows === 'string' && rows !== '' ? rows.split(' ') : [],
    message: typeof message === 'string' ? message : '',
    count: typeof count === 'number' ? count : 1,
  };
}

/** Start times from annotations, which are kept longer than Events. */
function recordsOf({ annotations }: SnapshotNode, keys: DriverKeys): readonly HistoryEntry[] {
  const records: readonly (readonly [string, NodeState, string])[] = [
    [keys.waitStart, 'wait-for-jobs-required', 'the wait for its jobs began'],
    [keys.podDeletionStart, 'pod-deletion-required', 'the deletion of pods that use the resource began'],
    [keys.maintenanceStart, 'node-maintenance-required', 'the Maintenance Operator was asked for it'],
    [keys.drainStart, 'drain-required', 'its drain began'],
    [keys.restartStart, 'pod-restart-required', 'the restart of its driver began'],
    [keys.validationStart, 'validation-required', 'its validation began'],
    [keys.done, 'upgrade-done', 'its last upgrade was done'],
  ];
  return records.flatMap(([key, state, message]): readonly HistoryEntry[] => {
    const text = annotations[key];
    const timeMs = key === keys.done ? readDone(text)?.doneMs : Number(text ?? NaN) * 1000;
    return timeMs !== undefined && Number.isFinite(timeMs)
      ? [{ timeMs, rows: [], message: `${message} (annotation ${key})`, count: 1, state }]
      : [];
  });
}
