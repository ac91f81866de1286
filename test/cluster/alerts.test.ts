import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { alertsOf } from '../../src/compile/delivery/monitoring/alerts.js';
import { binaries, folderOf } from './bed/test-bed.js';

/**
 * The alerts, checked by `promtool test rules`. All series are those of kube-state-metrics: no pod of the companion is scraped, so
 * each alert also fires when no pod of the companion runs.
 */
const alerts = alertsOf({
  namespace: 'net',
  driver: 'ofed',
  anyDaemonSet: 'mofed-.*',
  uninstall: false,
  hasSchedule: true,
  asksOperator: false,
  daemonSets: ['mofed-ubuntu24.04-6d-ds'],
});

const STATE = 'label_nvidia_com_ofed_driver_upgrade_state';
const NIC = 'label_feature_node_kubernetes_io_pci_15b3_present';
const node = (name: string, state: string) => `kube_node_labels{node="${name}",${NIC}="true",${STATE}="${state}"}`;
const driverPod = (name: string) =>
  `kube_pod_info{namespace="net",pod="mofed-${name}",node="${name}",created_by_kind="DaemonSet",created_by_name="mofed-ubuntu24.04-6d-ds"}`;
const daemonSet = (name: string) =>
  `kube_daemonset_status_${name}{namespace="net",daemonset="mofed-ubuntu24.04-6d-ds"}`;
const job = (metric: string, name: string, more = '') => `${metric}{namespace="net",job_name="${name}"${more}}`;
const cronJob = (metric: string) => `kube_cronjob_status_${metric}{namespace="net",cronjob="weft-companion"}`;
const FAILED = ',condition="true"';
const done = node('ok', 'upgrade-done');

interface Case {
  readonly name: string;
  /** Series and their values, one for each minute. */
  readonly series: Readonly<Record<string, string>>;
  readonly at: string;
  /** Alerts that fire, each with the label that names its subject. */
  readonly fires: readonly string[];
}

const CASES: readonly Case[] = [
  {
    name: 'nothing fires for nodes that are done or begin',
    series: {
      [done]: '1x300',
      [node('b', 'upgrade-required')]: '1x300',
      [driverPod('ok')]: '1x300',
      [driverPod('b')]: '1x300',
      [daemonSet('desired_number_scheduled')]: '2x300',
      [daemonSet('number_ready')]: '2x300',
      [cronJob('last_schedule_time')]: '0+60x300',
      [cronJob('last_successful_time')]: '5+60x300',
      [cronJob('active')]: '0x300',
    },
    at: '4h',
    fires: [],
  },
  {
    name: 'a failed node',
    series: {
      [done]: '1x60',
      [driverPod('ok')]: '1x60',
      [node('a', 'upgrade-failed')]: '1x60',
      [driverPod('a')]: '1x60',
    },
    at: '10m',
    fires: ['WeftUpgradeNodeFailed a'],
  },
  {
    name: 'a drain that is stuck, and not one that has just begun',
    series: {
      [done]: '1x90',
      [driverPod('ok')]: '1x90',
      [node('a', 'drain-required')]: '1x90',
      [driverPod('a')]: '1x90',
      [node('b', 'drain-required')]: '_x60 1x30',
      [driverPod('b')]: '1x90',
    },
    at: '80m',
    fires: ['WeftUpgradeNodeStuck a'],
  },
  {
    name: 'a node that waits for its jobs',
    series: { [node('a', 'wait-for-jobs-required')]: '1x300', [driverPod('a')]: '1x300' },
    at: '5h',
    fires: [],
  },
  {
    name: 'a node with NICs whose driver DaemonSet is missing',
    series: { [done]: '1x60', [node('new', '')]: '1x60', [driverPod('ok')]: '1x60' },
    at: '45m',
    fires: ['WeftNodeUncovered new'],
  },
  {
    name: 'driver pods on nodes that repel new ones, and those of a DaemonSet that the policy does not list',
    series: {
      [done]: '1x90',
      [driverPod('ok')]: '1x90',
      [daemonSet('number_misscheduled')]: '1x90',
      [daemonSet('current_number_scheduled')]: '2x90',
      [daemonSet('current_number_scheduled').replace('6d-ds', '7e-ds')]: '2x90',
    },
    at: '75m',
    fires: ['WeftDriverWithoutSuccessor mofed-ubuntu24.04-6d-ds', 'WeftDriverWithoutSuccessor mofed-ubuntu24.04-7e-ds'],
  },
  {
    name: 'a driver that does not get ready',
    series: {
      [done]: '1x90',
      [driverPod('ok')]: '1x90',
      [daemonSet('desired_number_scheduled')]: '3x90',
      [daemonSet('number_ready')]: '2x90',
    },
    at: '75m',
    fires: ['WeftDriverNotReady mofed-ubuntu24.04-6d-ds'],
  },
  {
    name: 'a Job that failed, and not one of the CronJob',
    series: {
      [done]: '1x60',
      [driverPod('ok')]: '1x60',
      [job('kube_job_failed', 'weft-companion-0123456789', FAILED)]: '1x60',
      [job('kube_job_failed', 'weft-companion-29384756', FAILED)]: '1x60',
      [job('kube_job_failed', 'other-0123456789', FAILED)]: '1x60',
    },
    at: '5m',
    fires: ['WeftCompanionJobFailed weft-companion-0123456789'],
  },
  {
    name: 'a companion that crashes again and again',
    series: {
      [done]: '1x60',
      [driverPod('ok')]: '1x60',
      [job('kube_job_status_failed', 'weft-companion-0123456789', ',reason="Other"')]: '0+1x60',
      [job('kube_job_status_active', 'weft-companion-0123456789')]: '1x60',
    },
    at: '10m',
    fires: ['WeftCompanionCrashes weft-companion-0123456789'],
  },
  {
    name: 'a CronJob whose runs fail',
    series: {
      [done]: '1x120',
      [driverPod('ok')]: '1x120',
      [cronJob('last_schedule_time')]: '600+60x120',
      [cronJob('last_successful_time')]: '0x120',
      [cronJob('active')]: '0x120',
    },
    at: '80m',
    fires: ['WeftCompanionNotSucceeding weft-companion'],
  },
  {
    name: 'a CronJob that has never succeeded',
    series: {
      [done]: '1x120',
      [driverPod('ok')]: '1x120',
      [cronJob('last_schedule_time')]: '600+60x120',
      [cronJob('active')]: '0x120',
    },
    at: '80m',
    fires: ['WeftCompanionNotSucceeding weft-companion'],
  },
  {
    name: 'a run of the CronJob that takes hours',
    series: {
      [done]: '1x300',
      [driverPod('ok')]: '1x300',
      [cronJob('last_schedule_time')]: '600x300',
      [cronJob('last_successful_time')]: '0x300',
      [cronJob('active')]: '1x300',
    },
    at: '5h',
    fires: [],
  },
  {
    name: 'kube-state-metrics without the labels of nodes',
    series: { 'kube_node_labels{node="a"}': '1x120' },
    at: '90m',
    fires: ['WeftUpgradeNodeLabelsMissing '],
  },
];

