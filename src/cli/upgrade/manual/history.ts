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
import { recordOf } from '../../../companion/core/maintenance/record.js';
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
 * The history of a node from Events and its record, the oldest first. The API server keeps Events for an hour by
 * default.
 */
export async function historyOf(
  { client }: Connection,
  node: SnapshotNode,
  driver: string,
  { keys, nowMs }: { readonly keys: DriverKeys; readonly nowMs: number },
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
    history: [...items, ...startsOf(node, driver, nowMs), ...lastDone(node, keys)].sort((a, b) => a.timeMs - b.timeMs),
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

/** Start times from the record of the maintenance, which is kept longer than Events. */
function startsOf(node: SnapshotNode, driver: string, nowMs: number): readonly HistoryEntry[] {
  const { since = {}, restarts = {} } = recordOf(node, [driver], nowMs);
  const restart = restarts[driver];
  const began = [
    ...Object.entries(since),
    ...(restart === undefined ? [] : [['pod-restart-required', restart] as const]),
  ];
  return began.flatMap(([state, seconds]): readonly HistoryEntry[] => {
    const message = STARTS[state];
    if (message === undefined) return [];
    const timeMs = seconds * 1000;
    return [{ timeMs, rows: [], message: `${message} (recorded on the node)`, count: 1, state: state as NodeState }];
  });
}

function lastDone({ annotations }: SnapshotNode, keys: DriverKeys): readonly HistoryEntry[] {
  const timeMs = readDone(annotations[keys.done])?.doneMs;
  if (timeMs === undefined) return [];
  const message = 'its last upgrade was done (recorded on the node)';
  return [{ timeMs, rows: [], message, count: 1, state: 'upgrade-done' }];
}

const STARTS: Readonly<Record<string, string>> = {
  'wait-for-jobs-required': 'the wait for its jobs began',
  'pod-deletion-required': 'the deletion of pods that use the resource began',
  'node-maintenance-required': 'the Maintenance Operator was asked for it',
  'drain-required': 'its drain began',
  'pod-restart-required': 'the restart of its driver began',
  'validation-required': 'its validation began',
};
