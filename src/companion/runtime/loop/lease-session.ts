import { createLimit, type Limit } from '../timing/limit.js';
import { createActuator, type Actuator } from '../act/actuator.js';
import { backOffMs } from '../../../shared/lib/back-off.js';
import { isComplete, runOutcome, type RunOutcome } from '../run-outcome.js';
import { nameOf } from '../../model/pod.js';
import type { LeaseKeeper } from '../lease/lease-keeper.js';
import { preflight } from './preflight.js';
import { decisionLoop, type Ended, type LoopPort } from './decision-loop.js';
import { readPolicy, watchedFor, type CurrentPolicy } from './policy.js';
import {
  beginsNothing,
  failedInRun,
  factsOfRun,
  noteListed,
  readGpuOperatorPolicies,
  readOperatorLease,
  readStatus,
  type Run,
} from './run.js';
import { createCadence, type Cadence } from './cadence.js';
import { sleep } from '../timing/wake.js';
import { startObserver, type Observer } from '../observe/observer.js';
import type { Snapshot } from '../../model/snapshot.js';
import type { Decision, ForeignDaemonSet } from '../../model/types.js';
import type { WaitKind } from '../../model/wait-kinds.js';

/** How often the policy and the status are read. It is also the longest sleep, so that a jump of the wall clock is noticed. */
const POLL_MS = 30_000;
/** The shortest sleep, for a time that is already past. */
const SHORTEST_SLEEP_MS = 250;
/** The sleep while a list or the policy is missing. */
const UNREADY_MS = 3_000;
const CONFIRM_FIRST_MS = 2_000;
const CONFIRM_LONGEST_MS = 60_000;
const DEFAULT_CONCURRENCY = 16;

/** The time from taking the Lease to losing or releasing it. Times are monotonic milliseconds. */
interface LeaseSession {
  readonly run: Run;
  readonly keeper: LeaseKeeper;
  readonly observer: Observer;
  readonly actuator: Actuator;
  /** For the requests of background tasks. */
  readonly limit: Limit;
  readonly cadence: Cadence;
  readonly background: Map<string, Promise<void>>;
  forbidden?: string;
  current?: CurrentPolicy & { readonly fingerprint: string };
  /** A request for the pause is under way. */
  pauseRead?: Promise<boolean> | undefined;
  policyReadMs: number;
  statusReadMs: number;
  budgetsListedMs: number;
  /** The earliest time of the next confirmation. */
  confirmMs: number;
  confirms: number;
  /** There was no decision in this session yet. */
  isFirstDecision: boolean;
  ended: boolean;
}

/** Observes, decides and acts while the Lease is held. Undefined: the Lease is lost. */
export async function runLeaseSession(run: Run, keeper: LeaseKeeper): Promise<RunOutcome | undefined> {
  const session = startSession(run, keeper);
  let clean = false;
  try {
    const end = await inRealTime(decisionLoop(portOf(session), run));
    session.ended = true;
    await Promise.all([session.actuator.whenIdle(), ...session.background.values()]);
    await run.reporter.flushed();
    if (end !== undefined) await saveStatus(session, true, end);
    run.throwIfCrashed();
    clean = true;
    return end === undefined ? undefined : withMissingRight(end, run);
  } finally {
    session.ended = true;
    session.observer.stop();
    // After a bug, or with a patch that may still take effect, the Lease is not released: the next holder waits until it expires.
    await keeper.end(clean && !session.actuator.uncertain());
  }
}

/** The end of a run that lacks a right which its reports need: the last Event may be the first that needs it. */
function withMissingRight(end: RunOutcome, { forbidden }: Run): RunOutcome {
  const isOver = end.exitCode === 0 || end.reason === 'failed' || end.reason === 'unfinished';
  return isOver && forbidden !== undefined ? runOutcome('forbidden', forbidden, end.failedNodes) : end;
}

function startSession(run: Run, keeper: LeaseKeeper): LeaseSession {
  const { ports, options, wake, reporter, crashed } = run;
  const observer = startObserver(ports, [options.namespace], {
    changed: wake.fire,
    crashed,
    failed(answer, what) {
      if (answer.kind === 'forbidden') session.forbidden ??= answer.message;
      else if (answer.kind !== 'ok') reporter.log({ level: 'warning', message: `${what}: ${answer.message}` });
      wake.fire();
    },
  });
  const concurrency = options.concurrency ?? DEFAULT_CONCURRENCY;
  const actuator = createActuator(ports, {
    permission() {
      if (session.ended || keeper.lost() || ports.signals.stopRequested) return 'revoked';
      return keeper.mayAct() ? 'granted' : 'suspended';
    },
    mayBegin: () => mayBegin(session),
    results: observer.results,
    concurrency,
    changed: wake.fire,
    done: reporter.acted,
    refused: reporter.refused,
    crashed,
  });
  const long = -Infinity;
  const times = { policyReadMs: long, statusReadMs: long, budgetsListedMs: long, confirmMs: long };
  const session: LeaseSession = {
    run,
    keeper,
    observer,
    actuator,
    ...times,
    limit: createLimit(concurrency),
    cadence: createCadence(ports.clock),
    background: new Map(),
    confirms: 0,
    isFirstDecision: true,
    ended: false,
  };
  return session;
}

