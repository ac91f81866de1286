import type { MaintenancePhase } from '../../../shared/contract/node-states.js';
import {
  MAINTENANCE_ANNOTATION,
  maintenanceRecord,
  maintenanceRecordText,
  readMaintenanceRecord,
  type MaintenanceRecord,
} from '../../../shared/contract/maintenance-record.js';
import { legacyKeys, legacyPrefix, type LegacyKeys } from '../../../shared/contract/legacy-keys.js';
import { parsedJson } from '../../../shared/lib/json.js';
import { keptBy } from '../../../shared/lib/memo.js';
import { omit } from '../../../shared/lib/omit.js';
import type { SnapshotNode } from '../../model/types.js';
import { removeAnnotations, type NodePlan } from './plan.js';
import { timeOf } from './clock.js';

/** The record of a node; that of an older version, or of an operator that has begun, from their annotations. */
export function recordOf(node: SnapshotNode, names: Iterable<string>, nowMs: number): MaintenanceRecord {
  return ownRecord(node) ?? legacyRecord(node, names, nowMs) ?? NOTHING;
}

const NOTHING: MaintenanceRecord = {};

// A node is the same object until it changes.
const recordFor = keptBy<MaintenanceRecord | undefined>();

function ownRecord(node: SnapshotNode): MaintenanceRecord | undefined {
  return recordFor(node, [], () => readMaintenanceRecord(node.annotations[MAINTENANCE_ANNOTATION]));
}

function legacyRecord(
  { annotations }: SnapshotNode,
  names: Iterable<string>,
  nowMs: number,
): MaintenanceRecord | undefined {
  const found = new Set(names);
  // Also those of drivers that the policy does not have any more.
  for (const key in annotations) {
    const prefix = legacyPrefix(key);
    if (prefix !== undefined) found.add(prefix);
  }
  let record: MaintenanceRecord | undefined;
  for (const name of found) record = merged(record, ofPrefix(annotations, name, nowMs));
  return record;
}

function ofPrefix(
  annotations: Readonly<Record<string, string>>,
  name: string,
  nowMs: number,
): MaintenanceRecord | undefined {
  const keys = legacyKeys(name);
  const text = (key: keyof LegacyKeys): string | undefined => annotations[keys[key]];
  if (Object.values(keys).every((key) => annotations[key] === undefined)) return undefined;
  const seconds = (key: keyof LegacyKeys): number | undefined => {
    const ms = timeOf(text(key) ?? '', nowMs);
    return ms === undefined ? undefined : ms / 1000;
  };
  const mark = text('cordoned');
  const isMark = mark === 'true' || (mark !== undefined && !Number.isNaN(Date.parse(mark)));
  const since = Object.entries(SINCE).flatMap(([state, key]) => {
    const start = seconds(key);
    return start === undefined ? [] : [[state, start] as const];
  });
  const own = (value: string | undefined): Record<string, string> | undefined =>
    value === undefined ? undefined : { [name]: value };
  const restart = seconds('restartStart');
  return maintenanceRecord.parse({
    since: Object.fromEntries(since),
    restarts: restart === undefined ? undefined : { [name]: restart },
    wants: own(text('wanted')),
    due: text('outdated') === 'true' ? [name] : undefined,
    cordon: isMark ? (mark === 'true' ? '' : mark) : undefined,
    lifted: Number(text('cordonLifted')) || undefined,
    before: readBefore(text('before')),
    restartsBefore: own(text('restartsBefore')),
    prePull: seconds('prePullStart'),
    failure: text('failure'),
  });
}

const SINCE: Readonly<Record<string, keyof LegacyKeys>> = {
  'wait-for-jobs-required': 'waitStart',
  'pod-deletion-required': 'podDeletionStart',
  'drain-required': 'drainStart',
  'validation-required': 'validationStart',
  'node-maintenance-required': 'maintenanceStart',
};

function readBefore(text: string | undefined): MaintenanceRecord['before'] {
  const { before } = maintenanceRecord.shape;
  return text === undefined ? undefined : before.safeParse(parsedJson(text)).data;
}

