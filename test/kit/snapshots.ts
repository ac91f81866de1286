import { digestOf, revisionOf } from './digests.js';
import { evictionsOf } from '../../src/forecast/simulation/cache.js';
import { patched } from '../../src/forecast/simulation/merge-patch.js';
import { legacyKeys } from '../../src/shared/contract/legacy-keys.js';
import { driverKeys, REVISION_LABEL } from '../../src/shared/contract/labels.js';
import {
  upgradePolicySchema,
  type UpgradePolicy,
  type UpgradePolicyInput,
} from '../../src/shared/contract/upgrade-policy.js';
import { podIndexOf, type PodIndex } from '../../src/companion/model/pod-index.js';
import type { Snapshot } from '../../src/companion/model/snapshot.js';
import type {
  Decision,
  EvictionRecord,
  PatchNode,
  SnapshotDaemonSet,
  SnapshotNode,
  SnapshotPod,
} from '../../src/companion/model/types.js';

/** Small snapshots for tables: all fields have defaults, and a test sets only the relevant ones. */

export const NOW = Date.parse('2026-11-20T12:00:00Z');
/** Keys of nodes, also those that older versions wrote. */
export function allKeys(prefix: string) {
  return { ...driverKeys(prefix), ...legacyKeys(prefix) };
}

export const keys = allKeys('ofed');
/** Seconds before now, as an annotation has them. */
export const ago = (seconds: number) => String(NOW / 1000 - seconds);

type DriverInput = UpgradePolicyInput['drivers'][number];
type OfedInput = Extract<DriverInput, { kind: 'ofed' }>;
type OfedUpgrade = OfedInput['policies'][number]['upgradePolicy'];

/** A policy with one OFED driver; `upgrade` is merged over `autoUpgrade: true`. */
export function policyOf(
  upgrade: OfedUpgrade = {},
  { rollout, ...driver }: Partial<OfedInput> & Pick<UpgradePolicyInput, 'rollout'> = {},
  document: Partial<UpgradePolicyInput> = {},
): UpgradePolicy {
  return parsePolicy({
    apiVersion: 'weft.dev/v1alpha1',
    kind: 'UpgradePolicy',
    ...(rollout && { rollout }),
    drivers: [ofedDriver(upgrade, driver)],
    ...document,
  });
}

function parsePolicy(input: UpgradePolicyInput): UpgradePolicy {
  const policy = upgradePolicySchema.parse(input);
  for (const driver of policy.drivers) {
    if (driver.kind !== 'ofed') continue;
    for (const { daemonSets } of driver.policies) for (const one of daemonSets) one.digest = digestOf(one.digest);
  }
  return policy;
}

export function ofedDriver(upgrade: OfedUpgrade = {}, driver: Partial<OfedInput> = {}): OfedInput {
  return {
    kind: 'ofed',
    namespace: 'nno',
    daemonSetSelector: 'nvidia.com/ofed-driver',
    podSelector: 'nvidia.com/ofed-driver',
    containerName: 'mofed-container',
    policies: [
      {
        name: 'NicClusterPolicy',
        upgradePolicy: { autoUpgrade: true, ...upgrade },
        daemonSets: [{ name: 'mofed', digest: 'new' }],
      },
    ],
    ...driver,
  };
}

/** Where a driver is found. */
export function placeOf({
  namespace,
  daemonSetSelector,
  podSelector,
  containerName,
}: Pick<OfedInput, 'namespace' | 'daemonSetSelector' | 'podSelector' | 'containerName'>) {
  return { namespace, daemonSetSelector, podSelector, containerName };
}

type GpuInput = Extract<DriverInput, { kind: 'gpu' }>;

/** A policy with one GPU driver that no controller owns. */
export function gpuPolicy(upgrade: GpuInput['policies'][number]['upgradePolicy'] = {}): UpgradePolicy {
  return parsePolicy({
    apiVersion: 'weft.dev/v1alpha1',
    kind: 'UpgradePolicy',
    drivers: [
      {
        ...placeOf(ofedDriver()),
        kind: 'gpu',
        resourcePrefixes: ['nvidia.com/gpu', 'nvidia.com/mig-'],
        policies: [
          {
            name: 'ClusterPolicy',
            upgradePolicy: { autoUpgrade: true, maxUnavailable: '100%', ...upgrade },
          },
        ],
      } satisfies GpuInput,
    ],
  });
}

interface NodeInput extends Partial<Omit<SnapshotNode, 'labels' | 'annotations'>> {
  readonly state?: string;
  readonly labels?: Record<string, string>;
  readonly annotations?: Record<string, string>;
  /** The driver of the state label. */
  readonly prefix?: string;
}

export function node(name: string, input: NodeInput = {}): SnapshotNode {
  const { state = '', labels = {}, annotations = {}, prefix = 'ofed', ...rest } = input;
  return {
    name,
    uid: `uid-${name}`,
    resourceVersion: '1',
    labels: { nic: 'yes', ...(state === '' ? {} : { [driverKeys(prefix).state]: state }), ...labels },
    annotations,
    unschedulable: false,
    ready: 'True',
    taints: [],
    allocatable: {},
    ...rest,
  };
}

