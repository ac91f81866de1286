import { upgradePolicyHash } from '../../src/contract/upgrade-policy.js';
import { runCompanion } from '../../src/upgrade/runtime/loop/loop.js';
import type { Ports } from '../../src/upgrade/runtime/ports.js';
import { END_MS, openStage, scheduleCourse, violationOf } from './course.js';
import { START_MS, type World } from '../kit/cluster/world.js';
import type { CompanionSwitch, Stage } from './happen.js';
import type { Invariants } from './invariants.js';
import { Violation } from './rules.js';
import { makeClusterPort, type PortUser } from '../kit/cluster-port.js';
import { makeWatchServer, type WatchServer } from '../kit/watch-server.js';
import type { RunResult } from './run.js';
import { NAMESPACE, type Scenario } from './scenario.js';

const CRON_EVERY_MS = 600_000;
const RESTART_MS = 10_000;
/** How far the clocks of nodes may be off while the companion still counts by them; see the guide. */
const LARGEST_SKEW_MS = 120_000;

interface Process extends PortUser {
  readonly mode: 'job' | 'cronjob';
  /** Its node's wall clock shows so much more than the control plane's. */
  readonly skewMs: number;
  /** What its monotonic clock shows when the simulation begins: an hour since some boot, not a time of day. */
  readonly bootedMs: number;
  stopRequested: boolean;
  onStop: () => void;
  /** It is killed when so many more of its writes were carried out. */
  writesLeft: number;
  backAfterMs: number;
}

interface Cluster {
  readonly world: World;
  readonly invariants: Invariants;
  readonly watches: WatchServer;
  readonly processes: Set<Process>;
  /** Something was answered: promises go on before time does. */
  answered: boolean;
  /** Every process reads an empty Lease, to show that the rule notices. */
  readonly brokenLease: boolean;
  skewMs: number;
  names: number;
  failure: { readonly error: unknown } | undefined;
}

/** One run of `loop.ts` on the fake cluster: Jobs for each policy and a CronJob, with the faults of the scenario. */
export async function runLoopScenario(scenario: Scenario, brokenLease = false): Promise<RunResult> {
  const { world, invariants } = openStage(scenario);
  const answered = (): void => void (cluster.answered = true);
  const cluster: Cluster = {
    ...{ world, invariants, processes: new Set<Process>() },
    watches: makeWatchServer(world, answered),
    brokenLease,
    ...{ answered: false, skewMs: 0, names: 0, failure: undefined },
  };
  const { seed } = scenario;
  try {
    const stage: Stage = { world, companion: switchOf(cluster), git: scenario.git, renames: 0 };
    scheduleCourse(stage, scenario, invariants, () => undefined);
    startJob(cluster);
    startCronJob(cluster);
    while (world.events.step(END_MS)) {
      if (cluster.answered) await everythingThatCanGoOn(cluster);
      if (cluster.failure !== undefined) throw cluster.failure.error;
    }
    return { seed, decisions: 0, log: world.log };
  } catch (error) {
    return { seed, decisions: 0, log: world.log, violation: violationOf(error) };
  }
}

/** `setImmediate` comes after all promises that are settled, and those that they settle. */
async function everythingThatCanGoOn(cluster: Cluster): Promise<void> {
  cluster.answered = false;
  await new Promise((resolve) => setImmediate(resolve));
}

function startJob(cluster: Cluster): void {
  const hash = upgradePolicyHash(cluster.world.policy);
  const start = (): void => {
    // Kubernetes starts another pod of a Job that was not completed; a newer policy's Job stands beside it.
    startProcess(cluster, 'job', hash, (exitCode) => {
      if (exitCode !== 0 && exitCode !== 10 && exitCode !== 2) cluster.world.events.after(RESTART_MS, start);
    });
  };
  start();
}

function startCronJob(cluster: Cluster): void {
  cluster.world.events.after(CRON_EVERY_MS, () => {
    const runs = [...cluster.processes].some(({ mode }) => mode === 'cronjob');
    if (!runs) startProcess(cluster, 'cronjob', undefined, () => undefined);
    startCronJob(cluster);
  });
}

