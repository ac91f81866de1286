import type { UpgradePolicy } from '../../../shared/contract/upgrade-policy.js';
import { backOffMs } from '../../../shared/lib/back-off.js';
import { summary } from '../report/status.js';
import { runOutcome, type RunOutcome } from '../run-outcome.js';
import { tryAcquire, type LeaseKeeper } from '../lease/lease-keeper.js';
import { LEASE_RETRY_MS, type ObservedLease } from '../lease/lease.js';
import { preflight } from './preflight.js';
import { deleteFailedJob } from './failed-job.js';
import { readPolicy } from './policy.js';
import { checkRights } from './rights.js';
import { createReporter } from '../report/reporter.js';
import type { Run, RunOptions } from './run.js';
import { runLeaseSession } from './lease-session.js';
import { createWake } from '../timing/wake.js';
import type { Ports } from '../ports.js';

/** How often a run that waits for the Lease reads the policy: a newer one supersedes it. */
const POLICY_MS = 30_000;
const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 30_000;

/**
 * Runs the companion to its end; never rejects. A preflight without the Lease finds out whether there is work. Then the run
 * waits for the Lease (a Job) or ends while another holder renews it (a CronJob), and observes, decides and acts until nothing
 * is left that it can do or wait for.
 */
export async function runCompanion(ports: Ports, options: RunOptions): Promise<RunOutcome> {
  const run = startRun(ports, options);
  let end: RunOutcome;
  try {
    end = await deleteFailedJob(run, await runToEnd(run));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const stack = error instanceof Error ? error.stack : undefined;
    end = { ...runOutcome('bug', message), stack };
  }
  const level = end.exitCode === 0 ? 'info' : 'error';
  const stack = end.stack === undefined ? {} : { stack: end.stack };
  run.reporter.log({ level, message: end.message, reason: end.reason, exitCode: end.exitCode, ...stack });
  await reportEnd(run, end);
  const nothing = { waiting: [], findings: [], counts: [] };
  ports.output.summary(summary({ decision: run.decision ?? nothing, problems: [], end }));
  return end;
}

/** An error of the Event does not change the outcome. */
async function reportEnd({ reporter }: Run, end: RunOutcome): Promise<void> {
  try {
    await reporter.ended(end);
  } catch (error) {
    reporter.log({ level: 'warning', message: `the Event of the end was not written: ${String(error)}` });
  }
}

function startRun(ports: Ports, options: RunOptions): Run {
  const wake = createWake(ports.clock);
  let crash: { readonly error: unknown } | undefined;
  const crashed = (error: unknown): void => {
    crash ??= { error };
    wake.fire();
  };
  ports.signals.onStop(wake.fire);
  const run: Run = {
    ports,
    options,
    wake,
    crashed,
    reporter: createReporter(ports, options, {
      crashed,
      forbidden(message) {
        run.forbidden ??= message;
        wake.fire();
      },
    }),
    throwIfCrashed() {
      if (crash !== undefined) throw crash.error;
    },
    byHand: { paused: false },
    listed: new Set(),
    failedBefore: undefined,
  };
  return run;
}

async function runToEnd(run: Run): Promise<RunOutcome> {
  let isFirst = true;
  for (;;) {
    const first = await preflightUntilKnown(run);
    if ('exitCode' in first) return first;
    const forbidden = await checkRights(run, first);
    if (forbidden !== undefined) return forbidden;
    const lease = await waitForLease(run);
    if (!('mayAct' in lease)) return lease;
    run.reporter.log({ level: 'info', message: 'the Lease is held', identity: run.options.identity });
    // Nodes that failed while another process held the Lease did not fail in this run.
    if (isFirst) run.failedBefore = undefined;
    isFirst = false;
    const ended = await runLeaseSession(run, lease);
    if (ended !== undefined) return ended;
    run.reporter.log({ level: 'warning', message: 'the Lease is lost' });
  }
}

/** Repeats the preflight until it has a result: the end of the run, or the policy if there is work. */
async function preflightUntilKnown(run: Run): Promise<RunOutcome | UpgradePolicy> {
  const { signals, random } = run.ports;
  for (let attempt = 1; ; attempt++) {
    if (signals.stopRequested) return stopped();
    const result = await preflight(run);
    if (result.kind === 'end') return result.end;
    if (result.kind === 'work') return result.policy;
    run.reporter.log({ level: 'warning', message: result.message });
    await run.wake.sleep(backOffMs(attempt, FIRST_DELAY_MS, LONGEST_DELAY_MS, random));
  }
}

async function waitForLease(run: Run): Promise<LeaseKeeper | RunOutcome> {
  const { ports, options, wake } = run;
  let observed: ObservedLease | undefined;
  let first: ObservedLease | undefined;
  let policyMs = ports.clock.monotonicMs();
  for (;;) {
    if (ports.signals.stopRequested) return stopped();
    const result = await tryAcquire(ports, options.identity, observed, wake.fire);
    switch (result.kind) {
      case 'held':
        return result.keeper;
      case 'forbidden':
        return runOutcome('forbidden', result.message);
      case 'retry':
        run.reporter.log({ level: 'warning', message: `the Lease: ${result.message}` });
        break;
      case 'wait': {
        ({ observed } = result);
        if (first === undefined)
          run.reporter.log({ level: 'info', message: 'the Lease is held', holder: result.holder });
        first ??= observed;
        // A holder that renews its Lease is running. Jobs and CronJobs acquire a Lease that was not renewed when it expires.
        const isAlive = observed.lease.resourceVersion !== first.lease.resourceVersion;
        if (isAlive && options.mode === 'cronjob') {
          return runOutcome('lease-held', `${result.holder} holds the Lease and renews it`);
        }
      }
    }
    if (ports.clock.monotonicMs() - policyMs >= POLICY_MS) {
      policyMs = ports.clock.monotonicMs();
      const read = await readPolicy(ports.cluster, options.policyHash);
      if (read.kind === 'end') return read.end;
    }
    await wake.sleep(LEASE_RETRY_MS);
  }
}

function stopped(): RunOutcome {
  return runOutcome('stopped', 'a stop was requested');
}
