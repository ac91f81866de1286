import { digestOf } from '../../kit/digests.js';
import { makeRandom, type Random } from '../../../src/forecast/simulation/random.js';
import type { PodScheduling } from '../../../src/forecast/simulation/rules/scheduling.js';
import { drawDriver, type Git, type GitDriver } from './git.js';
import type { Incident } from './incidents.js';
import type { Scenario } from './scenario.js';
import { at, type TroubleIncident } from './troubles.js';

/** A node that cannot go on, in a scenario where nothing keeps the others from their upgrade. */
export interface Stuck {
  readonly node: string;
  /** It takes a slot while it waits: its upgrade has begun and does not end. */
  readonly takesSlot: boolean;
  /** How long the driver of one of the other nodes loads, and a job on it runs. */
  readonly loadMs: number;
  readonly jobMs: number;
  /** For how long the others wait for pods that were evicted from it and fit no other node. */
  readonly withoutNodeMs: number;
}

interface StuckKind {
  readonly takesSlot: boolean;
  /** It is drained before it gets stuck. */
  readonly isDrained?: true;
  /** It takes no new pods, so those of others that fit only there wait until another node is back. */
  readonly isClosed?: true;
  readonly incidents: (node: string, random: Random) => readonly Incident[];
  /** What the driver in git needs for it. */
  readonly driver?: Partial<GitDriver>;
}

const MINUTE_MS = 60_000;
const SOAK_MS = 2 * MINUTE_MS;

const hook =
  (request: 'cordon' | 'patch' | 'evict' | 'delete'): StuckKind['incidents'] =>
  (node, random) => [
    at(0, { kind: 'webhook', webhook: { request, node, how: random.pick(['refuses', 'times-out']) } }),
  ];

const trouble =
  (make: (node: string) => TroubleIncident): StuckKind['incidents'] =>
  (node) => [at(0, make(node))];

/** A pod that no budget lets go. */
const kept: StuckKind['incidents'] = (node) => [
  at(0, { kind: 'pin-pod', node, as: 'workload' }),
  at(0, { kind: 'close-budget', workload: 'pinned' }),
];

/** A while after the rollout, when the node has begun. */
const later = (random: Random): number => random.int(MINUTE_MS, 3 * MINUTE_MS);

const DIGEST = digestOf('ofed-2');
const SIDE = [
  { name: 'ofed-a', policy: 'main', digest: digestOf('ofed-1'), group: 'a' },
  { name: 'ofed-b', policy: 'side', digest: digestOf('ofed-1'), group: 'b' },
];

/** Each lasts. A drain has no time-out, so a node that cannot be drained waits. */
const STUCK_KINDS = {
  'cordon-refused': { takesSlot: false, incidents: hook('cordon') },
  'patch-refused': { takesSlot: false, incidents: hook('patch') },
  'eviction-refused': { takesSlot: true, incidents: hook('evict') },
  'deletion-refused': { takesSlot: true, isDrained: true, incidents: hook('delete') },
  job: { takesSlot: true, incidents: trouble((node) => ({ kind: 'pin-pod', node, as: 'job' })) },
  finalizer: { takesSlot: true, incidents: trouble((node) => ({ kind: 'pin-pod', node, as: 'finalizer' })) },
  budget: { takesSlot: true, incidents: kept },
  // It needs no slot to begin, but takes one.
  cordoned: { takesSlot: true, incidents: (node, random) => [at(0, { kind: 'cordon', node }), ...kept(node, random)] },
  maintenance: { takesSlot: false, incidents: trouble((node) => ({ kind: 'maintenance', node, on: true })) },
  'maintenance-in-drain': {
    takesSlot: true,
    incidents: (node, random) => [...kept(node, random), at(later(random), { kind: 'maintenance', node, on: true })],
  },
  relabelled: { takesSlot: false, incidents: trouble((node) => ({ kind: 'relabel', node, group: null })) },
  tainted: {
    takesSlot: false,
    isClosed: true,
    incidents: trouble((node) => ({ kind: 'taint', node, effect: 'NoSchedule' })),
    driver: { tolerates: false },
  },
  'tainted-in-drain': {
    takesSlot: true,
    incidents: (node, random) => [
      ...kept(node, random),
      at(later(random), { kind: 'taint', node, effect: 'NoSchedule' }),
    ],
    driver: { tolerates: false },
  },
  skipped: { takesSlot: false, incidents: (node) => [at(0, { kind: 'skip', node, prefix: 'ofed' })] },
  dead: { takesSlot: true, isDrained: true, incidents: (node) => [at(0, { kind: 'stop-reporting', node })] },
  'dead-in-drain': {
    takesSlot: true,
    incidents: (node, random) => [...kept(node, random), at(later(random), { kind: 'stop-reporting', node })],
  },
  'driver-fails': {
    takesSlot: true,
    isDrained: true,
    incidents: (node, random) => [at(0, { kind: 'break', digest: DIGEST, node, how: random.pick(['crash', 'image']) })],
  },
  'driver-too-slow': {
    takesSlot: true,
    isDrained: true,
    incidents: trouble((node) => ({ kind: 'slow-driver', digest: DIGEST, node, loadMs: Infinity })),
  },
  uncordoned: {
    takesSlot: true,
    incidents: (node, random) => [
      ...kept(node, random),
      at(0, { kind: 'other-cordons', node, does: 'uncordons', everyMs: 5000, forMs: Infinity }),
    ],
  },
  'policy-off': {
    takesSlot: false,
    incidents: (node, random) => [
      at(0, { kind: 'relabel', node, group: 'b' }),
      ...(random.chance(0.5) ? kept(node, random) : []),
      at(random.pick([0, later(random)]), { kind: 'switch-policy', prefix: 'ofed', policy: 'side', on: false }),
    ],
    driver: { sets: SIDE },
  },
} satisfies Record<string, StuckKind>;

