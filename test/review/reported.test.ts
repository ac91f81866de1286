import { describe, expect, it } from '@jest/globals';
import type { ImpactClass } from '../../src/review/impact/impact.js';
import {
  filesOf,
  NAMESPACE,
  nodeIn,
  type Input,
  type NodeInput,
  type Pair,
  type PolicyInput,
  type PoolInput,
} from './pairs.js';
import { rollOut, type Measured } from './rollout.js';
import { documentOf, saidSets, upgradedNodes } from './said.js';
import { sideOf } from './sides.js';

/** Changes that once did something else than the review said: what it says now, and what the companion does. */

const K1 = '6.8.0-31';
const K2 = '6.8.0-45';
const OLD_VERSION = '25.07-0.9.7.0-0';
const NEW_VERSION = '25.10-1.2.8.0-2';
const CLUSTER_POLICY = 'nic-cluster-policy';

const pool = (name: string, more: Partial<PoolInput> = {}): PoolInput => ({
  ...{ name, labels: { pool: name }, kernels: [K1], osVersion: '24.04', arch: 'amd64', isTainted: false },
  ...more,
});

const policy = (name: string, more: Partial<PolicyInput> = {}): PolicyInput => ({
  ...{ name, nodeSelector: {}, hasDriver: true, version: OLD_VERSION, autoUpgrade: true },
  ...{ drain: DRAINS, waitsForJobs: false, safeLoad: false, certConfig: undefined, maxParallelUpgrades: 1 },
  ...{ env: undefined, probeSeconds: 10, isTolerant: false },
  ...more,
});
const DRAINS = { enable: true, force: false, podSelector: '' };
const DRAIN_OFF = { ...DRAINS, enable: false };
const everywhere = (more: Partial<PolicyInput> = {}) => policy(CLUSTER_POLICY, more);
const onPool = (name: string, poolName: string, more: Partial<PolicyInput> = {}) =>
  policy(name, { nodeSelector: { pool: poolName }, ...more });

const input = (pools: readonly PoolInput[], policies: readonly PolicyInput[], more: Partial<Input> = {}): Input => ({
  ...{ pools, policies, gate: 'ready-file', uninstall: false, isPaused: false, failureBudget: 1 },
  ...{ initImage: 'r.example/init:1', namespace: NAMESPACE, discoveryVersion: 'v1', resources: undefined },
  ...{ soak: undefined, hasWindow: false, upgradePools: [] },
  ...more,
});

interface Case {
  readonly name: string;
  readonly old: Input;
  readonly next: Input;
  /** By name, the pool and the kernel of each node; default: one of each pool of the old side at its first kernel, named as the pool. */
  readonly nodes?: Readonly<Record<string, readonly [PoolInput, string]>>;
  readonly happens: Partial<Omit<Measured, 'log' | 'problems'>>;
  /** The worst class of an object. */
  readonly worst: ImpactClass;
  /** A note on an object of the worst class. */
  readonly note?: RegExp;
}

const [A, B] = [pool('a'), pool('b')];
const ARM = pool('arm', { arch: 'arm64' });

