import type { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import { configHash } from '../lib/hash.js';
import type { KubernetesObject } from '../kubernetes/types.js';
import { addObject } from '../kubernetes/objects.js';
import type { Instance } from '../model/config.js';
import { readableJson } from '../model/shapes/json-text.js';
import type { BuildContext } from './component.js';
import { CONFIG_HASH_ANNOTATION, operatorMetadata } from './pod-parts.js';

/** The ConfigMap with the configuration of a device plugin. */
export function configFile(
  name: string,
  component: { readonly statusName: string },
  instance: Instance<{ readonly config?: string | object | undefined }>,
  { cluster }: Pick<BuildContext, 'cluster'>,
): KubernetesObject {
  const metadata = operatorMetadata(name, cluster.namespace, component, instance);
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { 'config.json': readableJson(instance.spec.config) } };
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
