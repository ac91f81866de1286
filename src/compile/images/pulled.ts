import {
  INSTALL_DIGEST_ANNOTATION,
  MIRROR_ANNOTATION_PREFIX,
  OFED_INIT_CONTAINER,
} from '../../shared/contract/labels.js';
import { fullReference, registryOf } from '../../shared/kubernetes/image-reference.js';
import type { KubernetesObject } from '../../shared/kubernetes/types.js';
import { isObject } from '../../shared/lib/json.js';
import { knownDigest } from '../releases/digests.js';
import type { ClusterSpec } from '../model/cluster.js';
import type { Cluster } from '../model/config.js';
import { pinned, type Pins } from '../../shared/kubernetes/image-pins.js';
import { mirrored, mirrorOf, type Mirror } from '../model/mirrors.js';
import { imageVariables, mapImages, mapList, mapPodSpec, mapPodTemplate } from './places.js';

/** Which images are pulled, from where, and by which Secrets. */
export interface PullSettings extends Pick<ClusterSpec, 'mirrors' | 'pullSecrets'> {
  readonly pins?: Pins | undefined;
}

export function pullSettings({ spec: { mirrors, pullSecrets }, pins }: Pick<Cluster, 'spec' | 'pins'>): PullSettings {
  return { mirrors, pullSecrets, pins };
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * The object with its images as `weft.lock` pins them, by the mirrors of the cluster, and with the pull Secrets of their registries; the same object if that
 * changes nothing. Not to be called again for its result: a mirror may be below the registry that it mirrors.
 */
export function pulledObject(object: KubernetesObject, settings: PullSettings): KubernetesObject {
  const moved = new Map<string, Mirror>();
  const next = mapImages(object, (image, { container }) => {
    const move = moveOf(image, settings);
    if (move !== undefined && container !== undefined && container !== OFED_INIT_CONTAINER) moved.set(container, move);
    return pulledAs(image, settings);
  });
  return withPullSecrets(withMirrorAnnotations(next, moved), settings.pullSecrets);
}

/** The reference by which an image is pulled. */
function pulledAs(image: string, { mirrors, pins }: Pick<PullSettings, 'mirrors' | 'pins'>): string {
  return mirrored(pinned(image, pins), mirrors);
}

/**
 * What of a reference changes while its content stays: the registry, by a mirror, and the digest that NVIDIA published for the tag, because nodes
 * pulled that by the tag before. Of another digest nobody knows whether the tag had it.
 */
function moveOf(image: string, settings: PullSettings): Mirror | undefined {
  const pin = settings.pins?.get(image);
  const isPublished = pin !== undefined && pin.digest === knownDigest(image)?.digest;
  return isPublished ? { from: image, to: pulledAs(image, settings) } : mirrorOf(image, settings.mirrors);
}

/** What a driver installs does not change with the registry, so the pods of its DaemonSet say what moved: see `installDigest`. */
function withMirrorAnnotations(object: KubernetesObject, moved: ReadonlyMap<string, Mirror>): KubernetesObject {
  if (moved.size === 0 || object.metadata.annotations?.[INSTALL_DIGEST_ANNOTATION] === undefined) return object;
  const own = Object.fromEntries(
    [...moved].map(([name, { from, to }]) => [`${MIRROR_ANNOTATION_PREFIX}${name}`, `${from}=${to}`] as const),
  );
  return mapPodTemplate(object, (template) => {
    const metadata = isObject(template['metadata']) ? template['metadata'] : {};
    const before = isObject(metadata['annotations']) ? metadata['annotations'] : {};
    return { ...template, metadata: { ...metadata, annotations: { ...before, ...own } } };
  });
}

function withPullSecrets(object: KubernetesObject, pullSecrets: PullSettings['pullSecrets']): KubernetesObject {
  if (Object.keys(pullSecrets).length === 0) return object;
  const own = new Set<string>();
  const handedOn = new Map<string, Set<string>>();
  mapImages(object, (image, { handedOnBy }) => {
    const names = pullSecrets[registryOf(fullReference(image))] ?? [];
    const found = handedOnBy === undefined ? own : (handedOn.get(handedOnBy) ?? new Set<string>());
    if (handedOnBy !== undefined && names.length > 0) handedOn.set(handedOnBy, found);
    for (const name of names) found.add(name);
    return image;
  });
  return mapPodSpec(object, (spec) => withHandedOn(withOwn(spec, own), handedOn));
}

function withOwn(spec: Fields, names: ReadonlySet<string>): Fields {
  const before = (spec['imagePullSecrets'] ?? []) as readonly { readonly name: string }[];
  const missing = [...names].filter((name) => !before.some((one) => one.name === name));
  if (missing.length === 0) return spec;
  return { ...spec, imagePullSecrets: [...before, ...missing.map((name) => ({ name }))] };
}

/** Adds the names to the variable by which each container hands pull Secrets on. */
function withHandedOn(spec: Fields, handedOn: ReadonlyMap<string, ReadonlySet<string>>): Fields {
  if (handedOn.size === 0) return spec;
  return mapList(spec, 'containers', (container) => {
    const names = handedOn.get(String(container['name']));
    return names === undefined ? container : withVariable(container, names);
  });
}

const VARIABLES = new Set(imageVariables.map(({ pullSecrets }) => pullSecrets));

function withVariable(container: Fields, names: ReadonlySet<string>): Fields {
  return mapList(container, 'env', (variable) => {
    if (!VARIABLES.has(String(variable['name']))) return variable;
    const before = typeof variable['value'] === 'string' ? variable['value'].split(',').filter(Boolean) : [];
    const all = [...new Set([...before, ...names])];
    return all.length === before.length ? variable : { ...variable, value: all.join(',') };
  });
}
