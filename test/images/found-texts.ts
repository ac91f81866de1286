import { isObject } from '../../src/shared/lib/json.js';
import type { KubernetesObject } from '../../src/shared/kubernetes/types.js';

/** What looks like an image anywhere in a text: a host, a path, and a tag or a digest. */
const REFERENCE =
  /(?:[a-z0-9-]+\.)+[a-z]{2,}(?::\d+)?\/[a-z0-9._/-]+(?::\w[\w.-]*(?:@sha256:[a-f0-9]{64})?|@sha256:[a-f0-9]{64})/g;

/** Definitions and programs have examples and sources in their texts. */
const isText = ({ kind, metadata }: KubernetesObject): boolean =>
  kind === 'CustomResourceDefinition' || (kind === 'ConfigMap' && metadata.name.startsWith('weft-companion-program'));

/** Every text of an object that looks like an image or has a name that says so: a guess, to be compared with the list. */
export function imageLikeTexts(object: KubernetesObject): ReadonlySet<string> {
  const found = new Set<string>();
  if (!isText(object)) collect(object, found);
  return found;
}

function collect(value: unknown, found: Set<string>): void {
  if (typeof value === 'string') for (const [text] of value.matchAll(REFERENCE)) found.add(text);
  if (Array.isArray(value)) for (const inner of value) collect(inner, found);
  if (!isObject(value)) return;
  for (const [key, inner] of Object.entries(value)) {
    if (typeof inner === 'string' && inner !== '' && /image$/i.test(key)) found.add(inner);
    collect(inner, found);
  }
  const { name, value: text } = value;
  // The name of an image alone is a part of a reference, of which the list has the whole.
  if (typeof name === 'string' && typeof text === 'string' && /_IMAGE$/.test(name) && /[:@]/.test(text))
    found.add(text);
}

/** Every text of an object, whole. */
export function textsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}
