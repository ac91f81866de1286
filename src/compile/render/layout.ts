import { groupOf, identityOf, namespaceOf } from '../../shared/kubernetes/identity.js';
import { groupBy } from '../../shared/lib/group-by.js';
import { sha256 } from '../../shared/lib/hash.js';
import { encodeFileName, isSafePath, MAX_FILE_NAME_LENGTH } from './tree/safe-path.js';
import { toYaml } from './yaml/yaml.js';
import type { JsonObject } from '../../shared/lib/json.js';

export interface ApiObject extends JsonObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: JsonObject & { readonly name: string };
}

/** An object and its folder, for instance its component's id. */
export interface Placed {
  readonly folder: string;
  readonly object: ApiObject;
}

/** A file to write; `path` is relative to the output folder and has `/` between its parts. */
export interface OutputFile {
  readonly path: string;
  readonly text: string;
}

/** The file of an object. */
export interface Manifest extends OutputFile {
  readonly object: ApiObject;
}

/** Details of an object's identity in its file name; colliding file names use the next detail. */
const DETAILS = ['name', 'namespace', 'group', 'hash'] as const;
type Detail = (typeof DETAILS)[number];

interface Entry {
  readonly placed: Placed;
  readonly identity: string;
  detail: number;
}

/**
 * One file per object, sorted by path: `<folder>/<kind>.<name>.yaml`. All objects whose paths would be equal, also on a
 * file system that ignores case, get `<kind>.<namespace>.<name>.yaml` instead, then the API group as well, then a hash.
 *
 * @throws Error when two objects have the same identity or a folder is not a safe path: bugs of the caller.
 */
export function layout(placed: readonly Placed[]): readonly Manifest[] {
  const entries = placed.map((item) => ({ placed: item, identity: identityOf(item.object), detail: 0 }));
  refuseSameIdentity(entries);
  for (const entry of entries) {
    if (!isSafePath(entry.placed.folder)) throw new Error(`unsafe folder "${entry.placed.folder}"`);
  }
  let colliding = collisions(entries);
  while (colliding.length > 0) {
    for (const entry of colliding) entry.detail += 1;
    colliding = collisions(entries);
  }
  return entries
    .map((entry) => ({
      path: pathOf(entry),
      text: toYaml(entry.placed.object),
      object: entry.placed.object,
    }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

function collisions(entries: readonly Entry[]): readonly Entry[] {
  const byPath = groupBy(entries, (entry) => pathOf(entry).toLowerCase());
  return [...byPath.values()].filter((sharers) => sharers.length > 1).flat();
}

function pathOf({ placed, identity, detail }: Entry): string {
  const { kind, metadata } = placed.object;
  const shown = (wanted: Detail): boolean => detail >= DETAILS.indexOf(wanted);
  const parts = [
    kind.toLowerCase(),
    shown('group') ? groupOf(placed.object) : '',
    shown('namespace') ? namespaceOf(placed.object) : '',
    metadata.name,
    shown('hash') ? shortSha256(identity) : '',
  ];
  return `${placed.folder}/${fileName(parts.filter((part) => part !== '').join('.'))}`;
}

function fileName(stem: string): string {
  const encoded = encodeFileName(stem);
  const limit = MAX_FILE_NAME_LENGTH - '.yaml'.length;
  if (encoded.length <= limit) return `${encoded}.yaml`;
  const hash = shortSha256(stem);
  return `${encoded.slice(0, limit - hash.length - 1)}-${hash}.yaml`;
}

function refuseSameIdentity(entries: readonly Entry[]): void {
  const seen = new Map<string, Entry>();
  for (const entry of entries) {
    const other = seen.get(entry.identity);
    if (other !== undefined)
      throw new Error(`two objects with one identity: ${describe(other)} and ${describe(entry)}`);
    seen.set(entry.identity, entry);
  }
}

function describe({ placed: { folder, object } }: Entry): string {
  const namespace = namespaceOf(object);
  const name = namespace === '' ? object.metadata.name : `${namespace}/${object.metadata.name}`;
  return `${object.apiVersion} ${object.kind} ${name} in ${folder}`;
}

const shortSha256 = (text: string): string => sha256(text).slice(0, 12);