type Outcome = RunOutcome | undefined;

/** Runs the loop, and waits for the promises that it yields. */
async function inRealTime<End>(loop: Generator<Promise<void>, End>): Promise<End> {
  for (;;) {
    const step = loop.next();
    if (step.done === true) return step.value;
    await step.value;
  }
}

/** Waits for the value of a promise. */
function* valueOf<Value>(promise: Promise<Value>): Generator<Promise<void>, Value> {
  const settled: { value?: Value } = {};
  yield promise.then((value) => void (settled.value = value));
  return settled.value as Value;
}

function portOf(session: LeaseSession): LoopPort<Promise<void>, Outcome> {
  const { run, observer, actuator, cadence } = session;
  return {
    clock: run.ports.clock,
    ready: () => ready(session),
    snapshot: () => snapshot(session),
    mostEvictions: actuator.mostEvictions,
    timed: cadence.timed,
    relist: observer.relist,
    decided: (decision, seen) => valueOf(decided(session, decision, seen)),
    act: (decision, seen) => act(session, decision, seen),
    wait: (decision) => valueOf(waitForChange(session, decision)),
  };
}

/** Waits for lists and the policy, unless the run is over. */
function* ready(session: LeaseSession): Generator<Promise<void>, Ended<Outcome> | CurrentPolicy> {
  const { run, keeper, actuator } = session;
  const { signals, clock } = run.ports;
  for (;;) {
    run.throwIfCrashed();
    if (signals.stopRequested) return { end: runOutcome('stopped', 'a stop was requested') };
    if (keeper.lost()) return { end: undefined };
    const forbidden = session.forbidden ?? actuator.forbidden();
    if (forbidden !== undefined) return { end: runOutcome('forbidden', forbidden) };
    const informed = yield* valueOf(refreshInputs(session));
    if (typeof informed === 'object') return { end: informed };
    if (informed && session.current !== undefined) return session.current;
    yield run.wake.sleep(UNREADY_MS);
    yield sleep(clock, SHORTEST_SLEEP_MS);
  }
}

/**
 * Reads the policy, the status and the operator's Lease when they are due. False: the caches or the policy are missing, or it is not known yet
 * whether the Lease is renewed. The policy has to be read
 * after the DaemonSets that it is compared with: GitOps controllers apply ConfigMaps first, so a DaemonSet that is newer than
 * the policy would count as retired.
 */
async function refreshInputs(session: LeaseSession): Promise<RunOutcome | boolean> {
  const { run, observer } = session;
  const { cluster, clock } = run.ports;
  if (!observer.ready()) return false;
  if (clock.monotonicMs() - session.statusReadMs >= POLL_MS) {
    const status = await readStatus(run);
    if (status.kind === 'forbidden') return runOutcome('forbidden', status.message);
    if (status.kind !== 'ok' && session.statusReadMs === -Infinity) return false;
    const lease = await readOperatorLease(run);
    if (lease.kind === 'forbidden') return runOutcome('forbidden', lease.message);
    if (run.operatorLease?.holder === undefined) return false;
    session.statusReadMs = clock.monotonicMs();
  }
  if (session.budgetsListedMs === -Infinity) {
    const answer = await observer.refreshBudgets();
    if (answer.kind === 'forbidden') return runOutcome('forbidden', answer.message);
    session.budgetsListedMs = clock.monotonicMs();
  }
  const fingerprint = observer.daemonSetFingerprint();
  if (session.current?.fingerprint !== fingerprint || clock.monotonicMs() - session.policyReadMs >= POLL_MS) {
    const read = await readPolicy(cluster, run.options.policyHash);
    if (read.kind === 'end') return read.end;
    if (read.kind === 'policy') {
      session.current = { policy: read.policy, hash: read.hash, writtenMs: read.writtenMs, fingerprint };
      observer.watch(watchedFor(read.policy, run.options.namespace));
      await readGpuOperatorPolicies(run, read);
    } else {
      run.reporter.log({ level: 'warning', message: `the policy cannot be read: ${read.message}` });
    }
    session.policyReadMs = clock.monotonicMs();
  }
  return observer.ready() && session.current?.fingerprint === observer.daemonSetFingerprint();
}

/**
 * Whether a node may begin: reads the pause. Requests that ask at the same time share one answer. While the status cannot be read, the
 * last answer counts.
 */
function mayBegin(session: LeaseSession): Promise<boolean> {
  const { run } = session;
  session.pauseRead ??= readStatus(run)
    .then((answer) => {
      if (answer.kind === 'forbidden') session.forbidden ??= answer.message;
      return !beginsNothing(run);
    })
    .finally(() => {
      session.pauseRead = undefined;
    });
  return session.pauseRead;
}

