import { readDone } from '../../shared/contract/done-record.js';
import type { DriverPolicy } from '../../shared/contract/upgrade-policy.js';
import { driverKeys } from '../../shared/contract/labels.js';
import { groupBy } from '../../shared/lib/group-by.js';
import { compareText } from '../../shared/lib/json.js';
import { placeOf } from '../../forecast/plan/place.js';
import { IN_PROGRESS, isAtRest } from '../../companion/model/node-states.js';
import { waitKind } from '../../companion/model/wait-kinds.js';
import type { SnapshotNode, SnapshotPod, Waiting } from '../../companion/model/types.js';
import { notReadyText } from '../../companion/participants/driver/pod-wait.js';
import { blockerText } from '../../companion/runtime/report/log.js';
import { nodesOf } from '../../companion/participants/participants.js';
import { nextRetryMs } from './companion-status.js';
import type { DriverVersions } from './images.js';
import type { Survey } from './survey.js';

/** One node of one driver in `weft upgrade status`. */
export interface StatusRow {
  readonly node: string;
  readonly driver: string;
  /** Upgrade pool; empty if the node is in none. */
  readonly pool: string;
  /** Version that the node's driver pod runs; empty: there is no driver pod. */
  readonly from: string;
  /** Version that it will get; empty: unknown, or none. */
  readonly to: string;
  /** State label of the node; empty before the companion has seen it. */
  readonly state: string;
  /** Since when it waits or is done, in milliseconds since the epoch; absent if no annotation records it. */
  readonly sinceMs?: number;
  /**
   * What the node waits for, as text: empty when it does not wait. The companion does not wait for a driver pod that becomes unready after
   * the upgrade, but new pods that need the driver do.
   */
  readonly waitsFor: string;
  /** The same as data; absent when the companion does not wait. */
  readonly wait?: Pick<Waiting, 'kind' | 'blockers' | 'refusals'>;
  /** When an eviction that was refused is tried again, in milliseconds since the epoch. */
  readonly retryMs?: number;
}

/**
 * All nodes that have a driver, will get one, or had one that was uninstalled. Nodes with work come first; the rows of a node stay together, in
 * the order of the drivers.
 */
export function statusRows(survey: Survey, versions: DriverVersions): readonly StatusRow[] {
  const rows = survey.policy.drivers.flatMap((driver) => rowsOfDriver(driver, survey, versions));
  return [...groupBy(rows, ({ node }) => node)]
    .map(([node, own]) => ({ node, own, rank: Math.min(...own.map(rankOf)) }))
    .sort((a, b) => a.rank - b.rank || compareText(a.node, b.node))
    .flatMap(({ own }) => own);
}

function rowsOfDriver(driver: DriverPolicy, survey: Survey, versions: DriverVersions): readonly StatusRow[] {
  const waiting = new Map(
    survey.waiting.filter((one) => one.driver === driver.labelPrefix).map((one) => [one.node, one]),
  );
  const view = nodesOf(driver, survey.snapshot, survey.nowMs, survey.policy);
  const uncovered = new Set(view.uncovered.map(({ name }) => name));
  return view.nodes.flatMap(({ node, state, daemonSet, driverPods, isDriven }) => {
    const pod = driverPods[0]?.pod;
    const setName = daemonSet && `${daemonSet.namespace}/${daemonSet.name}`;
    const isLeft = state !== '' && !(uncovered.has(node.name) && isAtRest(state));
    if (!isDriven && !isLeft) return [];
    const { pool } = placeOf(survey.policy, { node, policy: '' });
    return [rowOf(driver, node, { pod, pool, daemonSet: setName, state, waiting: waiting.get(node.name) }, versions)];
  });
}

interface RowParts {
  readonly pod: SnapshotPod | undefined;
  /** Its upgrade pool; empty: none. */
  readonly pool: string;
  /** The listed DaemonSet that will cover the node, as `namespace/name`. */
  readonly daemonSet: string | undefined;
  readonly state: string;
  readonly waiting: Waiting | undefined;
}

