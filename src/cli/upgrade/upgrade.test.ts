import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { driverKeys } from '../../shared/contract/labels.js';
import { installDigest } from '../../shared/contract/install-digest.js';
import type { Waiting } from '../../companion/model/types.js';
import { parsePolicy } from '../../companion/runtime/loop/policy.js';
import { statusData } from '../../companion/runtime/report/status.js';
import { runWeft, withCluster } from '../../../test/kit/run-weft.js';
import { versionOf } from './images.js';
import { headwayLine } from './render.js';
import { timeSpan } from './render-time.js';

const NAMESPACE = 'nvidia-network-operator';
const KEYS = driverKeys('ofed');
const LABEL = { 'nvidia.com/ofed-driver': '' };
const image = (version: string) => `nvcr.io/nvidia/mellanox/doca-driver:${version}-ubuntu24.04-amd64`;
const template = (version: string) => ({ spec: { containers: [{ name: 'mofed-container', image: image(version) }] } });

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'weft-upgrade-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function nodeObject(name: string, state: string, annotations: object = {}, isCordoned = false): object {
  const labels = { [KEYS.state]: state, 'feature.node.kubernetes.io/pci-15b3.present': 'true', pool: 'h100' };
  const metadata = {
    name,
    uid: name,
    resourceVersion: '1',
    labels: state === '' ? { ...labels, driver: 'none' } : labels,
    annotations,
  };
  return { metadata, spec: { unschedulable: isCordoned }, status: {} };
}

function podObject(node: string, version: string): object {
  const ownerReferences = [{ apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'mofed', uid: 'd1', controller: true }];
  const metadata = {
    namespace: NAMESPACE,
    name: `mofed-${node}`,
    uid: `p-${node}`,
    labels: { ...LABEL, 'controller-revision-hash': version },
    ownerReferences,
  };
  const containerStatuses = [{ name: 'mofed-container', ready: true, restartCount: 0, state: { running: {} } }];
  return {
    metadata,
    spec: { ...template(version).spec, nodeName: node },
    status: { phase: 'Running', containerStatuses },
  };
}

/** Three nodes, of which one is done, one failed and one waits, and a node without a driver. */
function writeCluster(states: Readonly<Record<string, string>>, lease?: object): string {
  const nodeSelector = { pool: 'h100' };
  const daemonSet = {
    metadata: {
      namespace: NAMESPACE,
      name: 'mofed',
      uid: 'd1',
      labels: LABEL,
      generation: 1,
      annotations: { 'weft.dev/install-digest': installDigest(template('26.01')) },
    },
    spec: {
      template: {
        spec: {
          ...template('26.01').spec,
          affinity: {
            nodeAffinity: {
              requiredDuringSchedulingIgnoredDuringExecution: {
                nodeSelectorTerms: [{ matchExpressions: [{ key: 'driver', operator: 'DoesNotExist' }] }],
              },
            },
          },
        },
      },
    },
    status: { observedGeneration: 1 },
  };
  const policy = {
    ...{ apiVersion: 'weft.dev/v1alpha1', kind: 'UpgradePolicy' },
    rollout: { pools: [{ name: 'training', nodeSelector }] },
    drivers: [
      {
        ...{ kind: 'ofed', namespace: NAMESPACE, containerName: 'mofed-container' },
        ...{ daemonSetSelector: 'nvidia.com/ofed-driver', podSelector: 'nvidia.com/ofed-driver' },
        policies: [
          {
            name: 'NicClusterPolicy',
            upgradePolicy: { autoUpgrade: true },
            daemonSets: [{ name: 'mofed', digest: installDigest(template('26.01')) }],
          },
        ],
      },
    ],
  };
  const revision = (hash: string) => ({
    metadata: {
      ...{ name: `mofed-${hash}`, namespace: NAMESPACE },
      labels: { 'controller-revision-hash': hash },
      ownerReferences: [{ apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'mofed', uid: 'd1', controller: true }],
    },
    data: { spec: { template: template(hash) } },
  });
  const list = (items: readonly object[]) => ({ metadata: { resourceVersion: '9' }, items });
  const names = Object.keys(states);
  const nodes = names.map((name) => nodeObject(name, states[name] ?? '', {}, states[name] === 'upgrade-failed'));
  const pods = names
    .filter((name) => states[name] !== '')
    .map((name) => podObject(name, states[name] === 'upgrade-done' ? '26.01' : '25.10'));
  const namespaced = `/namespaces/${NAMESPACE}`;
  const cluster = {
    '/api/v1/nodes': list(nodes),
    '/api/v1/pods': list(pods),
    [`/api/v1${namespaced}/pods`]: list(pods),
    [`/apis/apps/v1${namespaced}/daemonsets`]: list([daemonSet]),
    [`/apis/apps/v1${namespaced}/controllerrevisions`]: list([revision('26.01'), revision('25.10')]),
    [`/api/v1${namespaced}/configmaps/weft-companion-policy`]: { data: { 'policy.json': JSON.stringify(policy) } },
    ...(lease !== undefined && {
      [`/apis/coordination.k8s.io/v1${namespaced}/leases/weft-companion`]: { metadata: {}, spec: lease },
    }),
  };
  const file = join(folder, 'cluster.json');
  writeFileSync(file, JSON.stringify(cluster));
  return file;
}

