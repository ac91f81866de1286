import { expect, it } from '@jest/globals';
import { upgradePolicySchema } from '../../src/shared/contract/upgrade-policy.js';
import { desiredOf, type Desired } from '../../src/forecast/plan/desired.js';
import { makePlan } from '../../src/forecast/plan/plan.js';
import type { UpgradePlan } from '../../src/forecast/plan/types.js';
import { planMarkdown } from '../../src/forecast/plan/render/markdown.js';
import { planText } from '../../src/forecast/plan/render/text.js';
import { AT, fleetOf } from './fleet.js';

/** The same object for another driver, in a namespace of its own. */
function second<T>(object: T): T {
  const text = JSON.stringify(object)
    .replaceAll('"nno"', '"gpu"')
    .replaceAll('"name":"mofed"', '"name":"gpud"')
    .replaceAll('"uid":"1"', '"uid":"2"')
    .replaceAll('uid-driver', 'uid-gpud');
  return JSON.parse(text) as T;
}

function planOfTwo(): UpgradePlan {
  const { objects, snapshot } = fleetOf({ nodes: 3 });
  const desired = desiredOf(objects);
  if (desired === undefined) throw new Error('the fleet has no policy');
  const { policy, daemonSets } = desired;
  const [ofed] = policy.drivers;
  if (ofed?.kind !== 'ofed') throw new Error('the fleet has another driver');
  const { daemonSetSelector, podSelector, containerName } = ofed;
  const { autoUpgrade, maxParallelUpgrades, drain } = ofed.policies[0]?.upgradePolicy ?? {};
  const place = { namespace: 'gpu', daemonSetSelector, podSelector, containerName };
  const gpu = {
    kind: 'gpu',
    ...place,
    policies: [{ name: 'gpuDriver', upgradePolicy: { autoUpgrade, maxParallelUpgrades, drain } }],
  };
  const both: Desired = {
    ...desired,
    policy: upgradePolicySchema.parse({ ...policy, drivers: [...policy.drivers, gpu] }),
    daemonSets: [...daemonSets, ...second(daemonSets)],
  };
  const ofDriver = snapshot.items.filter((one) => JSON.stringify(one).includes('"nno"'));
  const items = [...snapshot.items, ...second(ofDriver)];
  return makePlan(both, { items }, { at: AT, runs: 1, durations: { driver: { from: 240, to: 300 } } });
}

it('a node counts once, and its rows name the driver', () => {
  const plan = planOfTwo();
  expect(plan.nodePlans).toHaveLength(6);
  const left = new Set(plan.nodePlans.flatMap(({ node, outcome }) => (outcome === 'upgraded' ? [] : [node])));
  expect([plan.nodes, plan.upgraded]).toEqual([3, 3 - left.size]);
  expect(planText(plan)).toMatch(
    /\n(?:\d of )?3 nodes (?:begin )?in \d waves?,[^]*NODE +DRIVER +WAVE[^]*node-0000 +gpu /,
  );
  expect(planMarkdown(plan, 'east')).toContain('| node | driver | wave |');
});
