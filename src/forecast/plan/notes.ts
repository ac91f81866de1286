import { counted } from '../../shared/lib/listed.js';
import { REQUIREMENTS_MAX } from '../simulation/rules/read-scheduling.js';
import { COMPARISONS_MAX } from '../simulation/controllers/fit.js';
import { REPELLING_MAX } from './cluster/pods.js';
import { BUDGETS_MAX, type PlannedCluster } from './cluster/planned-cluster.js';
import type { ApiPod } from '../../shared/kubernetes/shapes/pod.js';

/** Things that keep a pod off a node, or decide when a node is through, and are not simulated. */
export const NOT_SIMULATED = {
  'pod-affinity': 'required affinity to other pods',
  'namespace-selector': 'anti-affinity with a selector of namespaces, which counts as one for its own namespace',
  requirements: `requirements of a pod that has more than ${REQUIREMENTS_MAX} (tolerations, terms, constraints, host ports): such a pod counts as having none`,
  'anti-affinity': `anti-affinity to other pods in a namespace that has more than ${REPELLING_MAX} pods with one: such a pod counts as having none`,
  comparisons: `where the waiting pods of a namespace go that were compared more than ${COMPARISONS_MAX} times with nodes and other pods: they count as fitting nowhere`,
  budgets: `those of a namespace beyond its first ${BUDGETS_MAX}: they count as absent`,
  'resource-claims':
    'resource claims of which no device of a node is known (dynamic resource allocation): every node counts as having the devices',
  volumes: 'where the volumes of claims are: the snapshot has no PersistentVolumes',
  'daemon-sets': 'which driver the nodes have: the snapshot has no DaemonSets of drivers',
  revisions:
    'which driver the nodes have: the snapshot has no ControllerRevisions, so each pod counts as one of the template of its DaemonSet',
  'gpu-operator':
    'what the GPU operator is told: the snapshot has no ClusterPolicy and no NVIDIADriver, so it counts as upgrading drivers',
  sriov: 'virtual functions: the snapshot has no SriovNetworkNodeStates, so no config daemon asks for a drain',
  drainer:
    'the limits of the Maintenance Operator: the snapshot has no MaintenanceOperatorConfig, so it counts as taking one node at a time',
  pause:
    'a pause by hand: the status ConfigMap of the companion is not in the snapshot, or may not be read, so the companion counts as active',
} as const;

/**
 * Those of which the cluster has any.
 *
 * @param untried namespaces whose pods a run tried no more
 */
export function notesOf(planned: PlannedCluster, untried: ReadonlySet<string>): readonly string[] {
  const { objects, daemonSets, devices, pods, status, operators, budgets } = planned;
  const required = (kind: 'podAffinity' | 'podAntiAffinity', { spec }: ApiPod) =>
    spec?.affinity?.[kind]?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
  const driverPods = pods.filter(({ kind }) => kind === 'driver').length;
  const { hasDriverSets, hasRevisions } = daemonSets;
  const count = {
    'pod-affinity': objects.Pod.filter((pod) => required('podAffinity', pod).length > 0).length,
    'namespace-selector': objects.Pod.filter((pod) =>
      required('podAntiAffinity', pod).some(({ namespaceSelector = {} }) => Object.keys(namespaceSelector).length > 0),
    ).length,
    requirements: pods.filter(({ pod }) => pod.scheduling?.hasTooMany).length,
    'anti-affinity': pods.filter(({ pod }) => pod.scheduling?.hasManyPeers).length,
    comparisons: pods.filter(({ pod }) => untried.has(pod.namespace)).length,
    'resource-claims': objects.Pod.filter(devices.isUnknown).length,
    volumes: objects.PersistentVolume.length > 0 ? 0 : objects.Pod.filter(hasClaim).length,
    'daemon-sets': hasDriverSets ? 0 : driverPods,
    revisions: hasRevisions || !hasDriverSets ? 0 : driverPods,
  };
  const ofPods = (Object.keys(count) as (keyof typeof count)[]).flatMap((key) =>
    count[key] === 0 ? [] : [`${counted(count[key], 'pod')}: ${NOT_SIMULATED[key]}`],
  );
  const { gpuOperator, sriov, drainer } = operators;
  const moreBudgets = objects.PodDisruptionBudget.length - budgets.length;
  return [
    ...ofPods,
    ...(moreBudgets > 0 ? [`${counted(moreBudgets, 'PodDisruptionBudget')}: ${NOT_SIMULATED.budgets}`] : []),
    ...(gpuOperator?.policies.length === 0 ? [NOT_SIMULATED['gpu-operator']] : []),
    ...(sriov?.states.length === 0 ? [NOT_SIMULATED.sriov] : []),
    ...(drainer?.isConfigured === false ? [NOT_SIMULATED.drainer] : []),
    ...(status === undefined ? [NOT_SIMULATED.pause] : []),
  ];
}

function hasClaim({ spec }: ApiPod): boolean {
  return spec?.volumes?.some(({ persistentVolumeClaim }) => persistentVolumeClaim !== undefined) === true;
}
