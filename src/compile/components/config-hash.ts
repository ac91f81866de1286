import type { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import { configHash } from '../../shared/lib/hash.js';
import type { KubernetesObject, Volume } from '../../shared/kubernetes/types.js';
import { addObject } from '../../shared/kubernetes/objects.js';
import type { Instance } from '../model/config.js';
import { jsonConfig, jsonText, readableJson } from '../model/shapes/json-text.js';
import type { BuildContext, MountedConfigMap } from './component.js';
import { CONFIG_HASH_ANNOTATION, operatorMetadata } from './pod-parts.js';

interface Configured {
  readonly config?: string | object | undefined;
}

const CONFIG_FILE = 'config.json';

/** The ConfigMap with the configuration of a device plugin; undefined: the section has none. */
export function configFile(
  name: string,
  component: { readonly statusName: string },
  instance: Instance<Configured>,
  { cluster }: Pick<BuildContext, 'cluster'>,
): KubernetesObject | undefined {
  if (jsonConfig(instance.spec.config) === undefined) return undefined;
  const metadata = operatorMetadata(name, cluster.namespace, component, instance);
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { [CONFIG_FILE]: readableJson(instance.spec.config) } };
}

/** The volume with the configuration of a device plugin. */
export function configVolume(volume: string, configMap: string): Volume {
  return { name: volume, configMap: { name: configMap, items: [{ key: CONFIG_FILE, path: CONFIG_FILE }] } };
}

/** The ConfigMap that the pods of a device plugin mount where the section has no configuration, and the user makes it. */
export function mountedConfig({ config }: Configured, configMap: string): MountedConfigMap | undefined {
  return jsonConfig(config) === undefined ? { name: configMap, key: CONFIG_FILE, field: 'config' } : undefined;
}

/** The operator's annotation of pods: a hash of the configuration in the policy. None without a configuration. */
export function configAnnotation({ config }: Configured): Metadata {
  const given = jsonConfig(config);
  return given === undefined ? {} : { annotations: { [CONFIG_HASH_ANNOTATION]: configHash(jsonText(given)) } };
}

interface Metadata {
  readonly annotations?: Readonly<Record<string, string>>;
}

interface PodOwnerSpec {
  readonly template?: { readonly metadata?: Metadata };
}

/**
 * Adds the DaemonSet, and the ConfigMap that its pods read at their start if the component creates it. The operator's
 * hash is of the text in the policy. If a patch changes the file, the hash is of the file, so that the pods roll.
 */
export function addConfigured(
  scope: Construct,
  configMap: KubernetesObject | undefined,
  daemonSet: KubernetesObject,
): void {
  if (configMap === undefined) {
    addObject(scope, daemonSet);
    return;
  }
  const file = addObject(scope, configMap);
  addObject(scope, daemonSet, (written) => hashed(written, configMap, file));
}

function hashed(daemonSet: KubernetesObject, made: KubernetesObject, file: ApiObject): KubernetesObject {
  const text = JSON.stringify((file.toJson() as KubernetesObject)['data']);
  if (text === JSON.stringify(made['data'])) return daemonSet;
  const spec = (daemonSet['spec'] ?? {}) as PodOwnerSpec;
  const metadata = spec.template?.metadata ?? {};
  const annotations = { ...metadata.annotations, [CONFIG_HASH_ANNOTATION]: configHash(text) };
  return { ...daemonSet, spec: { ...spec, template: { ...spec.template, metadata: { ...metadata, annotations } } } };
}
