import { createLimit, type Limit } from '../act/limit.js';
import { createActor, type Actor } from '../act/actuator.js';
import { backOffMs } from '../../../lib/back-off.js';
import { decide } from '../../decide.js';
import { isAtEnd, runEnd, type RunEnd } from '../run-outcome.js';
import { controllerLeft } from '../../fleet/findings.js';
import type { LeaseKeeper } from '../lease/lease-keeper.js';
import { look } from './preflight.js';
import { namespacesOf, readPolicy, type CurrentPolicy } from './policy.js';
import { failedInRun, readStatus, type Run } from './run.js';
import { sleep } from './wake.js';
import { FOREIGN_UNKNOWN_MS } from '../observe/memory.js';
import { startObserver, type Observer } from '../observe/observer.js';
import { TRANSITIONS } from '../../flow/transitions.js';
import type { Snapshot } from '../../model/snapshot.js';
import type { Decision, EvictionRecords, ForeignDaemonSet } from '../../model/types.js';

/** The policy and the status are read so often; also the longest that the loop sleeps, so that it sees a clock that jumped. */
const POLL_MS = 30_000;
/** Decisions are at least so far apart, and never take more than a fifth of the time. */
const REST_MS = 100;
const REST_FACTOR = 4;
/** A sleep for a time that has come already. */
const SHORTEST_SLEEP_MS = 250;
/** While a list or the policy is missing. */
const UNREADY_MS = 3_000;
const CONFIRM_FIRST_MS = 2_000;
const CONFIRM_LONGEST_MS = 60_000;
const DEFAULT_CONCURRENCY = 16;

/** One term of the Lease: caches, hands, and when what was done last (monotonic milliseconds). */
interface Term {
  readonly run: Run;
  readonly keeper: LeaseKeeper;
  readonly observer: Observer;
  readonly actor: Actor;
  /** For requests beside the loop: questions and budgets. */
  readonly limit: Limit;
  readonly beside: Map<string, Promise<void>>;
  forbidden?: string;
  current?: CurrentPolicy & { readonly mark: string };
  policyMs: number;
  statusMs: number;
  budgetsMs: number;
  decidedMs: number;
  decideTookMs: number;
  confirmMs: number;
  confirms: number;
  /** Nothing was decided yet. */
  fresh: boolean;
  over: boolean;
}

/** Observes, decides and acts as long as the Lease is held; undefined when it is lost. */
export async function runTerm(run: Run, keeper: LeaseKeeper): Promise<RunEnd | undefined> {
  const term = startTerm(run, keeper);
  let clean = false;
  try {
    const end = await turnUntilEnd(term);
    term.over = true;
    await Promise.all([term.actor.settled(), ...term.beside.values()]);
    await run.reporter.settled();
    if (end !== undefined) await save(term, true, end);
    run.throwIfCrashed();
    clean = true;
    return end;
  } finally {
    term.over = true;
    term.observer.stop();
    // After a bug, or with a patch that may still take effect, the next holder waits until the Lease runs out.
    await keeper.end(clean && !term.actor.uncertain());
  }
}

function startTerm(run: Run, keeper: LeaseKeeper): Term {
  const { ports, options, wake, reporter, crashed } = run;
  const observer = startObserver(ports, [options.namespace], {
    changed: wake.fire,
    crashed,
    failed(answer, what) {
      if (answer.kind === 'forbidden') term.forbidden ??= answer.message;
      else if (answer.kind !== 'ok') reporter.log({ level: 'warning', message: `${what}: ${answer.message}` });
      wake.fire();
    },
  });
  const concurrency = options.concurrency ?? DEFAULT_CONCURRENCY;
  const actor = createActor(ports, {
    gate() {
      if (term.over || keeper.lost() || ports.signals.stopRequested) return 'stop';
      return keeper.mayAct() ? 'go' : 'wait';
    },
    memory: observer.memory,
    concurrency,
    changed: wake.fire,
    done: reporter.acted,
    crashed,
  });
  const long = -Infinity;
  const times = { policyMs: long, statusMs: long, budgetsMs: long, decidedMs: long, decideTookMs: 0, confirmMs: long };
  const term: Term = {
    ...{ run, keeper, observer, actor, ...times },
    limit: createLimit(concurrency),
    beside: new Map(),
    confirms: 0,
    fresh: true,
    over: false,
  };
  return term;
}

