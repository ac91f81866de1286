import { digestOf } from '../../kit/digests.js';
import type { Random } from '../../../src/forecast/simulation/random.js';
import type { Webhook } from '../../../src/forecast/simulation/simulated-cluster.js';
import { drawDriver, drawRollout, type Git, type GitChange, type GitDriver } from './git.js';
import type { Incident } from './incidents.js';
import type { Scenario } from './scenario.js';

/** What other programs, users and slow machines do. What has no second incident that ends it lasts until the repair. */
export type TroubleIncident =
  | { readonly kind: 'webhook' | 'webhook-gone'; readonly webhook: Webhook }
  | { readonly kind: 'close-budget'; readonly workload: string }
  /** A pod of someone else that fits on no node is created, and replaced after each interval. */
  | { readonly kind: 'unfit-pods'; readonly everyMs: number; readonly forMs: number }
  /** A pod that nothing replaces runs on this node: of a job that does not end, with a finalizer that stays, or neither. */
  | { readonly kind: 'pin-pod'; readonly node: string; readonly as: 'job' | 'finalizer' | 'workload' }
  | { readonly kind: 'taint'; readonly node: string; readonly effect: 'NoSchedule' | 'NoExecute' | undefined }
  | { readonly kind: 'relabel'; readonly node: string; readonly group: string | null }
  /** The driver goes from the nodes of a group, or comes back. */
  | { readonly kind: 'uninstall-group'; readonly prefix: string; readonly group: string; readonly on: boolean }
  | { readonly kind: 'switch-policy'; readonly prefix: string; readonly policy: string; readonly on: boolean }
  | { readonly kind: 'settings'; readonly prefix: string; readonly change: GitChange }
  /** Another program looks at the node at intervals, and sets or lifts its cordon. */
  | {
      readonly kind: 'other-cordons';
      readonly node: string;
      readonly does: 'cordons' | 'uncordons' | 'both';
      readonly everyMs: number;
      readonly forMs: number;
    }
  | { readonly kind: 'slow-driver'; readonly digest: string; readonly node?: string; readonly loadMs: number }
  | { readonly kind: 'maintenance'; readonly node: string; readonly on: boolean };

/** Suffix of the names of budgets that stay closed until the repair. */
export const CLOSED = '-closed';

type Trouble = (scenario: Scenario, random: Random) => Scenario;

const MINUTE_MS = 60_000;

