import { digestOf } from '../../kit/digests.js';
import { driverKeys } from '../../../src/shared/contract/labels.js';
import { upgradePolicySchema } from '../../../src/shared/contract/upgrade-policy.js';
import { makePod } from '../../../src/forecast/simulation/controllers/pods.js';
import { recordRevision } from '../../../src/forecast/simulation/controllers/daemon-sets.js';
import { startGpuOperator } from '../../../src/forecast/simulation/controllers/gpu-operator.js';
import { startSriovOperator } from '../../../src/forecast/simulation/controllers/sriov-operator.js';
import { GPU_VALIDATOR } from '../../../src/forecast/simulation/controllers/gpu-operator-steps.js';
import { startControllers } from '../../../src/forecast/simulation/controllers/controllers.js';
import { startMaintenanceOperator } from '../../../src/forecast/simulation/controllers/maintenance-operator.js';
import { startKubelets } from '../../../src/forecast/simulation/kubelet.js';
import { keyOf, type StoredDaemonSet, type StoredNode } from '../../../src/forecast/simulation/store.js';
import { START_MS, makeCluster, type SimulatedCluster } from '../../../src/forecast/simulation/simulated-cluster.js';
import { GATE_LABEL, NAMESPACE, policyDocument, renderedSets, type Git } from '../scenario/git.js';
import type { NodePlan, Scenario } from '../scenario/scenario.js';

/** Time for a new cluster to become idle before the run begins. */
const WARM_UP_MS = 120_000;
export const FAULTS_START_MS = START_MS + WARM_UP_MS;

/** The cluster of a scenario, with drivers loaded and pods running, before the first fault. */
export function buildCluster(scenario: Scenario): SimulatedCluster {
  const policy = upgradePolicySchema.parse(policyDocument(scenario.git));
  const cluster = makeCluster(scenario.seed, scenario.conditions, policy);
  cluster.hasFaults = false;
  for (const plan of scenario.nodes) addNode(cluster, plan);
  applyGit(cluster, scenario.git);
  addGatedSet(cluster, scenario.git);
  for (const workload of scenario.workloads) cluster.workloads.push({ ...workload, uid: cluster.store.makeUid() });
  for (const { workload, minAvailable } of scenario.budgets) addBudget(cluster, workload, minAvailable, '');
  if (scenario.git.drivers.some(({ management }) => management !== undefined)) addValidator(cluster);
  startControllers(cluster);
  if (scenario.gpuOperator !== undefined) cluster.gpuOperator = startGpuOperator(cluster, scenario.gpuOperator);
  if (scenario.sriov !== undefined) cluster.sriov = startSriovOperator(cluster, scenario.sriov);
  const { maintenanceOperator } = scenario;
  if (maintenanceOperator !== undefined)
    cluster.maintenanceOperator = startMaintenanceOperator(cluster, maintenanceOperator.maxParallel);
  startKubelets(cluster);
  while (cluster.events.step(START_MS + WARM_UP_MS - 1000));
  // Last, so that no drain begins before the pods that are fixed to nodes exist.
  addLonePods(cluster);
  while (cluster.events.step(FAULTS_START_MS));
  cluster.safeLoad = scenario.safeLoad;
  cluster.hasFaults = true;
  return cluster;
}

export function addNode(cluster: SimulatedCluster, plan: NodePlan): void {
  if (cluster.store.nodes.get(plan.name) !== undefined) return;
  const node: StoredNode = {
    name: plan.name,
    uid: cluster.store.makeUid(),
    resourceVersion: '',
    labels: { ...plan.labels, 'kubernetes.io/hostname': plan.name, [GATE_LABEL]: 'false' },
    annotations: {},
    unschedulable: plan.cordoned,
    ready: 'True',
    taints: [],
    allocatable: { cpu: '64', 'rdma/rdma_shared_device_a': '63' },
    boots: 0,
  };
  cluster.store.nodes.put(plan.name, node, plan.cordoned ? 'admin' : 'setup');
}

/** The GitOps controller: creates and changes DaemonSets, and never prunes those of drivers. */
export function applyGit(cluster: SimulatedCluster, git: Git): void {
  for (const driver of git.drivers) {
    for (const { name, policy, digest, group } of renderedSets(driver)) {
      const key = `${NAMESPACE}/${name}`;
      const before = cluster.store.daemonSets.get(key);
      if (before?.deletionMs !== undefined) {
        cluster.events.after(5000, () => applyGit(cluster, git));
        continue;
      }
      const isSelected = driver.management !== undefined;
      // A controller that is not GitOps makes them, and writes nothing that is there already.
      if (isSelected && before?.digest === digest) continue;
      const generation = (before?.generation ?? 0) + 1;
      const set: StoredDaemonSet = {
        namespace: NAMESPACE,
        name,
        uid: before?.uid ?? cluster.store.makeUid(),
        resourceVersion: '',
        labels: { [`nvidia.com/${driver.prefix}-driver`]: '', ...(isSelected ? {} : { 'ds-owner': policy }) },
        createdMs: before?.createdMs ?? cluster.events.now(),
        generation,
        observedGeneration: before?.observedGeneration ?? generation,
        digest,
        // In some runs all releases of the GPU driver install the same.
        ...(isSelected
          ? { hash: digest, configDigest: cluster.seed % 4 === 0 ? 'same' : digest }
          : { renderedDigest: digest, hash: `${digest}-${generation}` }),
        nodeSelector: { group },
        tolerations: driver.tolerates ? [{ operator: 'Exists' }] : [],
        role: 'driver',
        labelPrefix: driver.prefix,
        startupSeconds: driver.startupSeconds === 0 ? Infinity : driver.startupSeconds,
      };
      const after = cluster.store.daemonSets.put(key, set, 'setup');
      if (before === undefined) recordRevision(cluster, after);
    }
  }
}