function merged(
  one: MaintenanceRecord | undefined,
  other: MaintenanceRecord | undefined,
): MaintenanceRecord | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return {
    ...other,
    ...one,
    since: { ...other.since, ...one.since },
    restarts: { ...other.restarts, ...one.restarts },
    wants: { ...other.wants, ...one.wants },
    due: [...(one.due ?? []), ...(other.due ?? [])],
    restartsBefore: { ...other.restartsBefore, ...one.restartsBefore },
  };
}

/** What of the record is valid in a phase. In any other one it is a leftover: another program or a user went on with the node. */
const VALID: Readonly<Record<MaintenancePhase, readonly (keyof MaintenanceRecord)[]>> = (() => {
  const always = ['wants', 'restartsBefore', 'before', 'cordon', 'protected'] as const;
  // Of participants that do not take part in a maintenance.
  const ofOthers = ['due', 'prePull'] as const;
  const begun = [...always, ...ofOthers, 'lifted', 'since', 'restarts', 'blocked'] as const;
  return {
    rest: ['cordon', 'wants', 'before', 'due', 'protected'],
    due: [...ofOthers, 'before', 'failure', 'refusals', 'blocked', 'cordon', 'protected'],
    cordon: begun,
    jobs: begun,
    drain: begun,
    restart: begun,
    validate: begun,
    uncordon: begun,
    failed: [...always, ...ofOthers, 'failure', 'refusals', 'blocked'],
  };
})();

/** States whose start times are kept in a phase. If late pods return a node to its drain, the time of the drain goes on. */
const KEPT_STARTS: Readonly<Partial<Record<MaintenancePhase, readonly string[]>>> = {
  cordon: ['node-maintenance-required'],
  jobs: ['wait-for-jobs-required'],
  drain: ['pod-deletion-required', 'drain-required'],
  restart: ['pod-deletion-required', 'drain-required', 'validation-required'],
  validate: ['pod-deletion-required', 'drain-required', 'validation-required'],
  uncordon: ['pod-deletion-required', 'drain-required'],
};

/** Leaves in the record what is valid in the phase of the plan. */
export function trimRecord(plan: NodePlan): void {
  // A failed node that waits to be tried again by the label of one of its drivers has what failed.
  const isRetried = plan.phase === 'due' && plan.parts.some(({ state }) => state === 'upgrade-failed');
  const valid: readonly string[] = VALID[isRetried ? 'failed' : plan.phase];
  const starts = KEPT_STARTS[plan.phase] ?? [];
  const leftovers = Object.keys(plan.record).filter((key) => !valid.includes(key));
  const oldStarts = Object.keys(plan.record.since ?? {}).filter((state) => !starts.includes(state));
  // Most nodes wait: their record stays the same object, and need not be written.
  if (leftovers.length === 0 && oldStarts.length === 0) return;
  const record = omit(plan.record, (key) => leftovers.includes(key)) as MaintenanceRecord;
  const since = record.since && omit(record.since, (state) => oldStarts.includes(state));
  plan.record = { ...record, ...(since && { since }) };
}

/** Puts the record into the patch, in place of what older versions wrote. */
export function writeRecord(plan: NodePlan): void {
  const { node, shared } = plan;
  if (plan.record !== ownRecord(node)) {
    const text = maintenanceRecordText(plan.record);
    if (text === undefined) removeAnnotations(plan, MAINTENANCE_ANNOTATION);
    else if (node.annotations[MAINTENANCE_ANNOTATION] !== text) plan.annotations[MAINTENANCE_ANNOTATION] = text;
  }
  removeAnnotations(plan, ...legacyFor(node, [shared.names], () => legacyAnnotations(node, shared.names)));
}

const legacyFor = keptBy<readonly string[]>();

/** Annotations that older versions wrote, also for drivers that the policy does not have any more. */
function legacyAnnotations({ annotations }: SnapshotNode, names: Iterable<string>): readonly string[] {
  const prefixes = Object.keys(annotations).flatMap((key) => legacyPrefix(key) ?? []);
  const known = new Set([...names, ...prefixes].flatMap((name) => Object.values(legacyKeys(name))));
  return Object.keys(annotations).filter((key) => known.has(key));
}
