import { allKeys } from '../../../../test/kit/snapshots.js';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  IGNORE_WINDOWS_ANNOTATION,
  KEEP_CORDON_ANNOTATION,
  PAUSED_ANNOTATION,
} from '../../../shared/contract/labels.js';
import { MAINTENANCE_ANNOTATION } from '../../../shared/contract/maintenance-record.js';
import { runWeft, withCluster } from '../../../../test/kit/run-weft.js';

const NAMESPACE = 'nvidia-network-operator';
const KEYS = allKeys('ofed');
const NAMESPACED = `/namespaces/${NAMESPACE}`;
const STATUS = `/api/v1${NAMESPACED}/configmaps/weft-companion-status`;
const POLICY = `/api/v1${NAMESPACED}/configmaps/weft-companion-policy`;
const JOBS = `/apis/batch/v1${NAMESPACED}/jobs`;

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'weft-manual-'));
  file = join(folder, 'cluster.json');
});
afterEach(() => rmSync(folder, { recursive: true }));

interface ClusterObjects {
  readonly [path: string]: unknown;
}

interface FakeNode {
  readonly state?: string;
  readonly labels?: object;
  readonly annotations?: object;
  readonly status?: object;
}

function nodeObject(name: string, { state, labels = {}, annotations = {}, status = {} }: FakeNode): object {
  const stateLabel = state === undefined ? {} : { [KEYS.state]: state };
  const metadata = {
    name,
    uid: `uid-${name}`,
    resourceVersion: '1',
    labels: { ...stateLabel, ...labels },
    annotations,
  };
  return { metadata, spec: { unschedulable: state === 'drain-required' }, status };
}

function writeCluster(nodes: Readonly<Record<string, FakeNode>>, more: ClusterObjects = {}): void {
  const policy = {
    ...{ apiVersion: 'weft.dev/v1alpha1', kind: 'UpgradePolicy' },
    drivers: [
      {
        ...{ kind: 'ofed', namespace: NAMESPACE, containerName: 'mofed-container' },
        ...{ daemonSetSelector: 'nvidia.com/ofed-driver', podSelector: 'nvidia.com/ofed-driver' },
        policies: [
          {
            name: 'NicClusterPolicy',
            upgradePolicy: { autoUpgrade: true },
            daemonSets: [{ name: 'mofed', digest: 'x' }],
          },
        ],
      },
    ],
  };
  const items = Object.entries(nodes).map(([name, node]) => nodeObject(name, node));
  const objects = {
    '/api/v1/nodes': { metadata: { resourceVersion: '9' }, items },
    [POLICY]: { data: { 'policy.json': JSON.stringify(policy) } },
    ...more,
  };
  writeFileSync(file, JSON.stringify(objects));
}

const cluster = () => JSON.parse(readFileSync(file, 'utf8')) as ClusterObjects;

