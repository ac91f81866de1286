import type { UpgradePolicy } from '../../../src/contract/upgrade-policy.js';
import { makeEvents, type Events } from './events.js';
import { makeRandom, type Random } from './random.js';
import { makeStore, type Store } from './store.js';

/** A ReplicaSet, StatefulSet or Job: keeps so many pods alive. */
export interface Workload {
  readonly namespace: string;
  readonly name: string;
  readonly kind: 'ReplicaSet' | 'StatefulSet' | 'Job' | 'CustomThing';
  readonly uid: string;
  /** Changed by admins, and by a Job that is done. */
  replicas: number;
  readonly labels: Readonly<Record<string, string>>;
  readonly resourceNames: readonly string[];
  readonly emptyDir: boolean;
  readonly toleratesUnschedulable: boolean;
  readonly graceMs: number;
  /** A Job's pods end after this time; `Infinity` otherwise. */
  readonly runsMs: number;
  readonly finalizer: boolean;
}

/** Faults of the API server, delays of watches and room on nodes. */
export interface ClusterConditions {
  /** Share of API calls that go wrong. */
  readonly faultRate: number;
  /** Longest usual delay of a watch event. */
  readonly lagMs: number;
  /** Pods that a node has room for, DaemonSets' left out. */
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
  /** When the kubelet tries again what did not work for a pod, by its UID. */
  readonly retryMs: Map<string, number>;
  /** How driver pods of a template go wrong, by digest; a node's name after a slash narrows it. */
  readonly brokenDigests: Map<string, 'crash' | 'image'>;
  /** Foreign DaemonSets by `namespace/name`: whether they exist. */
  readonly foreignDaemonSets: Map<string, boolean>;
  /** Whether the init container of new driver pods asks for a safe load. */
  safeLoad: boolean;
  /** Faults come only while this is on. */
  hasFaults: boolean;
  /** What is in git now. */
  policy: UpgradePolicy;
  policyWrittenMs: number;
  /** Names of the driver DaemonSets that any policy listed so far. */
  readonly listedNames: Set<string>;
  /** The trace of this run. */
  readonly log: string[];
  note(text: string): void;
}

/** 2026-03-02 12:00 UTC, a Monday. */
export const START_MS = Date.UTC(2026, 2, 2, 12);

function namesOf({ daemonSets }: UpgradePolicy['drivers'][number]['policies'][number]): readonly string[] {
  return daemonSets.map(({ name }) => name);
}

/** A cluster without controllers and kubelets; with `store` it has the same objects as another one. */
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

/** How a driver pod of this template fares on this node. */
export function brokenOn(cluster: SimulatedCluster, digest: string, node: string): 'crash' | 'image' | undefined {
  return cluster.brokenDigests.get(`${digest}/${node}`) ?? cluster.brokenDigests.get(digest);
}