async function weft(
  args: string,
  cluster: string,
): Promise<{ readonly stdout: string; readonly stderr: string; readonly exit: number }> {
  return runWeft(args.split(' '), {
    cwd: folder,
    env: withCluster(cluster),
    isStdinTerminal: true,
  });
}

const MIXED = { a: 'upgrade-done', b: 'upgrade-failed', c: 'upgrade-required', d: '' };

describe('weft upgrade status', () => {
  it('shows what failed first, and says what waits for what', async () => {
    const lease = { holderIdentity: 'weft-companion-x', renewTime: new Date(Date.now() - 4_000).toISOString() };
    const { stdout, exit } = await weft('upgrade status', writeCluster(MIXED, lease));
    const rows = stdout.split('\n').map((line) => line.split(/ {2,}/));
    expect(rows[0]).toEqual(['NODE', 'UPGRADE POOL', 'DRIVER', 'STATE', 'SINCE', 'WAITS FOR']);
    expect(rows[1]?.slice(0, 4)).toEqual(['b', 'training', '25.10 → 26.01', 'upgrade-failed']);
    expect(rows[2]?.slice(0, 4)).toEqual(['c', 'training', '25.10 → 26.01', 'upgrade-required']);
    expect(rows[3]?.slice(0, 4)).toEqual(['a', 'training', '26.01', 'upgrade-done']);
    expect(stdout).toMatch(/the Lease is held by weft-companion-x, renewed \d+s ago/);
    expect(stdout).toContain('1 node with NICs that no driver DaemonSet covers: d (');
    expect(stdout).toContain('1 of 3 nodes are done');
    expect(exit).toBe(10);
  });

  it('says of a node whose turn has come that the companion is to begin', async () => {
    const { stdout } = await weft('upgrade status', writeCluster({ a: 'upgrade-done', c: 'upgrade-required' }));
    expect(stdout).toMatch(/^c .* upgrade-required +- +its turn has come, the companion is to begin$/m);
  });

  it('exits 1 while work is left and 0 when none is', async () => {
    expect((await weft('upgrade status', writeCluster({ a: 'upgrade-done', c: 'upgrade-required' }))).exit).toBe(1);
    expect((await weft('upgrade status --watch', writeCluster({ a: 'upgrade-done' }))).exit).toBe(0);
  });

  it('is a document for programs with -o json', async () => {
    const { stdout } = await weft('upgrade status -o json', writeCluster(MIXED));
    expect(JSON.parse(stdout)).toMatchObject({
      lease: null,
      headway: { done: 1, total: 3 },
      nodes: [{ node: 'b', from: '25.10', to: '26.01', state: 'upgrade-failed' }, { node: 'c' }, { node: 'a' }],
      uncovered: ['d'],
    });
  });
});

