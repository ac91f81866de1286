import { compareWith } from '../../cluster/import/compare.js';
import { importCustomResources } from '../../cluster/import/custom-resources.js';
import { namedObject } from '../../shared/kubernetes/listed-object.js';
import type { SourceDocument } from '../../compile/load/yaml/yaml.js';
import { isCustomResource } from '../../cluster/takeover/operator/owner.js';
import type { Notice } from '../../cluster/takeover/preflight.js';
import { savedParts } from '../../cluster/takeover/saved.js';
import type { TakeoverState } from '../../cluster/takeover/state.js';
import { fieldText } from '../../review/diff/text.js';
import { shellWord } from '../../shared/lib/escape.js';

const SHOWN_CHANGES = 4;

/** What a person should know before going back to the operator. */
export function undoNotices(
  state: Pick<TakeoverState, 'customResources' | 'saved' | 'namespace'>,
  documents: readonly SourceDocument[],
  folder: string,
): readonly Notice[] {
  return [
    ...staleResources(state, documents, folder),
    {
      level: 'note',
      message:
        'the operator fails to update a bound PersistentVolumeClaim of firmware: its update leaves out `volumeName`',
      lines: ['if it reports that error, its other components work; delete the claim while no node downloads firmware'],
    },
    { level: 'note', message: 'stop GitOps for the output first, so that it does not apply it again' },
  ];
}

/** The operator does what its custom resources say: those of the backup are as old as the takeover. */
function staleResources(
  { customResources, saved, namespace }: Pick<TakeoverState, 'customResources' | 'saved' | 'namespace'>,
  documents: readonly SourceDocument[],
  folder: string,
): readonly Notice[] {
  const found = new Map([
    ...savedParts(saved).customResources,
    ...customResources.map(({ reference, live }) => [reference, live] as const),
  ]);
  const resources = [...found.values()].flatMap((object) => namedObject(object) ?? []);
  const own = documents.filter(({ value }) => isCustomResource(namedObject(value) ?? {}));
  const { changed, gone, fresh } = compareWith({ ...importCustomResources(resources, namespace), namespace }, own);
  const lines = [
    ...changed.flatMap(({ file, kind, name, changes }) => [
      `${file}: ${kind} ${name}, from the folder to the custom resource:`,
      ...changes.slice(0, SHOWN_CHANGES).map((change) => `  ${fieldText(change)}`),
      ...(changes.length > SHOWN_CHANGES ? [`  and ${changes.length - SHOWN_CHANGES} more`] : []),
    ]),
    ...gone.map(({ file, kind, name }) => `${file}: ${kind} ${name} has no custom resource`),
    ...fresh.map(({ kind, name }) => `${kind} ${name} is in no document`),
  ];
  if (lines.length === 0) return [];
  const help = `to keep what the documents say: \`weft takeover ${shellWord(folder)} --undo --until custom-resources\`, apply these documents with kubectl, then go on`;
  return [
    {
      level: 'note',
      message: `the custom resources are not as the documents say, and the operator does what they say`,
      lines: [...lines, help],
    },
  ];
}
