import type { NodeState } from '../../../shared/contract/node-states.js';
import { describe, expect, it } from '@jest/globals';
import { blockedOccurrence, eventFor, mergedOccurrence, patchOccurrences } from './events.js';
import { EMPTY_LOG, logAction, logDecision } from './log.js';
import { noMeasurements, noteDurations, noteRefusal, renderMetrics } from './metrics.js';
import { cutToBytes, failedBeforeRun, listedDaemonSets, STATUS_KEY, statusData, summary } from './status.js';
import { runOutcome } from '../run-outcome.js';
import type {
  Action,
  Decision,
  DriverCounts,
  EvictPod,
  NodeCounts,
  PatchNode,
  Step,
  Waiting,
} from '../../model/types.js';

const numbers: NodeCounts = {
  ...{ autoUpgrade: true, total: 5, inProgress: 1, done: 2, failed: 1, available: 1, pending: 1, skipped: 0 },
};
const counts: DriverCounts = {
  ...{ driver: 'ofed', ...numbers, uncovered: 3, withoutSuccessor: 2 },
  pools: [
    { pool: 'main', ...numbers },
    { pool: 'edge', ...numbers, autoUpgrade: false, done: 4 },
  ],
};
const blocked: Waiting = {
  ...{
    driver: 'ofed',
    node: 'n1',
    state: 'drain-required',
    kind: 'evictions',
    message: 'pod db/pg-0 was refused',
    sinceMs: 0,
  },
  blockers: [{ kind: 'refusal', pod: 'db/pg-0', budgets: ['pg'], reason: 'refused' }],
};
const decision: Decision = { actions: [], waiting: [blocked], findings: [], daemonSetLookups: [], counts: [counts] };

function patch(...states: readonly NodeState[]): PatchNode {
  const steps: Step[] = states.slice(1).map((to, index) => {
    const from = states[index] ?? '';
    return { driver: 'ofed', pool: 'main', row: `to-${to}`, from, to, message: `goes to ${to}` };
  });
  return {
    ...{ kind: 'patchNode', driver: 'ofed', node: 'n1', uid: 'u1', resourceVersion: '1' },
    labels: {},
    annotations: {},
    steps,
  };
}

const evicted: EvictPod = {
  ...{ kind: 'evictPod', driver: 'ofed', node: 'n1', namespace: 'db', name: 'pg-0', uid: 'u2' },
};

function must<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('there should be one');
  return value;
}

describe('logs', () => {
  it('have a line for each step, an error for a failure', () => {
    const lines = logAction(patch('drain-required', 'pod-restart-required', 'upgrade-failed'));
    expect(lines.map(({ level, row }) => [level, row])).toEqual([
      ['info', 'to-pod-restart-required'],
      ['error', 'to-upgrade-failed'],
    ]);
  });

  it.each<{ readonly action: Action; readonly expected: object }>([
    { action: { ...patch(''), labels: { a: 'b', c: null } }, expected: { node: 'n1', changed: ['a=b', 'c-'] } },
    { action: evicted, expected: { message: 'pod evicted', node: 'n1', pod: 'db/pg-0' } },
    {
      action: { ...evicted, warning: 'its emptyDir is lost' },
      expected: { level: 'warning', message: 'pod evicted: its emptyDir is lost' },
    },
    {
      action: { ...evicted, kind: 'deletePod', reason: 'driver-restart' },
      expected: { pod: 'db/pg-0', reason: 'driver-restart' },
    },
    {
      action: { ...evicted, kind: 'deleteDaemonSet', resourceVersion: '1' },
      expected: { message: 'retired DaemonSet deleted', daemonSet: 'db/pg-0' },
    },
  ])('have one line for $action.kind', ({ action, expected }) => {
    const of = action.kind === 'patchNode' ? {} : { driver: 'ofed' };
    expect(logAction(action)).toEqual([expect.objectContaining({ ...of, ...expected })]);
  });

  it('log a wait once, until its blockers change', () => {
    const first = logDecision(EMPTY_LOG, decision);
    expect(first.entries).toMatchObject([
      { node: 'n1', waitsFor: 'evictions', blockers: ['db/pg-0 (PodDisruptionBudget pg): refused'] },
    ]);
    const later = { ...blocked, message: 'refused 9 times' };
    expect(logDecision(first.state, { ...decision, waiting: [later] }).entries).toEqual([]);
    const ending = { kind: 'termination', pod: 'db/pg-1', budgets: [], reason: 'ending' } as const;
    const other = { ...blocked, blockers: [ending] };
    expect(logDecision(first.state, { ...decision, waiting: [other] }).entries).toHaveLength(1);
  });

  it('count nodes that wait to begin instead of naming them', () => {
    const waiting = ['n1', 'n2', 'n3'].map((node): Waiting => ({ ...blocked, node, kind: 'slot', blockers: [] }));
    expect(logDecision(EMPTY_LOG, { ...decision, waiting }).entries).toMatchObject([{ queue: 'ofed slot: 3' }]);
  });

  it('log a finding once', () => {
    const findings = [{ kind: 'paused', severity: 'info', driver: 'ofed', message: 'paused' }] as const;
    const first = logDecision(EMPTY_LOG, { ...decision, waiting: [], findings });
    expect(first.entries).toHaveLength(1);
    expect(logDecision(first.state, { ...decision, waiting: [], findings }).entries).toEqual([]);
  });
});

