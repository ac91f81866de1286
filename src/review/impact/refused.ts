import { groupOf } from '../../shared/kubernetes/identity.js';
import { listedNames } from '../../shared/lib/listed.js';
import type { KubernetesObject } from '../../shared/kubernetes/types.js';
import { parseQuantity } from '../../shared/kubernetes/quantity.js';
import { textAt, valueAt } from '../../shared/lib/json.js';
import type { FieldChange } from '../../cluster/changes/fields.js';
import { type ObjectChange } from '../../cluster/changes/objects.js';

type Changed = Extract<ObjectChange, { readonly kind: 'changed' }>;

/** Immutable fields, by API group and kind (Kubernetes 1.34, pkg/apis, `Validate…Update`). */
const IMMUTABLE: Readonly<Record<string, readonly string[]>> = {
  '/PersistentVolumeClaim': [
    ...['spec.accessModes', 'spec.dataSource', 'spec.dataSourceRef', 'spec.resources.limits', 'spec.selector'],
    ...['spec.storageClassName', 'spec.volumeMode', 'spec.volumeName'],
  ],
  '/Secret': ['type'],
  'apiextensions.k8s.io/CustomResourceDefinition': ['spec.names.kind', 'spec.scope'],
  'apps/DaemonSet': ['spec.selector'],
  'apps/Deployment': ['spec.selector'],
  'apps/StatefulSet': [
    ...['spec.podManagementPolicy', 'spec.selector', 'spec.serviceName', 'spec.volumeClaimTemplates'],
  ],
  'batch/Job': [
    ...['spec.backoffLimitPerIndex', 'spec.completionMode', 'spec.completions', 'spec.managedBy'],
    ...['spec.podFailurePolicy', 'spec.selector', 'spec.successPolicy', 'spec.template'],
  ],
  'networking.k8s.io/IngressClass': ['spec.controller'],
  'node.k8s.io/RuntimeClass': ['handler'],
  'rbac.authorization.k8s.io/ClusterRoleBinding': ['roleRef'],
  'rbac.authorization.k8s.io/RoleBinding': ['roleRef'],
  'scheduling.k8s.io/PriorityClass': ['preemptionPolicy', 'value'],
  'storage.k8s.io/StorageClass': ['parameters', 'provisioner', 'reclaimPolicy', 'volumeBindingMode'],
};

const SHOWN_FIELDS = 5;
const STORAGE = 'spec.resources.requests.storage';

/** The fields of a change that the API server refuses to change: applying it fails until the object is deleted. */
export function refusedFields(change: Changed): readonly string[] {
  const { from, fields } = change;
  const type = `${groupOf(from)}/${from.kind}`;
  const immutable = Object.hasOwn(IMMUTABLE, type) ? (IMMUTABLE[type] ?? []) : [];
  const refused = immutable.filter((field) => touches(fields, field));
  switch (type) {
    case '/ConfigMap':
    case '/Secret':
      return [...refused, ...immutableData(change)];
    case '/PersistentVolumeClaim':
      return storageChange(change) === 'refused' ? [...refused, STORAGE] : refused;
    case '/Service':
      return immutableAddress(change);
    default:
      return refused;
  }
}

/** `immutable: true` cannot be reverted. */
function immutableData({ from, fields }: Changed): readonly string[] {
  if (valueAt(from, ['immutable']) !== true) return [];
  return ['binaryData', 'data', 'immutable', 'stringData'].filter((field) => touches(fields, field));
}

/** If an object has no address, the API server fills in the allocated one. */
function immutableAddress({ from, to, fields }: Changed): readonly string[] {
  if ([from, to].some((object) => textAt(object, 'spec', 'type') === 'ExternalName')) return [];
  const named = fields.filter(({ kind }) => kind !== 'removed');
  return ['spec.clusterIP', 'spec.clusterIPs'].filter((field) => touches(named, field));
}

/** A claim may request more storage if its StorageClass allows expansion, but never less. */
function storageChange({ from, to, fields }: Changed): 'none' | 'growth' | 'refused' {
  if (!touches(fields, STORAGE)) return 'none';
  const [before, after] = [storageOf(from), storageOf(to)];
  if (before === undefined || after === undefined || after < before) return 'refused';
  return after === before ? 'none' : 'growth';
}

function storageOf(claim: KubernetesObject): bigint | undefined {
  const size = valueAt(claim, ['spec', 'resources', 'requests', 'storage']);
  return typeof size === 'string' || typeof size === 'number' ? parseQuantity(size)?.nano : undefined;
}

/**
 * Notes about applying a change; empty for most.
 *
 * @param advice how to delete the object if it must be deleted
 */
export function applyNotes(change: Changed, refused: readonly string[], advice: string): readonly string[] {
  if (refused.length > 0) {
    return [`cannot be applied: the API server refuses to change ${listedNames(refused, SHOWN_FIELDS)}; ${advice}`];
  }
  const isClaim = change.from.kind === 'PersistentVolumeClaim' && groupOf(change.from) === '';
  return isClaim && storageChange(change) === 'growth'
    ? ['the API server refuses this growth where the StorageClass lacks `allowVolumeExpansion: true`']
    : [];
}

/** Whether a change is at or below a field. */
export function touches(fields: readonly FieldChange[], field: string): boolean {
  return fields.some(({ path }) => path === field || path.startsWith(`${field}.`) || path.startsWith(`${field}[`));
}
