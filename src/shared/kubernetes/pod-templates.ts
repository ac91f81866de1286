const IN_SPEC: readonly string[] = ['spec', 'template'];

/** The path of the pod template by kind (Kubernetes `apps/v1`, `batch/v1`, `core/v1`). A Pod is its own. */
export const POD_TEMPLATES: ReadonlyMap<string, readonly string[]> = new Map([
  ['Pod', []],
  ['Deployment', IN_SPEC],
  ['StatefulSet', IN_SPEC],
  ['DaemonSet', IN_SPEC],
  ['ReplicaSet', IN_SPEC],
  ['ReplicationController', IN_SPEC],
  ['PodTemplate', ['template']],
  ['Job', IN_SPEC],
  ['CronJob', ['spec', 'jobTemplate', 'spec', 'template']],
]);
