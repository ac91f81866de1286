import { allAddOns } from '../addons/all.js';
import { allComponents } from '../components/all.js';
import type { ImageVariables } from '../model/image-variables.js';
import { hasRegistry, imageReference, isImageReference } from '../../shared/kubernetes/image-reference.js';
import { POD_TEMPLATES } from '../../shared/kubernetes/pod-templates.js';
import type { KubernetesObject } from '../../shared/kubernetes/types.js';
import { isObject, listAt } from '../../shared/lib/json.js';

/** Where an object names an image. */
interface ImagePlace {
  /** Below the spec of its pods: `initContainers[driver-gate].image`, `volumes[data].image`, `containers[operator].env[OVS_CNI_IMAGE]`. */
  readonly at: string;
  /** The container that runs the image. */
  readonly container?: string;
  /** The container that hands the image on to pods of its own, and runs another. */
  readonly handedOnBy?: string;
}

/** What is written in place of an image. */
type ChangeImage = (image: string, place: ImagePlace) => string;

type Fields = Readonly<Record<string, unknown>>;

const CONTAINERS = ['initContainers', 'containers', 'ephemeralContainers'] as const;

/** The variables of every component and add-on. Another variable holds an image if its name and its value say so. */
export const imageVariables: readonly ImageVariables[] = [...allComponents, ...allAddOns].flatMap(
  (program: { readonly imageVariables?: ImageVariables }) => program.imageVariables ?? [],
);

const WHOLE = new Set(imageVariables.flatMap(({ whole = [] }) => whole));

/** Names of variables as operators choose them: `RELATED_IMAGE_DAEMON`, `SIDECAR_IMAGE`. */
const NAME = /(?:^|_)IMAGE(?:_|$)/;
/** An argument that gives an image: `--sidecar-image=registry.example.com/sidecar:1`. */
const ARGUMENT = /^(?<option>-[\w-]*image[\w-]*=)(?<image>.+)$/i;

/** Whether a text is an image beyond doubt: it has a registry, and a tag or a digest. */
const isWholeImage = (text: string): boolean =>
  hasRegistry(text) && text.includes('/') && /[:@]/.test(text.slice(text.lastIndexOf('/'))) && isImageReference(text);

/** The object with each of its images replaced; the same object if that changes nothing. */
export function mapImages(object: KubernetesObject, change: ChangeImage): KubernetesObject {
  return mapPodSpec(object, (spec) => withImages(spec, change));
}

/** An object with another spec of its pods; the same object if it has none. */
export function mapPodSpec(object: KubernetesObject, map: (spec: Fields) => Fields): KubernetesObject {
  return mapPodTemplate(object, (template) => replaced(template, ['spec'], map) as Fields);
}

/** An object with another template of its pods; the same object if it has none. */
export function mapPodTemplate(object: KubernetesObject, map: (template: Fields) => Fields): KubernetesObject {
  const path = POD_TEMPLATES.get(object.kind);
  return path === undefined ? object : (replaced(object, path, map) as KubernetesObject);
}

function replaced(value: unknown, [key, ...rest]: readonly string[], map: (found: Fields) => Fields): unknown {
  if (!isObject(value)) return value;
  if (key === undefined) return map(value);
  const next = replaced(value[key], rest, map);
  return next === value[key] ? value : { ...value, [key]: next };
}

function withImages(spec: Fields, change: ChangeImage): Fields {
  let all = spec;
  for (const list of CONTAINERS) {
    all = mapList(all, list, (one) => containerWithImages(one, `${list}[${textOf(one['name'])}]`, change));
  }
  return mapList(all, 'volumes', (volume) => {
    const at = `volumes[${textOf(volume['name'])}].image`;
    return replaced(volume, ['image'], (source) => withImage(source, 'reference', { at }, change)) as Fields;
  });
}

function containerWithImages(container: Fields, at: string, change: ChangeImage): Fields {
  const handedOnBy = textOf(container['name']);
  const own = withImage(container, 'image', { at: `${at}.image`, container: handedOnBy }, change);
  const whole = mapList(own, 'env', (variable) => {
    const name = textOf(variable['name']);
    const isImage = WHOLE.has(name) || (NAME.test(name) && isWholeImage(textOf(variable['value'])));
    return isImage ? withImage(variable, 'value', { at: `${at}.env[${name}]`, handedOnBy }, change) : variable;
  });
  const withVariables = imageVariables.reduce(
    (all, { parts }) => (parts ? withParts(all, parts, at, change) : all),
    whole,
  );
  return ['command', 'args'].reduce(
    (all, key) => withArguments(all, key, { at: `${at}.${key}`, handedOnBy }, change),
    withVariables,
  );
}

function withArguments(container: Fields, key: string, place: ImagePlace, change: ChangeImage): Fields {
  const list = container[key];
  if (!Array.isArray(list)) return container;
  const next = list.map((argument: unknown) => {
    const { option = '', image = '' } = ARGUMENT.exec(textOf(argument))?.groups ?? {};
    return isWholeImage(image) ? `${option}${change(image, place)}` : argument;
  });
  return next.every((argument, index) => argument === list[index]) ? container : { ...container, [key]: next };
}

type PartNames = NonNullable<ImageVariables['parts']>;

/** A program joins the repository and the image with a slash, so the last part of the path is the image. */
function withParts(container: Fields, names: PartNames, at: string, change: ChangeImage): Fields {
  const value = (name: string) =>
    textOf((listAt(container, 'env') as readonly Fields[]).find((one) => one['name'] === name)?.['value']);
  const parts = { repository: value(names.repository), image: value(names.image), version: value(names.version) };
  if (Object.values(parts).includes('')) return container;
  const before = imageReference(parts);
  const after = change(before, { at: `${at}.env[${names.image}]`, handedOnBy: textOf(container['name']) });
  if (after === before) return container;
  const slash = after.lastIndexOf('/');
  const name = after.slice(slash + 1);
  const end = name.search(/[:@]/);
  const changed = new Map([
    [names.repository, after.slice(0, slash)],
    [names.image, name.slice(0, end)],
    [names.version, name.slice(end + 1)],
  ]);
  return mapList(container, 'env', (variable) => {
    const text = changed.get(textOf(variable['name']));
    return text === undefined ? variable : { ...variable, value: text };
  });
}

function withImage(holder: Fields, key: string, place: ImagePlace, change: ChangeImage): Fields {
  const image = textOf(holder[key]);
  if (image === '') return holder;
  const after = change(image, place);
  return after === image ? holder : { ...holder, [key]: after };
}

/** The members that are objects, replaced; the same holder if none changes. */
export function mapList(holder: Fields, key: string, map: (member: Fields) => Fields): Fields {
  const list = holder[key];
  if (!Array.isArray(list)) return holder;
  const next = list.map((member: unknown) => (isObject(member) ? map(member) : member));
  return next.every((member, index) => member === list[index]) ? holder : { ...holder, [key]: next };
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