interface NodeMetadata {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

function metadataOf(name: string): NodeMetadata {
  const { items } = cluster()['/api/v1/nodes'] as { readonly items: readonly { readonly metadata: NodeMetadata }[] };
  const found = items.find(({ metadata }) => metadata.name === name);
  if (found === undefined) throw new Error(name);
  return found.metadata;
}

async function weft(
  ...args: readonly string[]
): Promise<{ readonly stdout: string; readonly stderr: string; readonly exit: number }> {
  return runWeft(['upgrade', ...args], {
    cwd: folder,
    env: withCluster(file),
    isStdinTerminal: true,
  });
}

const failed = (reason = 'draining took too long'): FakeNode => ({
  state: 'upgrade-failed',
  annotations: { [KEYS.failure]: reason },
});

describe('commands that change nodes', () => {
  it('skip labels the nodes of a glob, and says what happens to each', async () => {
    writeCluster({ a1: { state: 'upgrade-done' }, a2: { state: 'drain-required' }, b1: {} });
    const { stdout, exit } = await weft('skip', 'a*');
    expect(exit).toBe(0);
    expect(metadataOf('a1').labels[KEYS.skip]).toBe('true');
    expect(metadataOf('b1').labels[KEYS.skip]).toBeUndefined();
    expect(stdout).toBe(
      [
        `a1: label ${KEYS.skip}=true`,
        '  next: no upgrade begins there until `weft upgrade unskip a1`',
        `a2: label ${KEYS.skip}=true`,
        '  next: its upgrade is in progress (drain-required) and is finished first; no other begins there until `weft upgrade unskip a2`',
        'no companion is running, and no CronJob starts one: `weft upgrade run` does the work',
        '',
      ].join('\n'),
    );
  });

  it('skip --keep-cordoned annotates the nodes too, and unskip ends both', async () => {
    writeCluster({ a: { state: 'drain-required' } });
    const { stdout } = await weft('skip', 'a', '--keep-cordoned');
    expect(metadataOf('a').annotations[KEEP_CORDON_ANNOTATION]).toBe('true');
    expect(stdout).toContain('is finished first, and the node stays cordoned then;');
    expect((await weft('unskip', 'a')).exit).toBe(0);
    expect(metadataOf('a').annotations[KEEP_CORDON_ANNOTATION]).toBeUndefined();
    expect(metadataOf('a').labels[KEYS.skip]).toBeUndefined();
  });

  it.each([
    { name: 'a selector', args: ['-l', 'pool=h100'], changed: ['a'] },
    { name: 'a name and a selector', args: ['a', 'b', '-l', 'pool in (h100,b200)'], changed: ['a', 'b'] },
    { name: 'a question mark', args: ['?'], changed: ['a', 'b', 'c'] },
  ])('unskip takes $name', async ({ args, changed }) => {
    const labels = { [KEYS.skip]: 'true' };
    writeCluster({
      a: { labels: { ...labels, pool: 'h100' } },
      b: { labels: { ...labels, pool: 'b200' } },
      c: { labels },
    });
    expect((await weft('unskip', ...args)).exit).toBe(0);
    expect(['a', 'b', 'c'].filter((name) => metadataOf(name).labels[KEYS.skip] === undefined)).toEqual(changed);
  });

  it('request annotates a node, and refuses one that failed', async () => {
    writeCluster({ a: { state: 'upgrade-done' }, b: failed() });
    const { stdout, exit } = await weft('request', 'a', 'b', '-o', 'json');
    expect(exit).toBe(1);
    expect(metadataOf('a').annotations[KEYS.requested]).toBe('true');
    expect(JSON.parse(stdout)).toMatchObject({
      command: 'request',
      driver: 'ofed',
      nodes: [
        { node: 'a', changed: true },
        { node: 'b', changed: false, refused: true, did: 'it failed: use `weft upgrade retry b`' },
      ],
      acts: { by: 'none' },
    });
  });

  it.each([
    { name: 'no node matches', args: ['skip', 'z*'], code: 'WEFT0440' },
    { name: 'no node is named', args: ['skip'], code: 'WEFT0440' },
    { name: 'the selector is not valid', args: ['skip', '-l', 'a b'], code: 'WEFT0440' },
    { name: 'the driver is not known', args: ['skip', 'a', '--driver', 'gpu'], code: 'WEFT0441' },
    { name: 'the node to explain is not there', args: ['explain', 'z'], code: 'WEFT0440' },
    { name: 'there is no pod to read the log of', args: ['logs'], code: 'WEFT0442' },
  ])('say that $name, and change nothing', async ({ args, code }) => {
    writeCluster({ a: {} });
    const before = readFileSync(file, 'utf8');
    const { stderr, exit } = await weft(...args);
    expect(stderr).toMatch(new RegExp(`^error\\[${code}\\]`, 'm'));
    expect(exit).toBe(2);
    expect(readFileSync(file, 'utf8')).toBe(before);
  });
});

it('request is refused where the config daemon asks by itself', async () => {
  const driver = {
    ...{ kind: 'sriov', namespace: NAMESPACE, change: 'one', resourcePrefixes: ['nvidia.com/'], policies: [] },
  };
  const sriovNodeStates = { namespace: NAMESPACE, resourcePrefix: 'nvidia.com/' };
  const policy = { apiVersion: 'weft.dev/v1alpha1', kind: 'UpgradePolicy', drivers: [driver], sriovNodeStates };
  writeCluster({ a: {} }, { [POLICY]: { data: { 'policy.json': JSON.stringify(policy) } } });
  const { stderr, exit } = await weft('request', 'a', '--driver', 'sriov');
  expect(stderr).toMatch(/^error\[WEFT0441\]/m);
  expect(exit).toBe(2);
  expect(metadataOf('a').annotations).toEqual({});
  expect((await weft('skip', 'a')).exit).toBe(0);
  expect(metadataOf('a').labels).toMatchObject({ [allKeys('weft-sriov').skip]: 'true' });
});

describe('weft upgrade retry', () => {
  const failedJob = {
    metadata: { name: 'weft-companion-1', uid: 'j1' },
    status: { conditions: [{ type: 'Failed', status: 'True' }] },
  };
  const ofCronJob = { ...failedJob, metadata: { name: 'weft-companion-2', uid: 'j2', ownerReferences: [{}] } };
  const jobs = { [JOBS]: { items: [failedJob, ofCronJob] } };
  const jobNames = () =>
    (cluster()[JOBS] as { readonly items: readonly (typeof failedJob)[] }).items.map(({ metadata }) => metadata.name);

  it('sets a failed node back, and keeps the failed Job until the node is done', async () => {
    writeCluster({ a: failed('no room'), b: { state: 'upgrade-done' } }, jobs);
    const { stdout, exit } = await weft('retry', 'a');
    expect(metadataOf('a').labels[KEYS.state]).toBe('upgrade-required');
    expect(stdout).toContain('upgrade-failed → upgrade-required; it had failed: no room');
    expect(stdout).toContain('Job weft-companion-1 failed: it stays until a is done');
    expect(jobNames()).toHaveLength(2);
    expect(exit).toBe(1);
  });

  it('takes away the mark of a wait before the failure, and keeps the reason of the failure', async () => {
    const node = failed('no room');
    const record = (due: readonly string[]) => JSON.stringify({ due, failure: 'no room' });
    writeCluster({
      a: { ...node, annotations: { ...node.annotations, [KEYS.outdated]: 'true' } },
      b: { ...node, annotations: { [MAINTENANCE_ANNOTATION]: record(['gpu', 'ofed']) } },
    });
    const { stdout } = await weft('retry', 'a', 'b');
    expect(stdout.match(/it had failed: no room/g)).toHaveLength(2);
    expect(metadataOf('a').annotations).toEqual({ [KEYS.failure]: 'no room' });
    expect(metadataOf('b').annotations).toEqual({ [MAINTENANCE_ANNOTATION]: record(['gpu']) });
  });

  it('deletes the failed Job when all nodes are done, and not those of the CronJob', async () => {
    writeCluster({ a: { state: 'upgrade-done' }, b: { state: 'upgrade-required' } }, jobs);
    const { stdout, exit } = await weft('retry');
    expect(stdout).toContain('Job weft-companion-1: deleted: every node is done');
    expect(jobNames()).toEqual(['weft-companion-2']);
    expect(exit).toBe(0);
  });

  it('refuses a node that did not fail', async () => {
    writeCluster({ a: { state: 'upgrade-done' } });
    const { stdout, exit } = await weft('retry', 'a');
    expect(stdout).toContain('a: its state is `upgrade-done`, and only a failed node is tried again');
    expect(exit).toBe(1);
  });
});

describe('weft upgrade pause and resume', () => {
  const annotations = () =>
    (cluster()[STATUS] as { readonly metadata: { readonly annotations?: Readonly<Record<string, string>> } }).metadata
      .annotations ?? {};

  it('write the annotation, also before the first run of the companion', async () => {
    writeCluster({ a: { state: 'drain-required' } });
    const paused = await weft('pause');
    expect(paused).toMatchObject({ exit: 0, stdout: expect.stringContaining('nodes that have begun are finished: a') });
    expect(annotations()).toEqual({ [PAUSED_ANNOTATION]: 'true' });
    expect(await weft('pause')).toMatchObject({ exit: 0, stdout: expect.stringContaining('it is paused already') });
    expect(await weft('resume')).toMatchObject({ exit: 0, stdout: expect.stringContaining('resumed') });
    expect(annotations()).toEqual({});
    expect(await weft('resume')).toMatchObject({ exit: 0, stdout: expect.stringContaining('it was not paused') });
  });

  it('keep what else is in the ConfigMap', async () => {
    const metadata = { name: 'weft-companion-status', resourceVersion: '4', annotations: { other: 'x' } };
    writeCluster({}, { [STATUS]: { metadata, data: { summary: 'done' } } });
    await weft('pause', '-o', 'json');
    expect(annotations()).toEqual({ other: 'x', [PAUSED_ANNOTATION]: 'true' });
    expect(cluster()[STATUS]).toMatchObject({ data: { summary: 'done' } });
  });
});

it('weft upgrade run --now has windows ignored by every companion of the cluster, for a time', async () => {
  const metadata = { name: 'weft-companion-status', resourceVersion: '4', annotations: { other: 'x' } };
  writeCluster({}, { [STATUS]: { metadata, data: {} } });
  const before = Date.now();
  const { stdout } = await weft('run', '--now', '2h');
  const { annotations } = (cluster()[STATUS] as { readonly metadata: { readonly annotations: Record<string, string> } })
    .metadata;
  const until = annotations[IGNORE_WINDOWS_ANNOTATION] ?? '';
  expect(Date.parse(until) - before).toBeGreaterThan(2 * 3_600_000 - 2_000);
  expect(annotations).toEqual({ other: 'x', [IGNORE_WINDOWS_ANNOTATION]: until });
  expect(stdout).toContain(`maintenance windows are ignored until ${until}`);
  const wrong = await weft('run', '--now', 'soon');
  expect(wrong).toMatchObject({ exit: 2, stderr: expect.stringContaining('It is a duration such as `30m` or `4h`') });
});

describe('weft upgrade explain', () => {
  it('tells what was decided, by which rule, and what can be done', async () => {
    const event = {
      metadata: { name: 'a.1', annotations: { 'weft.dev/transitions': 'begin cordon' } },
      involvedObject: { name: 'a' },
      reason: 'OFEDDriverUpgrade',
      message: 'its maintenance begins; it is cordoned (upgrade-required → wait-for-jobs-required)',
      lastTimestamp: '2026-03-01T12:00:00Z',
      count: 2,
    };
    const others = [
      { ...event, involvedObject: { name: 'b' } },
      { ...event, reason: 'GPUDriverUpgrade' },
    ];
    writeCluster(
      { a: failed('no room'), b: {} },
      { '/api/v1/namespaces/default/events': { items: [event, ...others] } },
    );
    const { stdout, exit } = await weft('explain', 'a');
    expect(exit).toBe(10);
    expect(stdout).toContain('a: ofed driver no driver pod, state upgrade-failed, not cordoned');
    expect(stdout).toContain('2026-03-01 12:00:00Z  [begin, cordon] its maintenance begins; it is cordoned');
    expect(stdout).toContain('(2 times)');
    expect(stdout.match(/begin, cordon/g)).toHaveLength(1);
    expect(stdout).toContain('it waits (failed): no room');
    expect(stdout).toContain('repaired → validate: it was repaired');
    expect(stdout).toContain('`weft upgrade retry a` to begin again');
    const { stdout: json } = await weft('explain', 'a', '-o', 'json');
    expect(JSON.parse(json)).toMatchObject({ state: 'upgrade-failed', waiting: { kind: 'failed' }, nextSteps: [] });
  });

  it('says that the Events may not be listed, and has the rest', async () => {
    const events = { kind: 'Status', code: 403, reason: 'Forbidden', message: 'events is forbidden' };
    const node = failed('no room');
    const older = { ...node.annotations, [KEYS.drainStart]: '1772366400' };
    const record = { failure: 'no room', since: { 'drain-required': 1772366400 } };
    for (const annotations of [older, { [MAINTENANCE_ANNOTATION]: JSON.stringify(record) }]) {
      writeCluster({ a: { ...node, annotations } }, { '/api/v1/namespaces/default/events': events });
      const { stdout, exit } = await weft('explain', 'a');
      expect(stdout).toMatch(
        /^What was decided\n {2}2026-03-01 12:00:00Z {2}its drain began .*\n {2}Events cannot be listed: events is forbidden/m,
      );
      expect(stdout).toContain('it waits (failed): no room');
      expect(exit).toBe(10);
    }
  });

  it('says first that the kubelet of the node does not report', async () => {
    const since = { type: 'Ready', status: 'Unknown', lastTransitionTime: '2026-03-01T12:00:00Z' };
    writeCluster({ a: { state: 'pod-restart-required', status: { conditions: [since] } } });
    const { stdout } = await weft('explain', 'a');
    expect(stdout).toMatch(/it waits \(.*\): its kubelet has not reported since 2026-03-01T12:00:00Z; /);
    expect(stdout).toMatch(/What you can do\n {2}repair the node: its kubelet does not report/);
  });

  it('has what the API server said when the DaemonSet last could not create its pod', async () => {
    const event = (lastTimestamp: string, message: string, more: object = {}) => ({
      ...{ metadata: { name: message }, involvedObject: { kind: 'DaemonSet', name: 'mofed' }, reason: 'FailedCreate' },
      ...{ lastTimestamp, message, ...more },
    });
    const items = [
      event('2026-03-01T12:05:00Z', 'insufficient quota to match these scopes: [{PriorityClass In [x]}]'),
      event('2026-03-01T12:00:00Z', 'an older one'),
      event('2026-03-01T12:06:00Z', 'of another', { involvedObject: { name: 'other' } }),
    ];
    const daemonSet = {
      metadata: { namespace: NAMESPACE, name: 'mofed', uid: 'd', labels: { 'nvidia.com/ofed-driver': '' } },
      spec: { template: { spec: {} } },
    };
    writeCluster(
      { a: { state: 'pod-restart-required' } },
      {
        [`/apis/apps/v1${NAMESPACED}/daemonsets`]: { metadata: { resourceVersion: '9' }, items: [daemonSet] },
        [`/api/v1${NAMESPACED}/events`]: { items },
      },
    );
    const said = `DaemonSet ${NAMESPACE}/mofed could not create a pod at 2026-03-01T12:05:00Z: insufficient quota to match these scopes: [{PriorityClass In [x]}]; GKE needs a ResourceQuota, see WEFT0349`;
    expect((await weft('explain', 'a')).stdout).toContain(said);
    expect((await weft('explain', 'a')).stdout).not.toContain('could not create a pod at 2026-03-01T12:06');
  });

  it('has the time of the request to the Maintenance Operator without Events', async () => {
    const annotations = { [KEYS.maintenanceStart]: '1772366400' };
    writeCluster({ a: { state: 'node-maintenance-required', annotations } });
    const { stdout } = await weft('explain', 'a');
    expect(stdout).toContain('2026-03-01 12:00:00Z  the Maintenance Operator was asked for it');
  });
});

describe('weft upgrade logs', () => {
  const line = (message: string, node: string) =>
    JSON.stringify({ time: '2026-03-01T12:00:00.000Z', level: 'info', message, driver: 'ofed', node });
  const pod = (name: string, creationTimestamp: string) => ({ metadata: { name, creationTimestamp } });
  const logOf = (name: string) => `/api/v1${NAMESPACED}/pods/${name}/log`;
  const pods = {
    [`/api/v1${NAMESPACED}/pods`]: { items: [pod('old', '2026-01-01T00:00:00Z'), pod('new', '2026-03-01T00:00:00Z')] },
    [logOf('old')]: line('old', 'a'),
    [logOf('new')]: `${line('it is drained', 'a')}\nno JSON\n${line('pod evicted', 'b')}\n`,
  };

  it.each([
    {
      name: 'for people',
      args: [],
      expected: '12:00:00 ofed: a: it is drained\nno JSON\n12:00:00 ofed: b: pod evicted\n',
    },
    { name: 'of one node', args: ['b'], expected: '12:00:00 ofed: b: pod evicted\n' },
    { name: 'as it is', args: ['a', '-o', 'json'], expected: `${line('it is drained', 'a')}\n` },
  ])('print the log of the newest pod, $name', async ({ args, expected }) => {
    writeCluster({}, pods);
    const { stdout, exit } = await weft('logs', ...args);
    expect(stdout).toBe(expected);
    expect(exit).toBe(0);
  });
});
