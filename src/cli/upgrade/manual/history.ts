import { eventReason, EVENT_ROWS_ANNOTATION, type DriverKeys } from '../../../contract/labels.js';
import { isObject, valueAt } from '../../../lib/json.js';
import { NODE_EVENT_NAMESPACE } from '../../../upgrade/runtime/kube-port/bodies.js';
import { collectionPath } from '../../../upgrade/runtime/kube-port/resources.js';
import type { SnapshotNode } from '../../../upgrade/model/types.js';
import type { Connection } from '../connect.js';
import { readObject } from './session.js';

/** One decision about a node. */
export interface HistoryEntry {
  readonly timeMs: number;
  /** Rows of the transition table; empty if the record has none. */
  readonly rows: readonly string[];
  readonly message: string;
  /** How often; 1 if it is not an Event. */
  readonly count: number;
}

/**
 * The history of a node from Events and annotations, the oldest first. The API server keeps Events for an hour by
 * default.
 */
export async function historyOf(
  connection: Connection,
  node: SnapshotNode,
  driver: string,
  keys: DriverKeys,
): Promise<readonly HistoryEntry[]> {
  const selector = encodeURIComponent(
    `involvedObject.kind=Node,involvedObject.name=${node.name},reason=${eventReason(driver)}`,
  );
  const path = `${collectionPath({ group: '/api/v1', plural: 'events' }, NODE_EVENT_NAMESPACE)}?fieldSelector=${selector}`;
  const items = valueAt(await readObject(connection.client, path), ['items']);
  const events = (Array.isArray(items) ? (items as readonly unknown[]) : []).flatMap((event) =>
    entryOf(event, node.name),
  );
  return [...events, ...recordsOf(node, keys)].sort((a, b) => a.timeMs - b.timeMs);
}

function entryOf(event: unknown, node: string): readonly HistoryEntry[] {
  // A server without field selectors returns all Events.
  if (!isObject(event) || valueAt(event, ['involvedObject', 'name']) !== node) return [];
  const timeMs = Date.parse(String(event['lastTimestamp'] ?? event['eventTime']));
  const rows = valueAt(event, ['metadata', 'annotations', EVENT_ROWS_ANNOTATION]);
  const { message, count } = event;
  return [
    {
      timeMs: Number.isNaN(timeMs) ? 0 : timeMs,
      rows: typeof rows === 'string' && rows !== '' ? rows.split(' ') : [],
      message: typeof message === 'string' ? message : '',
      count: typeof count === 'number' ? count : 1,
    },
  ];
}

/** Start times from annotations, which are kept longer than Events. */
function recordsOf({ annotations }: SnapshotNode, keys: DriverKeys): readonly HistoryEntry[] {
  const records: readonly [string, string][] = [
    [keys.waitStart, 'the wait for its jobs began'],
    [keys.podDeletionStart, 'the deletion of pods that use the resource began'],
    [keys.drainStart, 'its drain began'],
    [keys.restartStart, 'the restart of its driver began'],
    [keys.validationStart, 'its validation began'],
    [keys.done, 'its last upgrade was done'],
  ];
  return records.flatMap(([key, message]): readonly HistoryEntry[] => {
    const seconds = Number(annotations[key]?.split(' ').at(-1) ?? NaN);
    return Number.isFinite(seconds)
      ? [{ timeMs: seconds * 1000, rows: [], message: `${message} (annotation ${key})`, count: 1 }]
      : [];
  });
}