/** A device plugin that must not run before the OFED driver is loaded. */
function addGatedSet(cluster: SimulatedCluster, git: Git): void {
  const gate = git.drivers.find(({ prefix }) => prefix === 'ofed')?.gate;
  if (gate === undefined) return;
  const name = 'device-plugin';
  const set: StoredDaemonSet = {
    namespace: NAMESPACE,
    name,
    uid: cluster.store.makeUid(),
    resourceVersion: '',
    labels: {},
    createdMs: cluster.events.now(),
    generation: 1,
    observedGeneration: 1,
    digest: digestOf('plugin-1'),
    hash: 'plugin-1',
    nodeSelector: gate === 'label' ? { [GATE_LABEL]: 'false' } : {},
    tolerations: [{ operator: 'Exists' }],
    role: 'gated',
    labelPrefix: 'none',
  };
  recordRevision(cluster, cluster.store.daemonSets.put(keyOf(set), set, 'setup'));
}

/** The pods that validate the GPU driver of their nodes. */
function addValidator(cluster: SimulatedCluster): void {
  const set: StoredDaemonSet = {
    ...{ namespace: NAMESPACE, name: GPU_VALIDATOR, uid: cluster.store.makeUid(), resourceVersion: '', labels: {} },
    ...{ createdMs: cluster.events.now(), generation: 1, observedGeneration: 1 },
    ...{ digest: digestOf('validator-1'), hash: 'validator-1', nodeSelector: {}, labelPrefix: 'none' },
    ...{ tolerations: [{ operator: 'Exists' }], role: 'foreign-ds', podLabels: { gated: 'no' } },
  };
  recordRevision(cluster, cluster.store.daemonSets.put(keyOf(set), set, 'setup'));
}

export function addBudget(cluster: SimulatedCluster, workload: string, minAvailable: number, suffix: string): void {
  const budget = {
    namespace: 'work',
    name: `${workload}${suffix}`,
    resourceVersion: '',
    selector: { matchLabels: { app: workload } },
    disruptionsAllowed: 0,
    minAvailable,
  };
  cluster.store.budgets.put(keyOf(budget), budget, 'setup');
}

/** Pods without a workload: a mirror pod, a pod of a DaemonSet of another namespace, one without a controller, and a finished one. */
function addLonePods(cluster: SimulatedCluster): void {
  const random = cluster.chance.controllers;
  cluster.foreignDaemonSets.set('elsewhere/agent', true);
  cluster.foreignDaemonSets.set('elsewhere/left-behind', false);
  for (const node of [...cluster.store.nodes.values()]) {
    const running = { namespace: 'elsewhere', nodeName: node.name, phase: 'Running' as const, ready: true };
    const daemonSet = (name: string) => ({ apiVersion: 'apps/v1', kind: 'DaemonSet', name, uid: `uid-of-${name}` });
    const uid = (): string => cluster.store.makeUid();
    const agent = { ...running, name: `agent-${node.name}`, uid: uid(), controller: daemonSet('agent') };
    const pods = [
      makePod(cluster, { ...agent, toleratesUnschedulable: true, lifecycle: { kind: 'foreign-ds' } }),
      makePod(cluster, {
        ...running,
        name: `static-${node.name}`,
        uid: uid(),
        mirror: true,
        lifecycle: { kind: 'mirror' },
      }),
    ];
    if (random.chance(0.15)) {
      const controller = daemonSet('left-behind');
      pods.push(
        makePod(cluster, {
          ...running,
          name: `left-${node.name}`,
          uid: uid(),
          controller,
          lifecycle: { kind: 'bare' },
        }),
      );
    }
    if (random.chance(0.15)) {
      pods.push(makePod(cluster, { ...running, name: `bare-${node.name}`, uid: uid(), lifecycle: { kind: 'bare' } }));
    }
    if (random.chance(0.2)) {
      const finished = { ...running, phase: 'Succeeded' as const, ready: false, emptyDir: true };
      pods.push(makePod(cluster, { ...finished, name: `old-${node.name}`, uid: uid(), lifecycle: { kind: 'bare' } }));
    }
    for (const pod of pods) cluster.store.pods.put(keyOf(pod), pod, 'setup');
  }
}

/** Labels nodes as the operator leaves them after an upgrade. */
export function markDone(cluster: SimulatedCluster, prefix: string): void {
  for (const [name, node] of [...cluster.store.nodes.entries()]) {
    const labels = { ...node.labels, [driverKeys(prefix).state]: 'upgrade-done' };
    cluster.store.nodes.put(name, { ...node, labels }, 'foreign-flow');
  }
}
