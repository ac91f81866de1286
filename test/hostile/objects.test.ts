import { describe, expect, it } from '@jest/globals';
import { leaseOf } from '../../src/companion/runtime/kube-port/bodies.js';
import { reduceGpuClaim } from '../../src/companion/runtime/kube-port/gpu-claims.js';
import { reduceNodeMaintenance } from '../../src/companion/runtime/kube-port/node-maintenances.js';
import {
  dataWrittenMs,
  reduceBudget,
  reduceDaemonSet,
  reduceNode,
  reducePod,
  reduceRevision,
} from '../../src/companion/runtime/kube-port/reduce.js';
import { reduceSriovNodeState } from '../../src/companion/runtime/kube-port/sriov-node-states.js';
import { blockersIn } from '../../src/companion/core/drain/blockers.js';
import { podBudgetsIn } from '../../src/companion/core/drain/budgets.js';
import { isObject } from '../../src/shared/lib/json.js';
import { policyText } from '../golden/compile.js';
import { pod, snapshot } from '../kit/snapshots.js';
import { shareOf } from '../kit/shares.js';
import { runWeft } from '../kit/run-weft.js';
import { CLUSTER, cwd, put, setUpFolder } from './kit.js';

/**
 * Anybody who may create an object writes what is in it. No text of it takes the companion longer than other text, and none that the API server
 * does not limit is kept at its length. Times are those of a hang: the pattern that this is about took more than a minute.
 */
const LENGTH = 400_000;
const HANG_MS = 20_000;
const CHARACTERS = [':', ',', '/', '@', ' ', 'a', '\n', '(', '-', '=', '0', '\u{1f4a9}'];
/** The end makes a pattern that matches them try again from each character. */
const TEXTS = CHARACTERS.flatMap((one) => ['', '/', '@\n'].map((end) => one.repeat(LENGTH) + end));

const meta = {
  ...{ name: 'x', namespace: 'tenant', uid: 'u', resourceVersion: '1', creationTimestamp: '2026-01-06T12:00:00Z' },
  ...{ labels: { app: 'x' }, annotations: { note: 'x' }, finalizers: ['example.com/x'] },
  deletionTimestamp: '2026-01-06T12:00:00Z',
  managedFields: [{ time: '2026-01-06T12:00:00Z', fieldsV1: { 'f:data': {} } }],
  ownerReferences: [{ apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'x', uid: 'u', controller: true }],
};
const podSpec = {
  nodeName: 'n1',
  nodeSelector: { a: 'b' },
  containers: [
    { name: 'c', image: 'x/y:1', env: [{ name: 'A', value: 'b' }], resources: { requests: { 'a/b': '1' } } },
  ],
  initContainers: [{ name: 'i', image: 'x/y:1', resources: { limits: { 'a/b': '1' } } }],
  tolerations: [{ key: 'a', operator: 'Equal', value: 'b', effect: 'NoSchedule' }],
  volumes: [{ name: 'v', emptyDir: {} }],
};
const running = { name: 'c', ready: true, state: { running: { startedAt: '2026-01-06T12:00:00Z' } } };
const waiting = { name: 'c', state: { waiting: { reason: 'x' }, terminated: { finishedAt: 'x' } } };
const conditions = [{ type: 'Ready', status: 'True', reason: 'Ready', message: 'x', lastTransitionTime: 'x' }];
const expression = { key: 'a', operator: 'In', values: ['b'] };

/** What the companion reads of each kind. */
const KINDS: readonly { readonly kind: string; readonly object: object; readonly read: (object: object) => unknown }[] =
  [
    {
      kind: 'Node',
      read: reduceNode,
      object: {
        metadata: meta,
        spec: { taints: [{ key: 'a', value: 'b', effect: 'NoSchedule', timeAdded: 'x' }] },
        status: { conditions, allocatable: { cpu: '1' } },
      },
    },
    {
      kind: 'Pod',
      read: reducePod,
      object: {
        ...{ metadata: meta, spec: podSpec },
        status: { phase: 'Running', conditions, containerStatuses: [running], initContainerStatuses: [waiting] },
      },
    },
    {
      kind: 'DaemonSet',
      read: reduceDaemonSet,
      object: {
        metadata: meta,
        spec: { template: { metadata: meta, spec: podSpec }, updateStrategy: { type: 'OnDelete' } },
      },
    },
    {
      kind: 'ControllerRevision',
      read: reduceRevision,
      object: { metadata: meta, data: { spec: { template: { metadata: meta, spec: podSpec } } } },
    },
    {
      kind: 'PodDisruptionBudget',
      read: reduceBudget,
      object: { metadata: meta, spec: { selector: { matchLabels: { a: 'b' }, matchExpressions: [expression] } } },
    },
    { kind: 'ConfigMap', read: dataWrittenMs, object: { metadata: meta, data: { a: 'b' } } },
    { kind: 'Lease', read: leaseOf, object: { metadata: meta, spec: { holderIdentity: 'x', renewTime: 'x' } } },
    {
      kind: 'SriovNetworkNodeState',
      read: reduceSriovNodeState,
      object: {
        metadata: meta,
        spec: { interfaces: [{ vfGroups: [{ resourceName: 'x' }] }] },
        status: { syncStatus: 'Succeeded', lastSyncError: 'x' },
      },
    },
    {
      kind: 'NodeMaintenance',
      read: reduceNodeMaintenance,
      object: {
        metadata: meta,
        spec: { requestorID: 'x', additionalRequestors: ['x'], nodeName: 'n1' },
        status: { conditions, waitForCompletion: ['x'], drain: { waitForEviction: ['x'] } },
      },
    },
    {
      kind: 'ResourceClaim',
      read: reduceGpuClaim,
      object: {
        metadata: meta,
        status: {
          allocation: { devices: { results: [{ driver: 'gpu.nvidia.com' }] } },
          reservedFor: [{ resource: 'pods', uid: 'u' }],
        },
      },
    },
  ];

