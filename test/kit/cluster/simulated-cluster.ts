import type { UpgradePolicy } from '../../../src/contract/upgrade-policy.js';
import { makeEvents, type Events } from './events.js';
import { makeRandom, type Random } from './random.js';
import { makeStore, type Store } from './store.js';

/** A ReplicaSet, StatefulSet or Job with a number of pods. */
export interface Workload {
  readonly namespace: string;
  readonly name: string;
  readonly kind: 'ReplicaSet' | 'StatefulSet' | 'Job' | 'CustomThing';
  readonly uid: string;
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
  readonly room: number;
  /** Requests, watch events and the garbage collector take no time, watches never end, and deleted pods end at once. */
  readonly isInstant?: boolean;
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
  /** Nodes whose kubelet does not report. */
  readonly unreachableNodes: Set<string>;
  /** When the kubelet retries a failed mount of a pod, by its UID. */
  readonly retryMs: Map<string, number>;
  /** How driver pods of a template fail, by digest; with a slash and a node's name for one node only. */
  readonly brokenDigests: Map<string, 'crash' | 'image'>;
  /** How long a driver takes to load, by digest, or digest, slash and node. Default: some seconds. */
  readonly loadMs: Map<string, number>;
  readonly webhooks: Set<Webhook>;
  /** Foreign DaemonSets by `namespace/name`: whether they exist. */
  readonly foreignDaemonSets: Map<string, boolean>;
  /** Whether the init container of new driver pods requests a safe load. */
  safeLoad: boolean;
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

/** 2026-03-02 12:00 UTC, a Monday. */
export const START_MS = Date.UTC(2026, 2, 2, 12);

function namesOf({ daemonSets }: UpgradePolicy['drivers'][number]['policies'][number]): readonly string[] {
  return daemonSets.map(({ name }) => name);
}

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
    workloads: [],
    unreachableNodes: new Set(),
    retryMs: new Map(),
    brokenDigests: new Map(),
    loadMs: new Map(),
    webhooks: new Set(),
    foreignDaemonSets: new Map(),
    safeLoad: false,
    hasFaults: true,
    policy,
    policyWrittenMs: startMs,
    listedNames: new Set(policy.drivers.flatMap((one) => one.policies.flatMap(namesOf))),
    log,
    note: (text) => {
      log.push(`${((events.now() - startMs) / 1000).toFixed(3).padStart(10)}  ${text}`);
    },
  };
}

/** Whether a driver pod of this template loads on this node. */
export function brokenOn(cluster: SimulatedCluster, digest: string, node: string): 'crash' | 'image' | undefined {
  return cluster.brokenDigests.get(`${digest}/${node}`) ?? cluster.brokenDigests.get(digest);
}
