/** Files whose guards and steps are mutated, and the tests that have to notice. */
export interface Target {
  readonly paths: readonly string[];
  /** What the paths of the tests begin with. */
  readonly tests: readonly string[];
}

const RUNTIME = 'src/upgrade/runtime';
const DRAIN = 'src/upgrade/drain';
const DECISION_TESTS = ['src/upgrade/decide', 'test/scenarios'];

/** What has to notice mutants of the transition table. */
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
    paths: ['blockers', 'drain-order', 'drain-view', 'evictions', 'filters', 'pods-to-move'].map(
      (name) => `${DRAIN}/${name}.ts`,
    ),
    tests: [`${DRAIN}/`, ...DECISION_TESTS],
  },
];

/** Mutants that change nothing that a test could see, by their id, and why. */
export const EQUIVALENT: readonly { readonly id: string; readonly reason: string }[] = [
  {
    id: `${RUNTIME}/act/actuator.ts startPatch: \`patches.delete(action.node);\` after \`results.noteResolved(action);\``,
    reason: 'both happen before anything else runs',
  },
  {
    id: `${RUNTIME}/act/actuator.ts startPatch: \`results.noteResolved(action);\` after \`state.changed();\``,
    reason: 'the loop that is woken runs later',
  },
  {
    id: `${RUNTIME}/act/patch.ts patchUntilCertain: without \`found.kind === 'stale'\` in \`found.kind === 'stale' && found.node.resourceVersion === action.resourceVersion\``,
    reason: 'a node that has the patch has another resourceVersion',
  },
  { id: 'cordon-replaced from cordon-required', reason: 'the same decision takes it in the next state' },
  { id: 'left-cordon when cordonRecorded', reason: 'the row before it takes all nodes without a record' },
  { id: 'yield from pod-deletion-required', reason: 'without resources the same decision takes it in the next state' },
  { id: 'resource-pods-gone then startRestart', reason: 'the row for missing start times writes the same' },
  { id: 'resource-pods-refused unless drainEnabled', reason: 'the row before it takes nodes with a drain' },
  { id: 'pod-deletion-failed unless drainEnabled', reason: 'the row before it takes nodes with a drain' },
  { id: 'driver-failing-unvalidated unless oldDriverPod', reason: 'the row `driver-replaced` takes these nodes' },
  ...[
    'blockers.ts budgetsInTheWay: `first ??= one;` after `all = all === NO_NAMES ? one.names : [...all, ...one.names];`',
    'drain-order.ts take: `claim.left -= pods;` after `claim.isClaimed = true;`',
  ].map((id) => ({ id: `${DRAIN}/${id}`, reason: 'neither reads what the other writes' })),
  ...[
    'blockers.ts budgetsInTheWay: `all === NO_NAMES` is false',
    'blockers.ts refusalsInWords: `known !== undefined` is false',
    'blockers.ts refusalsInWords: without `said.set(message, byAttempts.set(attempts, words));`',
    'drain-order.ts wouldBeHeldBack: `claimed.length === 0` is false',
    'drain-order.ts claimBudgets: `isClaimed && left <= 0` is false',
    'drain-order.ts claimBudgets: `!spent.includes(claim)` is true',
    'drain-order.ts claimBudgets: `open.length === 0` is false',
    'drain-order.ts claimBudgets: `spent.length + short.length > 0` is true',
    'drain-view.ts lookAt: `!takesAll(options, plain)` is true',
    'drain-view.ts lookAt: `others.leaving.length === 0` is false',
    'pods-to-move.ts podsLookForRoom: `plain.length > driverPods.length + gatedPods.length` is false',
  ].map((id) => ({ id: `${DRAIN}/${id}`, reason: 'a short cut: the long way has the same result' })),
  ...[
    'drain-order.ts mustYield: without `sinceMs !== undefined` in `sinceMs !== undefined && yielding.has(view)`',
    'drain-order.ts drainStartMs: `starts.length === 0` is false',
    'drain-order.ts roomlessSinceMs: `starts.length === 0` is false',
    'drain-order.ts drainOrderOf: without `sinceMs === undefined` in `sinceMs === undefined || yielding.size === 0`',
  ].map((id) => ({ id: `${DRAIN}/${id}`, reason: 'the compiler asks for it; without a time no comparison holds' })),
];