const POLICY = policyText(
  'NicClusterPolicy',
  'nic-cluster-policy',
  '  ofedDriver:\n    upgradePolicy: {autoUpgrade: true, drain: {enable: true}}\n',
);

type Path = readonly (string | number)[];

function* leaves(value: unknown, path: Path = []): Generator<Path> {
  if (typeof value === 'string') yield path;
  else if (Array.isArray(value)) for (const [index, one] of value.entries()) yield* leaves(one, [...path, index]);
  else if (isObject(value)) for (const [key, one] of Object.entries(value)) yield* leaves(one, [...path, key]);
}

function withText(value: unknown, [step, ...rest]: Path, text: string): unknown {
  if (step === undefined) return text;
  if (Array.isArray(value)) return value.map((one, at) => (at === step ? withText(one, rest, text) : (one as unknown)));
  return { ...(value as object), [step]: withText((value as Record<string, unknown>)[step], rest, text) };
}

/** Text that the API server limits, or that only those write who are trusted with nodes: the namespace of the drivers, kubelets, operators. */
const LIMITED: Readonly<Record<string, RegExp>> = {
  Node: /^(?:metadata\.|spec\.taints|status\.allocatable)/,
  Pod: /^(?:metadata\.(?:name|namespace|uid|resourceVersion|labels|finalizers)|spec\.nodeName|status\.\w+\.0\.name)/,
  DaemonSet: /./,
  ControllerRevision: /./,
  PodDisruptionBudget: /./,
  Lease: /./,
  SriovNetworkNodeState: /^(?:metadata\.|spec\.)/,
  NodeMaintenance: /^(?:metadata\.|spec\.|status\.(?:waitForCompletion|drain))/,
  ResourceClaim: /^(?:metadata\.|status\.reservedFor)/,
};

describe('text of any length in each field of each kind', () => {
  it.each(KINDS)('$kind', ({ kind, object, read }) => {
    const start = performance.now();
    const kept = [...leaves(object)].filter((path) => {
      const lengths = TEXTS.map((text) => JSON.stringify([read(withText(object, path, text) as object)]).length);
      return Math.max(...lengths) > LENGTH / 10 && LIMITED[kind]?.test(path.join('.')) !== true;
    });
    expect(kept).toEqual([]);
    expect(performance.now() - start).toBeLessThan(HANG_MS);
  });
});

describe('objects with thousands of parts', () => {
  const many = <Part>(count: number, part: (index: number) => Part) =>
    Array.from({ length: count }, (_, at) => part(at));

  it('a pod is reduced to the parts that messages name', () => {
    const finalizers = many(20_000, (at) => `example.com/${at}`);
    const tolerations = many(20_000, (at) => ({ key: `k${at}`, operator: 'Exists' }));
    const containers = many(20_000, () => ({ image: ':'.repeat(20) }));
    const one = reducePod({ metadata: { finalizers }, spec: { tolerations, containers } });
    expect(one.finalizers).toHaveLength(10);
  });

  it('of a thousand budgets of thousands of values the message of a pod names five', () => {
    const values = many(5_000, (at) => `v${at}`);
    const selector = { matchExpressions: [{ key: 'app', operator: 'In', values: [...values, 'x'] }] };
    const budgets = many(1_000, (at) => ({ namespace: 'apps', name: `b${at}`, selector, disruptionsAllowed: 0 }));
    const pods = many(200, (at) => pod('a', `p${at}`, { labels: { app: 'x' } }));
    const start = performance.now();
    const given = snapshot({ pods, budgets });
    const blockers = blockersIn(given, podBudgetsIn(given))(pods);
    expect(blockers.map((one) => one.budgets.length)).toEqual([5, 5, 5, 5]);
    expect(performance.now() - start).toBeLessThan(HANG_MS);
  });
});

describe('commands that read a cluster', () => {
  setUpFolder();

  const list = (text: string) => {
    const hostile = KINDS.filter(({ kind }) => kind === 'Node' || kind === 'Pod' || kind === 'DaemonSet').map((one) => {
      const keep = /^(?:metadata\.(?:name|namespace|uid)|status\.conditions|spec\.nodeName)/;
      const changed = [...leaves(one.object)]
        .filter((path) => !keep.test(path.join('.')))
        .reduce<unknown>((object, path) => withText(object, path, text), one.object);
      const apiVersion = one.kind === 'DaemonSet' ? 'apps/v1' : 'v1';
      return { apiVersion, kind: one.kind, ...(changed as object) };
    });
    return JSON.stringify({ apiVersion: 'v1', kind: 'List', items: hostile });
  };

  it.each(shareOf(TEXTS, 12).map((text) => ({ character: JSON.stringify(text.slice(0, 2)), text })))(
    'long text of $character ends them as any other',
    async ({ text }) => {
      put({ ...CLUSTER, 'clusters/east/policy.yaml': POLICY, 'objects.json': list(text) });
      const commands = [
        ['pools'],
        ['plan', 'east', '--snapshot', 'objects.json', '--runs', '1'],
        ['import', '--dry-run', 'clusters/new', '--from', 'objects.json'],
      ];
      for (const args of commands) {
        const start = performance.now();
        const { exit, stderr } = await runWeft(args, { cwd, readStdin: () => Promise.resolve(list(text)) });
        expect({ args, exit, isBug: exit === 3, text: exit === 3 ? stderr.slice(-500) : '' }).toMatchObject({
          isBug: false,
        });
        expect(performance.now() - start).toBeLessThan(HANG_MS);
      }
    },
  );
});
