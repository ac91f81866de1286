import { operatorDriver, driverKeys } from '../../../shared/contract/labels.js';
import type { DriverPolicy } from '../../../shared/contract/upgrade-policy.js';
import { metricLabel } from './alerts.js';

/** One query of a panel. */
interface Query {
  readonly expr: string;
  readonly legend: string;
}

interface PanelInput {
  readonly title: string;
  readonly description: string;
  readonly type: 'timeseries' | 'stat' | 'table';
  readonly unit: 'short' | 's';
  readonly queries: readonly Query[];
  /** Width in grid columns, of 24. */
  readonly width: number;
}

const DATASOURCE = { type: 'prometheus', uid: '${datasource}' };
const PANEL_HEIGHT = 8;
const ROW_WIDTH = 24;

type MonitoredDriver = Pick<DriverPolicy, 'kind' | 'labelPrefix'>;

/** The dashboard in Grafana's JSON model, schema version 39 (Grafana 10 and newer). */
export function dashboardOf(driver: MonitoredDriver): object {
  const name = operatorDriver(driver.labelPrefix) ?? driver.labelPrefix;
  return {
    uid: `weft-${name}-upgrades`,
    title: `Weft: upgrades of the ${name} driver`,
    tags: ['weft', 'nvidia', name],
    schemaVersion: 39,
    editable: true,
    refresh: '30s',
    time: { from: 'now-6h', to: 'now' },
    templating: {
      list: [{ name: 'datasource', label: 'Prometheus', type: 'datasource', query: 'prometheus', current: {} }],
    },
    panels: placed(panelsOf(driver)),
  };
}

function panelsOf(driver: MonitoredDriver): readonly PanelInput[] {
  const one = `{driver="${driver.labelPrefix}"}`;
  return [...nodePanels(driver, one), ...timePanels(one)];
}

/** Nodes by the state of a driver's flow. */
function byState(labelPrefix: string): Query {
  const state = metricLabel(driverKeys(labelPrefix).state);
  return { expr: `count by (${state}) (kube_node_labels{${state}!=""})`, legend: `{{${state}}}` };
}

/** Beside the states of the companion's flow. */
function besidePanel({ kind, labelPrefix }: MonitoredDriver, one: string): PanelInput {
  const kept = { expr: `max(weft_nodes_without_successor${one})`, legend: 'kept without a successor' };
  if (kind === 'sriov') {
    return {
      title: 'Nodes whose virtual functions are not as desired',
      description: 'Their config daemon works, has failed, or waits for its turn.',
      type: 'timeseries',
      unit: 'short',
      width: 8,
      queries: [
        {
          expr: `max by (for) (weft_nodes_waiting{driver="${labelPrefix}",for=~"config-.+|pools"})`,
          legend: '{{for}}',
        },
      ],
    };
  }
  if (kind === 'gpu-operator') {
    return {
      title: 'Nodes by the state of the operator',
      description: 'What the operator that restarts the driver says of its own flow.',
      type: 'timeseries',
      unit: 'short',
      width: 8,
      queries: [byState(operatorDriver(labelPrefix) ?? labelPrefix)],
    };
  }
  return kind === 'gpu'
    ? {
        title: 'Nodes that keep an old driver',
        description: 'No DaemonSet would put another driver there.',
        type: 'stat',
        unit: 'short',
        width: 8,
        queries: [kept],
      }
    : {
        title: 'Nodes with NICs and no driver DaemonSet',
        description: 'A new kernel, or a new kind of node.',
        type: 'stat',
        unit: 'short',
        width: 8,
        queries: [{ expr: `max(weft_nodes_uncovered${one})`, legend: 'uncovered' }, kept],
      };
}

function nodePanels(driver: MonitoredDriver, one: string): readonly PanelInput[] {
  const upgrades = (name: string): Query => ({
    expr: `max by (pool) (gpu_operator_nodes_upgrades_${name}${one})`,
    legend: `${name.replace('_', ' ')} {{pool}}`,
  });
  return [
    {
      title: 'Nodes by state',
      description: 'Labels of the nodes, from kube-state-metrics: also while no companion runs.',
      type: 'timeseries',
      unit: 'short',
      width: 16,
      queries: [byState(driver.labelPrefix)],
    },
    besidePanel(driver, one),
    {
      title: 'Upgrades',
      description: 'As the companion counts them, for each policy.',
      type: 'timeseries',
      unit: 'short',
      width: 12,
      queries: ['in_progress', 'done', 'failed', 'pending', 'available'].map(upgrades),
    },
    {
      title: 'What nodes wait for',
      description: 'Reasons as in `weft upgrade status`.',
      type: 'timeseries',
      unit: 'short',
      width: 12,
      queries: [{ expr: `max by (for) (weft_nodes_waiting${one})`, legend: '{{for}}' }],
    },
  ];
}

function timePanels(one: string): readonly PanelInput[] {
  const quantile = (part: number): Query => ({
    expr: `histogram_quantile(${part}, sum by (le) (rate(weft_node_upgrade_duration_seconds_bucket${one}[1h])))`,
    legend: `${part * 100} %`,
  });
  const ofStates = (part: string): string => `sum by (state) (weft_node_state_duration_seconds_${part}${one})`;
  const perState = `${ofStates('sum')} / ${ofStates('count')}`;
  return [
    {
      title: 'Duration of an upgrade',
      description: 'From begin to done.',
      type: 'timeseries',
      unit: 's',
      width: 8,
      queries: [quantile(0.5), quantile(0.95)],
    },
    {
      title: 'Time in each state',
      description: 'Mean of a run.',
      type: 'timeseries',
      unit: 's',
      width: 8,
      queries: [{ expr: perState, legend: '{{state}}' }],
    },
    {
      title: 'Evictions refused by budgets',
      description: 'Each second.',
      type: 'timeseries',
      unit: 'short',
      width: 8,
      queries: [{ expr: `sum(rate(weft_evictions_refused_total${one}[5m]))`, legend: 'refused' }],
    },
    {
      title: 'Policies that upgrade nodes',
      description: '1: `autoUpgrade` is on.',
      type: 'table',
      unit: 'short',
      width: 24,
      queries: [{ expr: `max by (pool) (gpu_operator_driver_auto_upgrade_enabled${one})`, legend: '{{pool}}' }],
    },
  ];
}

/** Places panels from left to right in full rows. */
function placed(panels: readonly PanelInput[]): readonly object[] {
  let [x, y] = [0, 0];
  return panels.map(({ title, description, type, unit, queries, width }, index) => {
    if (x + width > ROW_WIDTH) [x, y] = [0, y + PANEL_HEIGHT];
    const gridPos = { h: PANEL_HEIGHT, w: width, x, y };
    x += width;
    return {
      id: index + 1,
      title,
      description,
      type,
      gridPos,
      datasource: DATASOURCE,
      fieldConfig: { defaults: { unit }, overrides: [] },
      targets: queries.map(({ expr, legend }, query) => ({
        refId: String.fromCharCode(65 + query),
        datasource: DATASOURCE,
        expr,
        legendFormat: legend,
        ...(type === 'table' && { format: 'table', instant: true }),
      })),
    };
  });
}
