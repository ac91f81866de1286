import { MAINTENANCE_ANNOTATION, readMaintenanceRecord } from '../../../src/shared/contract/maintenance-record.js';
import { driverKeys } from '../../../src/shared/contract/labels.js';
import { upgradePolicyHash } from '../../../src/shared/contract/upgrade-policy.js';
import { runCompanion } from '../../../src/companion/runtime/loop/loop.js';
import type { Ports } from '../../../src/companion/runtime/ports.js';
import { CRON_EVERY_MS, LATEST_END_MS, prepare, scheduleIncidents, violationOf } from './schedule.js';
import { START_MS, type SimulatedCluster } from '../../../src/forecast/simulation/simulated-cluster.js';
import { startSimulation, type CompanionSwitch } from '../simulation.js';
import type { Invariants } from '../rules/invariants.js';
import { Violation } from '../rules/rules.js';
import { flushPromises } from '../../kit/flush-promises.js';
import { makeClusterPort } from '../../../src/forecast/simulation/cluster-port.js';
import { makeWatchServer, type PortUser, type WatchServer } from '../../../src/forecast/simulation/watch-server.js';
import type { RunResult } from './run.js';
import { NAMESPACE } from '../scenario/git.js';
import type { Scenario } from '../scenario/scenario.js';

const RESTART_MS = 10_000;
/** Maximum clock skew of nodes that the companion tolerates; see the guide. */
const LARGEST_SKEW_MS = 120_000;

interface Process extends PortUser {
  readonly mode: 'job' | 'cronjob';
  /** Difference of its node's wall clock to that of the control plane. */
  readonly skewMs: number;
  /** Its monotonic clock at the start of the simulation. */
  readonly bootedMs: number;
  stopRequested: boolean;
  onStop: () => void;
  /** It is killed after this number of further writes. */
  writesLeft: number;
  backAfterMs: number;
}

interface LoopRun {
  readonly cluster: SimulatedCluster;
  readonly invariants: Invariants;
  readonly watches: WatchServer;
  readonly processes: Set<Process>;
  /** A response arrived, so promises are settled before the clock moves. */
  answered: boolean;
  /** Every process reads an empty Lease, to show that the rule notices. */
  readonly brokenLease: boolean;
  skewMs: number;
  names: number;
  failure: { readonly error: unknown } | undefined;
}

/** One run of `loop.ts` on a simulated cluster: Jobs for each policy and a CronJob, with the faults of the scenario. */
export async function runLoopScenario(scenario: Scenario, brokenLease = false): Promise<RunResult> {
  const { cluster, invariants, ends } = prepare(scenario);
  const answered = (): void => void (run.answered = true);
  const run: LoopRun = {
    ...{ cluster, invariants, processes: new Set<Process>() },
    watches: makeWatchServer(cluster, answered),
    brokenLease,
    ...{ answered: false, skewMs: 0, names: 0, failure: undefined },
  };
  const { seed } = scenario;
  try {
    const simulation = startSimulation(cluster, switchOf(run), scenario.git);
    scheduleIncidents(simulation, scenario, invariants, () => undefined);
    startJob(run);
    startCronJob(run);
    while (!simulation.isOver && cluster.events.step(LATEST_END_MS)) {
      if (run.answered) {
        run.answered = false;
        await flushPromises();
      }
      if (run.failure !== undefined) throw run.failure.error;
    }
    return { seed, decisions: 0, log: cluster.log, ends };
  } catch (error) {
    return { seed, decisions: 0, log: cluster.log, ends, violation: violationOf(error) };
  }
}

function startJob(run: LoopRun): void {
  const hash = upgradePolicyHash(run.cluster.policy);
  const start = (): void => {
    // Kubernetes starts another pod of an incomplete Job. A newer policy has its own Job.
    startProcess(run, 'job', hash, (exitCode) => {
      if (exitCode !== 0 && exitCode !== 10 && exitCode !== 2) run.cluster.events.after(RESTART_MS, start);
    });
  };
  start();
}

function startCronJob(run: LoopRun): void {
  run.cluster.events.after(CRON_EVERY_MS, () => {
    const runs = [...run.processes].some(({ mode }) => mode === 'cronjob');
    if (!runs) startProcess(run, 'cronjob', upgradePolicyHash(run.cluster.policy), () => undefined);
    startCronJob(run);
  });
}

