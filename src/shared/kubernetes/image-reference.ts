/**
 * Image references. The grammar is that of github.com/containers/image v5.36, docker/reference, which the operator's webhook
 * calls (network-operator b06827e0, api/v1alpha1/validator/nicpolicy_webhook.go).
 */
const DOMAIN_COMPONENT = '(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])';
const DOMAIN = new RegExp(`^${DOMAIN_COMPONENT}(?:\\.${DOMAIN_COMPONENT})*(?::[0-9]+)?$`);
const PATH_COMPONENT = '[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*';
const PATH = new RegExp(`^${PATH_COMPONENT}(?:/${PATH_COMPONENT})*$`);
const REGISTRY = /^[a-z0-9.-]+:[0-9]+$/;
const TAG = /^\w[\w.-]{0,127}$/;
const DIGEST = /^sha256:[a-fA-F0-9]{64}$/;
const IMAGE_ID = /^[a-f0-9]{64}$/;
const MAX_LENGTH = 255;

/** True for text that may precede `/<image>`, for instance `nvcr.io/nvidia/mellanox` or `registry.example.com:5000`. */
export function isRepository(text: string): boolean {
  if (text.length > MAX_LENGTH || IMAGE_ID.test(text)) return false;
  if (REGISTRY.test(text)) return DOMAIN.test(text);
  const slash = text.indexOf('/');
  const first = slash < 0 ? '' : text.slice(0, slash);
  // As docker does: the first part is a registry only if it looks like a host.
  const isDomain = /[.:]/.test(first) || first === 'localhost';
  const path = isDomain ? text.slice(slash + 1) : text;
  return (!isDomain || DOMAIN.test(first)) && PATH.test(path);
}

/** True for a tag, which follows `:` in a reference, or for a digest. */
export function isTagOrDigest(text: string): boolean {
  return TAG.test(text) || DIGEST.test(text);
}

const ANY_DIGEST = /^[a-z0-9]+(?:[.+_-][a-z0-9]+)*:[a-fA-F0-9]{32,}$/;

/** True for a whole reference: a repository, followed by a tag, a digest, both or neither. */
export function isImageReference(text: string): boolean {
  const [name = '', digest] = splitAt(text, text.indexOf('@'));
  const colon = name.lastIndexOf(':');
  const [repository = '', tag] = splitAt(name, colon > name.lastIndexOf('/') ? colon : -1);
  return (
    isRepository(repository) &&
    (tag === undefined || TAG.test(tag)) &&
    (digest === undefined || ANY_DIGEST.test(digest))
  );
}

function splitAt(text: string, index: number): readonly string[] {
  return index < 0 ? [text] : [text.slice(0, index), text.slice(index + 1)];
}

/** True if the version is a digest and not a tag. */
export function isDigest(version: string): boolean {
  return version.startsWith('sha256:');
}

/** The reference of an image by its repository and name, and its tag or digest. */
export function withVersion(repository: string, version: string): string {
  return `${repository}${isDigest(version) ? '@' : ':'}${version}`;
}

/** The parts of a reference: a section of a policy, or an image of a release. */
export interface ImageParts {
  readonly repository: string;
  readonly image: string;
  readonly version: string;
}

/** `repository/image:version`, or `repository/image@sha256:…` (network-operator b06827e0, pkg/render/render.go). */
export function imageReference({ repository, image, version }: ImageParts): string {
  return withVersion(`${repository}/${image}`, version);
}

/** Whether a repository begins with a registry, or is one. */
export function hasRegistry(text: string): boolean {
  const [first = ''] = text.split('/');
  return /[.:]/.test(first) || first === 'localhost';
}

/** The registry of a repository or a reference; a name without one is of Docker Hub. */
export function registryOf(text: string): string {
  const [first = '', ...rest] = text.split('/');
  const isHost = REGISTRY.test(first) || (rest.length > 0 && (/[.:]/.test(first) || first === 'localhost'));
  return isHost ? first : 'docker.io';
}

/** The reference with its registry, as docker completes it: `docker.io/library/node:24` for `node:24`. */
export function fullReference(image: string): string {
  if (!image.includes('/')) return `docker.io/library/${image}`;
  return image.startsWith(`${registryOf(image)}/`) ? image : `docker.io/${image}`;
}

/** Whether a reference or a repository is a prefix, or below it: only whole parts of the path count. */
export function isBelow(image: string, prefix: string): boolean {
  if (!image.startsWith(prefix)) return false;
  const [next = '/'] = image.slice(prefix.length);
  return next === '/' || (prefix.includes('/') && (next === ':' || next === '@'));
}

/** A reference without its version, and the version: the digest where there is one, else the tag, which is `latest` where there is none. */
export function splitReference(reference: string): { readonly repository: string; readonly version: string } {
  const [name = '', digest] = reference.split('@');
  const colon = name.lastIndexOf(':');
  const hasTag = colon > name.lastIndexOf('/');
  const repository = hasTag ? name.slice(0, colon) : name;
  return { repository, version: digest ?? (hasTag ? name.slice(colon + 1) : 'latest') };
}
