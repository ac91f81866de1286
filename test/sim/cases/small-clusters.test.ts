import { describe, expect, it } from '@jest/globals';
import type { Snapshot } from '../../../src/companion/model/snapshot.js';
import { beginners, isHalted, oracle, type Budgets, type Outcome, type Rules, type Situation } from './oracle.js';
import { isEveryCase } from '../../kit/shares.js';
import { policyOf, runToRest, snapshotOf } from './small-cluster.js';
import { IN_PROGRESS } from '../rules/rules.js';

/**
 * Each rule set and each budget is tested with every twentieth situation or triple, each with another twentieth. With
 * `WEFT_ALL_CASES=1` they are tested with all.
 */
const SHARE = isEveryCase ? 1 : 20;
const isInShare = (at: number, of: number): boolean => (at + of) % SHARE === 0;

const STATES: readonly Situation['state'][] = [
  '',
  'upgrade-required',
  'cordon-required',
  'wait-for-jobs-required',
  'pod-deletion-required',
  'drain-required',
  'pod-restart-required',
  'validation-required',
  'uncordon-required',
  'upgrade-done',
  'upgrade-failed',
  'node-maintenance-required',
  'post-maintenance-required',
];
const CORDONS = ['none', 'ours', 'foreign'] as const;
const DRIVERS = ['none', 'ready', 'loading', 'failing', 'outdated', 'ending'] as const;
const PODS = ['none', 'evictable', 'forbidden', 'job'] as const;
const FLAGS = ['none', 'skip', 'requested', 'safe-load', 'outdated-mark', 'paused'] as const;

const ALL_RULES: readonly Rules[] = [true, false].flatMap((drain) =>
  [true, false].flatMap((podDeletion) =>
    [true, false].flatMap((waitsForJobs) =>
      (['off', 'passes', 'waits'] as const).map((validation) => ({
        autoUpgrade: true,
        drain,
        podDeletion,
        waitsForJobs,
        validation,
      })),
    ),
  ),
);
const PLAIN: Rules = { autoUpgrade: true, drain: true, podDeletion: false, waitsForJobs: false, validation: 'off' };
const NO_LIMIT: Budgets = { maxParallelUpgrades: 0, failureBudget: 100 };

/** Situations that are impossible, or equivalent to another one. */
function isPossible({ state, cordon, driver, pods, flag }: Situation): boolean {
  if (flag === 'safe-load' && driver !== 'loading') return false;
  if (flag === 'outdated-mark' && state !== 'upgrade-required') return false;
  const rests = state === '' || state === 'upgrade-done' || state === 'upgrade-required';
  // Two later states suffice to show that flags of the beginning have no effect there.
  const early = flag === 'skip' || flag === 'paused' || flag === 'requested';
  if (early && !rests && state !== 'drain-required' && state !== 'upgrade-failed') return false;
  // A node at rest has the companion's cordon if an administrator changed its label. Its pods do not matter.
  return !(rests && cordon === 'ours') || pods === 'none';
}

const SITUATIONS: readonly Situation[] = STATES.flatMap((state) =>
  CORDONS.flatMap((cordon) =>
    DRIVERS.flatMap((driver) => PODS.flatMap((pods) => FLAGS.map((flag) => ({ state, cordon, driver, pods, flag })))),
  ),
).filter(isPossible);

/** Clusters of one node. Of the rules only the objects of the validation are part of a cluster. */
const clustersOf = (validation: Rules['validation']): readonly Snapshot[] =>
  SITUATIONS.map((situation) => snapshotOf([situation], { ...PLAIN, validation }));
const CLUSTERS = { passes: clustersOf('passes'), waits: clustersOf('waits') };

describe('one node', () => {
  it.each(ALL_RULES)('comes to rest where the oracle says: $drain $podDeletion $waitsForJobs $validation', (rules) => {
    expect(disagreements(rules).slice(0, 5)).toEqual([]);
  });

  it('stands still without autoUpgrade', () => {
    expect(disagreements({ ...PLAIN, autoUpgrade: false })).toEqual([]);
  });
});

function disagreements(rules: Rules): string[] {
  const policies = [false, true].map((isPaused) => policyOf(rules, NO_LIMIT, isPaused));
  const clusters = CLUSTERS[rules.validation === 'waits' ? 'waits' : 'passes'];
  const found: string[] = [];
  for (const [index, situation] of SITUATIONS.entries()) {
    if (!isInShare(index, ALL_RULES.indexOf(rules))) continue;
    const policy = policies[situation.flag === 'paused' ? 1 : 0];
    const cluster = clusters[index];
    if (policy === undefined || cluster === undefined) throw new Error('no policy, or no cluster');
    const expected = JSON.stringify(oracle(situation, rules, true));
    const { outcomes, last } = runToRest(cluster, policy);
    const actual = JSON.stringify(outcomes[0]);
    if (actual === expected) continue;
    const waits = last.waiting.map(({ kind, message }) => `${kind}: ${message}`).join();
    found.push(`${JSON.stringify(situation)}\n  expected ${expected}\n  decided  ${actual} (${waits})`);
  }
  return found;
}

// --- Three nodes --------------------------------------------------------------------------------------------------------

