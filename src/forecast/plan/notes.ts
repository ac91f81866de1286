import { counted } from '../../shared/lib/listed.js';
import type { RestartingOperator, PlannedCluster } from './cluster/planned-cluster.js';
import type { ApiPod } from '../../shared/kubernetes/shapes/pod.js';

/** Things that keep a pod off a node, or decide when a node is through, and are not simulated. */
export const NOT_SIMULATED = {
  'pod-affinity': 'required affinity to other pods',
  'namespace-selector': 'anti-affinity with a selector of namespaces, which counts as one for its own namespace',
  'resource-claims': 'resource claims (dynamic resource allocation): every node counts as having the devices',
  volumes: 'where the volumes of claims are: the snapshot has no PersistentVolumes',
  revisions:
    'which driver the nodes have: the snapshot has no ControllerRevisions, so each pod counts as one of the template of its DaemonSet',
  'gpu-operator':
    'the GPU operator and the GPU driver that it restarts: their nodes are planned for the other drivers only',
  'sriov-config-daemon':
    'the config daemons of the SR-IOV Network Operator and the virtual functions that they configure: their nodes are planned for drivers only',
  drainer:
    'the Maintenance Operator: the companion drains in its place, without its maxParallelOperations and maxUnavailable and without other requestors, and a drain fails after its time-out',
  pause:
    'a pause by hand: the status ConfigMap of the companion is not in the snapshot, or may not be read, so the companion counts as active',
} as const;
type NotSimulated = keyof typeof NOT_SIMULATED;

/** Those of which the cluster has any. */
export function notesOf({ objects, daemonSets, pods, status, ...planned }: PlannedCluster): readonly string[] {
  const required = (kind: 'podAffinity' | 'podAntiAffinity', { spec }: ApiPod) =>
    spec?.affinity?.[kind]?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
  const count: Readonly<Record<Exclude<NotSimulated, RestartingOperator | 'drainer' | 'pause'>, number>> = {
    'pod-affinity': objects.Pod.filter((pod) => required('podAffinity', pod).length > 0).length,
    'namespace-selector': objects.Pod.filter((pod) =>
      required('podAntiAffinity', pod).some(({ namespaceSelector = {} }) => Object.keys(namespaceSelector).length > 0),
    ).length,
    'resource-claims': objects.Pod.filter(({ spec }) => (spec?.resourceClaims ?? []).length > 0).length,
    volumes: objects.PersistentVolume.length > 0 ? 0 : objects.Pod.filter(hasClaim).length,
    revisions: daemonSets.hasRevisions ? 0 : pods.filter(({ kind }) => kind === 'driver').length,
  };
  const ofPods = (Object.keys(count) as (keyof typeof count)[]).flatMap((key) =>
    count[key] === 0 ? [] : [`${counted(count[key], 'pod')}: ${NOT_SIMULATED[key]}`],
  );
  return [
    ...ofPods,
    ...planned.operators.map((operator) => NOT_SIMULATED[operator]),
    ...(planned.asksOperator ? [NOT_SIMULATED.drainer] : []),
    ...(status === undefined ? [NOT_SIMULATED.pause] : []),
  ];
}

function hasClaim({ spec }: ApiPod): boolean {
  return spec?.volumes?.some(({ persistentVolumeClaim }) => persistentVolumeClaim !== undefined) === true;
}