function startProcess(
  run: LoopRun,
  mode: 'job' | 'cronjob',
  policyHash: string,
  ended: (exitCode: number) => void,
): void {
  const { cluster } = run;
  const identity = `${mode}-${++run.names}`;
  const one: Process = {
    ...{ identity, mode, alive: true, stopRequested: false, onStop: () => undefined },
    ...{ writesLeft: Infinity, backAfterMs: 0 },
    skewMs: cluster.chance.companion.int(-LARGEST_SKEW_MS, LARGEST_SKEW_MS),
    bootedMs: cluster.chance.companion.int(0, 3_600_000),
  };
  run.processes.add(one);
  dieLater.set(one, () => {
    if (!one.alive) return;
    cluster.note(`${identity} dies`);
    one.alive = false;
    run.processes.delete(one);
    cluster.events.after(one.backAfterMs, () => ended(137));
  });
  const runId = mode === 'job' ? `job-${policyHash}` : identity;
  cluster.note(`${identity} starts`);
  run.answered = true;
  runCompanion(portsOf(run, one), { namespace: NAMESPACE, identity, mode, runId, policyHash })
    .then(({ exitCode, reason, message, stack }) => {
      if (!one.alive) return;
      one.alive = false;
      run.processes.delete(one);
      cluster.note(`${identity} ends with ${exitCode}: ${reason}, ${message}`);
      if (exitCode === 3 || exitCode === 2) throw new Violation('no bug, no missing right', stack ?? message);
      if (exitCode === 0 && !LEFT_TO_OTHERS.has(reason)) checkNothingLeft(cluster, identity);
      ended(exitCode);
    })
    .catch((error: unknown) => (run.failure = { error }));
}

/** Ends with 0 after which another run of the companion goes on with the nodes in progress. */
const LEFT_TO_OTHERS: ReadonlySet<string> = new Set(['superseded', 'lease-held']);

function checkNothingLeft({ store, policy }: SimulatedCluster, identity: string): void {
  const nodes = [...store.nodes.values()];
  for (const { labelPrefix } of policy.drivers) {
    const { state } = driverKeys(labelPrefix);
    for (const { name, labels, annotations } of nodes) {
      // Without what it wants there the companion has not begun with the node: the operator did.
      const isBegun = readMaintenanceRecord(annotations[MAINTENANCE_ANNOTATION])?.wants !== undefined;
      if (AT_REST.has(labels[state] ?? '') || !isBegun) continue;
      throw new Violation('no success with a node in progress', `${identity}: ${name} is in ${labels[state]}`);
    }
  }
}

const AT_REST: ReadonlySet<string> = new Set(['', 'upgrade-required', 'upgrade-done', 'upgrade-failed']);

const NO_LEASE = { kind: 'gone', message: 'no Lease' } as const;
const dieLater = new WeakMap<Process, () => void>();

function portsOf(run: LoopRun, one: Process): Ports {
  const { cluster } = run;
  const answered = (): void => void (run.answered = true);
  const wrote = (user: PortUser, what: string): void => {
    const holder = cluster.store.leases.get('lease')?.spec['holderIdentity'];
    cluster.note(`  ${what}`);
    if (holder !== user.identity) {
      throw new Violation('never two holders acting', `${user.identity}: ${what}; the Lease is ${String(holder)}'s`);
    }
    one.writesLeft -= 1;
    if (one.writesLeft < 0) dieLater.get(one)?.();
  };
  const port = makeClusterPort(
    { cluster, watches: run.watches, wrote, answered, ignoresVersions: run.brokenLease },
    one,
  );
  return {
    cluster: { ...port, ...(run.brokenLease ? { readLease: () => Promise.resolve(NO_LEASE) } : {}) },
    clock: {
      now: () => cluster.events.now() + run.skewMs + one.skewMs,
      monotonicMs: () => cluster.events.now() - START_MS + one.bootedMs,
      processorMs: () => 0,
      after: (ms, callback) =>
        cluster.events.timer(ms, () => {
          if (!one.alive) return;
          answered();
          callback();
        }),
    },
    signals: {
      get stopRequested() {
        return one.stopRequested;
      },
      onStop: (callback) => void (one.onStop = callback),
    },
    random: () => cluster.chance.companion.next(),
    output: { log: () => undefined, metrics: () => undefined, summary: () => undefined },
  };
}

function switchOf(run: LoopRun): CompanionSwitch {
  const { cluster } = run;
  return {
    supersede: () => {
      // A run of the CronJob takes the policy that it reads; the Job of the newer one starts a little later.
      run.invariants.mayUse(cluster.policy);
      cluster.events.after(cluster.chance.companion.int(0, 5000), () => {
        run.invariants.setPolicy(cluster.policy);
        startJob(run);
      });
    },
    crash: (afterActions, backAfterMs) => {
      for (const one of run.processes) {
        one.backAfterMs = backAfterMs;
        one.writesLeft = afterActions;
        if (afterActions === 0) dieLater.get(one)?.();
      }
    },
    terminate: () => {
      for (const one of run.processes) {
        one.stopRequested = true;
        run.answered = true;
        one.onStop();
      }
    },
    stall: (untilMs, compacted) => run.watches.stall(untilMs, compacted),
    jumpClock: (byMs) => void (run.skewMs += byMs),
  };
}