async function turnUntilEnd(term: Term): Promise<RunEnd | undefined> {
  const { run, keeper, observer, actor } = term;
  const { signals } = run.ports;
  for (;;) {
    run.throwIfCrashed();
    if (signals.stopRequested) return runEnd('stopped', 'a stop was requested');
    if (keeper.lost()) return undefined;
    const forbidden = term.forbidden ?? actor.forbidden();
    if (forbidden !== undefined) return runEnd('forbidden', forbidden);
    const informed = await inform(term);
    if (typeof informed === 'object') return informed;
    if (informed) {
      const end = await turn(term, observer.snapshot(run.paused));
      if (end !== undefined) return end;
    } else {
      await run.wake.sleep(UNREADY_MS);
      await sleep(run.ports.clock, SHORTEST_SLEEP_MS);
    }
  }
}

/**
 * Brings policy and pause up to date; an end where the policy asks for it, false where the caches or the policy are not
 * there. The policy has to be read after the DaemonSets that it is compared with (DESIGN, "Delivery"): with an older one, a
 * DaemonSet that GitOps applied just now looks retired.
 */
async function inform(term: Term): Promise<RunEnd | boolean> {
  const { run, observer } = term;
  const { cluster, clock } = run.ports;
  if (!observer.ready()) return false;
  if (clock.monotonicMs() - term.statusMs >= POLL_MS) {
    if (!(await readStatus(run)) && term.statusMs === -Infinity) return false;
    term.statusMs = clock.monotonicMs();
  }
  const mark = observer.daemonSetMark();
  if (term.current?.mark !== mark || clock.monotonicMs() - term.policyMs >= POLL_MS) {
    const read = await readPolicy(cluster, run.options.policyHash);
    if (read.kind === 'end') return read.end;
    if (read.kind === 'policy') {
      term.current = { policy: read.policy, hash: read.hash, mark };
      observer.watchNamespaces(namespacesOf(read.policy, run.options.namespace));
    } else {
      run.reporter.log({ level: 'warning', message: `the policy cannot be read: ${read.message}` });
    }
    term.policyMs = clock.monotonicMs();
  }
  return observer.ready() && term.current?.mark === observer.daemonSetMark();
}

/** One decision and what follows from it. */
async function turn(term: Term, snapshot: Snapshot): Promise<RunEnd | undefined> {
  const { run, actor, current } = term;
  const { clock } = run.ports;
  if (current === undefined) return undefined;
  failedInRun(run, snapshot, current);
  const startedMs = clock.monotonicMs();
  const decision = decide(snapshot, current.policy, clock.now(), TRANSITIONS, {
    mostEvictions: actor.mostEvictions(),
  });
  term.decidedMs = clock.monotonicMs();
  term.decideTookMs = term.decidedMs - startedMs;
  const isStale = controllerLeft(run.decision, decision);
  run.decision = decision;
  if (isStale) {
    term.observer.relist();
    return undefined;
  }
  run.reporter.decided(decision, snapshot);
  // Before anything is done it is written down which nodes had failed, so that a pod that follows knows.
  if (term.fresh) await save(term, true);
  else beside(term, 'status', () => save(term, false));
  term.fresh = false;

  if (isAtEnd(decision, run.options.mode) && actor.idle() && clock.monotonicMs() >= term.confirmMs) {
    const end = await confirm(term, snapshot);
    if (end !== undefined) return end;
  }
  for (const question of decision.questions) ask(term, question);
  nameBudgets(term, snapshot);
  await actor.carryOut(decision.actions);
  await rest(term, decision, snapshot);
  return undefined;
}

