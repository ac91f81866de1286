import type { SnapshotPod } from './types.js';

export function nameOf(pod: { readonly namespace: string; readonly name: string }): string {
  return `${pod.namespace}/${pod.name}`;
}

/** Succeeded or Failed: its containers do not run again. */
export function isFinished(pod: SnapshotPod): boolean {
  return pod.phase === 'Succeeded' || pod.phase === 'Failed';
}
