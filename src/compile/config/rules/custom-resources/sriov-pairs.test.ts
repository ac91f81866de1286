import { expect, it } from '@jest/globals';
import { fc } from '../../../../../test/kit/fast-check.js';
import { runsOf } from '../../../../../test/kit/shares.js';
import { hasEntries } from '../../../../shared/lib/has-entries.js';
import type { NodePool } from '../../../model/config.js';
import { nodePairs } from './sriov-pairs.js';
import { contradictionKeys, contradictions, overlapKeys, overlaps, type PolicySpec } from './sriov-policy.js';

interface Policy {
  readonly namespace: string;
  readonly spec: PolicySpec;
}

const labels = fc.dictionary(fc.constantFrom('role', 'rack'), fc.constantFrom('a', 'b'), { maxKeys: 2 });
const policies: fc.Arbitrary<readonly Policy[]> = fc.array(
  fc.record({
    namespace: fc.constantFrom('m', 'n'),
    spec: fc.record({
      resourceName: fc.constantFrom('r', 's'),
      numVfs: fc.constant(8),
      nodeSelector: labels,
      nicSelector: fc.record({
        pfNames: fc.subarray(['e0', 'e1', 'e0#0-3', 'e0#2-5', 'e1#4-7']),
        rootDevices: fc.subarray(['0000:1', '0000:2']),
      }),
      externallyManaged: fc.boolean(),
      excludeTopology: fc.boolean(),
    }),
  }),
  { maxLength: 8 },
);
const pools = fc
  .array(labels, { maxLength: 3 })
  .map((all) => all.map((one) => ({ labels: one }) as unknown as NodePool));

/** Every earlier policy of the same namespace that may be on a node beside it: what the webhook compares. */
function* allPairs(all: readonly Policy[], inPools: readonly NodePool[]): Generator<readonly [Policy, Policy]> {
  for (const [index, policy] of all.entries()) {
    for (const first of all.slice(0, index)) {
      const [a, b] = [policy.spec.nodeSelector, first.spec.nodeSelector];
      const isShared =
        hasEntries(a, b) ||
        hasEntries(b, a) ||
        inPools.some((pool) => hasEntries(pool.labels, a) && hasEntries(pool.labels, b));
      if (first.namespace === policy.namespace && isShared) yield [policy, first];
    }
  }
}

it.each([
  ['overlaps', overlapKeys, overlaps],
  ['contradictions', contradictionKeys, contradictions],
] as const)('the pairs that are looked at have all %s', (_name, keys, problemsOf) => {
  const problems = (pairs: Iterable<readonly [Policy, Policy]>, all: readonly Policy[]) =>
    [...pairs].flatMap(([policy, first]) =>
      [...problemsOf(policy.spec, first.spec)].map((found) => [all.indexOf(policy), all.indexOf(first), found]),
    );
  fc.assert(
    fc.property(policies, pools, (all, inPools) => {
      expect(problems(nodePairs(all, inPools, keys), all)).toEqual(problems(allPairs(all, inPools), all));
    }),
    runsOf(300, 5000),
  );
});

it('looks at no pair of policies that only share an interface name, or that agree', () => {
  const spec = { resourceName: 'r', numVfs: 8, nicSelector: { pfNames: ['e0'] } };
  const many = Array.from({ length: 200 }, (_, index) => ({
    namespace: 'n',
    spec: { ...spec, nodeSelector: { node: String(index) } },
  }));
  expect([...nodePairs(many, [], overlapKeys)]).toEqual([]);
  const alike = many.map((one) => ({ ...one, spec: { ...one.spec, nodeSelector: {} } }));
  expect([...nodePairs(alike, [], contradictionKeys)]).toEqual([]);
});
