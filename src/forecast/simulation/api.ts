import { SRIOV_DRAIN_KEYS } from '../../shared/contract/labels.js';
import type { Action, EvictionOutcome, EvictPod, PatchSriovNodeState } from '../../companion/model/types.js';
import {
  fromStructured,
  matchesSelector,
  type LabelSelector,
  type Selector,
} from '../../shared/kubernetes/selection/label-selector.js';
import { changeNodeMaintenance } from './node-maintenances.js';
import { disruptionOf, type BudgetStatus } from './rules/budgets.js';
import { keyOf, type Actor, type StoredBudget, type StoredNode, type StoredPod } from './store.js';
import { patched, type NodeChange } from './merge-patch.js';
import { drawn, type SimulatedCluster, type Webhook } from './simulated-cluster.js';

/** The response of the API server; status 0 is a time-out, after which the client does not know whether the write took effect. */
export interface ApiResult {
  readonly status: number;
  readonly message: string;
  readonly retryAfterSeconds?: number;
  /** What of an eviction was refused: the pod is another one, its budget allows none, or it has several. */
  readonly cause?: 'uid' | 'budget' | 'several-budgets';
  /** How long the API server took; absent: the usual delay of the network. */
  readonly tookMs?: number;
}

const ok: ApiResult = { status: 200, message: 'ok' };

/** Carries out one call after its network delay, with the faults of `conditions`. */
export function call(
  cluster: SimulatedCluster,
  name: string,
  effect: () => ApiResult,
  done: (result: ApiResult) => void,
): void {
  const random = cluster.chance.api;
  const hasFaults = cluster.hasFaults;
  const delay = (): number => (hasFaults && random.chance(0.05) ? random.int(100, 2000) : random.int(1, 20));
  const answer = (result: ApiResult, delayMs: number): void => {
    if (result.status >= 400 || result.status === 0) cluster.note(`  ${name}: ${result.status} ${result.message}`);
    if (cluster.conditions.isInstant === true) done(result);
    else cluster.events.after(delayMs, () => done(result));
  };
  if (cluster.conditions.isInstant === true) return answer(effect(), 0);
  const answerTo = (result: ApiResult): void => answer(result, result.tookMs ?? delay());
  cluster.events.after(delay(), () => {
    if (!cluster.hasFaults || !random.chance(cluster.conditions.faultRate)) return answerTo(effect());
    switch (random.int(0, 5)) {
      case 0:
        return answer({ status: 429, message: 'too many requests', retryAfterSeconds: random.int(1, 5) }, delay());
      case 1:
        return answer({ status: 429, message: 'too many requests' }, delay());
      case 2:
        return answer({ status: 500, message: 'etcdserver: leader changed' }, delay());
      case 3:
        return answer({ status: 409, message: 'the object has been modified' }, delay());
      case 4:
        return answer({ status: 0, message: 'timed out, without effect' }, random.int(1000, 10_000));
      default:
        effect();
        return answer({ status: 0, message: 'timed out, with effect' }, random.int(1000, 10_000));
    }
  });
}

const WEBHOOK = 'webhook "freeze.example.com"';
/** The default `timeoutSeconds` of an admission webhook. */
const WEBHOOK_TIMEOUT_MS = 10_000;

/** The answer to a request of the companion that an admission webhook keeps from the cluster. */
function admission(cluster: SimulatedCluster, actor: Actor, request: Request, node: string): ApiResult | undefined {
  if (actor !== 'ours') return undefined;
  const webhook = [...cluster.webhooks].find((one) => one.node === node && request.includes(one.request));
  if (webhook === undefined) return undefined;
  if (webhook.how === 'refuses') return { status: 403, message: `admission ${WEBHOOK} denied the request: frozen` };
  const message = `Internal error occurred: failed calling ${WEBHOOK}: context deadline exceeded`;
  return { status: 500, message, tookMs: WEBHOOK_TIMEOUT_MS };
}

type Request = readonly Webhook['request'][];

export interface NodePatch extends NodeChange {
  readonly uid?: string;
  readonly resourceVersion?: string;
}

