import type { ImageKey } from '../../../components/component.js';
import type { PathStep } from '../../../../shared/diagnostics/diagnostic.js';
import { isImageReference, isRepository, isTagOrDigest } from '../../../../shared/kubernetes/image-reference.js';
import { findRelease } from '../../../releases/catalog.js';
import type { Violation, Rule } from '../../../model/config.js';
import { imageOrigin } from '../../../model/image-origin.js';
import { formatPath } from '../../../model/issues.js';
import type { ImageSpec } from '../../../model/shapes/image-spec.js';
import { usedImages, type UsedImage } from './used-images.js';

const PARTS = ['image', 'repository', 'version'] as const;
type Part = (typeof PARTS)[number];

/** An image needs its three parts, from the section, from `global` or from the release. */
export const imageComplete: Rule = {
  code: 'WEFT0200',
  severity: 'error',
  title: 'an image is not complete',
  *check(config) {
    const { release } = config.cluster.spec;
    // An unknown release has its own error, so fields that it would have filled are not reported.
    if (release !== undefined && !findRelease(release)) return;
    for (const { key, origin, image } of usedImages(config)) {
      const parts = neededParts(key, image).filter((name) => !image[name]);
      if (parts.length === 0) continue;
      yield {
        origin,
        at: 'key',
        message: messageMissing(parts, origin.path),
        help: helpAdding(parts, key, release),
      };
    }
  },
};

/** An image that is left out because it has no version needs no repository; the operator's CRD requires its name in any case. */
function neededParts({ isHandedOn }: ImageKey, { version }: ImageSpec): readonly Part[] {
  return isHandedOn && !version ? ['image'] : PARTS;
}

function messageMissing(parts: readonly Part[], path: readonly PathStep[]): string {
  const [only = ''] = parts;
  return parts.length === 1
    ? `\`${formatPath([...path, only])}\` is missing`
    : `\`${formatPath(path)}\` needs ${partsText(parts)}`;
}

function helpAdding(parts: readonly Part[], { isHandedOn }: ImageKey, release: string | undefined): string {
  const them = parts.length === 1 ? 'it' : 'them';
  if (release !== undefined) return `add ${partsText(parts)}: release ${release} does not name ${them}`;
  const help = `add ${partsText(parts)}, or set \`spec.release\` in the Cluster document`;
  return isHandedOn ? `${help}; \`spec.global\` does not fill ${them}` : help;
}

function partsText(parts: readonly Part[]): string {
  const names = parts.map((part) => `\`${part}\``);
  return [names.slice(0, -1).join(', '), ...names.slice(-1)].filter((text) => text !== '').join(' and ');
}

/** Refuses an invalid image reference here, before the kubelet of every node does. */
export const imageReferenceValid: Rule = {
  code: 'WEFT0201',
  severity: 'error',
  title: 'an image reference is not valid',
  *check(config) {
    for (const used of usedImages(config)) yield* invalidParts(used);
  },
};

function* invalidParts({ key, origin, image }: UsedImage): Iterable<Violation> {
  const place = (part: Part) => imageOrigin(origin, part);
  const name = (part: Part) => `\`${formatPath(place(part).path)}\``;
  if (image.repository && !isRepository(image.repository)) {
    yield {
      origin: place('repository'),
      message: `${name('repository')} is not a valid image repository: \`${image.repository}\``,
      help: 'write a registry and a lower-case path, for instance `nvcr.io/nvidia/mellanox`',
    };
  } else if (image.image && image.repository && !isRepository(`${image.repository}/${image.image}`)) {
    yield {
      origin: place('image'),
      message: `${name('image')} is not a valid image name: \`${image.image}\``,
      ...wholeReference(key, image.image),
    };
  } else if (image.image && image.repository && hasRegistry(image.image, image.repository)) {
    yield {
      origin: place('image'),
      message: `${name('image')} has a registry, and \`${image.repository}\` comes before it: \`${image.image}\``,
      ...wholeReference(key, image.image),
    };
  }
  if (image.version && !isTagOrDigest(image.version)) {
    yield {
      origin: place('version'),
      message: `${name('version')} is neither a tag nor a digest: \`${image.version}\``,
      help: 'write a tag (letters, digits, `_`, `.`, `-`) or `sha256:` and 64 hexadecimal digits',
    };
  }
}

/** Whether the name of an image begins with a registry, or with its repository. */
function hasRegistry(name: string, repository: string): boolean {
  const [first = '', ...others] = name.split('/');
  return name.startsWith(`${repository}/`) || (others.length > 0 && /[.:]/.test(first));
}

/** Help for a whole image reference: here each part of it has its own key. */
function wholeReference({ versionPattern }: ImageKey, text: string): Pick<Violation, 'help'> {
  const [, path = '', name, mark, version] = /^(?:(.+)\/)?([^/:@]+)(?:([:@])(.+))?$/.exec(text) ?? [];
  if (!isImageReference(text) || name === undefined) return {};
  const repository = path === '' ? [] : [`\`repository: ${path}\``];
  const tag = version === undefined || mark === undefined ? [] : [`\`version: ${JSON.stringify(version)}\``];
  const parts = [...repository, `\`image: ${name}\``];
  if (version !== undefined && versionPattern?.test(version) === false) {
    return { help: `write ${parts.join(', ')}, and a \`version\` that is a release: \`${version}\` is none` };
  }
  return { help: `write ${[...parts, ...tag].join(', ')}` };
}
