import { legacyKeys } from '../../../src/shared/contract/legacy-keys.js';
import { digestOf } from '../../kit/digests.js';
import { patched } from '../../../src/forecast/simulation/merge-patch.js';
import { driverKeys } from '../../../src/shared/contract/labels.js';
import { upgradePolicySchema, type UpgradePolicy } from '../../../src/shared/contract/upgrade-policy.js';
import { decide } from '../../../src/companion/decide.js';
import { podIndexOf } from '../../../src/companion/model/pod-index.js';
import type { Snapshot } from '../../../src/companion/model/snapshot.js';
import type { Decision, PatchNode, SnapshotNode, SnapshotPod } from '../../../src/companion/model/types.js';
import type { Budgets, Outcome, Rules, Situation } from './oracle.js';

const NOW_MS = Date.UTC(2026, 2, 2, 12);
const NAMESPACE = 'drivers';
const keys = driverKeys('gpu');
const SECONDS_AGO = String(NOW_MS / 1000 - 10);

/** A policy of the GPU operator's API, which has every field; the OFED one has a subset. */
export function policyOf(rules: Rules, budgets: Budgets, isPaused: boolean): UpgradePolicy {
  return upgradePolicySchema.parse({
    apiVersion: 'weft.dev/v1alpha1',
    kind: 'UpgradePolicy',
    paused: isPaused,
    rollout: {
      failureBudget: budgets.failureBudget,
      ...(rules.validation === 'off' ? {} : { validation: { resources: ['rdma/any'], timeoutSeconds: 0 } }),
    },
    drivers: [
      {
        kind: 'gpu',
        namespace: NAMESPACE,
        daemonSetSelector: 'driver',
        podSelector: 'driver',
        containerName: 'driver',
        resourcePrefixes: rules.podDeletion ? ['nvidia.com/gpu'] : [],
        policies: [
          {
            name: 'main',
            upgradePolicy: {
              autoUpgrade: rules.autoUpgrade,
              maxParallelUpgrades: budgets.maxParallelUpgrades,
              maxUnavailable: budgets.maxUnavailable ?? '100%',
              drain: { enable: rules.drain, timeoutSeconds: 0 },
              podDeletion: { timeoutSeconds: 0 },
              ...(rules.waitsForJobs ? { waitForCompletion: { podSelector: 'job=yes' } } : {}),
            },
          },
        ],
      },
    ],
  });
}

/** A snapshot of nodes in these situations. */
export function snapshotOf(situations: readonly Situation[], rules: Rules): Snapshot {
  const names = situations.map((_, index) => `node-${index + 1}`);
  return {
    nodes: situations.map((situation, index) => nodeOf(names[index] ?? '', situation, rules)),
    pods: podIndexOf(situations.flatMap((situation, index) => podsOf(names[index] ?? '', situation))),
    daemonSets: [
      {
        namespace: NAMESPACE,
        name: 'driver',
        uid: 'set',
        resourceVersion: '1',
        labels: { driver: '', 'ds-owner': 'main' },
        createdMs: 0,
        generation: 2,
        observedGeneration: 2,
        digest: digestOf('new'),
        renderedDigest: digestOf('new'),
        nodeSelector: {},
        tolerations: [{ operator: 'Exists' }],
      },
    ],
    revisions: ['old', 'new'].map((digest) => ({
      namespace: NAMESPACE,
      ownerUid: 'set',
      hash: digest,
      digest: digestOf(digest),
    })),
    budgets: [],
    foreignDaemonSets: new Map(),
    evictions: { byNode: new Map(), shiftMs: 0 },
    paused: false,
  };
}

const RESTING = new Set(['', 'upgrade-done', 'upgrade-required']);

function nodeOf(name: string, { state, cordon, flag }: Situation, rules: Rules): SnapshotNode {
  const begun = !RESTING.has(state);
  const recorded = cordon === 'foreign' && (begun || state === 'upgrade-required');
  const legacy = legacyKeys('gpu');
  const start = state === 'wait-for-jobs-required' ? { [legacy.waitStart]: SECONDS_AGO } : {};
  return {
    name,
    uid: `uid-${name}`,
    resourceVersion: '1',
    labels: {
      ...(state === '' ? {} : { [keys.state]: state }),
      ...(flag === 'skip' ? { [keys.skip]: 'true' } : {}),
    },
    annotations: {
      ...start,
      ...(state === 'drain-required' ? { [legacy.drainStart]: SECONDS_AGO } : {}),
      ...(state === 'pod-deletion-required' ? { [legacy.podDeletionStart]: SECONDS_AGO } : {}),
      ...(state === 'validation-required' ? { [legacy.validationStart]: SECONDS_AGO } : {}),
      ...(recorded ? { [keys.initialState]: 'true' } : {}),
      ...(cordon === 'ours' ? { [legacy.cordoned]: 'true' } : {}),
      ...(flag === 'requested' ? { [keys.requested]: 'true' } : {}),
      ...(flag === 'safe-load' ? { [keys.safeLoad]: 'true' } : {}),
      ...(flag === 'outdated-mark' ? { [legacy.outdated]: 'true' } : {}),
    },
    unschedulable: cordon !== 'none',
    ready: 'True',
    taints: [],
    allocatable: { 'rdma/any': rules.validation === 'waits' ? '0' : '1' },
  };
}

