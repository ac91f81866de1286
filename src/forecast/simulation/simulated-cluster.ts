import { nodeUpgradePolicies, type UpgradePolicy } from '../../shared/contract/upgrade-policy.js';
import { makeEvents, type Events } from './events.js';
import type { PodScheduling } from './rules/scheduling.js';
import { makeRandom, type Random } from './random.js';
import { makeStore, type Store, type StoredPod } from './store.js';

/** A ReplicaSet, StatefulSet or Job with a number of pods. */
export interface Workload {
  readonly namespace: string;
  readonly name: string;
  readonly kind: 'ReplicaSet' | 'StatefulSet' | 'Job' | 'CustomThing';
  readonly uid: string;
  /** Default: that of its kind. */
  readonly apiVersion?: string;
  /** Changed by administrators, and by a Job that is complete. */
  replicas: number;
  readonly labels: Readonly<Record<string, string>>;
  readonly resourceNames: readonly string[];
  readonly emptyDir: boolean;
  readonly toleratesUnschedulable: boolean;
  readonly graceMs: number;
  /** A Job's pods end after this time; `Infinity` otherwise. */
  readonly runsMs: number;
  /** Its pods have a finalizer, which its controller removes a while after they ended, or never. */
  readonly finalizer: 'none' | 'slow' | 'endless';
  /** True: its pods have no label `app` beside these. */
  readonly hasOwnLabels?: boolean;
  /** Default: its pods fit every node. */
  readonly scheduling?: PodScheduling;
  /** It gives the names of `schedulingOf` again, when their pods are gone. Default: false; a StatefulSet gives those of its ordinals. */
  readonly keepsNames?: true;
  /** Of single pods by their names: each has volumes of its own. */
  readonly schedulingOf?: ReadonlyMap<string, PodScheduling>;
}

/** A time span in milliseconds, of which each case draws one. */
export interface Range {
  readonly fromMs: number;
  readonly toMs: number;
}

/** How long things take, where it matters. */
export interface Durations {
  /** From the start of a driver pod until it is Ready. */
  readonly driver: Range;
  /** The same for pods of workloads and of other DaemonSets. */
  readonly workload: Range;
  /** From the deletion of a pod until it is gone; never longer than its grace period. */
  readonly termination: Range;
  /** From a change until a controller has seen it. */
  readonly controllerMs: number;
  /** From the binding of a pod until its kubelet starts it. */
  readonly kubeletMs: number;
}

/** An admission webhook for requests of the companion about one node: it refuses them, or does not answer. */
export interface Webhook {
  /** `cordon`: patches that cordon the node; `patch`: all of its patches; `evict`, `delete`: those of its pods. */
  readonly request: 'cordon' | 'patch' | 'evict' | 'delete';
  readonly node: string;
  readonly how: 'refuses' | 'times-out';
}

/** Faults of the API server, delays of watches and the capacity of nodes. */
export interface ClusterConditions {
  /** Share of API calls that fail. */
  readonly faultRate: number;
  /** Longest usual delay of a watch event. */
  readonly lagMs: number;
  /** Capacity of a node in pods, without those of DaemonSets. */
  readonly podCapacity: number;
  /** Requests, watch events and the garbage collector take no time, watches never end, and deleted pods end at once. */
  readonly isInstant?: boolean;
  /** Default: some seconds, and deleted pods end at once where `isInstant` is set. */
  readonly durations?: Durations;
}

/** What the ClusterPolicy says beside `autoUpgrade: true` and `maxUnavailable: 0`. */
export interface GpuOperatorOptions {
  readonly drain: boolean;
  /** 0 seconds: no time-out. */
  readonly podDeletion: { readonly force: boolean; readonly deleteEmptyDir: boolean; readonly timeoutSeconds: number };
}

/** The GPU operator in the cluster, and what is done to it. */
export interface GpuOperator {
  readonly autoUpgrade: boolean;
  options: GpuOperatorOptions;
  /** Longest time between two of its writes. */
  writeMs: number;
  /** Nodes that it does not find validated. */
  readonly failing: Set<string>;
  switchTo(autoUpgrade: boolean): void;
  /** Its process ends, and another one starts so long after. */
  restart(awayMs: number): void;
}

/**
 * What a change of policies needs on a node. `late-reboot`: its config daemon asks for a drain, and finds out during or after that drain
 * that it has to reboot the node.
 */
export type SriovNeed = 'nothing' | 'drain' | 'late-reboot' | 'reboot';

/** The devices of a node, and what its config daemon does with them. */
export interface SriovHost {
  /** The generation of the SriovNetworkNodeState that the devices have. */
  generation: number;
  /** The virtual functions exist. */
  hasFunctions: boolean;
  /** What the change needs that the config daemon works on; undefined: it does not work. */
  working: SriovNeed | undefined;
}

export interface SriovOptions {
  /** Longest time that a config daemon works. */
  readonly workMs: number;
  /** Config daemons ask for a drain before they create virtual functions again that a restart of OFED removed. */
  readonly drainsAfterReload: boolean;
}

/** The SR-IOV operator with the config daemons of all nodes, and what is done to them. */
export interface SriovOperator {
  readonly hosts: ReadonlyMap<string, SriovHost>;
  options: SriovOptions;
  /** Nodes whose config daemons fail: `reports`: it says so, and tries again later; `repeats`: it tries again and again. */
  readonly failing: Map<string, 'reports' | 'repeats'>;
  /** Is told that a config daemon begins to work. */
  onWork: (node: string, need: SriovNeed) => void;
  /** Policies change for the nodes with these labels. */
  change(need: SriovNeed, labels: Readonly<Record<string, string>>): void;
  /** The policy of a node is reverted, and its config daemon withdraws its request. */
  withdraw(node: string): void;
  /** The config daemon ends, and another one starts so long after. */
  restart(node: string, awayMs: number): void;
}

