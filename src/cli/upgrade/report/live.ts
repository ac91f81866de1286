import { readDone } from '../../../contract/done-record.js';
import { driverKeys } from '../../../contract/labels.js';
import type { NodeState } from '../../../contract/node-states.js';
import { placeOf } from '../../../plan/place.js';
import { nodesAtOnce, windowSpans } from '../../../plan/spans.js';
import type { SnapshotNode, Waiting } from '../../../upgrade/model/types.js';
import { blockerText } from '../../../upgrade/runtime/report/log.js';
import { joinedEvents, stateAfter } from '../../../upgrade-report/read-events.js';
import type { Frame } from '../../../upgrade-report/render/timeline.js';
import type { HistoryEvent, NodeHistory, UpgradeRecord } from '../../../upgrade-report/types.js';
import { valueOf } from '../../cluster/session.js';
import type { Connection } from '../connect.js';
import { eventsOf, recordsOf, type HistoryEntry } from '../manual/history.js';
import { survey, type Survey } from '../survey.js';
import type { ReportOptions } from './options.js';

/** What the live cluster remembers of the last upgrade: Events, annotations of nodes, and what the companion's status says. */
export async function clusterRecord(
  connection: Connection,
  options: ReportOptions,
): Promise<{ readonly record: UpgradeRecord; readonly frame: Frame }> {
  const found = await survey(connection, options);
  const drivers = found.policy.drivers.map(({ labelPrefix }) => labelPrefix);
  const histories = await Promise.all(drivers.map((driver) => historiesOf(connection, found, driver)));
  const all = histories.flat();
  const times = all.flatMap(({ events }) => events.map(({ atMs }) => atMs));
  const fromMs = times.reduce((earliest, ms) => Math.min(earliest, ms), found.nowMs);
  return {
    record: {
      source: 'Events, which the API server keeps for an hour, and annotations of the nodes',
      ...{ histories: all, soaks: [] },
      problems: found.companion.kind === 'same-policy' ? found.companion.problems : [],
    },
    frame: {
      windows: windowSpans(found.policy, { fromMs, toMs: found.nowMs }),
      nodesAtOnce: nodesAtOnce(found.policy) ?? null,
    },
  };
}

async function historiesOf(connection: Connection, found: Survey, driver: string): Promise<readonly NodeHistory[]> {
  const keys = driverKeys(driver);
  const byNode = valueOf(await eventsOf(connection, driver));
  const waits = new Map(found.waiting.filter((one) => one.driver === driver).map((one) => [one.node, one]));
  const { nodes } = found.snapshot;
  const rollout = newestRollout(nodes, keys.done);
  return nodes.flatMap((node) => {
    const isOfRollout = readDone(node.annotations[keys.done])?.rollout === rollout;
    const annotations = recordsOf(node, keys).filter(({ state }) => state !== 'upgrade-done' || isOfRollout);
    const events = joinedEvents((byNode.get(node.name) ?? []).map(fromEvent), annotations.map(fromRecord));
    const state = (node.labels[keys.state] ?? '') as NodeState;
    const now = waitOf(waits.get(node.name), state, found.nowMs);
    if (events.length === 0 && now.length === 0) return [];
    const place = placeOf(found.policy, { node, policy: '' });
    return [{ ...{ node: node.name, driver, ...place }, events: [...events, ...now], evicted: [] }];
  });
}

/** The rollout whose node was done last. */
function newestRollout(nodes: readonly SnapshotNode[], key: string): string | undefined {
  const done = nodes.flatMap(({ annotations }) => readDone(annotations[key]) ?? []);
  return done.reduce<(typeof done)[number] | undefined>(
    (newest, one) => (newest === undefined || one.doneMs > newest.doneMs ? one : newest),
    undefined,
  )?.rollout;
}

const fromEvent = ({ timeMs, message }: HistoryEntry): HistoryEvent => ({
  atMs: timeMs,
  state: stateAfter(message),
  message,
});
const fromRecord = ({ timeMs, message, state }: HistoryEntry): HistoryEvent => ({ atMs: timeMs, state, message });

/** What a node that is not at rest waits for now. */
function waitOf(wait: Waiting | undefined, state: NodeState, nowMs: number): readonly HistoryEvent[] {
  if (wait === undefined || wait.kind === 'off') return [];
  const message = [wait.message, ...wait.blockers.map(blockerText)].join(': ');
  return [{ atMs: nowMs, state: state === '' || state === 'upgrade-done' ? undefined : state, message, isWait: true }];
}