function podsOf(node: string, { driver, pods }: Situation): SnapshotPod[] {
  return [...(driver === 'none' ? [] : [driverPod(node, driver)]), ...(pods === 'none' ? [] : [workPod(node, pods)])];
}

function pod(node: string, name: string): SnapshotPod {
  return {
    namespace: 'work',
    name: `${name}-${node}`,
    uid: `${name}-${node}`,
    labels: {},
    nodeName: node,
    phase: 'Running',
    createdMs: NOW_MS - 3_600_000,
    finalizers: [],
    mirror: false,
    emptyDir: false,
    toleratesUnschedulable: false,
    resourceNames: [],
    ready: true,
    containers: [],
    initContainers: [],
  };
}

function driverPod(node: string, driver: Exclude<Situation['driver'], 'none'>): SnapshotPod {
  const old = driver === 'outdated' || driver === 'ending';
  const ready = driver !== 'loading' && driver !== 'failing';
  const restarts = driver === 'failing' ? 11 : 0;
  return {
    ...pod(node, 'driver'),
    namespace: NAMESPACE,
    labels: { driver: '', 'ds-owner': 'main', 'controller-revision-hash': old ? 'old' : 'new' },
    controller: { apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'driver', uid: 'set' },
    toleratesUnschedulable: true,
    ready,
    readyChangedMs: NOW_MS - 60_000,
    containers: [{ name: 'driver', ready, restarts, startedMs: NOW_MS - 60_000 }],
    ...(driver === 'ending' ? { deletionMs: NOW_MS + 30_000 } : {}),
  };
}

function workPod(node: string, kind: 'evictable' | 'forbidden' | 'job'): SnapshotPod {
  const job = kind === 'job';
  return {
    ...pod(node, 'work'),
    labels: job ? { job: 'yes' } : {},
    emptyDir: kind === 'forbidden',
    resourceNames: job ? [] : ['nvidia.com/gpu'],
    controller: {
      apiVersion: job ? 'batch/v1' : 'apps/v1',
      kind: job ? 'Job' : 'ReplicaSet',
      name: 'work',
      uid: 'work',
    },
  };
}

/** The final state of each node in an otherwise idle cluster, and the number of patches until then. */
interface ClusterAtRest {
  readonly outcomes: readonly Outcome[];
  readonly patches: number;
  readonly last: Decision;
}

/** Applies patches and skips short waits until no new patch follows. Pods do not change. */
export function runToRest(from: Snapshot, policy: UpgradePolicy): ClusterAtRest {
  let snapshot = from;
  let nowMs = NOW_MS;
  let patches = 0;
  for (let rounds = 0; rounds < 40; rounds += 1) {
    const decision = decide(snapshot, policy, nowMs);
    const changes = decision.actions.filter((action): action is PatchNode => action.kind === 'patchNode');
    const wait = (decision.wakeMs ?? Infinity) - nowMs;
    if (changes.length === 0 && wait > 5000) return endOf(snapshot, from, decision, patches);
    nowMs += changes.length === 0 ? Math.max(1, wait) : 100;
    patches += changes.length;
    snapshot = { ...snapshot, nodes: snapshot.nodes.map((node) => afterPatch(node, changes)) };
  }
  throw new Error('it does not come to rest');
}

function afterPatch(node: SnapshotNode, changes: readonly PatchNode[]): SnapshotNode {
  const change = changes.find((one) => one.node === node.name);
  if (change === undefined) return node;
  return { ...node, resourceVersion: `${node.resourceVersion}+`, ...patched(node, change) };
}

function endOf(snapshot: Snapshot, from: Snapshot, last: Decision, patches: number): ClusterAtRest {
  const outcomes = snapshot.nodes.map((node, index): Outcome => {
    const acts = (kind: 'evictPod' | 'deletePod'): boolean =>
      last.actions.some((action) => action.kind === kind && action.node === node.name);
    const asked = from.nodes[index]?.annotations[keys.safeLoad] !== undefined;
    return {
      state: (node.labels[keys.state] ?? '') as Outcome['state'],
      unschedulable: node.unschedulable,
      evicts: acts('evictPod'),
      restarts: acts('deletePod'),
      letsLoad: asked && node.annotations[keys.safeLoad] === undefined,
    };
  });
  return { outcomes, patches, last };
}
