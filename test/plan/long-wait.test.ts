import { describe, expect, it } from '@jest/globals';
import { OFED_WAIT_CONTAINER } from '../../src/shared/contract/labels.js';
import type { UpgradePolicyInput } from '../../src/shared/contract/upgrade-policy.js';
import { readCluster, startCluster } from '../../src/forecast/plan/cluster/planned-cluster.js';
import { desiredOf } from '../../src/forecast/plan/desired.js';
import { planSteps } from '../../src/forecast/plan/plan.js';
import { recordRun } from '../../src/forecast/plan/run/record.js';
import { changed, withMetadata, type Item } from './changed.js';
import { AT, fleetOf, podOf, type Fleet } from './fleet.js';

const NODES = 8;
/** Every node starts and stops some pods. A wait of a day with a look each second would be 86,400 for one pod. */
const STEPS_MAX = 500 * NODES;

/** A DaemonSet whose init container looks for the ready-file each second. */
const gated = {
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  metadata: { name: 'device-plugin', namespace: 'nno', labels: {}, generation: 1 },
  spec: {
    selector: { matchLabels: { app: 'device-plugin' } },
    template: {
      metadata: { labels: { app: 'device-plugin' } },
      spec: {
        nodeSelector: { nic: 'yes' },
        initContainers: [{ name: OFED_WAIT_CONTAINER, image: 'example.com/wait:1' }],
        containers: [{ name: 'main', image: 'example.com/plugin:1' }],
      },
    },
  },
};

/** The driver loads on no node. */
const unready = (fleet: Fleet): Fleet =>
  changed(fleet, 'Pod', /^mofed-/, (pod) => ({ ...pod, status: { phase: 'Running' } }));

const without = ({ objects, snapshot }: Fleet, name: RegExp): Fleet => ({
  objects,
  snapshot: { items: snapshot.items.filter(({ metadata }) => !name.test((metadata as { name: string }).name)) },
});

/** A pod that never ends. */
const endless = (name: string, node: string): Item =>
  withMetadata(podOf('app-0', 99, node), { name, uid: name, labels: { training: 'yes' }, ownerReferences: [] });

/** How many steps one run takes. */
function stepsOf({ objects, snapshot }: Fleet, more: readonly Item[] = []): number {
  const desired = desiredOf([...objects, gated]);
  if (desired === undefined) throw new Error('the fleet has no policy');
  const items = [...snapshot.items, ...more];
  const cluster = startCluster(readCluster(desired, { items }, { at: AT, runs: 1 }), 1);
  const step = cluster.events.step.bind(cluster.events);
  let steps = 0;
  cluster.events.step = (untilMs) => {
    steps += 1;
    // An error ends a run that would take minutes.
    if (steps > STEPS_MAX)
      throw new Error(`more than ${STEPS_MAX} steps until ${new Date(cluster.events.now()).toISOString()}`);
    return step(untilMs);
  };
  const run = recordRun(cluster, desired.schedule);
  for (let done = false; !done;) done = run.next().done === true;
  return steps;
}

type Policy = NonNullable<Parameters<typeof fleetOf>[0]['upgradePolicy']>;

describe('the steps of a run do not grow with the time that pods wait', () => {
  it('for the file of a driver that no node has, while a pod is waited for', () => {
    const upgradePolicy: Policy = { waitForCompletion: { podSelector: 'training=yes' }, drain: { enable: true } };
    const fleet = unready(fleetOf({ nodes: NODES, upgradePolicy }));
    expect(stepsOf(fleet, [endless('first', 'node-0000'), endless('second', 'node-0001')])).toBeLessThan(STEPS_MAX);
  });

  it('for a safe load, until the window opens', () => {
    const rollout: UpgradePolicyInput['rollout'] = {
      maintenanceWindows: [{ schedule: '0 22 1 2 *', duration: '4h' }],
    };
    const fleet = without(fleetOf({ nodes: NODES, upgradePolicy: { safeLoad: true }, rollout }), /^mofed-node/);
    expect(stepsOf(fleet)).toBeLessThan(STEPS_MAX);
  });
});

it('a plan can be ended between two decisions', () => {
  const { objects, snapshot } = fleetOf({ nodes: NODES });
  const desired = desiredOf(objects);
  if (desired === undefined) throw new Error('the fleet has no policy');
  expect([...planSteps(desired, snapshot, { at: AT, runs: 1 })].length).toBeGreaterThan(NODES);
});
