import type { SnapshotPod } from './types.js';

export function nameOf(pod: { readonly namespace: string; readonly name: string }): string {
  return `${pod.namespace}/${pod.name}`;
}

/** Its controller is a Job of Kubernetes or of a training operator, such as a PyTorchJob. */
export function isOfJob({ controller }: SnapshotPod): boolean {
  return controller?.kind.endsWith('Job') === true;
}

/** Succeeded or Failed: its containers do not run again. */
export function isFinished(pod: SnapshotPod): boolean {
  return pod.phase === 'Succeeded' || pod.phase === 'Failed';
}
