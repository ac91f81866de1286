import { textAt, valueAt } from '../../shared/lib/json.js';
import type { PathStep } from '../../shared/diagnostics/diagnostic.js';
import { placedChanges, type FieldChange } from '../../cluster/changes/fields.js';
import { indexOfMember } from '../../cluster/changes/lists.js';
import type { FieldStep } from '../../cluster/changes/path.js';
import { CLUSTER_IDENTITY, mergedIdentity } from '../../compile/bases/folder.js';
import type { SourceDocument } from '../../compile/load/yaml/yaml.js';

/** What changed in a folder that clusters extend. */
export interface BaseChange {
  /** As the user would type it. */
  readonly file: string;
  /** Of the new file; absent where it is gone, and for a program. */
  readonly line?: number;
  /** Absent for a file that is compared as a whole, such as a program. */
  readonly document?: { readonly kind: string; readonly namespace: string; readonly name: string };
  /** A document or a file that is new or gone has no field. */
  readonly change: 'added' | 'removed' | 'changed';
  readonly field?: FieldChange;
}

/** A change, and where a cluster has the value. */
export interface PlacedBaseChange {
  readonly change: BaseChange;
  /** Absent for a file that is compared as a whole. */
  readonly identity?: string;
  readonly path: readonly PathStep[];
}

/** The documents of one base before and now, with paths of files as the user would type them. */
export function baseChanges(
  before: readonly SourceDocument[],
  now: readonly SourceDocument[],
): readonly PlacedBaseChange[] {
  const [old, next] = [byIdentity(before), byIdentity(now)];
  const gone = [...old].flatMap(([identity, document]) =>
    next.has(identity) ? [] : [wholeDocument(identity, document, 'removed')],
  );
  const others = [...next].flatMap(([identity, document]) => {
    const from = old.get(identity);
    if (from === undefined) return [wholeDocument(identity, document, 'added')];
    return placedChanges(from.value, document.value).map(({ change: field, steps }): PlacedBaseChange => {
      const path = pathIn(document.value, steps);
      return { change: { ...placeOf(document, path), change: 'changed', field }, identity, path };
    });
  });
  return [...others, ...gone];
}

function byIdentity(documents: readonly SourceDocument[]): ReadonlyMap<string, SourceDocument> {
  return new Map(
    documents.flatMap((document) => {
      const identity = mergedIdentity(document.value);
      return identity === undefined ? [] : [[identity, document] as const];
    }),
  );
}

function wholeDocument(identity: string, document: SourceDocument, change: 'added' | 'removed'): PlacedBaseChange {
  const { line, ...place } = placeOf(document, []);
  const isThere = change === 'added' && line !== undefined;
  return { change: { ...place, ...(isThere && { line }), change }, identity, path: [] };
}

function placeOf(document: SourceDocument, path: readonly PathStep[]): Pick<BaseChange, 'file' | 'line' | 'document'> {
  const { value, file } = document;
  const { line } = document.locate(path, 'key');
  const [kind = '', namespace = '', name = ''] = [
    textAt(value, 'kind'),
    textAt(value, 'metadata', 'namespace'),
    textAt(value, 'metadata', 'name'),
  ];
  return { file, ...(line !== undefined && { line }), document: { kind, namespace, name } };
}

/** The steps as a path of the document, as far as it has them as values. */
function pathIn(document: unknown, steps: readonly FieldStep[]): readonly PathStep[] {
  const path: PathStep[] = [];
  for (const step of steps) {
    if (step.kind === 'json') break;
    if (step.kind === 'key') path.push(step.key);
    else if (step.kind === 'index') path.push(step.index);
    else {
      const list = valueAt(document, path);
      const index = Array.isArray(list) ? indexOfMember(String(path.at(-1) ?? ''), list, step.key) : -1;
      if (index === -1) break;
      path.push(index);
    }
  }
  return path;
}

/** Whether a cluster that extends the base has the value from elsewhere, or has removed it. */
export function isSetElsewhere(
  { change, identity, path }: PlacedBaseChange,
  documents: readonly SourceDocument[],
): boolean {
  if (identity === undefined) return false;
  const merged = documents.find(({ value }) => mergedIdentity(value) === identity);
  const isGone = change.change === 'removed' || change.field?.kind === 'removed';
  if (merged === undefined) return !isGone;
  if (path.length === 0) return isGone;
  if (identity === CLUSTER_IDENTITY && isForMerging(path)) return false;
  const isThere = valueAt(merged.value, path) !== undefined;
  if (!isThere && !Array.isArray(valueAt(merged.value, path.slice(0, -1)))) return !isGone;
  return merged.locate(path).file !== change.file;
}

/** The name of a base, and its fields that the merged Cluster does not have. */
function isForMerging([first, second]: readonly PathStep[]): boolean {
  if (first === 'spec') return second === 'extends' || second === 'required';
  return first !== 'metadata' || second === 'name';
}