/** One for each way in which a node can count for a budget. */
const PARTS: readonly Situation[] = [
  { state: '', cordon: 'none', driver: 'ready', pods: 'none', flag: 'none' },
  { state: '', cordon: 'none', driver: 'outdated', pods: 'none', flag: 'none' },
  { state: '', cordon: 'foreign', driver: 'outdated', pods: 'evictable', flag: 'none' },
  { state: 'upgrade-required', cordon: 'none', driver: 'outdated', pods: 'evictable', flag: 'none' },
  { state: 'upgrade-required', cordon: 'none', driver: 'none', pods: 'none', flag: 'none' },
  { state: 'upgrade-required', cordon: 'none', driver: 'outdated', pods: 'none', flag: 'skip' },
  { state: 'upgrade-required', cordon: 'foreign', driver: 'outdated', pods: 'none', flag: 'none' },
  { state: 'upgrade-required', cordon: 'ours', driver: 'outdated', pods: 'none', flag: 'none' },
  { state: 'cordon-required', cordon: 'none', driver: 'outdated', pods: 'none', flag: 'none' },
  { state: 'wait-for-jobs-required', cordon: 'ours', driver: 'outdated', pods: 'none', flag: 'none' },
  { state: 'drain-required', cordon: 'ours', driver: 'outdated', pods: 'evictable', flag: 'none' },
  { state: 'pod-restart-required', cordon: 'ours', driver: 'none', pods: 'none', flag: 'none' },
  { state: 'pod-restart-required', cordon: 'foreign', driver: 'loading', pods: 'none', flag: 'none' },
  { state: 'pod-restart-required', cordon: 'ours', driver: 'ready', pods: 'none', flag: 'none' },
  { state: 'uncordon-required', cordon: 'ours', driver: 'ready', pods: 'none', flag: 'none' },
  { state: 'upgrade-done', cordon: 'none', driver: 'ready', pods: 'none', flag: 'none' },
  { state: 'upgrade-done', cordon: 'foreign', driver: 'ready', pods: 'none', flag: 'none' },
  { state: 'upgrade-failed', cordon: 'ours', driver: 'failing', pods: 'none', flag: 'none' },
];

const BUDGETS: readonly Budgets[] = [0, 1, 2].flatMap((maxParallelUpgrades) =>
  [undefined, 1, 2].flatMap((maxUnavailable) =>
    [1, 2].map((failureBudget) => ({
      maxParallelUpgrades,
      failureBudget,
      ...(maxUnavailable === undefined ? {} : { maxUnavailable }),
    })),
  ),
);

/** All sets of three parts. The order of nodes must not matter, so each set occurs once, alternately forwards and backwards. */
const TRIPLES: readonly (readonly Situation[])[] = PARTS.flatMap((a, i) =>
  PARTS.slice(i).flatMap((b, j) => PARTS.slice(i + j).map((c, k) => (k % 2 === 0 ? [a, b, c] : [c, b, a]))),
);

/** The clusters and the oracle's final state of each part, which do not depend on the budgets. */
const TRIPLE_CLUSTERS = TRIPLES.map((triple) => ({ triple, snapshot: snapshotOf(triple, PLAIN) }));
const WAITING = restsOf((part) => oracle(part, PLAIN, false));
const HALTED = restsOf((part) => oracle(part, PLAIN, false, true));
const BEGUN = restsOf((part) => oracle(part, PLAIN, true));

function restsOf(rest: (part: Situation) => Outcome): (triple: readonly Situation[]) => readonly Outcome[] {
  const known = new Map(PARTS.map((part) => [part, rest(part)]));
  return (triple) => triple.flatMap((part) => known.get(part) ?? []);
}

describe('three nodes', () => {
  it.each(BUDGETS)('begin as the budgets allow: $maxParallelUpgrades, $maxUnavailable, $failureBudget', (budgets) => {
    const policy = policyOf(PLAIN, budgets, false);
    const some = TRIPLE_CLUSTERS.filter((_, index) => isInShare(index, BUDGETS.indexOf(budgets)));
    const found = some.flatMap((cluster) => compareTriple(cluster, budgets, policy) ?? []);
    expect(found.slice(0, 5)).toEqual([]);
  });
});

function compareTriple(
  { triple, snapshot }: (typeof TRIPLE_CLUSTERS)[number],
  budgets: Budgets,
  policy: ReturnType<typeof policyOf>,
): string | undefined {
  const { outcomes, last } = runToRest(snapshot, policy);
  const resting = WAITING(triple);
  const waiting = isHalted(resting, budgets) ? HALTED(triple) : resting;
  const begun = BEGUN(triple);
  const text = JSON.stringify;
  const candidates = triple.map((_, index) => text(waiting[index]) !== text(begun[index]));
  const started = outcomes.map((outcome, index) => candidates[index] === true && text(outcome) === text(begun[index]));
  const expected = triple.map((_, index) => text(started[index] === true ? begun[index] : waiting[index]));
  const willing = triple.filter((_, index) => candidates[index]);
  const desired = beginners(willing, waiting, budgets);
  const count = started.filter(Boolean).length;
  const report = (what: string): string =>
    [
      what,
      ...triple.map((one) => text(one)),
      ...outcomes.map((one) => `  decided ${text(one)}`),
      ...last.waiting.map(({ node, kind, message }) => `  ${node} ${kind}: ${message}`),
    ].join('\n');
  const wrong = outcomes.findIndex((outcome, index) => text(outcome) !== expected[index]);
  if (wrong >= 0) return report(`node-${wrong + 1} should be ${expected[wrong]}`);
  // Even without a limit, nodes may wait until drained nodes are schedulable again.
  const forEvictedPods = outcomes.some(({ state }) => IN_PROGRESS.has(state))
    ? last.waiting.filter(({ kind }) => kind === 'evicted-pods').length
    : 0;
  // A node that an administrator cordoned needs no slot. It may wait for evicted pods, and begin after nodes that took the last slots.
  const withoutSlot = triple.filter(({ cordon, pods }) => cordon === 'foreign' && pods === 'evictable').length;
  return count === desired || (count < desired ? count + forEvictedPods >= desired : count <= desired + withoutSlot)
    ? undefined
    : report(`${desired} nodes should begin`);
}