export function pod(nodeName: string, name: string, input: Partial<SnapshotPod> = {}): SnapshotPod {
  return {
    namespace: 'apps',
    name,
    uid: `uid-${name}`,
    labels: {},
    nodeName,
    phase: 'Running',
    createdMs: NOW - 3_600_000,
    finalizers: [],
    controller: { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'rs', uid: 'uid-rs' },
    mirror: false,
    emptyDir: false,
    toleratesUnschedulable: false,
    resourceNames: [],
    ready: true,
    readyChangedMs: NOW - 3_000_000,
    containers: [],
    initContainers: [],
    ...input,
  };
}

/** The same pod without a controller: `undefined` cannot be given to an optional property. */
export function withoutController(of: SnapshotPod): SnapshotPod {
  return Object.fromEntries(Object.entries(of).filter(([key]) => key !== 'controller')) as unknown as SnapshotPod;
}

export function barePod(nodeName: string, name: string, input: Partial<SnapshotPod> = {}): SnapshotPod {
  return withoutController(pod(nodeName, name, input));
}

export function daemonSet(input: Partial<SnapshotDaemonSet> = {}): SnapshotDaemonSet {
  const name = input.name ?? 'mofed';
  return {
    namespace: 'nno',
    name,
    uid: `uid-${name}`,
    resourceVersion: '7',
    labels: { 'nvidia.com/ofed-driver': '', 'ds-owner': 'NicClusterPolicy' },
    createdMs: 0,
    generation: 2,
    observedGeneration: 2,
    ...{ digest: digestOf('new'), renderedDigest: digestOf('new') },
    nodeSelector: { nic: 'yes' },
    tolerations: [],
    ...input,
    ...(input.digest !== undefined && { digest: digestOf(input.digest) }),
    ...(input.renderedDigest !== undefined && { renderedDigest: digestOf(input.renderedDigest) }),
  };
}

interface DriverPodInput extends Partial<SnapshotPod> {
  /** Digest of its revision. */
  readonly digest?: string;
  readonly owner?: string;
}

/** A driver pod, by default ready and of the new digest. */
export function driverPod(nodeName: string, input: DriverPodInput = {}): SnapshotPod {
  const { digest = 'new', owner = 'mofed', ready = true, ...rest } = input;
  return pod(nodeName, `${owner}-${nodeName}`, {
    namespace: 'nno',
    labels: { 'nvidia.com/ofed-driver': '', 'ds-owner': 'NicClusterPolicy', [REVISION_LABEL]: revisionOf(digest) },
    controller: { apiVersion: 'apps/v1', kind: 'DaemonSet', name: owner, uid: `uid-${owner}` },
    toleratesUnschedulable: true,
    ready,
    containers: [{ name: 'mofed-container', ready, restarts: 0, startedMs: NOW - 3_500_000 }],
    ...rest,
  });
}

export function orphan(nodeName: string, input: DriverPodInput = {}): SnapshotPod {
  return withoutController(driverPod(nodeName, input));
}

/** A snapshot with lists of pods and of eviction records by pod UID. */
export interface SnapshotInput extends Partial<Omit<Snapshot, 'pods' | 'evictions'>> {
  readonly pods?: readonly SnapshotPod[] | PodIndex;
  readonly evictions?: ReadonlyMap<string, EvictionRecord>;
}

/** A snapshot with one applied driver DaemonSet and revisions of the templates `new` and `old` of it. */
export function snapshot({ pods = [], evictions = new Map(), ...input }: SnapshotInput): Snapshot {
  const daemonSets = input.daemonSets ?? [daemonSet()];
  return {
    nodes: [],
    pods: podIndexOf(pods),
    revisions: daemonSets.flatMap(({ namespace, uid, digest }) =>
      [...new Set([digest, 'old', 'new'].map(digestOf))].map((one) => {
        return { namespace, ownerUid: uid, hash: revisionOf(one), digest: one };
      }),
    ),
    budgets: [],
    foreignDaemonSets: new Map(),
    evictions: evictionsOf(pods, evictions),
    paused: false,
    ...input,
    daemonSets,
  };
}

export function patchesOf(decision: Decision): readonly PatchNode[] {
  return decision.actions.filter((action) => action.kind === 'patchNode');
}

/** The state of a node after its patch, or its present state without one. */
export function stateAfter(decision: Decision, of: SnapshotNode): string {
  const key = driverKeys('ofed').state;
  const patch = patchesOf(decision).find((one) => one.node === of.name);
  const patched = patch?.labels[key];
  return patched === undefined ? (of.labels[key] ?? '') : (patched ?? '');
}

/** The cluster after the API server carried out a decision: patches and deletions, no controllers. */
export function after(before: Snapshot, decision: Decision): Snapshot {
  const patches = new Map(patchesOf(decision).map((patch) => [patch.node, patch]));
  const gone = new Set(
    decision.actions.flatMap((action) =>
      action.kind === 'deletePod' || action.kind === 'evictPod' ? [action.uid] : [],
    ),
  );
  return {
    ...before,
    nodes: before.nodes.map((one) => {
      const patch = patches.get(one.name);
      if (patch === undefined) return one;
      return {
        ...one,
        resourceVersion: String(Number(one.resourceVersion) + 1),
        ...patched(one, patch),
      };
    }),
    pods: podIndexOf([...before.pods].filter(({ uid }) => !gone.has(uid))),
  };
}
