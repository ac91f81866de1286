import { setTimeout as sleep } from 'node:timers/promises';
import { COMPANION_COMPONENT, COMPONENT_LABEL } from '../../../src/shared/contract/labels.js';
import type { LiveObject } from '../bed/api-client.js';
import { startContainer, type CompanionPodSpec, type CompanionProcess } from './companion-container.js';
import { serveContainerLogs } from './container-logs.js';
import type { ControlPlane } from '../bed/control-plane.js';
import { nodeOf } from '../simulated/fleet.js';

/** Runs the pods of the companion's Jobs on all nodes, serves their logs, and reports how their containers end. */
export interface CompanionKubelet {
  /** Every container that was started, in that order. */
  readonly containers: () => readonly StartedContainer[];
  readonly stop: () => Promise<void>;
}

export interface StartedContainer {
  readonly pod: string;
  readonly job: string;
  readonly process: CompanionProcess;
}

/** True for a pod of the companion's Jobs. */
export function isCompanion({ metadata }: LiveObject): boolean {
  return (
    metadata.labels?.[COMPONENT_LABEL] === COMPANION_COMPONENT &&
    metadata.labels['batch.kubernetes.io/job-name'] !== undefined
  );
}

const GRACE_MS = 30_000;

/** Starts it. The simulated kubelets must leave these pods alone. */
export function startCompanionKubelet(controlPlane: ControlPlane): CompanionKubelet {
  const { client } = controlPlane;
  const started: StartedContainer[] = [];
  const begun = new Map<string, Promise<CompanionProcess | undefined>>();
  const ending = new Set<string>();
  const tasks = new Set<Promise<void>>();
  const logs = serveContainerLogs(controlPlane, (pod) => started.find((one) => one.pod === pod)?.process);
  /** Nodes whose status has the address of their logs. */
  const serving = new Set<string>();
  let isStopped = false;

  /** From then on the API server requests the logs of the node's containers here. */
  async function serveLogsOf(name: string): Promise<void> {
    if (serving.has(name)) return;
    serving.add(name);
    const addresses = [{ type: 'InternalIP', address: '127.0.0.1' }];
    const daemonEndpoints = { kubeletEndpoint: { Port: (await logs).port } };
    await client.ask('PATCH', `/api/v1/nodes/${name}/status`, { status: { addresses, daemonEndpoints } }, 'strategic');
  }

  async function setStatus(pod: LiveObject, status: object): Promise<void> {
    if (isStopped) return;
    const answer = await client.send('PATCH', `${await client.pathOf(pod)}/status`, { status }, 'strategic');
    if (answer.status >= 300 && answer.status !== 404) throw new Error(JSON.stringify(answer.body));
  }

  async function begin(pod: LiveObject): Promise<CompanionProcess | undefined> {
    const { name, uid = '', labels = {} } = pod.metadata;
    await serveLogsOf(nodeOf(pod));
    const job = labels['batch.kubernetes.io/job-name'] ?? '';
    const jobUid = labels['batch.kubernetes.io/controller-uid'] ?? '';
    const process = await startContainer(controlPlane, pod['spec'] as CompanionPodSpec, {
      name,
      uid,
      jobName: job,
      jobUid,
    });
    started.push({ pod: name, job, process });
    await setStatus(pod, { phase: 'Running', startTime: now(), containerStatuses: [statusOf(pod, { running: {} })] });
    void process.ended.then((end) => finish(pod, typeof end === 'number' ? end : 137)).catch(() => undefined);
    return process;
  }

  function finish(pod: LiveObject, exitCode: number): Promise<void> {
    const terminated = { exitCode, reason: exitCode === 0 ? 'Completed' : 'Error', finishedAt: now() };
    const phase = exitCode === 0 ? 'Succeeded' : 'Failed';
    return setStatus(pod, { phase, containerStatuses: [statusOf(pod, { terminated })] });
  }

  /** SIGTERM, and SIGKILL after the grace period; the pod is deleted when its container has ended. */
  async function end(pod: LiveObject): Promise<void> {
    const process = await begun.get(pod.metadata.uid ?? '');
    process?.signal('SIGTERM');
    if (process !== undefined) {
      const isOver = await Promise.race([process.ended.then(() => true), sleep(GRACE_MS, false, { ref: false })]);
      if (!isOver) process.signal('SIGKILL');
      const code = await process.ended;
      await finish(pod, typeof code === 'number' ? code : 137);
    }
    const preconditions = { uid: pod.metadata.uid };
    await client.delete(pod, { gracePeriodSeconds: 0, preconditions }).catch(() => undefined);
  }

  function run(task: Promise<unknown>): void {
    const settled: Promise<void> = task.then(
      () => void tasks.delete(settled),
      () => void tasks.delete(settled),
    );
    tasks.add(settled);
  }

  const stopWatch = client.watch('/api/v1/pods', (type, object) => {
    const pod = { ...object, apiVersion: 'v1', kind: 'Pod' } as LiveObject;
    const uid = pod.metadata.uid ?? '';
    if (type === 'DELETED' || !isCompanion(pod) || nodeOf(pod) === '') return;
    if (pod.metadata.deletionTimestamp !== undefined) {
      if (!ending.has(uid)) run(end(pod));
      ending.add(uid);
    } else if (!begun.has(uid) && (pod['status'] as { phase?: string }).phase === 'Pending') {
      const beginning = begin(pod).catch(() => undefined);
      begun.set(uid, beginning);
      run(beginning);
    }
  });
  return {
    containers: () => started,
    async stop() {
      stopWatch();
      isStopped = true;
      (await logs).stop();
      for (const { process } of started) process.signal('SIGKILL');
      await Promise.all([...tasks, ...started.map(({ process }) => process.ended)]);
    },
  };
}

function statusOf(pod: LiveObject, state: object): object {
  const [container] = (pod['spec'] as { readonly containers: readonly { name: string; image: string }[] }).containers;
  const isReady = 'running' in state;
  return { ...{ name: container?.name, image: container?.image, imageID: '' }, ready: isReady, restartCount: 0, state };
}

function now(): string {
  return new Date().toISOString();
}
