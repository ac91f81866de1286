import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { alertsOf } from '../src/compile/delivery/monitoring/alerts.js';
import { dashboardOf } from '../src/compile/delivery/monitoring/dashboard.js';
import { noMeasurements, renderMetrics } from '../src/companion/runtime/report/metrics.js';

const INPUT = {
  namespace: 'net',
  driver: 'ofed',
  anyDaemonSet: 'mofed-.*',
  uninstall: false,
  hasSchedule: true,
  asksOperator: false,
  daemonSets: ['mofed-a', 'mofed-b'],
};
const alerts = alertsOf(INPUT);
const page = readFileSync('docs/guide/alerts.md', 'utf8');

/** Metrics of kube-state-metrics v2, as its docs list them for nodes, pods, DaemonSets, Jobs and CronJobs. */
const KUBE_STATE_METRICS = [
  'kube_node_labels',
  'kube_pod_info',
  'kube_daemonset_status_desired_number_scheduled',
  'kube_daemonset_status_number_ready',
  'kube_daemonset_status_number_misscheduled',
  'kube_daemonset_status_current_number_scheduled',
  'kube_job_failed',
  'kube_job_status_failed',
  'kube_job_status_active',
  'kube_cronjob_status_last_schedule_time',
  'kube_cronjob_status_last_successful_time',
  'kube_cronjob_status_active',
];

/** Names of series that the companion exposes: a histogram has three. */
function ownSeries(): ReadonlySet<string> {
  const types = renderMetrics({ counts: [], waiting: [] }, noMeasurements()).matchAll(/^# TYPE (\S+) (\S+)$/gm);
  return new Set(
    [...types].flatMap(([, name = '', type = '']) => {
      const suffixes =
        type === 'histogram' ? ['_bucket', '_sum', '_count'] : type === 'summary' ? ['_sum', '_count'] : [''];
      return suffixes.map((suffix) => `${name}${suffix}`);
    }),
  );
}

/** Names of series in an expression, without the content of braces. */
function seriesIn(expr: string): readonly string[] {
  return expr.replace(/\{[^}]*\}/g, '{}').match(/\b(?:kube|weft|gpu_operator)_\w+/g) ?? [];
}

describe.each([
  { kind: 'ofed', labelPrefix: 'ofed', hidden: [] },
  // Only nodes with NICs count as uncovered.
  { kind: 'gpu', labelPrefix: 'gpu', hidden: ['weft_nodes_uncovered'] },
  // The operator places and restarts the driver.
  {
    ...{ kind: 'gpu-operator', labelPrefix: 'weft-gpu' },
    hidden: ['weft_nodes_uncovered', 'weft_nodes_without_successor'],
  },
])('the dashboard of $labelPrefix', ({ hidden, ...driver }) => {
  const { panels, title } = dashboardOf(driver as Parameters<typeof dashboardOf>[0]) as {
    readonly title: string;
    readonly panels: readonly {
      readonly title: string;
      readonly gridPos: { readonly x: number; readonly y: number; readonly w: number };
      readonly targets: readonly { readonly expr: string }[];
    }[];
  };
  const own = ownSeries();

  it.each(panels)('$title queries only metrics that exist', ({ targets }) => {
    const series = targets.flatMap(({ expr }) => seriesIn(expr)).filter((one) => !one.startsWith('label_'));
    expect(series).not.toEqual([]);
    expect(series.filter((one) => !own.has(one) && !KUBE_STATE_METRICS.includes(one))).toEqual([]);
  });

  it('shows every metric of the companion', () => {
    const shown = panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => seriesIn(expr)));
    const isShown = (name: string) => shown.some((one) => name.startsWith(one.replace(/_(?:bucket|sum|count)$/, '')));
    expect([...own].filter((name) => !isShown(name))).toEqual(hidden);
  });

  it('has the name of the driver, and shows only its series', () => {
    expect(title).toBe(`Weft: upgrades of the ${driver.labelPrefix.replace('weft-', '')} driver`);
    const all = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
    const labels = all.flatMap((expr) => [...expr.matchAll(/driver="([^"]*)"/g)].map(([, label]) => label));
    expect(new Set(labels)).toEqual(new Set([driver.labelPrefix]));
  });

  it('has no panels over each other', () => {
    const cells = panels.flatMap(({ gridPos: { x, y, w } }) => Array.from({ length: w }, (_, at) => `${x + at}/${y}`));
    expect(new Set(cells).size).toBe(cells.length);
    expect(panels.every(({ gridPos: { x, w } }) => x + w <= 24)).toBe(true);
  });
});

describe('the alerts', () => {
  it.each(alerts)('$alert uses only metrics that remain after the pods of the companion', ({ expr }) => {
    expect(seriesIn(expr)).not.toEqual([]);
    expect(seriesIn(expr).filter((one) => !KUBE_STATE_METRICS.includes(one))).toEqual([]);
  });

  it('have each a section on their page, and the page has no other', () => {
    const sections = [...page.matchAll(/^### (\w+)$/gm)].map(([, name]) => name);
    expect(sections).toEqual(alerts.map(({ alert }) => alert));
  });

  it('name the driver in commands, where the policy has several', () => {
    const command = (input: object) =>
      /`(weft upgrade [^`]*)`/.exec(alertsOf({ ...INPUT, ...input })[0]?.annotations.description ?? '')?.[1];
    expect(command({})).toBe('weft upgrade explain {{ $labels.node }}');
    expect(command({ named: 'ofed' })).toBe('weft upgrade explain {{ $labels.node }} --driver ofed');
  });

  it('name DaemonSets that the policy does not list', () => {
    const expr = alerts.find(({ alert }) => alert === 'WeftDriverWithoutSuccessor')?.expr;
    expect(expr).toContain('daemonset=~"mofed-.*",daemonset!="mofed-a",daemonset!="mofed-b"} > 0');
  });

  it('name nodes that the Maintenance Operator keeps for an hour, where it drains', () => {
    const exprOf = (asksOperator: boolean) =>
      alertsOf({ ...INPUT, asksOperator }).find(({ alert }) => alert === 'WeftUpgradeNodeStuck')?.expr;
    expect(exprOf(true)).toMatch(/node-maintenance-required.*post-maintenance-required/);
    expect(exprOf(false)).not.toContain('maintenance');
  });

  it('leave out nodes without a driver while drivers are uninstalled, and the CronJob where there is none', () => {
    const names = (input: object) => alertsOf({ ...INPUT, ...input }).map((one) => one.alert);
    expect(names({ uninstall: true })).not.toContain('WeftNodeUncovered');
    expect(names({ hasSchedule: false })).not.toContain('WeftCompanionNotSucceeding');
  });
});
