import { toYaml } from '../../compile/render/yaml/yaml.js';
import { escapeLine } from '../../shared/lib/escape.js';
import { markdownCode, markdownText } from '../../shared/lib/escape-markdown.js';
import { fullReference, registryOf, splitReference } from '../../shared/kubernetes/image-reference.js';
import { groupBy } from '../../shared/lib/group-by.js';
import { jsonText } from '../json-text.js';
import { sourceText, type FleetImage } from './fleet-images.js';
import type { ImagesOptions } from './options.js';

/** The images as text. */
export function imagesText(images: readonly FleetImage[], format: ImagesOptions['format']): string {
  switch (format) {
    case 'list':
      return images.map(({ image }) => `${escapeLine(image)}\n`).join('');
    case 'json':
      return jsonText({ version: 1, images });
    case 'markdown':
      return markdown(images);
    case 'skopeo':
      return skopeo(images);
  }
}

const HEADER = ['image', 'pulled as', 'digest', 'platforms', 'clusters', 'used by', 'from'];

const unique = (texts: readonly string[]): string => [...new Set(texts)].join(', ');

function markdown(images: readonly FleetImage[]): string {
  const rows = images.map(({ image, digest = '', platforms, clusters }) => [
    markdownCode(image),
    unique(clusters.flatMap(({ pulledAs }) => (pulledAs === undefined ? [] : [markdownCode(pulledAs)]))),
    digest === '' ? '' : markdownCode(digest),
    platforms.join(', '),
    clusters.map(({ cluster }) => markdownText(cluster)).join(', '),
    unique(clusters.flatMap(({ uses }) => uses.map(({ kind, name }) => markdownText(`${kind} ${name}`)))),
    unique(clusters.map(({ source }) => markdownText(sourceText(source)))),
  ]);
  return [HEADER, HEADER.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}

/**
 * The file of `skopeo sync --src yaml` (containers/skopeo, docs/skopeo-sync.1.md): for each registry the tags or digests by repository. An
 * image with both is pulled by its digest.
 */
function skopeo(images: readonly FleetImage[]): string {
  const byRegistry = groupBy(
    images.map(({ image }) => fullReference(image)),
    registryOf,
  );
  const registries = [...byRegistry].map(([registry, references]) => {
    const below = references.map((reference) => splitReference(reference.slice(registry.length + 1)));
    const repositories = groupBy(below, ({ repository }) => repository);
    const versions = [...repositories].map(([repository, all]) => [repository, all.map(({ version }) => version)]);
    return [registry, { images: Object.fromEntries(versions) as Record<string, string[]> }] as const;
  });
  return toYaml(Object.fromEntries(registries));
}