function rowOf(
  { labelPrefix }: DriverPolicy,
  node: SnapshotNode,
  { pod, pool, daemonSet, state, waiting }: RowParts,
  versions: DriverVersions,
): StatusRow {
  const doneMs = readDone(node.annotations[driverKeys(labelPrefix).done])?.doneMs;
  const retryMs = waiting === undefined ? undefined : nextRetryMs(waiting);
  const unready = waiting === undefined && pod?.ready === false ? pod : undefined;
  const isToBegin = waiting !== undefined && beginsNext(waiting, state);
  const since = isToBegin ? undefined : waiting?.sinceMs;
  const sinceMs = since ?? unready?.readyChangedMs ?? (state === 'upgrade-done' ? doneMs : undefined);
  return {
    node: node.name,
    driver: labelPrefix,
    pool,
    state,
    from: pod === undefined ? '' : (versions.ofPod.get(`${pod.namespace}/${pod.name}`) ?? ''),
    to: daemonSet === undefined ? '' : (versions.ofDaemonSet.get(daemonSet) ?? ''),
    ...(sinceMs !== undefined && Number.isFinite(sinceMs) && { sinceMs }),
    waitsFor: waiting === undefined ? (unready === undefined ? '' : notReadyText(unready)) : waitText(waiting, state),
    ...(waiting !== undefined && !isToBegin && { wait: waitData(waiting) }),
    ...(retryMs !== undefined && { retryMs }),
  };
}

function waitData({ kind, blockers, refusals }: Waiting): NonNullable<StatusRow['wait']> {
  return { kind, blockers, ...(refusals !== undefined && { refusals }) };
}

/**
 * What a node waits for: the message of the decision, with the blocking pods where that names none. A decision
 * describes the node after its next patch, so a node whose upgrade is about to begin waits for the companion.
 */
function waitText(waiting: Waiting, state: string): string {
  const { kind, message, blockers } = waiting;
  if (beginsNext(waiting, state)) return 'its turn has come, the companion is to begin';
  return [message, ...(waitKind(kind).namesBlockers ? [] : blockers.map(blockerText))].join('; ');
}

function beginsNext({ state: next }: Waiting, state: string): boolean {
  return IN_PROGRESS.has(next) && !IN_PROGRESS.has(state);
}

/** Failed nodes first, then nodes in progress, then waiting nodes, then nodes that are done. */
function rankOf({ state }: StatusRow): number {
  if (state === 'upgrade-failed') return 0;
  if (state === 'upgrade-done') return 3;
  return state === '' || state === 'upgrade-required' ? 2 : 1;
}

/**
 * Nodes with a NIC that no DaemonSet of a driver covers, for instance after a kernel update, or new kinds of nodes.
 * Their state label does not matter.
 */
export function uncoveredNodes(survey: Survey): readonly string[] {
  const { policy, snapshot, nowMs } = survey;
  const names = policy.drivers.flatMap((driver) =>
    nodesOf(driver, snapshot, nowMs, policy).uncovered.map(({ name }) => name),
  );
  return [...new Set(names)].sort(compareText);
}

/** Progress of the nodes that are not skipped. */
export interface Headway {
  /** Done for all drivers that do not skip it. */
  readonly done: number;
  readonly total: number;
  /** Estimated time left; absent if there is no estimate yet. */
  readonly remainingMs?: number;
}

/** @param rows of all drivers */
export function headwayOf(rows: readonly StatusRow[], { decision, nowMs }: Survey): Headway {
  const kinds = new Map(decision.waiting.map((one) => [`${one.driver}/${one.node}`, one.kind]));
  const kindOf = ({ driver, node }: StatusRow) => kinds.get(`${driver}/${node}`);
  const nodes = [
    ...groupBy(
      rows.filter((row) => kindOf(row) !== 'skip'),
      ({ node }) => node,
    ).values(),
  ];
  // The label is older than the request of another operator, on which the decision acts next.
  const isDone = (row: StatusRow) =>
    row.state === 'upgrade-done' && (row.to === '' || row.from === row.to) && kindOf(row) === undefined;
  const done = nodes.filter((own) => own.every(isDone));
  const total = nodes.length;
  const left = total - done.length;
  // The estimate uses the nodes that were done in the last hours; one node is not enough.
  const ends = done.map((own) => Math.max(...own.map(({ sinceMs = 0 }) => sinceMs)));
  const times = ends.filter((ms) => nowMs - ms < PACE_MS).sort((a, b) => a - b);
  const [first = 0] = times;
  if (left === 0 || times.length < 2 || nowMs <= first) return { done: done.length, total };
  return { done: done.length, total, remainingMs: (left * (nowMs - first)) / (times.length - 1) };
}

const PACE_MS = 6 * 3_600_000;
