import { expect, it } from '@jest/globals';
import {
  after,
  daemonSet,
  driverPod,
  keys,
  node,
  NOW,
  pod,
  policyOf,
  snapshot,
} from '../../../../test/kit/snapshots.js';
import { decide } from '../../decide.js';

/** Names that every object of JavaScript has. Those of objects are lower-case; labels may have the others. */
const AWKWARD = ['constructor', 'toString', 'valueOf', 'hasOwnProperty', 'isPrototypeOf', '__proto__', 'prototype'];
const ORDINARY = 'ordinary';

/** Decisions about two nodes, until nothing changes, with one name for everything. */
function decisionsWith(name: string): string {
  const label = name.startsWith('_') ? ORDINARY : name;
  const policy = policyOf(
    {
      maxParallelUpgrades: 0,
      drain: { enable: true, podSelector: `!${label}` },
      waitForCompletion: { podSelector: label, timeoutSeconds: 60 },
    },
    {
      rollout: { topologyKey: label, canary: { nodeSelector: { [label]: 'yes' } } },
    },
  );
  const [driver] = policy.drivers;
  if (driver?.kind === 'ofed' && driver.policies[0]?.daemonSets[0] !== undefined)
    driver.policies[0].daemonSets[0].name = name;
  const controller = { apiVersion: 'apps/v1', kind: 'DaemonSet', name, uid: `uid-${name}` };
  const driverPods = [name, '0'].map((at) => driverPod(at, { digest: 'old', owner: name, controller }));
  const others = [pod(name, name, { labels: { [label]: 'x' } }), pod(name, 'plain'), pod('0', 'other')];
  let cluster = snapshot({
    nodes: [node(name, { labels: { [label]: 'yes' } }), node('0', { annotations: { [keys.requested]: 'true' } })],
    pods: [...driverPods, ...others],
    daemonSets: [daemonSet({ name })],
    budgets: [{ namespace: 'apps', name, selector: { matchLabels: { [label]: 'x' } }, disruptionsAllowed: 1 }],
  });
  const decisions: unknown[] = [];
  for (let round = 0; round < 6; round += 1) {
    const decision = decide(cluster, policy, NOW + round * 60_000);
    decisions.push(decision);
    cluster = after(cluster, decision);
  }
  // The name of the rollout is a hash of the names of DaemonSets.
  return JSON.stringify(decisions)
    .replaceAll(name, ORDINARY)
    .replace(/"[0-9a-f]{8} \d+"/g, '"done"');
}

it.each(AWKWARD)('%s is an ordinary name', (name) => {
  expect(decisionsWith(name)).toBe(decisionsWith(ORDINARY));
});
