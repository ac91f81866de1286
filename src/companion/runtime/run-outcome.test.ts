import { allKeys } from '../../../test/kit/snapshots.js';
import { describe, expect, it } from '@jest/globals';
import { OUTCOMES } from '../../shared/contract/outcomes.js';
import { outcomeOf, isComplete, nodesInProgress } from './run-outcome.js';
import { runContinues, WAIT_KINDS, type WaitKind } from '../model/wait-kinds.js';
import { finding } from '../model/findings.js';
import { node, policyOf } from '../../../test/kit/snapshots.js';
import type { Decision, DriverCounts, Waiting } from '../model/types.js';

const counts = { driver: 'ofed', autoUpgrade: true } as DriverCounts;
const nothing: Decision = { actions: [], waiting: [], findings: [], daemonSetLookups: [], counts: [counts] };
const wait = (kind: WaitKind): Waiting => {
  const state = kind.startsWith('failed') ? 'upgrade-failed' : '';
  return { driver: 'ofed', node: 'n1', state, kind, message: '', blockers: [] };
};
const NO_NODES = { failedInRun: [], inProgress: [] };
const found = (kind: Parameters<typeof finding>[1]) => finding('ofed', kind, `is ${kind}`);
const notApplied: Decision = { ...nothing, findings: [found('daemon-set-not-applied')] };

describe('isComplete', () => {
  it.each([
    { name: 'nothing to do', decision: nothing, expected: true },
    {
      name: 'a DaemonSet to look up',
      decision: { ...nothing, daemonSetLookups: [{ namespace: 'a', name: 'b' }] },
      expected: false,
    },
    { name: 'a DaemonSet that GitOps has not applied', decision: notApplied, expected: false },
    {
      name: 'the same without autoUpgrade',
      decision: { ...notApplied, counts: [{ ...counts, autoUpgrade: false }] },
      expected: true,
    },
    {
      name: 'the same while paused',
      decision: { ...notApplied, findings: [...notApplied.findings, found('paused')] },
      expected: true,
    },
  ])('for a Job: $name', ({ decision, expected }) => {
    expect(isComplete(decision, 'job')).toBe(expected);
  });

  it('does not wait in a CronJob for a DaemonSet that is not applied', () => {
    expect(isComplete(notApplied, 'cronjob')).toBe(true);
  });

  it.each(Object.keys(WAIT_KINDS) as WaitKind[])('goes on for %s if its row says so', (kind) => {
    for (const mode of ['job', 'cronjob'] as const)
      expect(isComplete({ ...nothing, waiting: [wait(kind)] }, mode)).toBe(!runContinues(kind, mode));
  });

  it.each(['slot', 'topology', 'other-driver'] as const)(
    'goes on for %s only while something is in progress',
    (kind) => {
      const ends = (...kinds: readonly WaitKind[]) => isComplete({ ...nothing, waiting: kinds.map(wait) }, 'job');
      expect(ends(kind, 'off')).toBe(true);
      expect(ends(kind, 'off', 'driver-pod')).toBe(false);
    },
  );

  it('waits in a Job, which GitOps may have started first, for the Maintenance Operator', () => {
    const waiting = [wait('no-maintenance-operator')];
    expect(isComplete({ ...nothing, waiting }, 'job')).toBe(false);
    expect(isComplete({ ...nothing, waiting }, 'cronjob')).toBe(true);
  });
});

