import {
  MAINTENANCE_ANNOTATION,
  maintenanceRecordText,
  readMaintenanceRecord,
  type MaintenanceRecord,
} from '../../src/shared/contract/maintenance-record.js';
import { digestOf } from './digests.js';
import {
  barePod,
  daemonSet,
  driverPod,
  gpuPolicy,
  node,
  NOW,
  orphan,
  patchesOf,
  pod,
  policyOf,
  snapshot,
  withoutController,
} from './snapshots.js';
import { phaseOf, type MaintenancePhase } from '../../src/shared/contract/node-states.js';
import { driverKeys, OFED_GATE_LABEL, OFED_WAIT_CONTAINER, type DriverKeys } from '../../src/shared/contract/labels.js';
import { nodeUpgradePolicies, type UpgradePolicy } from '../../src/shared/contract/upgrade-policy.js';
import { decide } from '../../src/companion/decide.js';
import type { Decision, SnapshotDaemonSet, SnapshotNode, SnapshotPod } from '../../src/companion/model/types.js';

/** Decisions about one node as text: the name of a case, what is observed, and all that the decision does. */

const GPU_STATE = 'nvidia.com/gpu-driver-upgrade-state';
const windows = (...schedules: readonly string[]) =>
  policyOf({}, { rollout: { maintenanceWindows: schedules.map((schedule) => ({ schedule, duration: '1h' })) } });
const policy = (more: object) => [{ name: 'NicClusterPolicy', upgradePolicy: { autoUpgrade: true }, ...more }];
const uninstall = policyOf({}, { uninstall: true, policies: policy({ daemonSets: [] }) as never });

const gate = (kind: 'label' | 'ready-file') => {
  return { gate: { kind, label: OFED_GATE_LABEL, podSelectors: ['app=rdma-shared-dp'] } };
};

const POLICIES: Readonly<Record<string, UpgradePolicy>> = {
  plain: policyOf({}),
  drain: policyOf({ drain: {} }),
  'drain-unlimited': policyOf({ drain: { timeoutSeconds: 0 } }),
  jobs: policyOf({ waitForCompletion: { podSelector: 'job=x', timeoutSeconds: 60 }, drain: {} }),
  'jobs-unlimited': policyOf({ waitForCompletion: { podSelector: 'job=x' } }),
  validated: policyOf({}, { rollout: { validation: { resources: ['rdma/a'], podSelector: 'app=check' } } }),
  uninstall,
  'uninstall-paused': { ...uninstall, paused: true },
  paused: policyOf({}, {}, { paused: true }),
  off: policyOf({ autoUpgrade: false }),
  'gate-label': policyOf({}, gate('label')),
  'gate-label-drain': policyOf({ drain: {} }, gate('label')),
  'gate-label-off': policyOf({ autoUpgrade: false }, gate('label')),
  'gate-label-uninstall': policyOf(
    {},
    { ...gate('label'), uninstall: true, policies: policy({ daemonSets: [] }) as never },
  ),
  'gate-file': policyOf({}, gate('ready-file')),
  'gate-file-drain': policyOf({ drain: {} }, gate('ready-file')),
  gpu: gpuPolicy(),
  'gpu-drain': gpuPolicy({ drain: { enable: true } }),
  'gpu-jobs': gpuPolicy({ waitForCompletion: { podSelector: 'job=x', timeoutSeconds: 60 } }),
  'window-22h': windows('0 22 * * *'),
  'windows-22h-11:30': windows('0 22 * * *', '30 11 * * *'),
  'hour-to-start': policyOf(
    {},
    { policies: policy({ startupSeconds: 3600, daemonSets: [{ name: 'mofed', digest: 'new' }] }) as never },
  ),
};

const MAIN = { name: 'mofed-container', ready: false, restarts: 0 } as const;
const loading = (input: Partial<SnapshotPod> = {}) => driverPod('a', { ready: false, ...input });
const unpulled = (seconds: number) =>
  loading({
    ...{ createdMs: NOW - seconds * 1000, readyChangedMs: NOW - seconds * 1000 },
    containers: [{ ...MAIN, waitingReason: 'ImagePullBackOff' }],
  });