/** A scenario with a stuck node. */
export type StuckScenario = Scenario & { readonly stuck: Stuck };

export function drawNeighbours(seed: number): StuckScenario {
  const random = makeRandom(seed, 'neighbours');
  const names = Array.from({ length: random.int(3, 6) }, (_, index) => `node-${index + 1}`);
  const node = random.pick(names);
  const kind: StuckKind = STUCK_KINDS[random.pick(Object.keys(STUCK_KINDS) as (keyof typeof STUCK_KINDS)[])];
  const loadMs = random.pick([0, 0, 30 * MINUTE_MS]);
  const jobMs = random.pick([0, 0, 20 * MINUTE_MS]);
  // Its pods fit only the stuck node, or that and another one.
  const tiedTo = random.pick<readonly string[]>([[], [], [node], [node, random.pick(names)]]);
  const withoutNodeMs = tiedTo.length === 0 ? 0 : longestWithoutNodeMs(kind);
  const digest = DIGEST;
  const rollout = { prefix: 'ofed', digest, applyMs: random.int(0, 40_000) } as const;
  const incidents: Incident[] = [
    ...kind.incidents(node, random),
    ...(loadMs === 0 ? [] : [at(0, { kind: 'slow-driver', digest, loadMs })]),
    ...(random.chance(0.3) ? [at(0, { kind: 'unfit-pods', everyMs: 10 * MINUTE_MS, forMs: Infinity })] : []),
    at(random.int(0, 30_000), { kind: 'rollout', ...rollout }),
    ...(random.chance(0.3) ? [at(random.int(0, 5 * MINUTE_MS), { kind: 'terminate', backAfterMs: 10_000 })] : []),
  ];
  return {
    seed,
    conditions: { faultRate: random.pick([0, 0, 0.1]), lagMs: random.pick([10, 300]), podCapacity: 20 },
    git: {
      paused: false,
      drivers: [{ ...driverOf(random, kind.takesSlot), ...kind.driver }],
      rollout: rolloutOf(random, kind.takesSlot),
    },
    safeLoad: false,
    nodes: names.map((name) => ({ name, labels: { group: 'a' }, cordoned: false })),
    workloads: [
      workloadOf('app', names.length, 0),
      ...(jobMs === 0 ? [] : [workloadOf('train', names.length, jobMs)]),
      ...(tiedTo.length === 0 ? [] : [{ ...workloadOf('tied', tiedTo.length, 0), scheduling: onlyOn(tiedTo) }]),
    ],
    budgets: random.chance(0.3) ? [{ workload: 'app', minAvailable: names.length - 1 }] : [],
    incidents,
    stuck: { node, takesSlot: kind.takesSlot, loadMs, jobMs, withoutNodeMs },
  };
}

function longestWithoutNodeMs({ takesSlot, isDrained, isClosed }: StuckKind): number {
  if (isDrained === true || isClosed === true) return 60 * MINUTE_MS;
  return takesSlot ? 10 * MINUTE_MS : 0;
}

function driverOf(random: Random, takesSlot: boolean): GitDriver {
  return {
    ...drawDriver(random, 'ofed'),
    startupSeconds: 3600,
    maxParallelUpgrades: random.pick(takesSlot ? [2, 3, 0] : [1, 2, 3, 0]),
    drain: { enable: true, force: true, timeoutSeconds: 0 },
    deleteEmptyDir: true,
    drainPodSelector: '',
    jobsSelector: 'job=yes',
    jobsTimeoutSeconds: 0,
  };
}

function rolloutOf(random: Random, takesSlot: boolean): Git['rollout'] {
  // A node in progress keeps the others from beginning if it is a canary.
  const canary = !takesSlot && random.chance(0.3) ? { canary: { nodes: 1, soak: `${SOAK_MS / 1000}s` } } : {};
  return { failureBudget: '100%', driverTimeout: '50m', ...canary };
}

/** Only these nodes take the pods, as where their volumes are. */
function onlyOn(values: readonly string[]): PodScheduling {
  const term = { matchExpressions: [], matchFields: [{ key: 'metadata.name', operator: 'In', values }] };
  const constraints = { nodeSelector: {}, nodeAffinity: [term], tolerations: [] };
  return { requests: {}, constraints, antiAffinity: [], spread: [], hostPorts: [], volumes: [] };
}

/** A ReplicaSet, or with `runsMs` a Job. */
function workloadOf(name: string, replicas: number, runsMs: number): Scenario['workloads'][number] {
  const isJob = runsMs > 0;
  return {
    namespace: 'work',
    name,
    kind: isJob ? 'Job' : 'ReplicaSet',
    replicas,
    labels: isJob ? { job: 'yes' } : {},
    resourceNames: [],
    emptyDir: false,
    toleratesUnschedulable: false,
    graceMs: 10_000,
    runsMs: isJob ? runsMs : Infinity,
    finalizer: 'none',
  };
}