/** Each kind changes a scenario. `npm run sim -- --only policy-off` gives one to every run. */
const TROUBLES = {
  webhook: (scenario, random) => {
    const request = random.pick(['cordon', 'cordon', 'patch', 'evict', 'delete'] as const);
    const how = random.pick(['refuses', 'times-out'] as const);
    const webhook = { request, node: anyNode(scenario, random), how };
    return adding(scenario, span(random, { kind: 'webhook', webhook }, { kind: 'webhook-gone', webhook }));
  },
  'endless-job': (scenario, random) => {
    const job = { ...workloadOf('endless-job', random), kind: 'Job', labels: { job: 'yes' } } as const;
    const jobsTimeoutSeconds = random.pick([0, 0, 120]);
    const git = changeDrivers(scenario, () => ({ jobsSelector: 'job=yes', jobsTimeoutSeconds }));
    return { ...scenario, git, workloads: [...scenario.workloads, job] };
  },
  'endless-finalizer': (scenario, random) => {
    const held = { ...workloadOf('endless-finalizer', random), finalizer: 'endless' } as const;
    return { ...scenario, workloads: [...scenario.workloads, held] };
  },
  'closed-budget': (scenario, random) => {
    const kept = workloadOf('kept', random);
    const timeoutSeconds = random.pick([0, 0, 300]);
    const git = changeDrivers(scenario, ({ drain }) => ({ drain: { ...drain, timeoutSeconds } }));
    const closing = at(random.int(0, 2 * MINUTE_MS), { kind: 'close-budget', workload: kept.name });
    return adding({ ...scenario, git, workloads: [...scenario.workloads, kept] }, [closing]);
  },
  'unfit-pods': (scenario, random) => {
    const [everyMs, forMs] = random.pick([
      [30_000, 60 * MINUTE_MS],
      [10 * MINUTE_MS, Infinity],
    ] as const);
    return adding(scenario, [at(random.int(0, 2 * MINUTE_MS), { kind: 'unfit-pods', everyMs, forMs })]);
  },
  taint: (scenario, random) => {
    const tolerates = random.chance(0.5);
    const git = changeDrivers(scenario, () => ({ tolerates }));
    const spans = some(random, () => {
      const node = anyNode(scenario, random);
      const effect = random.pick(['NoSchedule', 'NoExecute'] as const);
      return span(random, { kind: 'taint', node, effect }, { kind: 'taint', node, effect: undefined });
    });
    return adding({ ...scenario, git }, spans.flat());
  },
  relabel: (scenario, random) => {
    const spans = some(random, () => {
      const { name, labels } = random.pick(scenario.nodes);
      const group = random.pick(['a', 'b', null]);
      const back: TroubleIncident = { kind: 'relabel', node: name, group: labels['group'] ?? null };
      return span(random, { kind: 'relabel', node: name, group }, back);
    });
    return adding(scenario, spans.flat());
  },
  'policy-off': (scenario, random) => {
    const { prefix, sets } = random.pick(scenario.git.drivers);
    const policy = random.pick(sets).policy;
    const begin = { kind: 'switch-policy', prefix, policy, on: false } as const;
    return adding(scenario, span(random, begin, { ...begin, on: true }));
  },
  'uninstall-group': (scenario, random) => {
    const { prefix } = random.pick(scenario.git.drivers);
    const begin = { kind: 'uninstall-group', prefix, group: random.pick(['a', 'b', 'b']), on: true } as const;
    return adding(scenario, span(random, begin, { ...begin, on: false }));
  },
  settings: (scenario, random) => {
    const changes = some(random, (): Incident => {
      const driver = random.pick(scenario.git.drivers);
      const { prefix } = driver;
      return at(random.int(0, 10 * MINUTE_MS), {
        kind: 'settings',
        prefix,
        change: drawChange(random, scenario.git, driver),
      });
    });
    return adding(scenario, changes);
  },
  'other-cordons': (scenario, random) => {
    const does = random.pick(['cordons', 'uncordons', 'uncordons', 'both'] as const);
    const everyMs = random.pick([1000, 5000, 60_000]);
    const forMs = random.pick([MINUTE_MS, 10 * MINUTE_MS, Infinity]);
    const node = anyNode(scenario, random);
    return adding(scenario, [at(random.int(0, 2 * MINUTE_MS), { kind: 'other-cordons', node, does, everyMs, forMs })]);
  },
  'slow-driver': (scenario, random) => {
    const startupSeconds = random.pick([0, 1200, 3600]);
    const { prefix } = random.pick(scenario.git.drivers);
    const one = random.chance(0.7) ? { node: anyNode(scenario, random) } : {};
    const slow = { kind: 'slow-driver', digest: digestOf(`${prefix}-2`), ...one, loadMs: 45 * MINUTE_MS } as const;
    return adding({ ...scenario, git: changeDrivers(scenario, () => ({ startupSeconds })) }, [at(0, slow)]);
  },
  'mended-release': (scenario, random) => {
    const { prefix } = random.pick(scenario.git.drivers);
    const digest = digestOf(`${prefix}-2`);
    const one = random.chance(0.5) ? { node: anyNode(scenario, random) } : {};
    const applyMs = random.int(0, 40_000);
    // A driver that is mended, or the one from before.
    const next = digestOf(`${prefix}-${random.pick([1, 3])}`);
    return adding(scenario, [
      at(0, { kind: 'break', digest, ...one, how: random.pick(['crash', 'image']) }),
      at(random.int(5 * MINUTE_MS, 11 * MINUTE_MS), { kind: 'rollout', prefix, digest: next, applyMs }),
    ]);
  },
  'two-drivers': (scenario, random) => {
    const present = new Set(scenario.git.drivers.map(({ prefix }) => prefix));
    const missing = (['ofed', 'gpu'] as const).filter((prefix) => !present.has(prefix));
    const drivers = [...scenario.git.drivers, ...missing.map((prefix) => drawDriver(random, prefix))];
    const rollouts = drivers.map(({ prefix }) => {
      const digest = digestOf(`${prefix}-2`);
      return at(random.int(0, 2 * MINUTE_MS), { kind: 'rollout', prefix, digest, applyMs: random.int(0, 40_000) });
    });
    return adding({ ...scenario, git: { ...scenario.git, drivers } }, rollouts);
  },
  maintenance: (scenario, random) => {
    const node = anyNode(scenario, random);
    return adding(
      scenario,
      span(random, { kind: 'maintenance', node, on: true }, { kind: 'maintenance', node, on: false }),
    );
  },
} satisfies Record<string, Trouble>;