describe('Events', () => {
  const written = new Map();

  it('are one per patch, with the reason that upstream gives', () => {
    const [occurrence] = patchOccurrences(patch('upgrade-required', 'cordon-required', 'wait-for-jobs-required'));
    expect(eventFor(written, must(occurrence), 'job-a', 5)).toMatchObject({
      ...{ type: 'Normal', reason: 'OFEDDriverUpgrade', count: 1, firstMs: 5 },
      message: 'goes to cordon-required; goes to wait-for-jobs-required (cordon-required → wait-for-jobs-required)',
    });
    expect(patchOccurrences(patch(''))).toEqual([]);
    expect(patchOccurrences(patch('drain-required', 'upgrade-failed'))[0]?.type).toBe('Warning');
  });

  it('raise the count of the one that exists; another run has its own', () => {
    const occurrence = must(patchOccurrences(patch('upgrade-required', 'cordon-required'))[0]);
    const first = must(eventFor(written, occurrence, 'job-a', 5));
    const second = must(eventFor(new Map([[first.key, first]]), occurrence, 'job-a', 9));
    expect(second).toMatchObject({ key: first.key, count: 2, firstMs: 5, lastMs: 9 });
    expect(must(eventFor(written, occurrence, 'job-b', 5)).key).not.toBe(first.key);
    expect(first.key).toMatch(/^n1\.[0-9a-f]{16}$/);
  });

  it('report the pods that block a drain after a minute, and again after ten', () => {
    expect(blockedOccurrence(blocked, 'u1', 59_999)).toBeUndefined();
    const occurrence = must(blockedOccurrence(blocked, 'u1', 60_000));
    expect(occurrence.message).toContain('db/pg-0 (PodDisruptionBudget pg)');
    const first = must(eventFor(written, occurrence, 'job-a', 60_000));
    const book = new Map([[first.key, first]]);
    expect(eventFor(book, occurrence, 'job-a', 600_000)).toBeUndefined();
    expect(eventFor(book, occurrence, 'job-a', 660_000)?.count).toBe(2);
  });

  it('are written at once for a step that is merged with what lasts', () => {
    const lasting = must(blockedOccurrence(blocked, 'u1', 60_000));
    const step = must(patchOccurrences(patch('drain-required', 'upgrade-failed'))[0]);
    const merged = mergedOccurrence([lasting, step]);
    const first = must(eventFor(written, merged, 'job-a', 60_000));
    expect(eventFor(new Map([[first.key, first]]), merged, 'job-a', 61_000)?.count).toBe(2);
  });

  it('have at most the length that the API server accepts', () => {
    const long = { ...blocked, message: 'x'.repeat(5000) };
    const { message } = must(eventFor(written, must(blockedOccurrence(long, 'u1', 60_000)), 'job-a', 0));
    expect(Buffer.byteLength(message)).toBe(1024);
  });
});

