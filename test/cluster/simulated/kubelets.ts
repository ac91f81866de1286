import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError, type ApiClient, type LiveObject } from '../bed/api-client.js';
import { OFED_READY_FILE, OFED_WAIT_CONTAINER } from '../../../src/shared/contract/labels.js';
import { makeRandom } from '../../../src/forecast/simulation/random.js';
import { report } from '../bed/report.js';
import { isReady, nodeOf } from './fleet.js';
import { registerNode, setNodeReady, setStatus, untilSchedulable, type NodeOptions } from './nodes.js';
import { podStatus } from './pod-status.js';

/** The behaviour of a pod on its node. */
export type PodBehaviour =
  | { readonly kind: 'ready'; readonly restarts?: number }
  | { readonly kind: 'restarting'; readonly restarts: number }
  | { readonly kind: 'never-ready' }
  | { readonly kind: 'crash-loop'; readonly restarts: number }
  | { readonly kind: 'image-pull-error' }
  | { readonly kind: 'completes'; readonly exitCode: number };

export interface KubeletOptions {
  /** The seed of all delays. */
  readonly seed: number;
  /** The maximum time until pods are ready, and until they end after SIGTERM. Default: 200. */
  readonly delayMsMax?: number;
  /** How long a pod takes until it is ready; undefined: a random delay. */
  readonly startMsOf?: (pod: LiveObject) => number | undefined;
  /** Resolves when the init containers of a pod are done. Default: at once. */
  readonly initialized?: (pod: LiveObject) => Promise<unknown>;
  /** True for pods that another kubelet of the test runs. Default: none. */
  readonly leavesAlone?: (pod: LiveObject) => boolean;
  /** The behaviour of a pod, read when it is bound to its node. Default: it gets ready. */
  readonly behaviour?: (pod: LiveObject) => PodBehaviour;
  /** True for a pod that stays until its grace period is over. */
  readonly ignoresTermination?: (pod: LiveObject) => boolean;
  /** Seconds of a grace period that pass in one second. Default: 10. */
  readonly graceSpeed?: number;
  /** Files on the node once the pod is ready, such as the driver's ready file. They are removed when it ends. Default: none. */
  readonly filesOf?: (pod: LiveObject) => readonly string[];
}

/** The kubelets of all nodes: pods bound to a node get a status, deleted ones end. No container runs. */
export interface SimulatedKubelets {
  /** Registers a node and waits until pods can be scheduled to it, which needs the controllers. */
  addNode(node: NodeOptions): Promise<void>;
  /** The kubelet stops: its node is unreachable, and its pods do not change. */
  stopReporting(node: string): Promise<void>;
  /** The kubelet starts again. */
  reportAgain(node: string): Promise<void>;
  /** The node reboots, with an empty `/run`: each container starts again like that of a new pod. */
  reboot(node: string): Promise<void>;
  stop(): void;
}

