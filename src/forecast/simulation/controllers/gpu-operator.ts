import { driverKeys } from '../../../shared/contract/labels.js';
import { deletePod, patchNode, type NodePatch } from '../api.js';
import {
  GPU_DRIVER_LABEL,
  type GpuOperator,
  type GpuOperatorOptions,
  type SimulatedCluster,
} from '../simulated-cluster.js';
import type { StoredDaemonSet } from '../store.js';
import { wantsPod } from './daemon-sets.js';
import { isInSync, to, writesOf, type Driver, type Write } from './gpu-operator-steps.js';
import { removePods } from './gpu-pod-removal.js';

const KEYS = driverKeys('gpu');
/** `plannedRequeueInterval`. */
const EVERY_MS = 120_000;
/** After an error it tries again. */
const RETRY_MS = 3000;

/**
 * The upgrade controller of the GPU operator with `maxUnavailable: 0`: gpu-operator a22dbf671, `controllers/upgrade_controller.go`;
 * k8s-operator-libs 11e747a, `pkg/upgrade`, and the restarts without a drain of the copy that the operator has of it. It reconciles after a change of its state and skip labels or of a DaemonSet of its driver, and
 * every two minutes. A reconcile decides on the cluster at its beginning, and makes one write after another. It keeps all but running
 * evictions in labels and annotations of nodes.
 */
export function startGpuOperator(cluster: SimulatedCluster, options: GpuOperatorOptions): GpuOperator {
  const { store, events } = cluster;
  const operator: Operator = {
    cluster,
    options,
    autoUpgrade: true,
    writeMs: 20,
    failing: new Set(),
    removing: new Set(),
    life: 0,
    isAway: false,
    isBusy: false,
    isAsked: false,
    cancel: () => undefined,
    switchTo: (autoUpgrade) => {
      operator.autoUpgrade = autoUpgrade;
      ask(operator);
    },
    restart: (awayMs) => {
      const life = end(operator);
      events.after(awayMs, () => {
        if (life !== operator.life) return;
        operator.isAway = false;
        ask(operator);
      });
    },
  };
  store.nodes.listen((_name, before, after) => {
    if ([KEYS.state, KEYS.skip].some((key) => before?.labels[key] !== after?.labels[key])) ask(operator);
  });
  store.daemonSets.listen((_key, before, after) => {
    if (after !== undefined && isDriverSet(after) && before?.generation !== after.generation) ask(operator);
  });
  ask(operator);
  return operator;
}

interface Operator extends Omit<GpuOperator, 'autoUpgrade'> {
  readonly cluster: SimulatedCluster;
  autoUpgrade: boolean;
  /** Nodes whose pods it evicts. */
  readonly removing: Set<string>;
  /** Rises when the process ends: what it still had to do is not done. */
  life: number;
  isAway: boolean;
  /** It reconciles now. */
  isBusy: boolean;
  isAsked: boolean;
  /** Cancels the next reconcile that nothing asks for. */
  cancel: () => void;
}

function end(operator: Operator): number {
  operator.removing.clear();
  Object.assign(operator, { isAway: true, isBusy: false });
  return ++operator.life;
}

/** Asks for a reconcile. */
function ask(operator: Operator): void {
  if (operator.isAway) return;
  operator.isAsked = true;
  const { cluster } = operator;
  if (!operator.isBusy) cluster.events.after(cluster.chance.controllers.int(5, 60), () => reconcile(operator));
}

function reconcile(operator: Operator): void {
  if (operator.isBusy || operator.isAway || !operator.isAsked) return;
  Object.assign(operator, { isBusy: true, isAsked: false });
  const { cluster } = operator;
  operator.cancel();
  if (!operator.autoUpgrade) return writeAll(operator, unlabelled(cluster), operator.life);
  const drivers = driversOf(cluster);
  operator.cancel = cluster.events.timer(drivers === undefined ? RETRY_MS : EVERY_MS, () => ask(operator));
  const writes = (drivers ?? []).flatMap((driver) => writesOf(cluster, operator, driver));
  for (const driver of drivers ?? []) act(operator, driver);
  writeAll(operator, writes, operator.life);
}

function writeAll(operator: Operator, [first, ...rest]: readonly Write[], life: number): void {
  const { cluster } = operator;
  if (first === undefined) {
    operator.isBusy = false;
    return operator.isAsked ? ask(operator) : undefined;
  }
  cluster.events.after(cluster.chance.controllers.int(1, operator.writeMs), () => {
    if (life !== operator.life) return;
    write(cluster, ...first);
    writeAll(operator, rest, life);
  });
}

/** Ends the old driver pod, or the pods that must leave the node. */
function act(operator: Operator, driver: Driver): void {
  const { cluster, options, removing, life } = operator;
  const { node, pod } = driver;
  const state = node.labels[KEYS.state];
  if (state === 'pod-restart-required' && !isInSync(driver) && pod.deletionMs === undefined)
    deletePod(cluster, pod, 'gpu-operator');
  const isDrain = state === 'drain-required' && options.drain;
  if ((state !== 'pod-deletion-required' && !isDrain) || removing.has(node.name)) return;
  removing.add(node.name);
  const isAlive = (): boolean => life === operator.life;
  removePods(cluster, node.name, { ...options.podDeletion, ofGpu: !isDrain, isAlive }, (isDone) => {
    removing.delete(node.name);
    const failed = !isDrain && options.drain ? 'drain-required' : 'upgrade-failed';
    write(cluster, node.name, to(isDone ? 'pod-restart-required' : failed));
  });
}

const isDriverSet = ({ labels }: StoredDaemonSet): boolean => GPU_DRIVER_LABEL in labels;

function write(cluster: SimulatedCluster, node: string, patch: NodePatch): void {
  const states = Object.values(patch.labels ?? {}).map((state) => state ?? 'no state');
  const cordon = patch.unschedulable === undefined ? [] : [patch.unschedulable ? 'cordon' : 'uncordon'];
  const annotations = Object.entries(patch.annotations ?? {}).map(([key, value]) => `${key}=${value ?? ''}`);
  cluster.note(`  GPU operator: ${node} ${[...states, ...cordon, ...annotations].join(' ')}`);
  patchNode(cluster, node, patch, 'gpu-operator');
}

/** Without `autoUpgrade` no node keeps its state. */
function unlabelled({ store }: SimulatedCluster): readonly Write[] {
  return [...store.nodes.values()].flatMap(({ name, labels }): readonly Write[] =>
    KEYS.state in labels ? [[name, to(null)]] : [],
  );
}

/** `BuildState`: the driver pods with their nodes; undefined, which is an error, while a DaemonSet lacks a pod or has one too many. */
function driversOf({ store }: SimulatedCluster): readonly Driver[] | undefined {
  const drivers: Driver[] = [];
  for (const set of store.daemonSets.values()) {
    if (!isDriverSet(set)) continue;
    const pods = [...store.podsOf(set.uid)];
    if ([...store.nodes.values()].filter((node) => wantsPod(set, node)).length !== pods.length) return undefined;
    for (const pod of pods) {
      const node = store.nodes.get(pod.nodeName);
      if (node !== undefined && set.observedGeneration === set.generation) drivers.push({ node, pod, set });
    }
  }
  return drivers;
}
