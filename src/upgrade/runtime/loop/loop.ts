import { backOffMs } from '../../../lib/back-off.js';
import { summary } from '../report/status.js';
import { runEnd, type RunEnd } from '../run-outcome.js';
import { tryLease, type LeaseKeeper } from '../lease/lease-keeper.js';
import { LEASE_RETRY_MS, type ObservedLease } from '../lease/lease.js';
import { look } from './preflight.js';
import { readPolicy } from './policy.js';
import { createReporter } from '../report/reporter.js';
import type { Run, RunOptions } from './run.js';
import { runTerm } from './lease-session.js';
import { createWake } from './wake.js';
import type { Ports } from '../ports.js';

/** How often somebody who waits for the Lease looks whether a newer policy has made that pointless. */
const POLICY_MS = 30_000;
const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 30_000;

/**
 * One run of the companion, from the first look to the end; never rejects. It looks for work without the Lease, waits for the
 * Lease (as a Job) or leaves it to its holder (as a CronJob), then observes, decides and acts until nothing is left that it
 * can do or wait for.
 */
export async function runCompanion(ports: Ports, options: RunOptions): Promise<RunEnd> {
  const run = startRun(ports, options);
  let end: RunEnd;
  try {
    end = await runToEnd(run);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const stack = error instanceof Error ? error.stack : undefined;
    end = { ...runEnd('bug', message), ...(stack !== undefined && { stack }) };
  }
  const level = end.exitCode === 0 ? 'info' : 'error';
  const stack = end.stack === undefined ? {} : { stack: end.stack };
  run.reporter.log({ level, message: end.message, reason: end.reason, exitCode: end.exitCode, ...stack });
  const nothing = { waiting: [], findings: [], counts: [] };
  ports.output.summary(summary({ decision: run.decision ?? nothing, problems: [], end }));
  return end;
}

function startRun(ports: Ports, options: RunOptions): Run {
  const wake = createWake(ports.clock);
  let crash: { readonly error: unknown } | undefined;
  const crashed = (error: unknown): void => {
    crash ??= { error };
    wake.fire();
  };
  ports.signals.onStop(wake.fire);
  return {
    ...{ ports, options, wake, crashed },
    reporter: createReporter(ports, options.runId, crashed),
    throwIfCrashed() {
      if (crash !== undefined) throw crash.error;
    },
    paused: false,
    failedBefore: undefined,
  };
}

async function runToEnd(run: Run): Promise<RunEnd> {
  let isFirst = true;
  for (;;) {
    const first = await lookUntilKnown(run);
    if (first !== undefined) return first;
    const lease = await waitForLease(run);
    if (!('mayAct' in lease)) return lease;
    run.reporter.log({ level: 'info', message: 'the Lease is held', identity: run.options.identity });
    // Nodes that failed while another had the Lease did not fail in this run.
    if (isFirst) run.failedBefore = undefined;
    isFirst = false;
    const ended = await runTerm(run, lease);
    if (ended !== undefined) return ended;
    run.reporter.log({ level: 'warning', message: 'the Lease is lost' });
  }
}

/** Looks until there is an answer; undefined: there is work. */
async function lookUntilKnown(run: Run): Promise<RunEnd | undefined> {
  const { signals, random } = run.ports;
  for (let attempt = 1; ; attempt++) {
    if (signals.stopRequested) return stopped();
    const result = await look(run, []);
    if (result.kind === 'end') return result.end;
    if (result.kind === 'work') return undefined;
    run.reporter.log({ level: 'warning', message: result.message });
    await run.wake.sleep(backOffMs(attempt, FIRST_DELAY_MS, LONGEST_DELAY_MS, random));
  }
}

async function waitForLease(run: Run): Promise<LeaseKeeper | RunEnd> {
  const { ports, options, wake } = run;
  let observed: ObservedLease | undefined;
  let first: ObservedLease | undefined;
  let policyMs = ports.clock.monotonicMs();
  for (;;) {
    if (ports.signals.stopRequested) return stopped();
    const result = await tryLease(ports, options.identity, observed, wake.fire);
    switch (result.kind) {
      case 'held':
        return result.keeper;
      case 'forbidden':
        return runEnd('forbidden', result.message);
      case 'retry':
        run.reporter.log({ level: 'warning', message: `the Lease: ${result.message}` });
        break;
      case 'wait': {
        ({ observed } = result);
        if (first === undefined)
          run.reporter.log({ level: 'info', message: 'the Lease is held', holder: result.holder });
        first ??= observed;
        // A holder that renews is alive; one that does not is followed when its time is over, whoever waits.
        const isAlive = observed.lease.resourceVersion !== first.lease.resourceVersion;
        if (isAlive && options.mode === 'cronjob') {
          return runEnd('lease-held', `${result.holder} has the Lease and works`);
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

function stopped(): RunEnd {
  return runEnd('stopped', 'a stop was requested');
}
