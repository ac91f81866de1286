import { describe, expect, it } from '@jest/globals';
import { planUpgrade } from '../../src/plan/plan-upgrade.js';
import { readPlan } from '../../src/upgrade-report/read-plan.js';
import { readUpgradeLog } from '../../src/upgrade-report/read-log.js';
import { reportMarkdown } from '../../src/upgrade-report/render/markdown.js';
import { reportText } from '../../src/upgrade-report/render/text.js';
import { frameOf, reportTimeline } from '../../src/upgrade-report/render/timeline.js';
import { makeReport } from '../../src/upgrade-report/report.js';
import { AT, fleetOf, podOf } from './fleet.js';
import { loggedRun } from './logged-run.js';

const fleet = fleetOf({ nodes: 6, rollout: { canary: { nodes: 1, soak: '30m' }, failureBudget: 2 } });
const bare = podOf('notebook', 99, 'node-0005');
const metadata = { ...(bare['metadata'] as object), name: 'notebook', ownerReferences: [] };
const withBare = { ...fleet, snapshot: { items: [...fleet.snapshot.items, { ...bare, metadata }] } };
const OPTIONS = { at: AT, runs: 1, seed: 7 };

function reported(shiftMs = 0) {
  const { log } = loggedRun(withBare, OPTIONS);
  const moved = log.replace(/"time":"([^"]+)"/g, (_all, time: string) => {
    return `"time":"${new Date(Date.parse(time) + shiftMs).toISOString()}"`;
  });
  const plan = planUpgrade(withBare.objects, withBare.snapshot, OPTIONS);
  const record = readUpgradeLog(moved);
  const given = readPlan(JSON.stringify(plan));
  if (record === undefined || given === undefined) throw new Error('it cannot be read');
  return { plan, given, report: makeReport(record, given) };
}

describe('the report of a log', () => {
  it('has what the plan of the same run has: nodes, times, waves, pods, outcomes', () => {
    const { plan, report } = reported();
    expect(report.nodeReports.map(({ outcome }) => outcome)).toContain('failed');
    expect(report).toMatchObject({
      ...{ nodes: plan.nodes, upgraded: plan.upgraded, waves: plan.waves, podsEvicted: plan.podsEvicted },
      planned: { lateSeconds: 0, otherOutcome: [] },
    });
    const essence = ({
      node,
      outcome,
      wave,
      beginsAt,
      endsAt,
      evicted,
    }: (typeof plan)['nodePlans'][number] | (typeof report)['nodeReports'][number]) => ({
      ...{ node, outcome, wave, beginsAt, endsAt, evicted },
    });
    expect(report.nodeReports.map(essence)).toEqual(plan.nodePlans.map(essence));
    const [soak] = report.soaks;
    const [planned] = plan.soaks;
    expect([report.soaks.length, soak?.from]).toEqual([1, planned?.from]);
    // The CronJob runs again within ten minutes of its end.
    const afterMs = Date.parse(soak?.to ?? '') - Date.parse(planned?.to ?? '');
    expect([afterMs >= 0, afterMs < 600_000]).toEqual([true, true]);
  });

  it('says how late it began, and draws the plan so much later', () => {
    const { report, given } = reported(3_600_000);
    expect(report.planned?.lateSeconds).toBe(3600);
    expect(reportText(report)).toContain('it began 1h later');
    const { rows } = reportTimeline(report, frameOf(given));
    const [first] = rows;
    const active = first?.segments.filter(({ phase }) => phase !== 'pending') ?? [];
    expect(Math.abs((first?.planned?.fromMs ?? 0) - (active[0]?.fromMs ?? 0))).toBeLessThan(1000);
  });

  it('names the reason of the node that failed, in every form', () => {
    const { report, given } = reported();
    const reason = 'pod apps/notebook has no controller';
    expect(reportText(report)).toContain(reason);
    expect(reportMarkdown(report)).toContain('pod `apps/notebook` has no controller');
    const { obstacles } = reportTimeline(report, frameOf(given));
    expect(report.nodeReports.find(({ outcome }) => outcome === 'failed')?.reason).not.toContain('waits: ');
    expect(obstacles).toEqual([expect.objectContaining({ kind: 'failed', nodes: ['node-0005'] })]);
    expect(obstacles[0]?.text).toContain(reason);
  });
});

it('a log of no upgrade, of another program, and lines between are read', () => {
  expect(readUpgradeLog('hello\n{"a": 1}\n')).toBeUndefined();
  const lines = [
    'Killed',
    '{"time": "2026-12-04T22:00:00Z", "level": "warning", "message": "the Lease is lost"}',
    '{"time": "2026-12-04T22:00:01Z", "level": "info", "message": "in sync", "node": "a", "driver": "ofed", "row": "in-sync", "from": "", "to": "upgrade-done"}',
  ];
  const record = readUpgradeLog(lines.join('\n'));
  expect(record?.problems).toEqual(['the Lease is lost']);
  if (record === undefined) throw new Error('no record');
  expect(makeReport(record)).toMatchObject({ nodes: 0, startsAt: null });
});