const job = (input: Partial<SnapshotPod> = {}) => pod('a', 'j', { labels: { job: 'x' }, ...input });
const check = (input: Partial<SnapshotPod> = {}) =>
  pod('a', 'v', { namespace: 'nno', labels: { app: 'check' }, ...input });

/** A driver that was started ten minutes ago and got ready a minute ago. */
const STARTED = NOW - 600_000;
const READY = NOW - 60_000;
const driverThat = (input: Partial<SnapshotPod> = {}) =>
  driverPod('a', {
    ...{ createdMs: STARTED - 1000, readyChangedMs: READY, ready: true },
    containers: [{ ...MAIN, ready: input.ready ?? true, restarts: 1, startedMs: STARTED }],
    ...input,
  });
const gated = (startedMs: number, input: Partial<SnapshotPod> = {}) =>
  pod('a', 'dp', {
    ...{ namespace: 'nno', labels: { app: 'rdma-shared-dp' }, createdMs: STARTED - 99_999_999 },
    controller: { apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'rdma-shared-dp-ds', uid: 'u' },
    containers: [{ name: 'dp', ready: true, restarts: 0, startedMs }],
    ...input,
  });
const waited = (finishedMs: number) => {
  return { initContainers: [{ name: OFED_WAIT_CONTAINER, ready: true, restarts: 0, finishedMs }] };
};
const holder = (input: Partial<SnapshotPod> = {}) =>
  pod('a', 'h', { resourceNames: ['nvidia.com/mig-1g.5gb'], ...input });

const PODS: Readonly<Record<string, SnapshotPod>> = {
  old: driverPod('a', { digest: 'old' }),
  new: driverPod('a'),
  loading: loading(),
  'loading-broken': driverPod('a', { digest: 'broken', ready: false }),
  'new-for-1s': driverPod('a', { createdMs: NOW - 1000 }),
  'new-for-59s': driverPod('a', { createdMs: NOW - 59_999 }),
  'new-from-the-future': driverPod('a', { createdMs: NOW + 3_600_000 }),
  ending: driverPod('a', { digest: 'old', name: 'ending', uid: 'uid-ending', deletionMs: NOW }),
  retired: driverPod('a', { owner: 'gone', name: 'going', uid: 'uid-going' }),
  unknown: driverPod('a', { owner: 'unseen', ready: false }),
  orphan: orphan('a'),
  'restarted-10': loading({ containers: [{ ...MAIN, restarts: 10 }] }),
  'restarted-11': loading({ containers: [{ ...MAIN, restarts: 11 }] }),
  'init-restarted-11': loading({ initContainers: [{ ...MAIN, name: 'init', restarts: 11 }] }),
  'probe-restarted-11': loading({ containers: [MAIN, { name: 'probe', ready: true, restarts: 11 }] }),
  'unpulled-299s': unpulled(299),
  'unpulled-300s': unpulled(300),
  'unpulled-just-now': loading({
    ...{ createdMs: NOW - 86_400_000, readyChangedMs: NOW - 10_000 },
    containers: [{ ...MAIN, waitingReason: 'ErrImagePull' }],
  }),
  'old-ending': driverPod('a', { digest: 'old', deletionMs: NOW }),
  'new-ending': driverPod('a', { deletionMs: NOW }),
  'new-beside-failing-sidecar': loading({
    containers: [
      { ...MAIN, ready: true },
      { name: 'dtk', ready: false, restarts: 0 },
    ],
  }),
  driver: driverThat(),
  'driver-not-ready': driverThat({ ready: false }),
  'gated-before': gated(STARTED - 1),
  'gated-with': gated(STARTED),
  'gated-after': gated(READY + 1000),
  'gated-before-ending': gated(STARTED - 1, { deletionMs: NOW }),
  'gated-before-bare': withoutController(gated(STARTED - 1)),
  'gated-before-elsewhere': gated(STARTED - 1, { namespace: 'apps' }),
  'gated-restarted-while-the-driver-loaded': gated(STARTED + 1, {
    containers: [{ name: 'dp', ready: true, restarts: 1, startedMs: STARTED + 1 }],
  }),
  'gated-waited': gated(READY + 1, waited(READY)),
  'gated-waited-for-an-earlier-driver': gated(STARTED + 1, waited(STARTED - 1)),
  'gated-waiting': gated(STARTED, {
    phase: 'Pending',
    initContainers: [{ name: OFED_WAIT_CONTAINER, ready: false, restarts: 1, startedMs: STARTED - 1 }],
    containers: [{ name: 'dp', ready: false, restarts: 1, waitingReason: 'PodInitializing' }],
  }),
  holder: holder(),
  'holder-with-data': holder({ emptyDir: true }),
  'holder-of-the-driver': holder({
    ...{ namespace: 'nno', controller: { apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'mofed', uid: 'u' } },
  }),
  'holder-of-another-kind': holder({ resourceNames: ['example.com/nvidia.com/gpu'] }),
  bare: barePod('a', 'bare'),
  work: pod('a', 'w'),
  'work-ending': pod('a', 'w', { deletionMs: NOW + 5 }),
  'work-with-data': pod('a', 'w', { emptyDir: true }),
  job: job(),
  'job-pending': job({ phase: 'Pending' }),
  'job-done': job({ phase: 'Succeeded' }),
  'job-elsewhere': job({ nodeName: 'b' }),
  check: check(),
  'check-not-ready': check({ ready: false }),
};

