import type { ApiPod } from '../../../shared/kubernetes/shapes/pod.js';

/** Annotations that name the PodGroup of a pod: Volcano's `KubeGroupNameAnnotationKey` and `VolcanoGroupNameAnnotationKey`. */
export const POD_GROUP_ANNOTATIONS = ['scheduling.k8s.io/group-name', 'scheduling.volcano.sh/group-name'] as const;

/** Labels that do: those of the coscheduling plugin, of Kueue's groups of pods, of JobSet and of the Kubeflow trainer. */
const GROUP_LABELS = [
  'scheduling.x-k8s.io/pod-group',
  'kueue.x-k8s.io/pod-group-name',
  'jobset.sigs.k8s.io/jobset-name',
  'training.kubeflow.org/job-name',
] as const;

/** The group of pods that start and usually end together; undefined: the pod is in none. */
export function podGroupOf({
  metadata: { namespace = '', annotations = {}, labels = {} } = {},
}: ApiPod): string | undefined {
  for (const [keys, from] of [
    [POD_GROUP_ANNOTATIONS, annotations],
    [GROUP_LABELS, labels],
  ] as const) {
    const key = keys.find((one) => (from[one] ?? '') !== '');
    if (key !== undefined) return JSON.stringify([namespace, key, from[key]]);
  }
  return undefined;
}
