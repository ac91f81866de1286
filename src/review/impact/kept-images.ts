import { imageUses } from '../../compile/image-list/list.js';
import { renderedRelease } from '../../compile/releases/catalog.js';
import type { ClusterSettings } from '../../shared/contract/cluster-settings.js';
import type { KubernetesObject } from '../../shared/kubernetes/types.js';
import { compareText } from '../../shared/lib/json.js';
import { counted, listedNames } from '../../shared/lib/listed.js';

const SHOWN = 5;

/**
 * Which images a change of the release leaves as they are, because the input names them: a sentence without a full stop; empty if there is none.
 */
export function keptImageNotes(
  { release: before }: ClusterSettings,
  { release: after }: ClusterSettings,
  objects: readonly KubernetesObject[],
): readonly string[] {
  if (after === undefined || before === after) return [];
  const versions = new Map(Object.values(renderedRelease(after).images).map(({ image, version }) => [image, version]));
  const kept = objects.flatMap(imageUses).flatMap(([reference]) => {
    const [name = '', tag] = (reference.split('@')[0]?.split('/').at(-1) ?? '').split(':');
    const version = versions.get(name);
    if (version === undefined || tag === undefined) return [];
    // A tag of the driver has its system after the version.
    return tag.startsWith(version) ? [] : [`${name}:${tag}`];
  });
  const names = [...new Set(kept)].sort(compareText);
  if (names.length === 0) return [];
  const stay = names.length === 1 ? 'stays, because the input names it' : 'stay, because the input names them';
  return [
    `${counted(names.length, 'image')} ${stay}: ${listedNames(names, SHOWN)}; without \`image\`, \`repository\` and \`version\` in a section release ${after} fills them`,
  ];
}