/** The subject of an alert, by the label of its series. */
const SUBJECTS = ['node', 'daemonset', 'job_name', 'cronjob'];

/** The labels that the alert has when it fires for a subject, in addition to its own. */
function firingLabels(subject: string, series: Case['series']): Readonly<Record<string, string>> {
  const found =
    Object.keys(series).find((one) => SUBJECTS.some((label) => one.includes(`${label}="${subject}"`))) ?? '';
  return Object.fromEntries([...found.matchAll(/(\w+)="([^"]*)"/g)].map(([, key = '', value = '']) => [key, value]));
}

/** A sum and an `absent` keep few labels; a label with an empty value counts as absent. */
function expectedLabels(alert: string, subject: string, series: Case['series']): object {
  const all = Object.entries(firingLabels(subject, series)).filter(([, value]) => value !== '');
  const kept = all.filter(([key]) => alert !== 'WeftCompanionCrashes' || ['namespace', 'job_name'].includes(key));
  return Object.fromEntries(alert === 'WeftUpgradeNodeLabelsMissing' ? [] : kept);
}

function ruleTest({ name, series, at, fires }: Case): object {
  return {
    name,
    interval: '1m',
    input_series: Object.entries(series).map(([one, values]) => ({ series: one, values })),
    alert_rule_test: alerts.map(({ alert, labels }) => ({
      eval_time: at,
      alertname: alert,
      exp_alerts: fires
        .map((one) => one.split(' '))
        .filter(([firing]) => firing === alert)
        .map(([, subject = '']) => ({ exp_labels: { ...labels, ...expectedLabels(alert, subject, series) } })),
    })),
  };
}

let folder: string;
const promtool = (...args: readonly string[]) =>
  promisify(execFile)(join(binaries().promtool, 'promtool'), args, { cwd: folder });

beforeAll(() => {
  folder = folderOf('alerts');
  mkdirSync(folder, { recursive: true });
  // promtool compares all annotations, so they are removed: they are texts for people.
  const rules = alerts.map((rule) => ({ ...rule, annotations: {} }));
  writeFileSync(join(folder, 'rules.yaml'), JSON.stringify({ groups: [{ name: 'weft', rules }] }));
  writeFileSync(join(folder, 'whole.yaml'), JSON.stringify({ groups: [{ name: 'weft', rules: alerts }] }));
});

describe('alerts', () => {
  it('are valid rules', async () => {
    expect((await promtool('check', 'rules', 'whole.yaml')).stdout).toContain(`SUCCESS: ${alerts.length} rules found`);
  });

  it.each(CASES)('$name', async (one) => {
    const file = `${CASES.indexOf(one)}.test.yaml`;
    const tests = { rule_files: ['rules.yaml'], evaluation_interval: '1m', tests: [ruleTest(one)] };
    writeFileSync(join(folder, file), JSON.stringify(tests));
    const answer = await promtool('test', 'rules', file).catch((error: unknown) => error);
    const { stdout, stderr } = answer as { stdout: string; stderr: string };
    expect(`${stdout}${stderr}`).toContain('SUCCESS');
  });

  it('are all in a case', () => {
    const tested = new Set(CASES.flatMap(({ fires }) => fires.map((one) => one.split(' ')[0])));
    expect(alerts.map(({ alert }) => alert).filter((one) => !tested.has(one))).toEqual([]);
  });
});