/** Values of labels: Kubernetes' `validation.IsValidLabelValue`. */
const LABEL_VALUE = /^(?:[A-Za-z0-9](?:[A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?)?$/;

export function patchNode(cluster: SimulatedCluster, name: string, patch: NodePatch, actor: Actor): ApiResult {
  const node = cluster.store.nodes.get(name);
  if (node === undefined) return { status: 404, message: `node ${name} not found` };
  if (patch.uid !== undefined && patch.uid !== node.uid) return { status: 409, message: 'another UID' };
  if (patch.resourceVersion !== undefined && patch.resourceVersion !== node.resourceVersion) {
    return { status: 409, message: `node ${name} has been modified` };
  }
  const isCordon = patch.unschedulable === true && !node.unschedulable;
  const refusal = admission(cluster, actor, isCordon ? ['cordon', 'patch'] : ['patch'], name);
  if (refusal !== undefined) return refusal;
  const tooLong = Object.entries(patch.labels ?? {}).find(([, value]) => !LABEL_VALUE.test(value ?? ''));
  if (tooLong !== undefined) return { status: 422, message: `${tooLong[0]}: invalid value ${String(tooLong[1])}` };
  const after: StoredNode = { ...node, ...patched(node, patch) };
  cluster.store.nodes.put(name, after, actor);
  return ok;
}

/** One merge patch of the annotations of a SriovNetworkNodeState. */
export function patchSriovNodeState(cluster: SimulatedCluster, action: PatchSriovNodeState, actor: Actor): ApiResult {
  const { node: name, uid, resourceVersion, annotations } = action;
  const before = cluster.store.sriovNodeStates.get(name);
  if (before === undefined) return { status: 404, message: `SriovNetworkNodeState ${name} not found` };
  if (uid !== before.uid) return { status: 409, message: 'another UID' };
  if (resourceVersion !== before.resourceVersion) return { status: 409, message: `${name} has been modified` };
  const { [SRIOV_DRAIN_KEYS.current]: current, [SRIOV_DRAIN_KEYS.desired]: desired } = annotations;
  const answer = { ...(current !== undefined && { current }), ...(desired !== undefined && { desired }) };
  cluster.store.sriovNodeStates.put(name, { ...before, ...answer }, actor);
  return ok;
}

interface PodCall {
  readonly namespace: string;
  readonly name: string;
  readonly uid?: string;
}

/** POST pods/eviction, policy/v1: as Kubernetes' `pkg/registry/core/pod/storage/eviction.go` answers. */
export function evictPod(cluster: SimulatedCluster, target: PodCall, actor: Actor): ApiResult {
  const pod = cluster.store.pods.get(keyOf(target));
  if (pod === undefined) return { status: 404, message: 'pod not found' };
  if (target.uid !== undefined && target.uid !== pod.uid) {
    return { status: 409, cause: 'uid', message: `the UID in the precondition (${target.uid}) does not match` };
  }
  const refusal = admission(cluster, actor, ['evict'], pod.nodeName);
  if (refusal !== undefined) return refusal;
  const finished = pod.phase === 'Succeeded' || pod.phase === 'Failed';
  if (!finished && pod.lifecycle.isMigrated && cluster.virtualMachines !== undefined)
    return cluster.virtualMachines.evict(pod);
  if (!finished && pod.deletionMs === undefined && pod.phase !== 'Pending') {
    const budgets = [...cluster.store.budgets.values()].filter((one) => covers(one, pod));
    if (budgets.length > 1) {
      return {
        status: 500,
        cause: 'several-budgets',
        message: 'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
      };
    }
    const [budget] = budgets;
    const disruption = budget === undefined ? 'free' : disruptionOf(budget, statusOf(budget), pod.ready);
    if (budget !== undefined && disruption !== 'free') {
      if (disruption === 'refused') {
        const message = "Cannot evict pod as it would violate the pod's disruption budget.";
        const late = cluster.hasFaults && cluster.chance.api.chance(0.2);
        return { status: 429, cause: 'budget', message, ...(late ? { retryAfterSeconds: 10 } : {}) };
      }
      const disruptionsAllowed = budget.disruptionsAllowed - 1;
      cluster.store.budgets.put(keyOf(budget), { ...budget, disruptionsAllowed }, 'controller');
    }
  }
  endPod(cluster, pod, actor);
  return { status: 201, message: 'created' };
}

/** An eviction of the companion, or the deletion that follows on its time. */
export function sendEviction(cluster: SimulatedCluster, action: EvictPod): ApiResult {
  return action.isDeletion === true ? deletePod(cluster, action, 'ours') : evictPod(cluster, action, 'ours');
}

/** The same answer as the client returns it to the companion. */
export function evictionOutcome({ status, message, cause, retryAfterSeconds }: ApiResult): EvictionOutcome {
  const later = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
  if (status === 201 || status === 200) return { kind: 'accepted' };
  if (status === 404 || cause === 'uid') return { kind: 'gone' };
  if (cause === 'budget') return { kind: 'refused', message, ...later };
  if (status === 403 || cause === 'several-budgets') return { kind: 'error', message };
  return { kind: 'retry', message, ...later };
}

export function covers(budget: StoredBudget, pod: StoredPod): boolean {
  if (budget.namespace !== pod.namespace || budget.selector === undefined) return false;
  return matchesSelector(selectorOf(budget.selector), pod.labels);
}

const selectors = new WeakMap<LabelSelector, Selector>();

function selectorOf(from: LabelSelector): Selector {
  const selector = selectors.get(from) ?? fromStructured(from);
  selectors.set(from, selector);
  return selector;
}

/** A budget that was not counted yet spares no pod that is not Ready. */
function statusOf({ currentHealthy = 0, desiredHealthy = 0, disruptionsAllowed }: StoredBudget): BudgetStatus {
  return { currentHealthy, desiredHealthy, disruptionsAllowed };
}

export function deletePod(cluster: SimulatedCluster, target: PodCall, actor: Actor): ApiResult {
  const pod = cluster.store.pods.get(keyOf(target));
  if (pod === undefined) return { status: 404, message: 'pod not found' };
  if (target.uid !== undefined && target.uid !== pod.uid) return { status: 409, message: 'another UID' };
  const refusal = admission(cluster, actor, ['delete'], pod.nodeName);
  if (refusal !== undefined) return refusal;
  endPod(cluster, pod, actor);
  return ok;
}

/** Marks the pod as deleted. A pod without a kubelet is removed at once. */
function endPod(cluster: SimulatedCluster, pod: StoredPod, actor: Actor): void {
  if (pod.deletionMs !== undefined) return;
  const now = cluster.events.now();
  const grace = pod.nodeName === '' || pod.phase === 'Succeeded' || pod.phase === 'Failed' ? 0 : pod.lifecycle.graceMs;
  const { isInstant, durations } = cluster.conditions;
  const endsAtOnce = pod.nodeName === '' || (isInstant === true && durations === undefined);
  if (endsAtOnce && pod.finalizers.length === 0) {
    cluster.store.pods.remove(keyOf(pod), actor);
    return;
  }
  const goneMs = now + Math.min(grace, drawn(cluster, durations?.termination, [200, 8000]));
  cluster.store.pods.put(
    keyOf(pod),
    { ...pod, deletionMs: now + grace, lifecycle: { ...pod.lifecycle, goneMs } },
    actor,
  );
}

/** DELETE with propagation policy Orphan: the garbage collector first removes the owner reference of its pods. */
export function orphanDaemonSet(
  cluster: SimulatedCluster,
  target: PodCall & { readonly resourceVersion?: string },
  actor: Actor,
): ApiResult {
  const set = cluster.store.daemonSets.get(keyOf(target));
  if (set === undefined) return { status: 404, message: 'DaemonSet not found' };
  if (target.uid !== undefined && target.uid !== set.uid) return { status: 409, message: 'another UID' };
  if (target.resourceVersion !== undefined && target.resourceVersion !== set.resourceVersion) {
    return { status: 409, message: 'the DaemonSet has been modified' };
  }
  cluster.store.daemonSets.put(keyOf(set), { ...set, deletionMs: cluster.events.now() }, actor);
  const collect = (): void => {
    for (const pod of cluster.store.podsOf(set.uid)) {
      const orphan = Object.fromEntries(Object.entries(pod).filter(([field]) => field !== 'controller')) as unknown;
      cluster.store.pods.put(keyOf(pod), orphan as StoredPod, 'controller');
    }
    for (const [key, revision] of [...cluster.store.revisions.entries()]) {
      if (revision.ownerUid === set.uid) cluster.store.revisions.remove(key, 'controller');
    }
    cluster.store.daemonSets.remove(keyOf(set), 'controller');
  };
  if (cluster.conditions.isInstant === true) collect();
  else cluster.events.after(cluster.chance.controllers.int(10, 3000), collect);
  return ok;
}

/** Whether labels match a selector of equalities (`a=b,c`), the only kind that the simulation uses; empty: always. */
export function hasLabels(labels: Readonly<Record<string, string>>, selector: string): boolean {
  if (selector === '') return true;
  return selector.split(',').every((part) => {
    const [key = '', value] = part.split('=');
    return value === undefined ? key in labels : labels[key] === value;
  });
}

/** Carries out an action of the companion. */
export function carryOut(cluster: SimulatedCluster, action: Action): ApiResult {
  switch (action.kind) {
    case 'patchNode':
      return patchNode(cluster, action.node, action, 'ours');
    case 'evictPod':
      return sendEviction(cluster, action);
    case 'deletePod':
      return deletePod(cluster, action, 'ours');
    case 'patchSriovNodeState':
      return patchSriovNodeState(cluster, action, 'ours');
    case 'changeNodeMaintenance':
      return changeNodeMaintenance(cluster, action, 'ours');
    case 'deleteDaemonSet':
      return orphanDaemonSet(cluster, action, 'ours');
  }
}