describe('metrics', () => {
  it('are the six of the GPU operator for each driver and pool, and what the run measured', () => {
    const durations = noMeasurements();
    noteDurations(durations, patch('upgrade-required', 'cordon-required', 'drain-required'), 0);
    noteDurations(durations, patch('drain-required', 'pod-restart-required'), 30_000);
    noteDurations(durations, patch('pod-restart-required', 'uncordon-required', 'upgrade-done'), 90_000);
    const eviction: EvictPod = { ...evicted, uid: 'u2' };
    noteRefusal(durations, eviction);
    noteRefusal(durations, eviction);
    const text = renderMetrics(decision, durations);
    for (const line of [
      'gpu_operator_driver_auto_upgrade_enabled{driver="ofed",pool="main"} 1',
      'gpu_operator_driver_auto_upgrade_enabled{driver="ofed",pool="edge"} 0',
      'gpu_operator_nodes_upgrades_in_progress{driver="ofed",pool="main"} 1',
      'gpu_operator_nodes_upgrades_done{driver="ofed",pool="main"} 2',
      'gpu_operator_nodes_upgrades_done{driver="ofed",pool="edge"} 4',
      'gpu_operator_nodes_upgrades_failed{driver="ofed",pool="main"} 1',
      'gpu_operator_nodes_upgrades_available{driver="ofed",pool="main"} 1',
      'gpu_operator_nodes_upgrades_pending{driver="ofed",pool="main"} 1',
      'weft_nodes_uncovered{driver="ofed"} 3',
      'weft_nodes_waiting{driver="ofed",for="evictions"} 1',
      'weft_evictions_refused_total{driver="ofed"} 2',
      'weft_node_upgrade_duration_seconds_bucket{driver="ofed",pool="main",le="60"} 0',
      'weft_node_upgrade_duration_seconds_bucket{driver="ofed",pool="main",le="120"} 1',
      'weft_node_upgrade_duration_seconds_bucket{driver="ofed",pool="main",le="+Inf"} 1',
      'weft_node_upgrade_duration_seconds_sum{driver="ofed",pool="main"} 90',
      'weft_node_state_duration_seconds_sum{driver="ofed",pool="main",state="drain-required"} 30',
      'weft_node_state_duration_seconds_sum{driver="ofed",pool="main",state="pod-restart-required"} 60',
    ]) {
      expect(text.split('\n')).toContain(line);
    }
    expect(text.endsWith('\n')).toBe(true);
  });

  it('measure an upgrade from the request to the Maintenance Operator on', () => {
    const durations = noMeasurements();
    noteDurations(durations, patch('upgrade-required', 'node-maintenance-required'), 0);
    noteDurations(durations, patch('node-maintenance-required', 'pod-restart-required'), 30_000);
    noteDurations(durations, patch('pod-restart-required', 'post-maintenance-required'), 60_000);
    noteDurations(durations, patch('post-maintenance-required', 'upgrade-done'), 90_000);
    const text = renderMetrics({ counts: [], waiting: [] }, durations);
    expect(text).toContain('weft_node_upgrade_duration_seconds_sum{driver="ofed",pool="main"} 90');
  });

  it('keep no time of a node that failed, and do not start again with a step that keeps the state', () => {
    const durations = noMeasurements();
    noteDurations(durations, patch('upgrade-required', 'cordon-required', 'drain-required'), 0);
    noteDurations(durations, patch('drain-required', 'drain-required'), 10_000);
    noteDurations(durations, patch('drain-required', 'upgrade-failed'), 40_000);
    const text = renderMetrics({ counts: [], waiting: [] }, durations);
    expect(text).toContain('weft_node_state_duration_seconds_sum{driver="ofed",pool="main",state="drain-required"} 40');
    expect(text).not.toContain('duration_seconds_bucket');
    expect(durations.underWay.size).toBe(0);
  });
});