/** The Maintenance Operator in the cluster. */
export interface MaintenanceOperator {
  /** Its process and its pod end, and others start so long after. */
  restart(awayMs: number): void;
}

/** Moves virtual machines that are migrated instead of being ended: KubeVirt. */
export interface VirtualMachines {
  /** The answer of its webhook to the eviction of a virtual machine's pod, which begins the migration. */
  evict(pod: StoredPod): { readonly status: number; readonly message: string };
}

export interface SimulatedCluster {
  readonly seed: number;
  readonly events: Events;
  readonly store: Store;
  readonly chance: {
    readonly api: Random;
    readonly lag: Random;
    readonly controllers: Random;
    readonly kubelet: Random;
    readonly companion: Random;
  };
  readonly conditions: ClusterConditions;
  readonly workloads: Workload[];
  workloadOf(uid: string): Workload | undefined;
  /** Nodes whose kubelet does not report. */
  readonly unreachableNodes: Set<string>;
  /** When the kubelet retries a failed mount of a pod, by its UID. */
  readonly retryMs: Map<string, number>;
  /** When an init container last looked for what it waits for, by the UID of its pod; absent: something changed since then. */
  readonly lookedMs: Map<string, number>;
  /** How driver pods of a template fail, by digest; with a slash and a node's name for one node only. */
  readonly brokenDigests: Map<string, 'crash' | 'image'>;
  /** How long a driver takes to load, by digest, or digest, slash and node. Default: some seconds. */
  readonly loadMs: Map<string, number>;
  readonly webhooks: Set<Webhook>;
  /** Foreign DaemonSets by `namespace/name`: whether they exist. */
  readonly foreignDaemonSets: Map<string, boolean>;
  /** Namespaces whose waiting pods the scheduler tries no more. */
  readonly untriedNamespaces: Set<string>;
  /** Whether the init container of new driver pods requests a safe load. */
  safeLoad: boolean;
  gpuOperator: GpuOperator | undefined;
  sriov: SriovOperator | undefined;
  maintenanceOperator: MaintenanceOperator | undefined;
  virtualMachines: VirtualMachines | undefined;
  /** Whether faults occur. */
  hasFaults: boolean;
  /** The current policy in git. */
  policy: UpgradePolicy;
  policyWrittenMs: number;
  /** Names of the driver DaemonSets that any policy listed so far. */
  readonly listedNames: Set<string>;
  /** The log of this run. */
  readonly log: string[];
  note(text: string): void;
}

/** Label of GPU driver pods: gpu-operator, `assets/state-driver/0500_daemonset.yaml`. */
export const GPU_DRIVER_LABEL = 'nvidia.com/gpu-driver';

/** 2026-03-02 12:00 UTC, a Monday. */
export const START_MS = Date.UTC(2026, 2, 2, 12);

/** A cluster without controllers and kubelets; with `store` it has the objects of another cluster. */
export function makeCluster(
  seed: number,
  conditions: ClusterConditions,
  policy: UpgradePolicy,
  startMs = START_MS,
  store = makeStore(),
): SimulatedCluster {
  const events = makeEvents(startMs);
  const log: string[] = [];
  return {
    seed,
    events,
    store,
    chance: {
      api: makeRandom(seed, 'api'),
      lag: makeRandom(seed, 'lag'),
      controllers: makeRandom(seed, 'controllers'),
      kubelet: makeRandom(seed, 'kubelet'),
      companion: makeRandom(seed, 'companion'),
    },
    conditions,
    ...workloadsByUid(),
    unreachableNodes: new Set(),
    untriedNamespaces: new Set(),
    retryMs: new Map(),
    lookedMs: new Map(),
    brokenDigests: new Map(),
    loadMs: new Map(),
    webhooks: new Set(),
    foreignDaemonSets: new Map(),
    safeLoad: false,
    gpuOperator: undefined,
    sriov: undefined,
    maintenanceOperator: undefined,
    virtualMachines: undefined,
    hasFaults: true,
    policy,
    policyWrittenMs: startMs,
    listedNames: new Set(
      policy.drivers.flatMap(nodeUpgradePolicies).flatMap(({ daemonSets }) => daemonSets.map(({ name }) => name)),
    ),
    log,
    note: (text) => {
      log.push(`${((events.now() - startMs) / 1000).toFixed(3).padStart(10)}  ${text}`);
    },
  };
}

function workloadsByUid(): Pick<SimulatedCluster, 'workloads' | 'workloadOf'> {
  const workloads: Workload[] = [];
  const byUid = new Map<string, Workload>();
  return {
    workloads,
    workloadOf: (uid) => {
      // A caller adds workloads to the list, and removes none.
      for (const workload of workloads.slice(byUid.size)) byUid.set(workload.uid, workload);
      return byUid.get(uid);
    },
  };
}

/** Whether a driver pod of this template loads on this node. */
export function brokenOn(cluster: SimulatedCluster, digest: string, node: string): 'crash' | 'image' | undefined {
  return cluster.brokenDigests.get(`${digest}/${node}`) ?? cluster.brokenDigests.get(digest);
}

/** Milliseconds that something takes: of the range of the cluster in whole seconds, or of the usual one. */
export function drawn(
  { chance }: SimulatedCluster,
  range: Range | undefined,
  usual: readonly [number, number],
): number {
  if (range === undefined) return chance.kubelet.int(...usual);
  return 1000 * chance.kubelet.int(Math.ceil(range.fromMs / 1000), Math.ceil(range.toMs / 1000));
}
