import { groupOf } from '../../shared/kubernetes/identity.js';
import type { KubernetesObject } from '../../shared/kubernetes/types.js';
import { POD_TEMPLATES } from '../../shared/kubernetes/pod-templates.js';
import { cniParts } from '../../cluster/changes/data.js';
import { listAt, textAt, valueAt } from '../../shared/lib/json.js';

/** An object that another one requires, by kind and name; `namespace` is empty for cluster-scoped and unknown ones. */
interface Reference {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/** An object that refers to another one. */
export interface Referrer {
  readonly kind: string;
  /** Empty if the object has none. */
  readonly namespace: string;
  readonly name: string;
}

/** Finds the objects that refer to an object. */
export type FindReferrers = (object: KubernetesObject) => readonly Referrer[];

/** Builds an index of references; linear in the size of the objects. */
export function indexReferences(objects: readonly KubernetesObject[]): FindReferrers {
  const index = new Map<string, Map<string, Referrer>>();
  for (const object of objects) {
    const referrer = { kind: object.kind, namespace: object.metadata.namespace ?? '', name: object.metadata.name };
    const id = keyOf(referrer);
    for (const reference of referencesOf(object)) {
      const key = keyOf(reference);
      const known = index.get(key) ?? new Map<string, Referrer>();
      if (known.size === 0) index.set(key, known);
      known.set(id, referrer);
    }
  }
  return (object) => [...(index.get(keyOf(targetOf(object))) ?? new Map<string, Referrer>()).values()];
}

function keyOf({ kind, namespace, name }: Reference): string {
  return JSON.stringify([kind, namespace, name]);
}

/** Kinds that are referred to only by name: a network has its pool's name, but not the namespace that nv-ipam reads. */
const NAMED_ALONE = new Set(['IPPool', 'CIDRPool']);

function targetOf(object: KubernetesObject): Reference {
  const { kind, metadata } = object;
  if (kind === 'CustomResourceDefinition') {
    const [group = '', defined = ''] = [textAt(object, 'spec', 'group'), textAt(object, 'spec', 'names', 'kind')];
    return { kind, namespace: '', name: `${defined}.${group}` };
  }
  return { kind, namespace: NAMED_ALONE.has(kind) ? '' : (metadata.namespace ?? ''), name: metadata.name };
}

function referencesOf(object: KubernetesObject): readonly Reference[] {
  const namespace = object.metadata.namespace ?? '';
  const common: Reference[] = [
    { kind: 'CustomResourceDefinition', namespace: '', name: `${object.kind}.${groupOf(object)}` },
    ...(namespace === '' ? [] : [{ kind: 'Namespace', namespace: '', name: namespace }]),
  ];
  return [...common, ...ownReferences(object, namespace)];
}

function ownReferences(object: KubernetesObject, namespace: string): readonly Reference[] {
  const template = POD_TEMPLATES.get(object.kind);
  if (template) return podReferences(valueAt(object, [...template, 'spec']), namespace);
  switch (object.kind) {
    case 'RoleBinding':
    case 'ClusterRoleBinding':
      return bindingReferences(object, namespace);
    case 'ServiceAccount':
      return [
        ...named('Secret', namespace, listAt(object, 'imagePullSecrets')),
        ...named('Secret', namespace, listAt(object, 'secrets')),
      ];
    case 'NetworkAttachmentDefinition':
      return poolReferences(textAt(object, 'spec', 'config') ?? '');
    case 'MutatingWebhookConfiguration':
    case 'ValidatingWebhookConfiguration':
      return listAt(object, 'webhooks').flatMap((webhook) => {
        const service = valueAt(webhook, ['clientConfig', 'service']);
        return reference('Service', textAt(service, 'namespace') ?? '', textAt(service, 'name'));
      });
    default:
      return [];
  }
}

function reference(kind: string, namespace: string, name: string | undefined): readonly Reference[] {
  return name === undefined ? [] : [{ kind, namespace, name }];
}

function named(kind: string, namespace: string, list: readonly unknown[]): readonly Reference[] {
  return list.flatMap((member) => reference(kind, namespace, textAt(member, 'name')));
}

function podReferences(spec: unknown, namespace: string): readonly Reference[] {
  const refer = (kind: string, value: unknown, ...path: readonly string[]) =>
    reference(kind, namespace, textAt(value, ...path));
  const containers = [...listAt(spec, 'initContainers'), ...listAt(spec, 'containers')];
  const variables = containers.flatMap((container) => listAt(container, 'env'));
  const imports = containers.flatMap((container) => listAt(container, 'envFrom'));
  const volumes = listAt(spec, 'volumes');
  const sources = volumes.flatMap((volume) => listAt(volume, 'projected', 'sources'));
  return [
    ...refer('ServiceAccount', spec, 'serviceAccountName'),
    ...refer('ServiceAccount', spec, 'serviceAccount'),
    ...named('Secret', namespace, listAt(spec, 'imagePullSecrets')),
    ...[...volumes, ...sources].flatMap((volume) => refer('ConfigMap', volume, 'configMap', 'name')),
    ...volumes.flatMap((volume) => refer('Secret', volume, 'secret', 'secretName')),
    ...sources.flatMap((source) => refer('Secret', source, 'secret', 'name')),
    ...volumes.flatMap((volume) => refer('PersistentVolumeClaim', volume, 'persistentVolumeClaim', 'claimName')),
    ...variables.flatMap((variable) => refer('ConfigMap', variable, 'valueFrom', 'configMapKeyRef', 'name')),
    ...variables.flatMap((variable) => refer('Secret', variable, 'valueFrom', 'secretKeyRef', 'name')),
    ...imports.flatMap((source) => refer('ConfigMap', source, 'configMapRef', 'name')),
    ...imports.flatMap((source) => refer('Secret', source, 'secretRef', 'name')),
  ];
}

function bindingReferences(binding: KubernetesObject, namespace: string): readonly Reference[] {
  const kind = textAt(binding, 'roleRef', 'kind') ?? '';
  const accounts = listAt(binding, 'subjects').filter((subject) => textAt(subject, 'kind') === 'ServiceAccount');
  return [
    ...reference(kind, kind === 'Role' ? namespace : '', textAt(binding, 'roleRef', 'name')),
    ...accounts.flatMap((subject) =>
      reference('ServiceAccount', textAt(subject, 'namespace') ?? namespace, textAt(subject, 'name')),
    ),
  ];
}

/**
 * The pools that a network takes addresses from: a comma-separated list, or by default the network's own name
 * (nvidia-k8s-ipam, pkg/cni/plugin/plugin.go).
 */
function poolReferences(config: string): readonly Reference[] {
  const parts = cniParts(config);
  return parts.flatMap((plugin) => {
    const ipam = valueAt(plugin, ['ipam']);
    if (textAt(ipam, 'type') !== 'nv-ipam') return [];
    const kind = textAt(ipam, 'poolType')?.toLowerCase() === 'cidrpool' ? 'CIDRPool' : 'IPPool';
    const names = textAt(ipam, 'poolName') ?? textAt(parts[0], 'name') ?? '';
    return names.split(',').flatMap((name) => reference(kind, '', name.trim() || undefined));
  });
}
