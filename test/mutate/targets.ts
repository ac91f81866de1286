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
];
