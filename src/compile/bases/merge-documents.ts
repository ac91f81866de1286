import { diagnostic } from '../../shared/diagnostics/codes.js';
import type { Diagnostic, Inheritance, Location } from '../../shared/diagnostics/diagnostic.js';
import { isObject } from '../../shared/lib/json.js';
import type { LoadedDocuments, SourceDocument } from '../load/yaml/yaml.js';
import type { FolderDocument } from './folder.js';
import { isRemoval, mergedValue, originOf, PATCH_KEY, type Part } from './merge.js';

/** The documents of a folder, and how the cluster comes to it. */
export interface Layer {
  readonly documents: readonly FolderDocument[];
  /** Absent for the folder of the cluster itself. */
  readonly inheritance?: () => Inheritance;
}

/** Returns the value that is merged of these, which may be one that was made before of the same values. */
export type MergeValues = (values: readonly unknown[], merge: () => unknown) => unknown;

type Member = FolderDocument & Pick<Layer, 'inheritance'>;

/** Merges the documents of the folders; later ones win. Documents keep the order in which the first folder has them. */
export function mergeDocuments(layers: readonly Layer[], mergeValues: MergeValues): LoadedDocuments {
  const diagnostics: Diagnostic[] = [];
  const merged = new Map<unknown, Member[]>();
  for (const { documents, inheritance } of layers) {
    const seen = new Set<string>();
    for (const document of documents) {
      const { identity } = document;
      const member: Member = { ...document, ...(inheritance && { inheritance }) };
      // One that its folder has twice is merged with none, so that the second is reported.
      const key = identity === undefined || seen.has(identity) ? member : identity;
      if (identity !== undefined) seen.add(identity);
      const problem = patchProblem(member, () => merged.delete(key));
      if (problem !== undefined) diagnostics.push(problem);
      if (!hasPatch(member)) merged.set(key, [...(merged.get(key) ?? []), member]);
    }
  }
  const onIdle = ({ source, path }: Part<Member>) =>
    diagnostics.push(nothingToRemove('an entry of this name', placeOf(source, [...path, PATCH_KEY], 'key')));
  const documents = [...merged.values()].map((members) => mergedDocument(members, mergeValues, onIdle));
  return { documents, diagnostics };
}

const hasPatch = ({ value }: Member): boolean => isObject(value) && Object.hasOwn(value, PATCH_KEY);

/** The diagnostic about a document with `$patch`, which removes what the folders before have. */
function patchProblem(member: Member, remove: () => boolean): Diagnostic | undefined {
  const { value } = member;
  if (!isObject(value) || !hasPatch(member)) return undefined;
  const location = placeOf(member, [PATCH_KEY], 'key');
  if (!isRemoval(value)) {
    const message = `\`${PATCH_KEY}\` of a document must be \`delete\``;
    return diagnostic('WEFT0110', { message, location, help: 'other documents are merged without it' });
  }
  const other = Object.keys(value).find((key) => !['apiVersion', 'kind', 'metadata', PATCH_KEY].includes(key));
  if (other !== undefined) {
    const message = `\`${other}\` has no effect in a document that removes another`;
    return diagnostic('WEFT0110', {
      message,
      location: placeOf(member, [other], 'key'),
      help: 'remove one of the two',
    });
  }
  return remove() ? undefined : nothingToRemove('a document of this kind, namespace and name', location);
}

function nothingToRemove(what: string, location: Location): Diagnostic {
  return diagnostic('WEFT0110', {
    message: `no folder that is extended has ${what}, so there is nothing to remove`,
    location,
    help: 'remove it, or see how the base spells the name',
  });
}

function placeOf({ source, inheritance }: Member, ...[path, at]: Parameters<SourceDocument['locate']>): Location {
  const location = source.locate(path, at);
  return inheritance ? inherited(location, inheritance) : location;
}

/** A place in a base, as that of a cluster that extends it. */
export function inherited(location: Location, inheritance: () => Inheritance): Location {
  return { ...location, inheritedBy: [inheritance()] };
}

function mergedDocument(
  members: readonly Member[],
  mergeValues: MergeValues,
  onIdle: (part: Part<Member>) => void,
): SourceDocument {
  const parts = members.map((source): Part<Member> => ({ value: source.value, source, path: [] }));
  const [first] = members;
  const last = members.at(-1);
  if (first === undefined || last === undefined) throw new Error('a document is made of no documents');
  const { file } = last.source;
  const { isCluster } = last;
  if (members.length === 1) {
    return { file, value: last.value, locate: (path, at) => placeOf(last, path, at) };
  }
  const merge = () => mergedValue(parts, { isCluster, onIdle });
  return {
    file,
    value: isCluster
      ? merge()
      : mergeValues(
          members.map(({ value }) => value),
          merge,
        ),
    locate: (path, at) => {
      const origin = originOf(parts, path, { isCluster });
      return origin === undefined ? placeOf(last, [], at) : placeOf(origin.source, origin.path, at);
    },
  };
}
