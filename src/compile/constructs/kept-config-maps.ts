import { KEEP_ANNOTATIONS } from '../../shared/contract/labels.js';
import type { KubernetesObject, PodSpec } from '../../shared/kubernetes/types.js';
import { hasEntries } from '../../shared/lib/has-entries.js';

/**
 * Protects ConfigMaps that the pods of a kept DaemonSet read from pruning: the DaemonSet stays in the cluster after it
 * is removed from the input, and its pods need the ConfigMap when they restart. Annotations in the document take
 * precedence.
 *
 * @param objects objects of components
 */
export function keptConfigMaps(objects: readonly KubernetesObject[]): (object: KubernetesObject) => KubernetesObject {
  const read = new Set(objects.filter(isKept).flatMap(configMapsOf));
  return (object) => {
    const { kind, metadata } = object;
    if (kind !== 'ConfigMap' || !read.has(keyOf(metadata.namespace, metadata.name))) return object;
    return { ...object, metadata: { ...metadata, annotations: { ...KEEP_ANNOTATIONS, ...metadata.annotations } } };
  };
}

function isKept({ kind, metadata }: KubernetesObject): boolean {
  return kind === 'DaemonSet' && hasEntries(metadata.annotations ?? {}, KEEP_ANNOTATIONS);
}

function configMapsOf({ metadata, ...daemonSet }: KubernetesObject): readonly string[] {
  const { spec } = (daemonSet['spec'] as { readonly template: { readonly spec: PodSpec } }).template;
  const ofVolumes = (spec.volumes ?? []).map(({ configMap }) => configMap?.name);
  const ofVariables = [...(spec.initContainers ?? []), ...spec.containers]
    .flatMap(({ env = [] }) => env)
    .map(({ valueFrom }) => (valueFrom as VariableSource | undefined)?.configMapKeyRef?.name);
  return [...ofVolumes, ...ofVariables].flatMap((name) =>
    name === undefined ? [] : [keyOf(metadata.namespace, name)],
  );
}

interface VariableSource {
  readonly configMapKeyRef?: { readonly name: string };
}

function keyOf(namespace: string | undefined, name: string): string {
  return `${namespace ?? ''}/${name}`;
}