describe('status', () => {
  const documentOf = (data: Readonly<Record<string, string>>) =>
    JSON.parse(must(data[STATUS_KEY])) as { readonly waiting: readonly Waiting[]; readonly moreWaiting: number };
  const input = {
    ...{ runId: 'job-a', policyHash: 'abc', failedBefore: ['ofed/n9'], listed: ['uid-1'] },
    ...{ decision, problems: ['node n2: no'] },
  };

  it('has the nodes that had failed before the run, for the next pod', () => {
    const data = statusData(input);
    expect(failedBeforeRun(data, 'job-a')).toEqual(['ofed/n9']);
    expect(failedBeforeRun(data, 'job-b')).toBeUndefined();
    expect(failedBeforeRun({}, 'job-a')).toBeUndefined();
    expect([listedDaemonSets(data), listedDaemonSets({}), listedDaemonSets({ [STATUS_KEY]: '{' })]).toEqual([
      ['uid-1'],
      [],
      [],
    ]);
    expect(failedBeforeRun({ 'status.json': '{"run":1}' }, 'job-a')).toBeUndefined();
    expect(failedBeforeRun({ 'status.json': 'nonsense' }, 'job-a')).toBeUndefined();
  });

  it('has the outcome, the waits and the problems', () => {
    const text = summary({ ...input, end: runOutcome('failed', '1 node failed', ['ofed/n1']) });
    expect(text).toContain('failed (exit 10): 1 node failed');
    expect(text).toContain('ofed: 2 of 5 nodes done, 1 in progress, 1 pending (0 skipped), 1 failed');
    expect(text).toContain(
      'ofed/n1 waits (evictions): pod db/pg-0 was refused; db/pg-0 (PodDisruptionBudget pg): refused',
    );
    expect(text).toContain('fails: node n2: no');
  });

  it('fits into a termination message and a ConfigMap with thousands of nodes', () => {
    const waiting = Array.from({ length: 5000 }, (_, index): Waiting => ({ ...blocked, node: `nöde-${index}` }));
    const large = { ...input, decision: { ...decision, waiting } };
    expect(Buffer.byteLength(summary(large))).toBeLessThanOrEqual(4096);
    const data = statusData(large);
    expect(Buffer.byteLength(JSON.stringify(data))).toBeLessThan(512 * 1024);
    const { waiting: listed, moreWaiting } = documentOf(data);
    expect(listed.length).toBeGreaterThan(500);
    expect(listed.length + moreWaiting).toBe(5000);
  });

  it('lists what only the companion knows before other waits', () => {
    const refused = { ...blocked, node: 'refused', blockers: [{ ...must(blocked.blockers[0]), retryMs: 9_000 }] };
    const queued = Array.from({ length: 5000 }, (_, index): Waiting => {
      return { ...blocked, node: `queued-${index}`, state: 'upgrade-required', kind: 'slot', blockers: [] };
    });
    const waiting = [...queued, { ...blocked, node: 'draining' }, refused];
    const saved = documentOf(statusData({ ...input, decision: { ...decision, waiting } }));
    expect(saved.waiting.slice(0, 3).map(({ node }) => node)).toEqual(['refused', 'draining', 'queued-0']);
    expect(saved).toMatchObject({ run: 'job-a', policyHash: 'abc', problems: ['node n2: no'] });
    expect(saved.waiting[0]).toEqual(refused);
  });

  it('is never cut within a character', () => {
    for (let bytes = 20; bytes < 60; bytes++) {
      const cut = cutToBytes('ö→😀\n'.repeat(40), bytes);
      expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(bytes);
      expect(cut).not.toContain('\uFFFD');
    }
  });
});