const CASES: readonly Case[] = [
  {
    name: 'a pool is deleted, and others stay',
    old: input([A, pool('b', { osVersion: '22.04' })], [everywhere()]),
    next: input([A], [everywhere()]),
    happens: { outdated: ['b'] },
    worst: 'driver-loss',
    note: /nothing upgrades it.*no driver DaemonSet is for ubuntu 22\.04/,
  },
  {
    name: 'a pool gets a taint that its driver does not tolerate',
    old: input([A], [everywhere()]),
    next: input([pool('a', { isTainted: true })], [everywhere()]),
    nodes: { free: [A, K1], tainted: [pool('a', { isTainted: true }), K1] },
    happens: { outdated: ['free'] },
    worst: 'driver-loss',
    note: /nothing upgrades it/,
  },
  {
    name: 'no drain any more, and no limit',
    old: input([A], [everywhere()]),
    next: input([A], [everywhere({ drain: DRAIN_OFF, maxParallelUpgrades: 0 })]),
    happens: {},
    worst: 'policy',
    note: /pods lose their NIC: nodes are not drained any more.*\n.*no limit on nodes that are upgraded at once/,
  },
  {
    name: 'no drain any more, with another version',
    old: input([A], [everywhere()]),
    next: input([A], [everywhere({ drain: DRAIN_OFF, version: NEW_VERSION })]),
    happens: { lost: ['a'] },
    worst: 'driver-loss',
    note: /pods lose their NIC without a drain/,
  },
  {
    name: 'a kernel that no node runs yet replaces another',
    old: input([A], [everywhere()]),
    next: input([pool('a', { kernels: [K2] })], [everywhere()]),
    happens: { outdated: ['a'] },
    worst: 'driver-loss',
    note: /the nodes keep driver.*nothing upgrades it; no driver DaemonSet is for kernel/,
  },
  {
    name: 'the OS of a pool changes, and its kernel stays',
    old: input([A, pool('b', { kernels: [K2] })], [everywhere()]),
    next: input([pool('a', { osVersion: '22.04' }), pool('b', { kernels: [K2] })], [everywhere()]),
    happens: { outdated: ['a'] },
    worst: 'driver-loss',
    note: /nothing upgrades it; no driver DaemonSet is for ubuntu 24\.04 with kernel 6\.8\.0-31/,
  },
  {
    // Of the pools with one kernel the one that is not amd64 has its architecture in the name of its DaemonSet; alone it has the plain name.
    name: 'the kernel of one of two architectures moves on',
    old: input([A, ARM], [everywhere()]),
    next: input([pool('a', { kernels: [K2] }), ARM], [everywhere()]),
    happens: { lost: ['a'], withoutDriver: ['a'], drained: ['arm'] },
    worst: 'driver-loss',
    note: /pool `a`.*no driver at the end; its pod is deleted when this is applied/,
  },
  {
    name: 'the kernel of one of two architectures with kernels of their own moves on',
    old: input([A, pool('arm', { arch: 'arm64', kernels: ['6.8.0-60'] })], [everywhere()]),
    next: input([pool('a', { kernels: [K2] }), pool('arm', { arch: 'arm64', kernels: ['6.8.0-60'] })], [everywhere()]),
    happens: { outdated: ['a'] },
    worst: 'driver-loss',
    note: /nothing upgrades it; no driver DaemonSet is for/,
  },
  {
    name: 'the pool of another architecture goes',
    old: input([A, ARM], [everywhere()]),
    next: input([A], [everywhere()]),
    happens: { outdated: ['arm'] },
    worst: 'driver-loss',
    note: /nothing upgrades it; no driver DaemonSet is for arm64/,
  },
  {
    name: 'one of two NicNodePolicies goes',
    old: input([A, B], [onPool('p', 'a'), onPool('q', 'b', { drain: DRAIN_OFF })]),
    next: input([A, B], [onPool('q', 'b', { drain: DRAIN_OFF })]),
    happens: { outdated: ['a'] },
    worst: 'driver-loss',
    note: /nothing upgrades it/,
  },
  {
    name: 'the section of one of two NicNodePolicies goes',
    old: input([A, B], [onPool('p', 'a'), onPool('q', 'b', { drain: DRAIN_OFF })]),
    next: input([A, B], [onPool('p', 'a', { hasDriver: false }), onPool('q', 'b', { drain: DRAIN_OFF })]),
    happens: { outdated: ['a'] },
    worst: 'driver-loss',
    note: /nothing upgrades it/,
  },
  {
    name: 'the selector of one of two NicNodePolicies becomes wider',
    old: input(
      [pool('a', { labels: { pool: 'a', zone: 'x' } }), B],
      [policy('p', { nodeSelector: { pool: 'a', zone: 'x' } })],
    ),
    next: input([pool('a', { labels: { pool: 'a', zone: 'x' } }), B], [policy('p', { nodeSelector: { zone: 'x' } })]),
    happens: {},
    worst: 'metadata',
  },
  {
    name: 'the selector of a policy without autoUpgrade becomes another',
    old: input([A, B], [onPool('p', 'a', { autoUpgrade: false })]),
    next: input([A, B], [onPool('p', 'b', { autoUpgrade: false })]),
    happens: { lost: ['a'], withoutDriver: ['a'] },
    worst: 'driver-loss',
    note: /its pod is deleted when this is applied/,
  },
  {
    name: 'a renamed pool gains a label that its nodes have',
    old: input([A], [onPool('p', 'a')]),
    next: input(
      [pool('new', { labels: { pool: 'a', zone: 'x' } })],
      [policy('p', { nodeSelector: { pool: 'a', zone: 'x' } })],
    ),
    nodes: { a: [pool('a', { labels: { pool: 'a', zone: 'x' } }), K1] },
    happens: {},
    worst: 'metadata',
  },
  {
    name: "a pool's label and the policy's selector change together",
    old: input([A], [onPool('p', 'a')]),
    next: input([pool('a', { labels: { pool: 'z' } })], [onPool('p', 'z')]),
    nodes: { before: [A, K1], after: [pool('a', { labels: { pool: 'z' } }), K1] },
    happens: { lost: ['before'], withoutDriver: ['before'] },
    worst: 'driver-loss',
    note: /its pod is deleted when this is applied/,
  },
  {
    name: 'only the label of a pool changes',
    old: input([A], [onPool('p', 'a')]),
    next: input([pool('a', { labels: { pool: 'z' } })], [onPool('p', 'a')]),
    happens: { outdated: ['a'] },
    worst: 'driver-loss',
    note: /nothing upgrades it/,
  },
  {
    name: 'a policy without autoUpgrade goes',
    old: input([A, B], [onPool('p', 'a', { autoUpgrade: false }), onPool('q', 'b')]),
    next: input([A, B], [onPool('q', 'b')]),
    happens: { outdated: ['a'] },
    worst: 'driver-loss',
    note: /nothing upgrades it/,
  },
  {
    name: 'a policy without autoUpgrade is renamed with another kernel, and another policy has it',
    old: input([A, B], [onPool('p', 'a', { autoUpgrade: false }), onPool('q', 'b')]),
    next: input([pool('a', { kernels: [K2] }), B], [onPool('r', 'a', { autoUpgrade: false }), onPool('q', 'b')]),
    happens: { outdated: ['a'] },
    worst: 'driver-loss',
    note: /nothing upgrades it/,
  },
  {
    name: 'another version while the companion is paused',
    old: input([A], [everywhere()]),
    next: input([A], [everywhere({ version: NEW_VERSION })], { isPaused: true }),
    happens: { outdated: ['a'] },
    worst: 'driver-loss',
    note: /nothing upgrades it/,
  },
  {
    name: 'another version, and nodes are not drained',
    old: input([A], [everywhere({ drain: DRAIN_OFF })]),
    next: input([A], [everywhere({ drain: DRAIN_OFF, version: NEW_VERSION })]),
    happens: { lost: ['a'] },
    worst: 'driver-loss',
    note: /pods lose their NIC without a drain/,
  },
];