function snapshot({ run, observer, current }: LeaseSession): Snapshot {
  const cached = observer.snapshot(beginsNothing(run));
  if (current === undefined) return cached;
  noteListed(run, cached, current);
  const seen: Snapshot = { ...cached, ...factsOfRun(run, current) };
  failedInRun(run, seen, current);
  return seen;
}

/** Reports a decision, and confirms that nothing is left where it says so. */
async function decided(session: LeaseSession, decision: Decision, seen: Snapshot): Promise<Ended<Outcome> | undefined> {
  const { run, actuator } = session;
  run.reporter.decided(decision, seen);
  // The nodes that had failed before are saved before the first action, for the next pod of the same Job.
  if (session.isFirstDecision) await saveStatus(session, true);
  else inBackground(session, 'status', () => saveStatus(session, false));
  session.isFirstDecision = false;
  const isOver = isComplete(decision, run.options.mode) && actuator.idle();
  if (!isOver || run.ports.clock.monotonicMs() < session.confirmMs) return undefined;
  const end = await confirmOutcome(session, seen);
  return end === undefined ? undefined : { end };
}

/** Starts the actions of a decision, and asks for what later ones need. */
function act(session: LeaseSession, decision: Decision, seen: Snapshot): void {
  for (const lookup of decision.daemonSetLookups)
    if (!seen.foreignDaemonSets.has(nameOf(lookup))) lookUpDaemonSet(session, lookup);
  refreshBudgets(session, decision);
  session.actuator.start(decision.actions, seen);
}

/** The caches may lag, so a run ends only if consistent lists confirm its outcome. Otherwise it lists everything again. */
async function confirmOutcome(session: LeaseSession, snapshot: Snapshot): Promise<RunOutcome | undefined> {
  const { run, observer } = session;
  const { clock, random } = run.ports;
  const result = await preflight(run, snapshot);
  if (result.kind === 'end') return result.end;
  session.confirms++;
  session.confirmMs = clock.monotonicMs() + backOffMs(session.confirms, CONFIRM_FIRST_MS, CONFIRM_LONGEST_MS, random);
  if (result.kind === 'work' && session.confirms > 1) observer.relist();
  return undefined;
}

/** Sleeps until something changes or is due, and until the next decision may be made. */
async function waitForChange(session: LeaseSession, decision: Decision): Promise<void> {
  const { run, actuator } = session;
  const { clock } = run.ports;
  const nowMs = clock.monotonicMs();
  const due = [POLL_MS];
  if (decision.wakeMs !== undefined) due.push(decision.wakeMs - clock.now());
  const nextMs = actuator.nextMonotonicMs();
  if (nextMs !== undefined) due.push(nextMs - nowMs);
  if (session.confirmMs > nowMs) due.push(session.confirmMs - nowMs);
  await run.wake.sleep(Math.max(SHORTEST_SLEEP_MS, Math.min(...due)));
  const leftMs = session.cadence.leftMs();
  if (leftMs > 0 && !run.ports.signals.stopRequested) await sleep(clock, leftMs);
}

/** Asks whether the DaemonSet of a pod on a node that is drained exists; again only when the last answer has expired. */
function lookUpDaemonSet(session: LeaseSession, lookup: ForeignDaemonSet): void {
  inBackground(session, nameOf(lookup), async () => {
    const answer = await session.run.ports.cluster.getDaemonSet(lookup.namespace, lookup.name);
    if (answer.kind === 'forbidden') session.forbidden ??= answer.message;
    else session.observer.results.noteForeignDaemonSet(lookup, answer);
    session.run.wake.fire();
  });
}

const ON_BUDGETS: ReadonlySet<WaitKind> = new Set(['evictions', 'budget', 'pods', 'failed']);

/** Lists budgets while nodes depend on them: they order drains, messages name them, and a node whose drain they blocked begins again. */
function refreshBudgets(session: LeaseSession, decision: Decision): void {
  const { clock } = session.run.ports;
  const isNeeded = decision.waiting.some(({ kind }) => ON_BUDGETS.has(kind));
  if (clock.monotonicMs() - session.budgetsListedMs < POLL_MS || !isNeeded) return;
  session.budgetsListedMs = clock.monotonicMs();
  inBackground(session, 'budgets', async () => {
    const answer = await session.observer.refreshBudgets();
    if (answer.kind === 'forbidden') session.forbidden ??= answer.message;
    session.run.wake.fire();
  });
}

/** Starts a task in the background, unless the task of this key is under way. */
function inBackground(session: LeaseSession, key: string, task: () => Promise<void>): void {
  if (session.ended || session.background.has(key)) return;
  const finished = session
    .limit(task)
    .catch(session.run.crashed)
    .then(() => {
      session.background.delete(key);
    });
  session.background.set(key, finished);
}

async function saveStatus(session: LeaseSession, now: boolean, end?: RunOutcome): Promise<void> {
  const { run, current } = session;
  const { decision } = run;
  if (decision === undefined || current === undefined) return;
  const content = {
    policyHash: current.hash,
    failedBefore: run.failedBefore ?? [],
    listed: [...run.listed],
    decision,
    problems: session.actuator.problems(),
    end,
  };
  await run.reporter.saveStatus(content, now);
}
