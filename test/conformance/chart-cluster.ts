import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { addOnSectionsOfChart } from '../../src/compile/addons/chart-values.js';
import type { ChartValues } from '../../src/compile/addons/values.js';
import { CHARTS } from './recorded.js';

/** A policy with a driver. The driver needs the rule that the chart always renders; its gate is the label by which the chart selects. */
const POLICY = JSON.stringify({
  apiVersion: 'mellanox.com/v1alpha1',
  kind: 'NicClusterPolicy',
  metadata: { name: 'nic-cluster-policy' },
  spec: { ofedDriver: {} },
});

/** The values of a recorded set. */
export function chartValues(name: string): ChartValues {
  return parse(readFileSync(join(CHARTS, name, 'values.yaml'), 'utf8')) as ChartValues;
}

/** Input files of a cluster whose add-ons are those that the chart installs with these values, and others. */
export function chartCluster(values: ChartValues, others: object = {}): Readonly<Record<string, string>> {
  const spec = {
    release: 'v26.7',
    nodePools: [{ name: 'a', osName: 'ubuntu', osVersion: '24.04', arch: 'amd64' }],
    driver: { gate: 'label' },
    ...addOnSectionsOfChart(values),
    ...others,
  };
  const cluster = { apiVersion: 'weft.dev/v1alpha1', kind: 'Cluster', metadata: { name: 'east' }, spec };
  return { 'cluster.yaml': JSON.stringify(cluster), 'policy.yaml': POLICY };
}
