import { groupBy } from '../../lib/group-by.js';
import { once } from '../../lib/memo.js';
import { kubernetesKinds, otherKubernetesKinds } from './field-types.js';
import { apiGroup } from '../names.js';

/** A kind that Kubernetes had in some version of its API. */
interface GoneKind {
  /** The first release without it. */
  readonly since: string;
  /** The API version that has replaced it; absent if there is none. */
  readonly now?: string;
}

/** Removed kinds by API version, with the version that replaced them (Kubernetes, "Deprecated API Migration Guide"). */
const REMOVED: readonly (readonly [apiVersion: string, kinds: string, since: string, now?: string])[] = [
  ['extensions/v1beta1', 'DaemonSet Deployment ReplicaSet', '1.16', 'apps/v1'],
  ['extensions/v1beta1', 'NetworkPolicy', '1.16', 'networking.k8s.io/v1'],
  ['extensions/v1beta1', 'PodSecurityPolicy', '1.16'],
  ['extensions/v1beta1', 'Ingress', '1.22', 'networking.k8s.io/v1'],
  ['apps/v1beta1', 'Deployment StatefulSet ControllerRevision', '1.16', 'apps/v1'],
  ['apps/v1beta2', 'DaemonSet Deployment ReplicaSet StatefulSet ControllerRevision', '1.16', 'apps/v1'],
  [
    'admissionregistration.k8s.io/v1beta1',
    'MutatingWebhookConfiguration ValidatingWebhookConfiguration',
    '1.22',
    'admissionregistration.k8s.io/v1',
  ],
  [
    'admissionregistration.k8s.io/v1beta1',
    'ValidatingAdmissionPolicy ValidatingAdmissionPolicyBinding',
    '1.34',
    'admissionregistration.k8s.io/v1',
  ],
  ['apiextensions.k8s.io/v1beta1', 'CustomResourceDefinition', '1.22', 'apiextensions.k8s.io/v1'],
  ['apiregistration.k8s.io/v1beta1', 'APIService', '1.22', 'apiregistration.k8s.io/v1'],
  ['certificates.k8s.io/v1beta1', 'CertificateSigningRequest', '1.22', 'certificates.k8s.io/v1'],
  ['coordination.k8s.io/v1beta1', 'Lease', '1.22', 'coordination.k8s.io/v1'],
  ['networking.k8s.io/v1beta1', 'Ingress IngressClass', '1.22', 'networking.k8s.io/v1'],
  [
    'rbac.authorization.k8s.io/v1beta1',
    'ClusterRole ClusterRoleBinding Role RoleBinding',
    '1.22',
    'rbac.authorization.k8s.io/v1',
  ],
  [
    'rbac.authorization.k8s.io/v1alpha1',
    'ClusterRole ClusterRoleBinding Role RoleBinding',
    '1.22',
    'rbac.authorization.k8s.io/v1',
  ],
  ['scheduling.k8s.io/v1beta1', 'PriorityClass', '1.22', 'scheduling.k8s.io/v1'],
  ['storage.k8s.io/v1beta1', 'CSIDriver CSINode StorageClass VolumeAttachment', '1.22', 'storage.k8s.io/v1'],
  ['storage.k8s.io/v1beta1', 'CSIStorageCapacity', '1.27', 'storage.k8s.io/v1'],
  ['autoscaling/v2beta1', 'HorizontalPodAutoscaler', '1.25', 'autoscaling/v2'],
  ['autoscaling/v2beta2', 'HorizontalPodAutoscaler', '1.26', 'autoscaling/v2'],
  ['batch/v1beta1', 'CronJob', '1.25', 'batch/v1'],
  ['discovery.k8s.io/v1beta1', 'EndpointSlice', '1.25', 'discovery.k8s.io/v1'],
  ['events.k8s.io/v1beta1', 'Event', '1.25', 'events.k8s.io/v1'],
  ['node.k8s.io/v1beta1', 'RuntimeClass', '1.25', 'node.k8s.io/v1'],
  ['policy/v1beta1', 'PodDisruptionBudget', '1.25', 'policy/v1'],
  ['policy/v1beta1', 'PodSecurityPolicy', '1.25'],
  [
    'flowcontrol.apiserver.k8s.io/v1beta1',
    'FlowSchema PriorityLevelConfiguration',
    '1.26',
    'flowcontrol.apiserver.k8s.io/v1',
  ],
  [
    'flowcontrol.apiserver.k8s.io/v1beta2',
    'FlowSchema PriorityLevelConfiguration',
    '1.29',
    'flowcontrol.apiserver.k8s.io/v1',
  ],
  [
    'flowcontrol.apiserver.k8s.io/v1beta3',
    'FlowSchema PriorityLevelConfiguration',
    '1.32',
    'flowcontrol.apiserver.k8s.io/v1',
  ],
];

/** The first release with a kind in a stable version, where that is newer than the oldest release that Weft is for. */
const ADDED: readonly (readonly [apiVersion: string, kinds: string, since: string])[] = [
  ['networking.k8s.io/v1', 'IPAddress ServiceCIDR', '1.33'],
  ['resource.k8s.io/v1', 'DeviceClass ResourceClaim ResourceClaimTemplate ResourceSlice', '1.34'],
  ['storage.k8s.io/v1', 'VolumeAttributesClass', '1.34'],
  ['admissionregistration.k8s.io/v1', 'MutatingAdmissionPolicy MutatingAdmissionPolicyBinding', '1.36'],
];

/** The removal of a kind from Kubernetes; `undefined` for all other kinds. */
export function goneKind(apiVersion: string, kind: string): GoneKind | undefined {
  const row = REMOVED.find(([version, kinds]) => version === apiVersion && kinds.split(' ').includes(kind));
  if (!row) return undefined;
  const [, , since, now] = row;
  return { since, ...(now !== undefined && { now }) };
}

/** The first release with a kind, if Weft supports older ones. */
export function addedIn(apiVersion: string, kind: string): string | undefined {
  return ADDED.find(([version, kinds]) => version === apiVersion && kinds.split(' ').includes(kind))?.[2];
}

/** The built-in kinds of Kubernetes by API group. */
const byGroup = once(() => groupBy([...kubernetesKinds, ...otherKubernetesKinds()], groupOf));

/** The built-in kinds of an API group, in all versions; empty if it is not a group of Kubernetes. */
export function kindsOfGroup(group: string): readonly string[] {
  return byGroup().get(group) ?? [];
}

/** Whether an API group is one of Kubernetes itself, or was. */
export function isBuiltInGroup(group: string): boolean {
  return kindsOfGroup(group).length > 0 || REMOVED.some(([version]) => apiGroup(version) === group);
}

const groupOf = (name: string) => apiGroup(name.split(' ')[0] ?? '');
