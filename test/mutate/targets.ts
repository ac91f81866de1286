/** Files whose guards and steps are mutated, and the tests of which one must fail. */
export interface Target {
  readonly paths: readonly string[];
  /** Prefixes of the paths of the tests. */
  readonly tests: readonly string[];
}

const RUNTIME = 'src/upgrade/runtime';
const DRAIN = 'src/upgrade/drain';
const DECISION_TESTS = ['src/upgrade/decide/', 'test/scenarios'];

/** Tests of which one must fail for each mutant of the transition table. */
export const TABLE_TESTS: readonly string[] = DECISION_TESTS;

export const TARGETS: readonly Target[] = [
  {
    paths: ['actuator', 'back-offs', 'limit', 'patch'].map((name) => `${RUNTIME}/act/${name}.ts`),
    tests: [`${RUNTIME}/act/`],
  },
  {
    paths: ['lease', 'lease-keeper'].map((name) => `${RUNTIME}/lease/${name}.ts`),
    tests: [`${RUNTIME}/lease/`],
  },
  {
    paths: ['cadence', 'lease-session', 'loop', 'policy', 'preflight', 'run', 'wake'].map(
      (name) => `${RUNTIME}/loop/${name}.ts`,
    ),
    tests: [`${RUNTIME}/loop/`],
  },
  {
    paths: ['blockers', 'drain-view', 'evictions', 'filters', 'pods-to-move', 'room'].map(
      (name) => `${DRAIN}/${name}.ts`,
    ),
    tests: [`${DRAIN}/`, ...DECISION_TESTS],
  },
  { paths: ['cordon', 'records'].map((name) => `src/upgrade/flow/${name}.ts`), tests: DECISION_TESTS },
];