const NONE = { drained: [], lost: [], withoutDriver: [], outdated: [], restarted: [] };

describe('what the review says, and what happens', () => {
  it.each(CASES)('$name', async ({ old, next, nodes, happens, worst, note = /(?:)/ }) => {
    const places =
      nodes ?? Object.fromEntries(old.pools.map((one) => [one.name, [one, one.kernels[0] ?? '']] as const));
    const found = Object.entries(places).map(([name, [at, kernel]]): NodeInput => ({
      name,
      ...nodeIn(at, kernel, at.isTainted),
    }));
    const pair: Pair = { seed: 0, changes: [], old, next, nodes: found };
    const sides = [sideOf(filesOf(old)), sideOf(filesOf(next))] as const;
    const document = documentOf(pair, ...sides);
    const { log, ...measured } = await rollOut(0, ...sides, found, upgradedNodes(document));
    expect(measured).toEqual({ ...NONE, ...happens, problems: [] });
    expect({ ...saidSets(document), end: log.at(-1) }).toEqual({ ...measured, end: log.at(-1) });
    const objects = document.clusters.flatMap((cluster) => cluster.objects);
    expect(objects[0]?.impact).toBe(worst);
    const notes = objects.filter(({ impact }) => impact === worst).map((object) => object.notes.join('\n'));
    expect(notes.join('\n')).toMatch(note);
  });
});