describe('what the companion wrote', () => {
  const STATUS = `/api/v1/namespaces/${NAMESPACE}/configmaps/weft-companion-status`;
  const refused: Waiting = {
    ...{ driver: 'ofed', node: 'c', state: 'drain-required', kind: 'evictions' },
    message: 'pod db/pg-0 was refused 4 times: Cannot evict pod (PodDisruptionBudget pg)',
    blockers: [
      {
        ...{ kind: 'refusal', pod: 'db/pg-0', budgets: ['pg'], reason: 'was refused 4 times' },
        retryMs: Date.now() + 3_600_000,
      },
    ],
  };

  /** A node that is drained, and a status of that policy, or of another one. */
  function clusterWith(status: { readonly hash?: string; readonly waiting?: readonly Waiting[] } | undefined): string {
    const file = writeCluster({ a: 'upgrade-done', c: 'drain-required' });
    if (status === undefined) return file;
    const cluster = JSON.parse(readFileSync(file, 'utf8')) as Record<string, { data?: Record<string, string> }>;
    const text = cluster[`/api/v1/namespaces/${NAMESPACE}/configmaps/weft-companion-policy`]?.data?.['policy.json'];
    const current = parsePolicy(text ?? '');
    if (typeof current === 'string') throw new Error(current);
    const { hash = current.hash, waiting = [refused] } = status;
    const decision = { waiting, findings: [], counts: [] };
    const problems = ['node a: a webhook says no'];
    const rest = { runId: 'weft-companion-1', failedBefore: [], listed: [], decision, problems };
    const time = new Date(Date.now() - 12_000).toISOString();
    const managedFields = [{ time, fieldsV1: { 'f:data': {} } }];
    const metadata = { resourceVersion: '4', managedFields };
    cluster[STATUS] = { metadata, data: statusData({ ...rest, policyHash: hash }) } as object;
    writeFileSync(file, JSON.stringify(cluster));
    return file;
  }

  it('is what nodes in progress wait for: the refusal, its budget, when it is tried again, and how old that is', async () => {
    const { stdout } = await weft('upgrade status', clusterWith({}));
    expect(stdout).toMatch(
      /^c .*drain-required .*was refused 4 times: Cannot evict pod \(PodDisruptionBudget pg\); tried again in \d+m$/m,
    );
    expect(stdout).toMatch(/^what nodes in progress wait for is what weft-companion-1 last wrote, 1\ds ago$/m);
    expect(stdout).toContain('fails, and is tried again: node a: a webhook says no');
    const { stdout: explained } = await weft('upgrade explain c', clusterWith({}));
    expect(explained).toContain('was refused 4 times');
    const { stdout: json } = await weft('upgrade status -o json', clusterWith({}));
    expect(JSON.parse(json)).toMatchObject({
      nodes: [
        {
          ...{ node: 'c', waitsFor: refused.message, retryMs: refused.blockers[0]?.retryMs },
          wait: { kind: 'evictions', blockers: refused.blockers },
        },
        { node: 'a' },
      ],
      companion: { kind: 'same-policy', run: 'weft-companion-1', waiting: 1, problems: ['node a: a webhook says no'] },
    });
  });

  it.each([
    {
      name: 'is of another policy',
      status: { hash: 'other' },
      said: /^the last status .* is of another policy \(weft-companion-1, 1\ds ago\)/m,
    },
    { name: 'is missing', status: undefined, said: /^no status of the companion can be read: .* is decided here/m },
    {
      name: 'is of another state of the node',
      status: { waiting: [{ ...refused, state: 'cordon-required' }] },
      said: /last wrote/,
    },
  ] as const)('counts no more where it $name', async ({ status, said }) => {
    const { stdout } = await weft('upgrade status', clusterWith(status));
    expect(stdout).toMatch(said);
    expect(stdout).not.toContain('was refused');
  });
});

