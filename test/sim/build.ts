import { digestOf } from '../kit/digests.js';
import { driverKeys } from '../../src/contract/labels.js';
import { upgradePolicySchema } from '../../src/contract/upgrade-policy.js';
import { makePod, recordRevision, startControllers } from '../kit/cluster/controllers.js';
import { startKubelets } from '../kit/cluster/kubelet.js';
import { keyOf, type FakeDaemonSet, type FakeNode } from '../kit/cluster/store.js';
import { START_MS, makeWorld, type World } from '../kit/cluster/world.js';
import { GATE_LABEL, NAMESPACE, policyDocument, type Git, type NodePlan, type Scenario } from './scenario.js';

/** A fresh cluster has this long to settle before the run begins. */
export const WARM_UP_MS = 120_000;
export const STORM_START_MS = START_MS + WARM_UP_MS;

/** The cluster of a scenario, with drivers loaded and pods running, before the first fault. */
export function buildWorld(scenario: Scenario): World {
  const policy = upgradePolicySchema.parse(policyDocument(scenario.git));
  const world = makeWorld(scenario.seed, scenario.weather, policy);
  world.stormy = false;
  for (const plan of scenario.nodes) addNode(world, plan);
  applyGit(world, scenario.git);
  addGatedSet(world, scenario.git);
  for (const workload of scenario.workloads) world.workloads.push({ ...workload, uid: world.store.makeUid() });
  for (const { workload, minAvailable } of scenario.budgets) addBudget(world, workload, minAvailable, '');
  startControllers(world);
  startKubelets(world);
  while (world.events.step(START_MS + WARM_UP_MS - 1000));
  // Only now: nothing drains before the pods of fixed places exist.
  addLonePods(world);
  while (world.events.step(STORM_START_MS));
  world.safeLoad = scenario.safeLoad;
  world.stormy = true;
  return world;
}

export function addNode(world: World, plan: NodePlan): void {
  if (world.store.nodes.get(plan.name) !== undefined) return;
  const node: FakeNode = {
    name: plan.name,
    uid: world.store.makeUid(),
    resourceVersion: '',
    labels: { ...plan.labels, 'kubernetes.io/hostname': plan.name, [GATE_LABEL]: 'false' },
    annotations: {},
    unschedulable: plan.cordoned,
    ready: 'True',
    taints: [],
    allocatable: { cpu: '64', 'rdma/rdma_shared_device_a': '63' },
    boots: 0,
  };
  world.store.nodes.put(plan.name, node, plan.cordoned ? 'admin' : 'setup');
}

/** What the GitOps controller does: makes and changes DaemonSets, and never prunes a driver's. */
export function applyGit(world: World, git: Git): void {
  for (const driver of git.drivers) {
    if (driver.uninstall) continue;
    for (const { name, policy, digest, group } of driver.sets) {
      const key = `${NAMESPACE}/${name}`;
      const before = world.store.daemonSets.get(key);
      if (before?.deletionMs !== undefined) {
        world.events.after(5000, () => applyGit(world, git));
        continue;
      }
      const generation = (before?.generation ?? 0) + 1;
      const set: FakeDaemonSet = {
        namespace: NAMESPACE,
        name,
        uid: before?.uid ?? world.store.makeUid(),
        resourceVersion: '',
        labels: { [`nvidia.com/${driver.prefix}-driver`]: '', 'ds-owner': policy },
        createdMs: before?.createdMs ?? world.events.now(),
        generation,
        observedGeneration: before?.observedGeneration ?? generation,
        digest,
        renderedDigest: digest,
        hash: `${digest}-${generation}`,
        nodeSelector: { group },
        tolerations: [{ operator: 'Exists' }],
        role: 'driver',
        labelPrefix: driver.prefix,
      };
      const after = world.store.daemonSets.put(key, set, 'setup');
      if (before === undefined) recordRevision(world, after);
    }
  }
}

/** A device plugin that must not run before the OFED driver is loaded. */
function addGatedSet(world: World, git: Git): void {
  const gate = git.drivers.find(({ prefix }) => prefix === 'ofed')?.gate;
  if (gate === undefined) return;
  const name = 'device-plugin';
  const set: FakeDaemonSet = {
    namespace: NAMESPACE,
    name,
    uid: world.store.makeUid(),
    resourceVersion: '',
    labels: {},
    createdMs: world.events.now(),
    generation: 1,
    observedGeneration: 1,
    digest: digestOf('plugin-1'),
    hash: 'plugin-1',
    nodeSelector: gate === 'label' ? { [GATE_LABEL]: 'false' } : {},
    tolerations: [{ operator: 'Exists' }],
    role: 'gated',
    labelPrefix: 'none',
  };
  recordRevision(world, world.store.daemonSets.put(keyOf(set), set, 'setup'));
}

export function addBudget(world: World, workload: string, minAvailable: number, suffix: string): void {
  const budget = {
    namespace: 'work',
    name: `${workload}${suffix}`,
    resourceVersion: '',
    selector: { matchLabels: { app: workload } },
    disruptionsAllowed: 0,
    minAvailable,
  };
  world.store.budgets.put(keyOf(budget), budget, 'setup');
}

/** Pods of no workload: a mirror pod, a pod of a DaemonSet elsewhere, a pod without controller, and a finished one. */
function addLonePods(world: World): void {
  const random = world.chance.controllers;
  world.foreignDaemonSets.set('elsewhere/agent', true);
  world.foreignDaemonSets.set('elsewhere/left-behind', false);
  for (const node of [...world.store.nodes.values()]) {
    const running = { namespace: 'elsewhere', nodeName: node.name, phase: 'Running' as const, ready: true };
    const daemonSet = (name: string) => ({ apiVersion: 'apps/v1', kind: 'DaemonSet', name, uid: `uid-of-${name}` });
    const uid = (): string => world.store.makeUid();
    const agent = { ...running, name: `agent-${node.name}`, uid: uid(), controller: daemonSet('agent') };
    const pods = [
      makePod(world, { ...agent, toleratesUnschedulable: true, fate: { kind: 'foreign-ds' } }),
      makePod(world, { ...running, name: `static-${node.name}`, uid: uid(), mirror: true, fate: { kind: 'mirror' } }),
    ];
    if (random.chance(0.15)) {
      const controller = daemonSet('left-behind');
      pods.push(
        makePod(world, { ...running, name: `left-${node.name}`, uid: uid(), controller, fate: { kind: 'bare' } }),
      );
    }
    if (random.chance(0.15)) {
      pods.push(makePod(world, { ...running, name: `bare-${node.name}`, uid: uid(), fate: { kind: 'bare' } }));
    }
    if (random.chance(0.2)) {
      const finished = { ...running, phase: 'Succeeded' as const, ready: false, emptyDir: true };
      pods.push(makePod(world, { ...finished, name: `old-${node.name}`, uid: uid(), fate: { kind: 'bare' } }));
    }
    for (const pod of pods) world.store.pods.put(keyOf(pod), pod, 'setup');
  }
}

/** Labels nodes as an operator leaves them that took every node through its flow. */
export function markDone(world: World, prefix: string): void {
  for (const [name, node] of [...world.store.nodes.entries()]) {
    const labels = { ...node.labels, [driverKeys(prefix).state]: 'upgrade-done' };
    world.store.nodes.put(name, { ...node, labels }, 'foreign-flow');
  }
}
