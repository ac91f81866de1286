import { describe, expect, it } from '@jest/globals';
import { EXIT_CODES, outcomeOf, isComplete } from './run-outcome.js';
import { KEEPS_RUNNING } from '../model/node-states.js';
import type { Decision, DriverCounts, Finding, Waiting, WaitKind } from '../model/types.js';

const counts = { driver: 'ofed', autoUpgrade: true } as DriverCounts;
const nothing: Decision = { actions: [], waiting: [], findings: [], daemonSetLookups: [], counts: [counts] };
const wait = (kind: WaitKind): Waiting => ({ driver: 'ofed', node: 'n1', state: '', kind, message: '', blockers: [] });
const finding = (kind: Finding['kind']): Finding => ({ kind, severity: 'info', driver: 'ofed', message: `is ${kind}` });
const notApplied: Decision = { ...nothing, findings: [finding('daemon-set-not-applied')] };

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
      decision: { ...notApplied, findings: [...notApplied.findings, finding('paused')] },
      expected: true,
    },
  ])('for a Job: $name', ({ decision, expected }) => {
    expect(isComplete(decision, 'job')).toBe(expected);
  });

  it('does not wait in a CronJob for a DaemonSet that is not applied', () => {
    expect(isComplete(notApplied, 'cronjob')).toBe(true);
  });

  it.each(Object.entries(KEEPS_RUNNING))('goes on for %s: %s', (kind, keepsRunning) => {
    expect(isComplete({ ...nothing, waiting: [wait(kind as WaitKind)] }, 'job')).toBe(!keepsRunning);
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
      name: 'failed now',
      waits: ['halt', 'halt'],
      failed: ['ofed/n1'],
      expected: {
        exitCode: 10,
        reason: 'failed',
        message: '1 node failed in this run: ofed/n1; 2 nodes held back because too many nodes failed',
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
  ] as const)('$name', ({ waits, failed, expected }) => {
    expect(outcomeOf({ ...nothing, waiting: waits.map(wait) }, failed)).toMatchObject(expected);
  });

  it('reports that a controller runs', () => {
    expect(outcomeOf({ ...nothing, findings: [finding('controller-runs')] }, [])).toMatchObject({
      exitCode: 0,
      reason: 'refused',
    });
  });
});

it('ends with the exit codes of the table', () => {
  expect(EXIT_CODES).toEqual({
    ...{ done: 0, waiting: 0, refused: 0, superseded: 0, 'lease-held': 0 },
    ...{ failed: 10, 'bad-policy': 2, forbidden: 2, bug: 3, stopped: 143 },
  });
});