/** The caches may be behind, so a run ends only when lists say so, too. Where they don't, everything is listed again. */
async function confirm(term: Term, snapshot: Snapshot): Promise<RunEnd | undefined> {
  const { run, observer } = term;
  const { clock, random } = run.ports;
  const result = await look(run, snapshot.pods);
  if (result.kind === 'end') return result.end;
  term.confirms++;
  term.confirmMs = clock.monotonicMs() + backOffMs(term.confirms, CONFIRM_FIRST_MS, CONFIRM_LONGEST_MS, random);
  if (result.kind === 'work' && term.confirms > 1) observer.relist();
  return undefined;
}

/** Sleeps until something changed or is due, and at least as long as decisions have to be apart. */
async function rest(term: Term, decision: Decision, snapshot: Snapshot): Promise<void> {
  const { run, actor } = term;
  const { clock } = run.ports;
  const nowMs = clock.monotonicMs();
  const due = [POLL_MS];
  if (decision.wakeMs !== undefined) due.push(decision.wakeMs - clock.now());
  const nextMs = actor.nextMonotonicMs();
  if (nextMs !== undefined) due.push(nextMs - nowMs);
  if (term.confirmMs > nowMs) due.push(term.confirmMs - nowMs);
  if ([...snapshot.foreignDaemonSets.values()].includes('unknown')) due.push(FOREIGN_UNKNOWN_MS);
  await run.wake.sleep(Math.max(SHORTEST_SLEEP_MS, Math.min(...due)));
  const restMs = Math.max(REST_MS, REST_FACTOR * term.decideTookMs);
  const restedMs = clock.monotonicMs() - term.decidedMs;
  if (restedMs < restMs && !run.ports.signals.stopRequested) await sleep(clock, restMs - restedMs);
}

/** Looks up a DaemonSet that is none of the driver's. */
function ask(term: Term, question: ForeignDaemonSet): void {
  beside(term, `${question.namespace}/${question.name}`, async () => {
    const answer = await term.run.ports.cluster.getDaemonSet(question.namespace, question.name);
    if (answer.kind === 'forbidden') term.forbidden ??= answer.message;
    else term.observer.memory.noteForeign(question, answer);
    term.run.wake.fire();
  });
}

/** Lists budgets while one refuses an eviction, so that the wait can say which. */
function nameBudgets(term: Term, snapshot: Snapshot): void {
  const { clock } = term.run.ports;
  if (clock.monotonicMs() - term.budgetsMs < POLL_MS || !isAnyRefused(snapshot.evictions)) return;
  term.budgetsMs = clock.monotonicMs();
  beside(term, 'budgets', async () => {
    const answer = await term.observer.refreshBudgets();
    if (answer.kind === 'forbidden') term.forbidden ??= answer.message;
    term.run.wake.fire();
  });
}

function isAnyRefused({ byNode }: EvictionRecords): boolean {
  for (const records of byNode.values()) {
    for (const { outcome } of records.values()) if (outcome === 'refused' || outcome === 'error') return true;
  }
  return false;
}

/** Runs something beside the loop, unless the same is under way. */
function beside(term: Term, key: string, task: () => Promise<void>): void {
  if (term.over || term.beside.has(key)) return;
  const finished = term
    .limit(task)
    .catch(term.run.crashed)
    .then(() => {
      term.beside.delete(key);
    });
  term.beside.set(key, finished);
}

async function save(term: Term, now: boolean, end?: RunEnd): Promise<void> {
  const { run, current } = term;
  const { decision } = run;
  if (decision === undefined || current === undefined) return;
  const content = {
    policyHash: current.hash,
    failedBefore: run.failedBefore ?? [],
    decision,
    problems: term.actor.problems(),
    ...(end !== undefined && { end }),
  };
  await run.reporter.saveStatus(content, now);
}