function startProcess(
  cluster: Cluster,
  mode: 'job' | 'cronjob',
  policyHash: string | undefined,
  ended: (exitCode: number) => void,
): void {
  const { world } = cluster;
  const identity = `${mode}-${++cluster.names}`;
  const one: Process = {
    ...{ identity, mode, alive: true, stopRequested: false, onStop: () => undefined },
    ...{ writesLeft: Infinity, backAfterMs: 0 },
    skewMs: world.chance.companion.int(-LARGEST_SKEW_MS, LARGEST_SKEW_MS),
    bootedMs: world.chance.companion.int(0, 3_600_000),
  };
  cluster.processes.add(one);
  dieLater.set(one, () => {
    if (!one.alive) return;
    world.note(`${identity} dies`);
    one.alive = false;
    cluster.processes.delete(one);
    world.events.after(one.backAfterMs, () => ended(137));
  });
  const options = { namespace: NAMESPACE, identity, mode, runId: mode === 'job' ? `job-${policyHash}` : identity };
  const hash = policyHash === undefined ? {} : { policyHash };
  world.note(`${identity} starts`);
  cluster.answered = true;
  runCompanion(portsOf(cluster, one), { ...options, ...hash })
    .then(({ exitCode, reason, message, stack }) => {
      if (!one.alive) return;
      one.alive = false;
      cluster.processes.delete(one);
      world.note(`${identity} ends with ${exitCode}: ${reason}, ${message}`);
      if (exitCode === 3 || exitCode === 2) throw new Violation('no bug, no missing right', stack ?? message);
      ended(exitCode);
    })
    .catch((error: unknown) => (cluster.failure = { error }));
}

const NO_LEASE = { kind: 'gone', message: 'no Lease' } as const;
const dieLater = new WeakMap<Process, () => void>();

function portsOf(cluster: Cluster, one: Process): Ports {
  const { world } = cluster;
  const answered = (): void => void (cluster.answered = true);
  const wrote = (user: PortUser, what: string): void => {
    const holder = world.store.leases.get('lease')?.spec['holderIdentity'];
    world.note(`  ${what}`);
    if (holder !== user.identity) {
      throw new Violation('never two holders acting', `${user.identity}: ${what}; the Lease is ${String(holder)}'s`);
    }
    one.writesLeft -= 1;
    if (one.writesLeft < 0) dieLater.get(one)?.();
  };
  const port = makeClusterPort(
    { world, watches: cluster.watches, wrote, answered, ignoresVersions: cluster.brokenLease },
    one,
  );
  return {
    cluster: { ...port, ...(cluster.brokenLease ? { readLease: () => Promise.resolve(NO_LEASE) } : {}) },
    clock: {
      now: () => world.events.now() + cluster.skewMs + one.skewMs,
      monotonicMs: () => world.events.now() - START_MS + one.bootedMs,
      after: (ms, callback) => {
        let stopped = false;
        world.events.after(ms, () => {
          if (stopped || !one.alive) return;
          answered();
          callback();
        });
        return () => void (stopped = true);
      },
    },
    signals: {
      get stopRequested() {
        return one.stopRequested;
      },
      onStop: (callback) => void (one.onStop = callback),
    },
    random: () => world.chance.companion.next(),
    output: { log: () => undefined, metrics: () => undefined, summary: () => undefined },
  };
}

function switchOf(cluster: Cluster): CompanionSwitch {
  const { world } = cluster;
  return {
    supersede: () => {
      world.events.after(world.chance.companion.int(0, 5000), () => {
        cluster.invariants.setPolicy(world.policy);
        startJob(cluster);
      });
    },
    crash: (afterActions, backAfterMs) => {
      for (const one of cluster.processes) {
        one.backAfterMs = backAfterMs;
        one.writesLeft = afterActions;
        if (afterActions === 0) dieLater.get(one)?.();
      }
    },
    terminate: () => {
      for (const one of cluster.processes) {
        one.stopRequested = true;
        cluster.answered = true;
        one.onStop();
      }
    },
    stall: (untilMs, compacted) => cluster.watches.stall(untilMs, compacted),
    jumpClock: (byMs) => void (cluster.skewMs += byMs),
  };
}