const gone = daemonSet({ name: 'gone', digest: 'x', renderedDigest: 'x' });
/** It has no annotation with its digest. */
const fields = Object.entries(daemonSet()).filter(([key]) => key !== 'renderedDigest');
const ofOperator = Object.fromEntries(fields) as unknown as SnapshotDaemonSet;
const CLUSTERS: Readonly<Record<string, readonly SnapshotDaemonSet[]>> = {
  none: [],
  old: [daemonSet({ digest: 'old', renderedDigest: 'old' })],
  'not-applied': [daemonSet({ renderedDigest: 'old' })],
  'not-observed': [daemonSet({ observedGeneration: 1 })],
  operators: [ofOperator],
  retired: [gone],
  'listed-and-retired': [daemonSet(), gone],
};

const WORDS = /[^\s"=]+(?:="[^"]*"|=\S*)?/g;

/** `"some words"` without its quotes. */
const valueOf = (text: string) => text.replaceAll('"', '');

const textOf = (value: string) => (/[\s"]/.test(value) ? `"${value}"` : value);

/** A time of the record: `-60s` is a minute ago. */
const secondsOf = (text: string) => NOW / 1000 + (text === 'now' ? 0 : Number(text.replace(/s$/, '')));

const timeText = (seconds: number) =>
  seconds === NOW / 1000 ? 'now' : `${(seconds - NOW / 1000).toFixed(3).replace('.000', '')}s`;

/** The words that say when the node got into a state. */
const STARTS = {
  waitStart: 'wait-for-jobs-required',
  podDeletionStart: 'pod-deletion-required',
  drainStart: 'drain-required',
  validationStart: 'validation-required',
} as const;

/** What a word says of the record; undefined: it says nothing of it. */
function recordPart(word: string, value: string, prefix: string): MaintenanceRecord | undefined {
  const start = word in STARTS ? STARTS[word as keyof typeof STARTS] : undefined;
  if (start !== undefined) return { since: { [start]: secondsOf(value) } };
  switch (word) {
    case 'restartStart':
      return { restarts: { [prefix]: secondsOf(value) } };
    case 'prePullStart':
      return { prePull: secondsOf(value) };
    case 'cordoned':
      return { cordon: value === 'true' ? '' : value };
    case 'cordonLifted':
      return { lifted: Number(value) };
    case 'due':
      return { due: [prefix] };
    case 'wants':
      return { wants: { [prefix]: digestOf(value) } };
    case 'restartsBefore':
      return { restartsBefore: { [prefix]: valueOf(value) } };
    case 'failure':
      return { failure: valueOf(value) };
    default:
      return undefined;
  }
}

/** The record as words, each with its value. */
function recordWords(record: MaintenanceRecord, prefix: string): ReadonlyMap<string, string> {
  const words = new Map<string, string>();
  for (const [word, state] of Object.entries(STARTS)) {
    const start = record.since?.[state];
    if (start !== undefined) words.set(word, timeText(start));
  }
  const restart = record.restarts?.[prefix];
  if (restart !== undefined) words.set('restartStart', timeText(restart));
  if (record.prePull !== undefined) words.set('prePullStart', timeText(record.prePull));
  if (record.cordon !== undefined) words.set('cordoned', record.cordon === '' ? 'true' : record.cordon);
  if (record.lifted !== undefined) words.set('cordonLifted', String(record.lifted));
  if (record.due?.includes(prefix) === true) words.set('due', 'true');
  const wants = record.wants?.[prefix];
  if (wants !== undefined) words.set('wants', wants);
  const before = record.restartsBefore?.[prefix];
  if (before !== undefined) words.set('restartsBefore', textOf(before));
  if (record.before !== undefined) words.set('before', JSON.stringify(record.before));
  if (record.failure !== undefined) words.set('failure', textOf(record.failure));
  return words;
}

/** @param desired digest that the policy wants */
function nodeOf(text: string, prefix: string, desired: string): ReturnType<typeof node> {
  const keys = driverKeys(prefix);
  const input = { annotations: {} as Record<string, string>, labels: {} as Record<string, string> };
  let phase: MaintenancePhase = 'rest';
  let record: MaintenanceRecord = {};
  for (const word of text.match(WORDS) ?? []) {
    const [name = '', value = ''] = word.split(/=(.*)/s);
    const part = recordPart(name, value, prefix);
    const key = name in keys ? keys[name as keyof DriverKeys] : undefined;
    if (name === 'gate') input.labels[OFED_GATE_LABEL] = value;
    else if (name === 'nic') input.labels['nic'] = value;
    else if (name === 'gpu') input.labels[GPU_STATE] = value;
    else if (name === 'skip') input.labels[keys.skip] = value;
    else if (name === 'cordon')
      Object.assign(input, { unschedulable: true, ...(value !== '' && { cordonTime: value }) });
    else if (name === 'cordon-time') Object.assign(input, { cordonTime: value });
    else if (name === 'ready') Object.assign(input, { ready: value });
    else if (name === 'rdma') Object.assign(input, { allocatable: { 'rdma/a': value } });
    else if (name === 'record') input.annotations[MAINTENANCE_ANNOTATION] = value;
    else if (part !== undefined) record = { ...record, ...part, since: { ...record.since, ...part.since } };
    else if (key !== undefined) input.annotations[key] = valueOf(value);
    else if (value === '') {
      const state = name === 'no-state' ? '' : name;
      phase = phaseOf(state) ?? 'rest';
      Object.assign(input, { state });
    } else throw new Error(`not a property of a node: ${word}`);
  }
  // Every maintenance of the companion records the desired driver, and the record lasts as long as its cordon.
  const isBegun =
    phase !== 'due' && (record.cordon !== undefined || (phase !== 'rest' && Object.keys(record).length > 0));
  const written = maintenanceRecordText(isBegun ? { wants: { [prefix]: desired }, ...record } : record);
  if (written !== undefined) input.annotations[MAINTENANCE_ANNOTATION] = written;
  return node('a', { ...input, prefix });
}

function named<T>(table: Readonly<Record<string, T>>, name: string): T {
  const found = table[name];
  if (found === undefined) throw new Error(`no ${name} among ${Object.keys(table).join(', ')}`);
  return found;
}

/** What a patch changes in the record. */
function recordChanges(
  before: string | undefined,
  after: string | null | undefined,
  prefix: string,
): readonly string[] {
  if (after === undefined) return [];
  const [old, now] = [before, after ?? undefined].map((text) => recordWords(readMaintenanceRecord(text) ?? {}, prefix));
  const removed = [...(old?.keys() ?? [])].filter((word) => now?.has(word) !== true);
  const set = [...(now ?? [])].filter(([word, value]) => old?.get(word) !== value);
  return [...removed.map((word) => `-${word}`), ...set.map(([word, value]) => `${word}=${value}`)];
}

/** All that a decision does to the node, and what the node then waits for. */
function resultOf(decision: Decision, here: SnapshotNode, prefix: string, desired: string): string {
  const keys = driverKeys(prefix);
  const state = here.labels[keys.state] ?? 'no-state';
  const patches = patchesOf(decision);
  if (patches.length > 1) throw new Error('two patches of one node');
  const [patch] = patches;
  const after = patch?.labels[keys.state];
  const words = [after === undefined ? state : (after ?? 'no-state')];
  if (patch?.unschedulable !== undefined) words.push(patch.unschedulable ? 'cordon' : 'uncordon');
  const gate = patch?.labels[OFED_GATE_LABEL];
  if (gate !== undefined) words.push(`gate=${gate}`);
  for (const name of Object.keys(keys) as (keyof DriverKeys)[]) {
    const value = patch?.annotations[keys[name]];
    if (value === undefined) continue;
    words.push(value === null ? `-${name}` : name === 'done' ? 'done' : `${name}=${textOf(value)}`);
  }
  const [before, record] = [here, patch].map((one) => one?.annotations[MAINTENANCE_ANNOTATION]);
  const changes = recordChanges(before ?? undefined, record, prefix);
  // Every maintenance has it: what follows asserts the other changes.
  const isUsual = (change: string) => change === `wants=${desired}` || (change === '-wants' && record === null);
  words.push(...changes.filter((change) => !isUsual(change)));
  const others = decision.actions.flatMap((action) => {
    if (action.kind === 'patchNode') return [];
    if (action.kind === 'changeNodeMaintenance') return [`${action.change.kind} NodeMaintenance`];
    if (action.kind === 'patchSriovNodeState') return [Object.values(action.annotations).join(' ')];
    return [action.kind === 'deletePod' ? `${action.reason} ${action.name}` : `${action.kind} ${action.name}`];
  });
  const waits = decision.waiting.map(({ kind }) => `waits ${kind}`);
  return [words.join(' '), ...others, ...waits].join('; ');
}

interface TextCase {
  readonly name: string;
  readonly given: string;
  readonly expected: string;
}

/** The cases of a text: each is a line with its name, one with what is observed, and one with the result. */
export function casesOf(text: string): readonly TextCase[] {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const cases: TextCase[] = [];
  for (let at = 0; at < lines.length; at += 3) {
    const [name = '', given = '', expected = ''] = lines.slice(at, at + 3).map((line) => line.trim());
    cases.push({ name, given, expected });
  }
  return cases;
}

/** The result of a case: `policy | node | pods | DaemonSets`. */
export function decided(given: string): string {
  const [policyName = '', of = '', pods = '', cluster = ''] = given.split('|').map((part) => part.trim());
  const prefix = policyName.startsWith('gpu') ? 'gpu' : 'ofed';
  const policy = named(POLICIES, policyName);
  const desired =
    prefix === 'gpu'
      ? digestOf('new')
      : (policy.drivers.flatMap(nodeUpgradePolicies)[0]?.daemonSets[0]?.digest ?? 'none');
  const here = nodeOf(of, prefix, desired);
  if (!['', 'paused', 'no-revisions'].includes(cluster)) named(CLUSTERS, cluster);
  const before = snapshot({
    nodes: [here],
    pods: pods.split(' ').flatMap((name) => (name === '' ? [] : [named(PODS, name)])),
    ...(cluster === 'no-revisions' && { revisions: [] }),
    ...(cluster === 'paused' && { paused: true }),
    ...(CLUSTERS[cluster] !== undefined && { daemonSets: CLUSTERS[cluster] }),
  });
  return resultOf(decide(before, policy, NOW), here, prefix, desired);
}

/** The text with the present results. */
export function updated(text: string): string {
  const [title = ''] = text.split('\n');
  return `${title}\n${casesOf(text)
    .map(({ name, given }) => `${name}\n  ${given}\n  ${decided(given)}\n`)
    .join('')}`;
}
