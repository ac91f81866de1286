import type { LiveObject } from '../bed/api-client.js';
import type { PodBehaviour } from './kubelets.js';

interface ContainerOf {
  readonly name: string;
  readonly image: string;
}

interface PodSpecOf {
  readonly containers: readonly ContainerOf[];
  readonly initContainers?: readonly ContainerOf[];
}

/** The status that a kubelet writes for a pod that behaves so. */
export function podStatus(pod: LiveObject, behaviour: PodBehaviour, now: string): object {
  const { containers, initContainers = [] } = pod['spec'] as PodSpecOf;
  const isReady = behaviour.kind === 'ready';
  const condition = (type: string, value: boolean) => ({
    type,
    status: value ? 'True' : 'False',
    lastTransitionTime: now,
  });
  return {
    phase: phaseOf(behaviour),
    startTime: now,
    hostIP: '127.0.0.1',
    conditions: [
      condition('Initialized', behaviour.kind !== 'image-pull-error' || initContainers.length === 0),
      condition('ContainersReady', isReady),
      condition('Ready', isReady),
    ],
    initContainerStatuses: initContainers.map((container, index) =>
      status(
        container,
        behaviour.kind === 'image-pull-error' && index === 0 ? behaviour : { kind: 'completes', exitCode: 0 },
        now,
      ),
    ),
    containerStatuses: containers.map((container) => status(container, behaviour, now)),
  };
}

function phaseOf(behaviour: PodBehaviour): string {
  switch (behaviour.kind) {
    case 'ready':
    case 'never-ready':
    case 'crash-loop':
    case 'restarting':
      return 'Running';
    case 'image-pull-error':
      return 'Pending';
    case 'completes':
      return behaviour.exitCode === 0 ? 'Succeeded' : 'Failed';
  }
}

function status({ name, image }: ContainerOf, behaviour: PodBehaviour, now: string): object {
  const restartCount = 'restarts' in behaviour ? behaviour.restarts : 0;
  return { name, image, imageID: '', ready: behaviour.kind === 'ready', restartCount, state: stateOf(behaviour, now) };
}

function stateOf(behaviour: PodBehaviour, now: string): object {
  switch (behaviour.kind) {
    case 'ready':
    case 'never-ready':
      return { running: { startedAt: now } };
    case 'crash-loop':
      return { waiting: { reason: 'CrashLoopBackOff', message: 'back-off restarting failed container' } };
    case 'restarting':
      return { waiting: { reason: 'ContainerCreating' } };
    case 'image-pull-error':
      return { waiting: { reason: 'ImagePullBackOff', message: 'back-off pulling image' } };
    case 'completes':
      return {
        terminated: {
          exitCode: behaviour.exitCode,
          reason: behaviour.exitCode === 0 ? 'Completed' : 'Error',
          startedAt: now,
          finishedAt: now,
        },
      };
  }
}
