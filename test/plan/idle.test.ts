import { expect, it } from '@jest/globals';
import { installDigest } from '../../src/shared/contract/install-digest.js';
import { INSTALL_DIGEST_ANNOTATION } from '../../src/shared/contract/labels.js';
import { upgradePolicySchema, type UpgradePolicyInput } from '../../src/shared/contract/upgrade-policy.js';
import type { KubernetesObject } from '../../src/shared/kubernetes/types.js';
import { desiredOf, type Desired } from '../../src/forecast/plan/desired.js';
import { makePlan } from '../../src/forecast/plan/plan.js';
import { headlines } from '../../src/forecast/plan/render/text.js';
import { sriovDriver, weftGpu } from '../kit/shared-nodes.js';
import { changed, planOf, withMetadata } from './changed.js';
import { AT, fleetOf, podOf, type Fleet } from './fleet.js';

type DriverInput = UpgradePolicyInput['drivers'][number];

/** The first line of a plan without nodes. `isApplied`: the output has the driver that the nodes have already. */
function headline(
  { objects, snapshot }: Fleet,
  isApplied = true,
  change: (drivers: Desired['policy']['drivers']) => readonly DriverInput[] = (drivers) => drivers,
): string | undefined {
  const desired = desiredOf(objects);
  if (desired === undefined) throw new Error('the fleet has no policy');
  const set = setOf(snapshot.items);
  const policy = upgradePolicySchema.parse({
    ...desired.policy,
    drivers: change(isApplied ? withDigest(desired, digestOf(set)) : desired.policy.drivers),
    sriovNodeStates: { namespace: 'sriov', resourcePrefix: 'nvidia.com/' },
  });
  const items = snapshot.items.map((one) => (isApplied && one['kind'] === 'DaemonSet' ? applied(set) : one));
  const given = { items: items as Fleet['snapshot']['items'] };
  const plan = makePlan({ ...desired, policy, ...(isApplied && { daemonSets: [] }) }, given, { at: AT, runs: 1 });
  expect(plan.nodes).toBe(0);
  return headlines(plan)[0];
}

function setOf(items: Fleet['snapshot']['items']): KubernetesObject {
  return items.find(({ kind }) => kind === 'DaemonSet') as unknown as KubernetesObject;
}

function digestOf(object: KubernetesObject): string {
  const { spec } = object as unknown as { readonly spec: { readonly template: Parameters<typeof installDigest>[0] } };
  return installDigest(spec.template);
}

const applied = (object: KubernetesObject): KubernetesObject => ({
  ...object,
  metadata: { ...object.metadata, annotations: { [INSTALL_DIGEST_ANNOTATION]: digestOf(object) } },
});

const withDigest = ({ policy }: Desired, digest: string): Desired['policy']['drivers'] =>
  policy.drivers.map((driver) => ({
    ...driver,
    policies: driver.policies.map((one) => ({ ...one, daemonSets: [{ name: 'mofed', digest }] })),
  })) as Desired['policy']['drivers'];

const fleet = fleetOf({ nodes: 2 });

it('every node has the driver of the new output', () => {
  expect(headline(fleet)).toBe('the plan upgrades no node: every node has the driver of the new output');
});

it('no node has the driver: none of the nodes gets it', () => {
  const bare = changed(fleet, 'Node', /./, (node) => withMetadata(node, { labels: {} }));
  const items = bare.snapshot.items.filter(({ metadata }) => !JSON.stringify(metadata).includes('"mofed-node'));
  expect(headline({ ...bare, snapshot: { items } })).toBe('the plan upgrades no node: no node gets the driver');
});

it('the policy does not upgrade by itself', () => {
  const off = fleetOf({ nodes: 2, upgradePolicy: { autoUpgrade: false } });
  expect(headline(off, false)).toBe(
    'the plan upgrades no node: policy NicClusterPolicy has no autoUpgrade: it upgrades nothing',
  );
});

it('the controller of the driver runs', () => {
  const operator = withMetadata(podOf('app-0', 99, 'node-0000'), {
    name: 'operator',
    namespace: 'nno',
    labels: { control: 'operator' },
  });
  const running = { ...fleet, snapshot: { items: [...fleet.snapshot.items, operator] } };
  const withController = (drivers: readonly DriverInput[]) =>
    drivers.map((driver) => ({ ...driver, controllerPodSelector: 'control=operator' }));
  expect(headline(running, false, withController)).toBe(
    'the plan upgrades no node: the pod nno/operator runs: its controller owns the ofed driver',
  );
});

it('the snapshot does not say what the GPU operator and the config daemons do', () => {
  const none = 'no DaemonSet in gpu matches app=nvidia-driver-daemonset';
  expect(headline(fleet, false, () => [weftGpu()])).toBe(`the plan upgrades no node: ${none}`);
  expect(headline(fleet, true, (drivers) => [...drivers, weftGpu(), sriovDriver()])).toBe(
    `the plan upgrades no node: every node has the ofed driver of the new output; ${none}; ` +
      'no config daemon asks for a drain of its node',
  );
});

it('the snapshot lacks DaemonSets or ControllerRevisions, so it does not say what the nodes have', () => {
  const without = (kind: string): Fleet => ({
    ...fleet,
    snapshot: { items: fleet.snapshot.items.filter((one) => one['kind'] !== kind) },
  });
  const missing = 'the plan upgrades no node: the snapshot does not say which driver the nodes have: it has no';
  expect(headlines(planOf(without('DaemonSet')))[0]).toBe(`${missing} DaemonSets`);
  expect(headline(without('ControllerRevision'))).toBe(`${missing} ControllerRevisions`);
});