describe('a node that is done and starts with another kernel', () => {
  /** As the companion left it: its state is of the driver that it had. */
  function clusterOf(): string {
    const file = writeCluster({ a: 'upgrade-done', d: '' });
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replaceAll('"driver":"none"', `"driver":"none","${KEYS.state}":"upgrade-done"`));
    return file;
  }

  it('is named as uncovered, and does not count as done', async () => {
    const { stdout, exit } = await weft('upgrade status', clusterOf());
    expect(stdout).toContain('1 node with NICs that no driver DaemonSet covers: d (');
    expect(stdout).not.toMatch(/^d /m);
    expect(stdout).toContain('1 of 1 nodes are done');
    expect(exit).toBe(0);
    const { stdout: json } = await weft('upgrade status -o json', clusterOf());
    expect(JSON.parse(json)).toMatchObject({ uncovered: ['d'], headway: { done: 1, total: 1 } });
  });

  it('is explained with what to do', async () => {
    const { stdout } = await weft('upgrade explain d', clusterOf());
    expect(stdout).toContain('it has a NIC, and no driver DaemonSet covers it');
    expect(stdout).toContain('weft pools --check');
  });
});

describe('weft upgrade run --dry-run', () => {
  it('prints the next actions', async () => {
    const { stdout, exit } = await weft(
      'upgrade run --dry-run',
      writeCluster({ a: 'upgrade-done', c: 'upgrade-required' }),
    );
    expect(stdout).toContain('c: cordon, upgrade-required → cordon-required');
    expect(stdout).toContain('no companion holds the Lease');
    expect(exit).toBe(1);
  });

  it('says when there is nothing to do', async () => {
    const { stdout, exit } = await weft('upgrade run --dry-run', writeCluster({ a: 'upgrade-done' }));
    expect(stdout).toContain('nothing to do now');
    expect(exit).toBe(0);
  });
});

describe('a cluster that cannot be asked', () => {
  it.each([
    { name: 'there is no kubectl', args: '--kubectl /nowhere/kubectl', code: 'WEFT0390' },
    { name: 'kubectl ends at once', args: '--kubectl false', code: 'WEFT0391' },
    { name: 'no companion is applied', args: '', code: 'WEFT0392' },
  ])('says that $name', async ({ args, code }) => {
    const cluster = join(folder, 'cluster.json');
    writeFileSync(cluster, '{}');
    const { stderr, exit } = await weft(`upgrade status ${args}`.trim(), cluster);
    expect(stderr).toMatch(new RegExp(`^error\\[${code}\\]`, 'm'));
    expect(exit).toBe(2);
  });
});

describe('texts', () => {
  it.each([
    ['nvcr.io/nvidia/mellanox/doca-driver:doca3.2.0-25.10-1.2.8.0-2-ubuntu24.04-amd64', 'doca3.2.0-25.10-1.2.8.0-2'],
    ['registry:5000/mofed:25.10-rhel9.4-arm64', '25.10'],
    ['mofed:25.10-1.0@sha256:abc', '25.10-1.0'],
    ['mofed@sha256:abc', 'mofed@sha256:abc'],
  ])('the version of %s', (name, expected) => expect(versionOf(name)).toBe(expected));

  it.each([
    [45_000, '45s'],
    [119_000, '119s'],
    [720_000, '12m'],
    [12_000_000, '3h20m'],
    [400_000_000, '4d'],
  ])('%d milliseconds', (ms, expected) => expect(timeSpan(ms)).toBe(expected));

  it('a bar with an estimate', () => {
    expect(headwayLine({ done: 10, total: 20, remainingMs: 840_000 })).toBe(
      '[###############---------------] 10 of 20 nodes, about 14m left\n',
    );
  });
});