/** Starts the kubelets. One watch of pods serves all nodes. */
export function startKubelets(client: ApiClient, options: KubeletOptions): SimulatedKubelets {
  const random = makeRandom(options.seed, 'kubelets');
  const delayMs = () => random.next() * (options.delayMsMax ?? 200);
  const unreachable = new Set<string>();
  const pods = new Map<string, LiveObject>();
  const begun = new Set<string>();
  const ending = new Set<string>();
  /** UIDs of the pods that keep a file on a node, by `node path`. */
  const files = new Map<string, Set<string>>();
  /** Restarts of the containers of a pod, by UID. */
  const restarts = new Map<string, number>();
  let stopped = false;

  function hasItsFiles(pod: LiveObject): boolean {
    return filesThatMustExist(pod).every((path) => (files.get(`${nodeOf(pod)} ${path}`)?.size ?? 0) > 0);
  }

  async function writeStatus(pod: LiveObject, behaviour: PodBehaviour): Promise<void> {
    const current = pods.get(uidOf(pod));
    if (stopped || !current || current.metadata.deletionTimestamp !== undefined || unreachable.has(nodeOf(pod))) return;
    await untilWritten(() => setStatus(client, pod, podStatus(pod, behaviour, new Date().toISOString())));
    const made = behaviour.kind === 'ready' ? (options.filesOf?.(pod) ?? []) : [];
    for (const path of made) {
      const key = `${nodeOf(pod)} ${path}`;
      files.set(key, (files.get(key) ?? new Set()).add(uidOf(pod)));
    }
    if (made.length > 0) syncAll();
  }

  /** A pod whose init container waits for a file is synced again when there is one more. */
  function begin(pod: LiveObject): void {
    if (begun.has(uidOf(pod)) || !hasItsFiles(pod)) return;
    begun.add(uidOf(pod));
    const start = restarts.get(uidOf(pod)) ?? 0;
    const behaviour = options.behaviour?.(pod) ?? { kind: 'ready', ...(start > 0 && { restarts: start }) };
    const load = async (): Promise<void> => {
      await options.initialized?.(pod);
      await sleep(options.startMsOf?.(pod) ?? delayMs(), undefined, { ref: false });
      if (start === (restarts.get(uidOf(pod)) ?? 0)) await writeStatus(pod, behaviour);
    };
    // What it waits for cannot be read any more when the control plane has stopped.
    void load().catch(() => undefined);
  }

  async function restart(pod: LiveObject): Promise<void> {
    const count = (restarts.get(uidOf(pod)) ?? 0) + 1;
    restarts.set(uidOf(pod), count);
    begun.add(uidOf(pod));
    for (const uids of files.values()) uids.delete(uidOf(pod));
    await writeStatus(pod, { kind: 'restarting', restarts: count });
  }

  /** A kubelet retries until the pod is gone. An API server that has just started refuses with many a status. */
  async function untilWritten(write: () => Promise<void>): Promise<void> {
    for (let attempt = 1; !stopped; attempt++) {
      try {
        return await write();
      } catch (error) {
        if (isGone(error)) return;
        if (error instanceof ApiError && attempt === 1) report(`a kubelet tries again: ${error.message}`);
        await sleep(500);
      }
    }
  }

  function end(pod: LiveObject): void {
    if (ending.has(uidOf(pod))) return;
    ending.add(uidOf(pod));
    const graceSeconds =
      (pod.metadata as { readonly deletionGracePeriodSeconds?: number }).deletionGracePeriodSeconds ?? 0;
    const waits = options.ignoresTermination?.(pod) === true;
    const waitMs = waits
      ? (graceSeconds * 1000) / (options.graceSpeed ?? 10)
      : Math.min(delayMs(), graceSeconds * 1000);
    const preconditions = { uid: uidOf(pod) };
    // A kubelet writes that all containers have ended, and then removes the pod.
    const ended = () => podStatus(pod, { kind: 'completes', exitCode: waits ? KILLED : 0 }, new Date().toISOString());
    void sleep(waitMs)
      .then(() => (isFinished(pod) ? undefined : untilWritten(() => setStatus(client, pod, ended()))))
      .then(() => untilWritten(() => client.delete(pod, { gracePeriodSeconds: 0, preconditions })));
  }

  function sync(pod: LiveObject): void {
    if (nodeOf(pod) === '' || unreachable.has(nodeOf(pod)) || options.leavesAlone?.(pod) === true) return;
    if (pod.metadata.deletionTimestamp === undefined) begin(pod);
    else end(pod);
  }

  function syncAll(): void {
    for (const pod of pods.values()) sync(pod);
  }

  function remove(pod: LiveObject): void {
    const uid = uidOf(pod);
    pods.delete(uid);
    begun.delete(uid);
    ending.delete(uid);
    restarts.delete(uid);
    for (const uids of files.values()) uids.delete(uid);
  }

  const stopWatch = client.watch('/api/v1/pods', (type, object) => {
    // List items and watch events of one kind carry no kind of their own in every version.
    const pod = { ...object, apiVersion: 'v1', kind: 'Pod' } as LiveObject;
    if (type === 'DELETED') return remove(pod);
    if (type !== 'ADDED' && type !== 'MODIFIED') return;
    pods.set(uidOf(pod), pod);
    // It was created with its status, or has run since before the API server started.
    if (type === 'ADDED' && isReady(pod)) begun.add(uidOf(pod));
    sync(pod);
  });

  return {
    addNode: async (node) => {
      await registerNode(client, node);
      await untilSchedulable(client, node.name);
    },
    stopReporting: async (name) => {
      unreachable.add(name);
      await setNodeReady(client, name, 'Unknown');
    },
    reportAgain: async (name) => {
      unreachable.delete(name);
      await setNodeReady(client, name, 'True');
      syncAll();
    },
    reboot: async (name) => {
      const there = [...pods.values()].filter((pod) => nodeOf(pod) === name && options.leavesAlone?.(pod) !== true);
      await Promise.all(there.map(restart));
      for (const pod of there) begun.delete(uidOf(pod));
      syncAll();
    },
    stop: () => {
      stopped = true;
      stopWatch();
    },
  };
}

/** The exit code of a program that SIGKILL ends. */
const KILLED = 137;

function isFinished(pod: LiveObject): boolean {
  const { phase } = (pod['status'] ?? {}) as { readonly phase?: string };
  return phase === 'Succeeded' || phase === 'Failed';
}

function uidOf(pod: LiveObject): string {
  return pod.metadata.uid ?? '';
}

/** The files that an init container waits for. */
function filesThatMustExist(pod: LiveObject): readonly string[] {
  const { initContainers = [] } = pod['spec'] as {
    readonly initContainers?: readonly { readonly name: string }[];
  };
  return initContainers.some(({ name }) => name === OFED_WAIT_CONTAINER) ? [OFED_READY_FILE] : [];
}

/** The pod was deleted before the request arrived; another one may have its name. */
function isGone(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  return error.status === 404 || (error.status === 409 && /UID in precondition/.test(error.message));
}
