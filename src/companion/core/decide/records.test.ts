import { describe, expect, it } from '@jest/globals';
import { ago, driverPod, keys, node, NOW, patchesOf, policyOf, snapshot } from '../../../../test/kit/snapshots.js';
import { digestOf } from '../../../../test/kit/digests.js';
import { GPU, ofed, ownGpu, policyFor, sharedCluster } from '../../../../test/kit/shared-nodes.js';
import type { LegacyKeys } from '../../../shared/contract/legacy-keys.js';
import {
  MAINTENANCE_ANNOTATION,
  maintenanceRecordText,
  readMaintenanceRecord,
  type MaintenanceRecord,
} from '../../../shared/contract/maintenance-record.js';
import { decide } from '../../decide.js';

const FIRST = '2026-11-20T09:00:00Z';
const paused = policyOf({ drain: {} }, {}, { paused: true });
const STATES = ['', 'upgrade-done', 'upgrade-required', 'drain-required', 'upgrade-failed'] as const;
type State = (typeof STATES)[number];

/** The annotations of a cordoned node after its patch, while no node may begin. */
function annotationsAfter(state: State, annotations: Record<string, string>) {
  // A node at rest has its driver, so nothing is due there.
  const pods = state === 'upgrade-done' || state === '' ? [driverPod('a')] : [];
  const here = node('a', { state, unschedulable: true, annotations, cordonTime: FIRST });
  const [patch] = patchesOf(decide(snapshot({ nodes: [here], pods }), paused, NOW));
  return { ...here.annotations, ...patch?.annotations };
}

const desired = digestOf('new');
const since = Math.floor(NOW / 1000) - 60;
const before = { resources: { 'rdma/a': '63' }, gatedPods: 0 };
const IN_PROGRESS = ['drain-required'] as const;
const BEGUN = [...IN_PROGRESS, 'upgrade-failed'] as const;
const DUE = ['upgrade-required', ...BEGUN] as const;

interface Case {
  /** The annotation of an older version, and the part of the record that says the same. */
  readonly legacy: keyof LegacyKeys;
  readonly value: string;
  readonly part: MaintenanceRecord;
  readonly keptIn: readonly State[];
}

const CASES: readonly Case[] = [
  { legacy: 'outdated', value: 'true', part: { due: ['ofed'] }, keptIn: DUE },
  { legacy: 'prePullStart', value: String(since), part: { prePull: since }, keptIn: DUE },
  {
    legacy: 'podDeletionStart',
    ...{ value: String(since), part: { since: { 'pod-deletion-required': since } }, keptIn: IN_PROGRESS },
  },
  { legacy: 'drainStart', value: String(since), part: { since: { 'drain-required': since } }, keptIn: IN_PROGRESS },
  { legacy: 'waitStart', value: String(since), part: { since: { 'wait-for-jobs-required': since } }, keptIn: [] },
  { legacy: 'validationStart', value: String(since), part: { since: { 'validation-required': since } }, keptIn: [] },
  { legacy: 'restartStart', value: String(since), part: { restarts: { ofed: since } }, keptIn: IN_PROGRESS },
  { legacy: 'wanted', value: desired, part: { wants: { ofed: desired } }, keptIn: BEGUN },
  { legacy: 'restartsBefore', value: 'uid 1', part: { restartsBefore: { ofed: 'uid 1' } }, keptIn: BEGUN },
  { legacy: 'cordonLifted', value: '1', part: { lifted: 1 }, keptIn: IN_PROGRESS },
  { legacy: 'cordoned', value: FIRST, part: { cordon: FIRST }, keptIn: DUE },
  {
    legacy: 'failure',
    value: 'it broke',
    part: { failure: 'it broke' },
    keptIn: ['upgrade-required', 'upgrade-failed'],
  },
  { legacy: 'before', value: JSON.stringify(before), part: { before }, keptIn: DUE },
];

const inStates = CASES.flatMap((one) => STATES.map((state) => ({ ...one, state, isKept: one.keptIn.includes(state) })));

describe('what is recorded of a maintenance', () => {
  it.each(inStates)('$legacy in "$state" is kept: $isKept', ({ part, state, isKept }) => {
    // The drain begins now, so no row is taken.
    const begun = state === 'drain-required' ? { 'drain-required': NOW / 1000 } : {};
    const record = maintenanceRecordText({ ...part, since: { ...begun, ...part.since } }) ?? '';
    const text = annotationsAfter(state, { [MAINTENANCE_ANNOTATION]: record })[MAINTENANCE_ANNOTATION];
    const after = readMaintenanceRecord(text ?? undefined) ?? {};
    if (isKept) expect(after).toMatchObject(part);
    else expect(after).not.toMatchObject(part);
  });

  // A node that is done needs no decision, so an operator's annotations stay there until its next maintenance.
  const isRead = ({ legacy, state }: Case & { state: State }) =>
    state !== 'upgrade-done' || keys[legacy].startsWith('weft.dev/');
  it.each(inStates.filter(isRead))(
    '$legacy of an older version in "$state" is read: $isKept',
    ({ legacy, value, part, state, isKept }) => {
      const begun: Record<string, string> = state === 'drain-required' ? { [keys.drainStart]: ago(0) } : {};
      const annotations = annotationsAfter(state, { ...begun, [keys[legacy]]: value });
      expect(annotations[keys[legacy]]).toBeNull();
      const after = readMaintenanceRecord(annotations[MAINTENANCE_ANNOTATION] ?? undefined);
      if (isKept) expect(after).toMatchObject(part);
      else expect(after ?? {}).not.toMatchObject(part);
    },
  );
});

it('what an older version recorded for two drivers is one record', () => {
  const annotations = { [keys.wanted]: desired, [GPU.wanted]: 'x' };
  const here = node('a', { state: 'upgrade-failed', labels: { [GPU.state]: 'upgrade-failed' }, annotations });
  const [patch] = patchesOf(decide(sharedCluster({ nodes: [here] }), policyFor([ofed(), ownGpu()]), NOW));
  const text = patch?.annotations[MAINTENANCE_ANNOTATION] ?? undefined;
  expect(readMaintenanceRecord(text)?.wants).toEqual({ ofed: desired, gpu: 'x' });
});

describe('a node that is done', () => {
  it('keeps what says for which rollout', () => {
    const done = { [keys.done]: 'a 1' };
    for (const state of STATES) expect(annotationsAfter(state, done)).toMatchObject(done);
  });
});
