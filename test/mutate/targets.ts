/** Files whose guards and steps are mutated, and the tests that have to notice. */
export interface Target {
  readonly paths: readonly string[];
  /** Patterns of test files, run one after the other: the fast ones first. */
  readonly tests: readonly string[];
}

const RUNTIME = 'src/upgrade/runtime';
const DRAIN = 'src/upgrade/drain';

export const TARGETS: readonly Target[] = [
  {
    paths: [
      `${RUNTIME}/act/actuator.ts`,
      `${RUNTIME}/act/back-offs.ts`,
      `${RUNTIME}/act/limit.ts`,
      `${RUNTIME}/act/patch.ts`,
    ],
    tests: [`${RUNTIME}/act/`],
  },
  { paths: [`${RUNTIME}/lease/lease.ts`, `${RUNTIME}/lease/lease-keeper.ts`], tests: [`${RUNTIME}/lease/`] },
  {
    paths: [
      `${RUNTIME}/loop/cadence.ts`,
      `${RUNTIME}/loop/lease-session.ts`,
      `${RUNTIME}/loop/loop.ts`,
      `${RUNTIME}/loop/policy.ts`,
      `${RUNTIME}/loop/preflight.ts`,
      `${RUNTIME}/loop/run.ts`,
      `${RUNTIME}/loop/wake.ts`,
    ],
    tests: [`${RUNTIME}/loop/(loop|cadence)`, `${RUNTIME}/loop/faults`],
  },
  {
    paths: [`${DRAIN}/blockers.ts`, `${DRAIN}/drain-view.ts`, `${DRAIN}/evictions.ts`, `${DRAIN}/filters.ts`],
    tests: [`${DRAIN}/`, 'src/upgrade/decide-pods'],
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