export type TroubleKind = keyof typeof TROUBLES;
export const TROUBLE_KINDS = Object.keys(TROUBLES) as TroubleKind[];

export function withTrouble(kind: TroubleKind, scenario: Scenario, random: Random): Scenario {
  return TROUBLES[kind](scenario, random);
}

/** Half of the runs have no trouble, some have several. */
export function drawKinds(random: Random): readonly TroubleKind[] {
  const count = random.pick([0, 0, 0, 0, 1, 1, 2, 3]);
  return random.shuffle(TROUBLE_KINDS).slice(0, count);
}

export const at = (atMs: number, what: DistributiveOmit<Incident, 'atMs'>): Incident => ({ atMs, ...what });
type DistributiveOmit<T, Key extends PropertyKey> = T extends unknown ? Omit<T, Key> : never;

/** One incident that lasts, or that another one ends. */
function span(random: Random, begin: TroubleIncident, end: TroubleIncident): Incident[] {
  const fromMs = random.int(0, 5 * MINUTE_MS);
  if (random.chance(0.4)) return [at(fromMs, begin)];
  return [at(fromMs, begin), at(fromMs + random.pick([1000, 20_000, 2 * MINUTE_MS, 6 * MINUTE_MS]), end)];
}

const some = <T>(random: Random, make: () => T): T[] => Array.from({ length: random.int(1, 3) }, make);

const anyNode = ({ nodes }: Scenario, random: Random): string => random.pick(nodes).name;

function adding(scenario: Scenario, incidents: readonly Incident[]): Scenario {
  return { ...scenario, incidents: [...scenario.incidents, ...incidents].sort((a, b) => a.atMs - b.atMs) };
}

function changeDrivers({ git }: Scenario, change: (driver: GitDriver) => Partial<GitDriver>): Scenario['git'] {
  return { ...git, drivers: git.drivers.map((driver) => ({ ...driver, ...change(driver) })) };
}

function drawChange(random: Random, { drivers }: Git, { prefix }: GitDriver): GitChange {
  const drawn = drawDriver(random, prefix);
  const { maxParallelUpgrades, maxUnavailable, drain, jobsSelector, jobsTimeoutSeconds } = drawn;
  const { validation, ...others } = drawRollout(random, drivers);
  // Without a gate there are no pods that a validation could wait for.
  const isGated = drivers.some(({ gate }) => gate !== undefined);
  const rollout = isGated && validation !== undefined ? { ...others, validation } : others;
  const changes = [{ maxParallelUpgrades }, { maxUnavailable }, { drain }, { jobsSelector, jobsTimeoutSeconds }];
  return random.pick<GitChange>([...changes, { rollout }]);
}

function workloadOf(name: string, random: Random): Scenario['workloads'][number] {
  return {
    namespace: 'work',
    name,
    kind: 'ReplicaSet',
    replicas: random.int(1, 2),
    labels: {},
    resourceNames: random.chance(0.3) ? ['nvidia.com/gpu'] : [],
    emptyDir: false,
    toleratesUnschedulable: false,
    graceMs: 10_000,
    runsMs: Infinity,
    finalizer: 'none',
  };
}