/** Equivalent mutants, by their id, with the reason why no test can fail. */
export const EQUIVALENT: readonly { readonly id: string; readonly reason: string }[] = [
  ...[
    '`state.stateOnly += stateOnly;` after `results.notePending(action);`',
    '`patches.delete(action.node);` after `state.stateOnly -= stateOnly;`',
    '`state.stateOnly -= stateOnly;` after `results.noteResolved(action);`',
  ].map((change) => {
    return { id: `${RUNTIME}/act/actuator.ts startPatch: ${change}`, reason: 'both happen before anything else runs' };
  }),
  {
    id: `${RUNTIME}/act/actuator.ts startPatch: \`results.noteResolved(action);\` after \`state.changed();\``,
    reason: 'the loop that is woken runs later',
  },
  {
    id: `${RUNTIME}/act/patch.ts patchUntilCertain: without \`found.kind === 'stale'\` in \`found.kind === 'stale' && found.node.resourceVersion === action.resourceVersion\``,
    reason: 'a node that has the patch has another resourceVersion',
  },
  {
    id: 'src/upgrade/flow/records.ts clearRecords: without `annotation(plan, keys[name]) !== undefined` in `!states.has(plan.state) && annotation(plan, keys[name]) !== undefined`',
    reason: 'what is not there is taken away without a change',
  },
  { id: 'cordon-replaced from cordon-required', reason: 'the same decision takes it in the next state' },
  { id: 'left-cordon when cordonRecorded', reason: 'the row before it takes all nodes without a record' },
  { id: 'yield from pod-deletion-required', reason: 'without resources the same decision takes it in the next state' },
  { id: 'resource-pods-gone then startRestart', reason: 'the row for missing start times writes the same' },
  { id: 'resource-pods-refused unless drainEnabled', reason: 'the row before it takes nodes with a drain' },
  { id: 'pod-deletion-failed unless drainEnabled', reason: 'the row before it takes nodes with a drain' },
  {
    id: 'restart-suspended when restartStarted',
    reason: 'it takes a start time away that is not there, so nothing is patched',
  },
  ...[
    'blockers.ts budgetsInTheWay: `first ??= one;` after `all = all === NO_NAMES ? one.names : [...all, ...one.names];`',
  ].map((id) => ({ id: `${DRAIN}/${id}`, reason: 'neither reads what the other writes' })),
  ...[
    'blockers.ts budgetsInTheWay: `all === NO_NAMES` is false',
    'blockers.ts refusalMessages: `known !== undefined` is false',
    'filters.ts drainVerdict: `warning === undefined` is false (2)',
    'blockers.ts refusalMessages: without `messages.set(message, byAttempts.set(attempts, text));`',
    'drain-view.ts viewOf: `!takesAll(options, plain)` is true',
    'drain-view.ts viewOf: `others.leaving.length === 0` is false',
    'pods-to-move.ts nodeHasPodsToMove: `plain.length > gatedPods.length` is false',
  ].map((id) => ({ id: `${DRAIN}/${id}`, reason: 'a short cut: the long way has the same result' })),
  ...[
    'filters.ts apply: without `pod.deletionMs !== undefined` in `unreachable && pod.deletionMs !== undefined`',
    'filters.ts apply: without `startMs !== undefined` in `startMs !== undefined && pod.toleratesUnschedulable`',
    "evictions.ts recordEviction: `outcome.kind === 'error'` is false",
  ].map((id) => ({ id: `${DRAIN}/${id}`, reason: 'the compiler asks for it; without a time no comparison holds' })),
  ...[
    'actuator.ts nodesToWaitFor: `removals.size === 0` is false',
    'actuator.ts nodesToWaitFor: without `removal.node === undefined` in `removal.node === undefined || !patched.has(removal.node)`',
    "actuator.ts noteFailure: `answer.kind === 'retry'` is true",
    "patch.ts delayMs: `answer.kind === 'retry'` is true",
  ].map((id) => ({ id: `${RUNTIME}/act/${id}`, reason: 'a short cut, or what the compiler asks for' })),
  ...[
    'without `promise.then(clear, clear);`',
    '`last.get(key) === promise` is true',
    '`last.get(key) === promise` is false',
  ].map((what) => ({
    id: `${RUNTIME}/act/limit.ts createSequences: ${what}`,
    reason: 'it keeps the map small, and nothing else',
  })),
  {
    id: `${RUNTIME}/act/patch.ts hasPatch: without \`node.resourceVersion !== action.resourceVersion\` in \`node.resourceVersion !== action.resourceVersion && hasAll(node.labels, action.labels)\``,
    reason: 'a decision makes no patch that changes nothing',
  },
  {
    id: `${RUNTIME}/lease/lease-keeper.ts tryAcquire: \`observed === undefined\` is false`,
    reason: 'the compiler asks for it: without a Lease the step is to create one',
  },
  {
    id: `${RUNTIME}/lease/lease-keeper.ts lose: \`state.state = 'lost';\` after \`state.onChange();\``,
    reason: 'the loop that is woken runs later',
  },
  ...[
    [
      'permission: without `keeper.lost()` in `session.ended || keeper.lost()`',
      'a lost keeper may not act either, and the loop that is woken ends the session',
    ],
    [
      'refreshInputs: `session.current = { policy: read.policy, hash: read.hash, writtenMs: read.writtenMs, finge` after `observer.watchNamespaces(namespacesOf(read.policy, run.options.namespace));`',
      'neither reads what the other writes',
    ],
    [
      'reconcile: `end !== undefined` is true',
      'there is nothing to do then, and the next decision, which comes at once, sleeps',
    ],
    [
      "refreshBudgets: `session.budgetsListedMs = clock.monotonicMs();` after `inBackground(session, 'budgets', async () => { const answer = await session.observer.refre`",
      'the task does not read it',
    ],
    ...[
      '`leftMs > 0 && !run.ports.signals.stopRequested` is true',
      'without `leftMs > 0` in `leftMs > 0 && !run.ports.signals.stopRequested`',
    ].map((what) => [`waitForChange: ${what}`, 'a sleep of no time']),
    [
      'saveStatus: without `decision === undefined` in `decision === undefined || current === undefined`',
      'the compiler asks for it: the preflight has decided',
    ],
    ['runLeaseSession: without `session.ended = true;` (2)', 'after an error the keeper has ended, so nothing may act'],
    [
      'runLeaseSession: `session.ended = true;` after `session.observer.stop();`',
      'both happen before anything else runs',
    ],
    [
      'runLeaseSession: `session.observer.stop();` after `await keeper.end(clean && !session.actuator.uncertain());`',
      'the caches are not read any more',
    ],
    ["failed: `answer.kind !== 'ok'` is true", 'the compiler asks for it: only failures are reported'],
    [
      'reconcileUntilEnd: without `await run.wake.sleep(UNREADY_MS);`',
      'how often it is asked whether the caches are filled, which costs no request',
    ],
    [
      'reconcileUntilEnd: without `await sleep(run.ports.clock, SHORTEST_SLEEP_MS);`',
      'how often it is asked whether the caches are filled, which costs no request',
    ],
    [
      'reconcileUntilEnd: `await run.wake.sleep(UNREADY_MS);` after `await sleep(run.ports.clock, SHORTEST_SLEEP_MS);`',
      'both are waited for',
    ],
    ['refreshInputs: `!observer.ready()` is false', 'the last line of the function asks again'],
    [
      'reconcile: `refreshBudgets(session, decision);` after `actuator.start(decision.actions, snapshot.pods);`',
      'both start requests and wait for none',
    ],
    [
      'reconcile: `current === undefined` is false',
      'the compiler asks for it: there is a policy when the inputs are there',
    ],
  ].map(([id = '', reason = '']) => ({ id: `${RUNTIME}/loop/lease-session.ts ${id}`, reason })),
  ...[
    ['loop.ts runCompanion: `error instanceof Error` is true (2)', 'anything else has no stack'],
    ['loop.ts startRun: `crash ??= { error };` after `wake.fire();`', 'the loop that is woken runs later'],
    ['loop.ts forbidden: `run.forbidden ??= message;` after `wake.fire();`', 'the loop that is woken runs later'],
    [
      "run.ts noteStatus: `run.paused = (annotations[PAUSED_ANNOTATION] ?? 'false') !== 'false';` after `run.listed = new Set([...run.listed, ...listedDaemonSets(data)]);`",
      'neither reads what the other writes',
    ],
    [
      'run.ts noteStatus: `run.listed = new Set([...run.listed, ...listedDaemonSets(data)]);` after `run.failedBeforeRestart ??= failedBeforeRun(data, run.options.runId);`',
      'neither reads what the other writes',
    ],
    [
      'preflight.ts evaluate: `run.decision = decision;` after `run.jobWithoutFailures = run.failedBefore?.length === 0 ? current.job : undefined;`',
      'neither reads what the other writes',
    ],
    ['wake.ts fire: `fired = true;` after `resolveSleep?.();`', 'what sleeps goes on later'],
    ['wake.ts sleep: `stop();` after `resolve();`', 'what sleeps goes on later'],
  ].map(([id = '', reason = '']) => ({ id: `${RUNTIME}/loop/${id}`, reason })),
  ...[
    "start: without `action.kind !== 'deleteDaemonSet'` in `action.kind !== 'deleteDaemonSet' && busy.has(action.node)`",
    "startRemoval: `action.kind === 'deleteDaemonSet'` is false",
  ].map((what) => ({
    id: `${RUNTIME}/act/actuator.ts ${what}`,
    reason: 'the compiler asks for it: such an action has no node',
  })),
];