describe('outcomeOf', () => {
  it.each([
    { name: 'done', waits: [], failed: [], expected: { exitCode: 0, reason: 'done' } },
    { name: 'skipped', waits: ['skip'], failed: [], expected: { exitCode: 0, reason: 'done' } },
    {
      name: 'a window',
      waits: ['window', 'skip'],
      failed: [],
      expected: { exitCode: 0, reason: 'waiting', message: '1 node waiting for a maintenance window' },
    },
    {
      name: 'failed earlier',
      waits: ['failed'],
      failed: [],
      expected: { exitCode: 0, reason: 'waiting', message: '1 node failed in an earlier run' },
    },
    {
      name: 'failed before the Job of a policy',
      mode: 'job',
      waits: ['failed', 'window'],
      failed: [],
      expected: {
        exitCode: 10,
        reason: 'failed',
        message: '1 node failed in an earlier run, 1 node waiting for a maintenance window',
      },
    },
    {
      name: 'failed before the Job of a policy, and no DaemonSet covers it any more',
      mode: 'job',
      waits: ['failed-uncovered'],
      failed: [],
      expected: {
        exitCode: 10,
        reason: 'failed',
        message: '1 node failed, and no driver DaemonSet covers them any more',
      },
    },
    {
      name: 'failed now',
      waits: ['halt', 'halt'],
      failed: ['ofed/n1'],
      expected: {
        exitCode: 10,
        reason: 'failed',
        message: '1 node failed in this run: ofed/n1; 1 node held back because too many nodes failed',
      },
    },
    {
      name: 'failed now, and waits as failed',
      waits: ['failed'],
      failed: ['ofed/n1'],
      expected: { exitCode: 10, reason: 'failed', message: '1 node failed in this run: ofed/n1' },
    },
    {
      name: 'one failed now, another before',
      waits: ['failed'],
      failed: ['ofed/n2'],
      expected: { message: '1 node failed in this run: ofed/n2; 1 node failed in an earlier run' },
    },
  ] as const)('$name', ({ waits, failed, expected, ...others }) => {
    const mode = 'mode' in others ? others.mode : 'cronjob';
    expect(
      outcomeOf({ ...nothing, waiting: waits.map(wait) }, { failedInRun: failed, inProgress: [] }, mode),
    ).toMatchObject(expected);
  });

  it('reports that a controller runs', () => {
    expect(outcomeOf({ ...nothing, counts: [], findings: [found('controller-runs')] }, NO_NODES, 'job')).toMatchObject({
      exitCode: 0,
      reason: 'refused',
    });
  });

  it('is that of the other drivers where the controller of one runs', () => {
    const findings = [finding('gpu', 'controller-runs', 'the pod gpu/operator runs')];
    const refused = { ...wait('foreign-flow'), driver: 'gpu', state: 'upgrade-failed' } as const;
    expect(outcomeOf({ ...nothing, findings, waiting: [wait('failed'), refused] }, NO_NODES, 'job')).toMatchObject({
      exitCode: 10,
      message: expect.stringMatching(/^1 node failed in an earlier run.*; the pod gpu\/operator runs$/),
    });
    expect(outcomeOf({ ...nothing, findings, waiting: [refused] }, NO_NODES, 'job').reason).not.toBe('failed');
  });
});

describe('a node that the companion leaves in progress', () => {
  const inProgress = ['ofed/n1'];

  it.each([
    { name: 'what it waits for needs the user', decision: { ...nothing, waiting: [wait('unreachable')] } },
    { name: 'nothing else is left', decision: nothing },
    { name: 'a controller runs', decision: { ...nothing, counts: [], findings: [found('controller-runs')] } },
  ])('is no success: $name', ({ decision }) => {
    for (const mode of ['job', 'cronjob'] as const) {
      expect(outcomeOf(decision, { failedInRun: [], inProgress }, mode)).toMatchObject({
        exitCode: 10,
        reason: 'unfinished',
        message: expect.stringMatching(/1 node left in progress: ofed\/n1$/),
      });
    }
  });

  it('is named where others failed, too', () => {
    expect(outcomeOf(nothing, { failedInRun: ['ofed/n2'], inProgress }, 'job')).toMatchObject({
      reason: 'failed',
      message: '1 node failed in this run: ofed/n2; 1 node left in progress: ofed/n1',
    });
  });

  it('is one with its marks: an operator has begun the others', () => {
    const keys = allKeys('ofed');
    const at = (name: string, state: string, ...marks: readonly string[]) =>
      node(name, { state, annotations: Object.fromEntries(marks.map((key) => [key, 'x'])) });
    const nodes = [
      at('cordoned', 'drain-required', keys.cordoned),
      at('begun', 'cordon-required', keys.wanted),
      at('of-the-operator', 'drain-required', keys.initialState),
      at('done', 'upgrade-done', keys.cordoned),
      at('failed', 'upgrade-failed', keys.wanted),
    ];
    expect(nodesInProgress({ nodes }, policyOf())).toEqual(['ofed/begun', 'ofed/cordoned']);
  });
});

it('ends with the exit codes of the table', () => {
  expect(Object.fromEntries(Object.entries(OUTCOMES).map(([reason, { exitCode }]) => [reason, exitCode]))).toEqual({
    ...{ done: 0, waiting: 0, refused: 0, superseded: 0, 'lease-held': 0 },
    ...{ failed: 10, unfinished: 10, 'bad-policy': 2, forbidden: 2, bug: 3, stopped: 143 },
  });
});
