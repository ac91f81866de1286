import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readRegularFile } from '../../shared/files/read-file.js';
import { reasonOf } from '../../compile/load/load.js';
import { isObject, parsedJson, prettyJson } from '../../shared/lib/json.js';
import type { ListedObject } from '../../shared/kubernetes/listed-object.js';
import { readObjectOfFile } from '../../shared/kubernetes/shapes/file-object.js';
import { savedParts, toSave, type SavedPart } from '../../cluster/takeover/saved.js';
import type { LocatedObject } from '../../cluster/reader/located.js';
import type { Saved } from '../../cluster/takeover/state.js';

/** In the order in which they are created again by hand. */
const FILES: Readonly<Record<SavedPart, string>> = {
  crds: '1-crds.json',
  customResources: '2-custom-resources.json',
  webhooks: '3-webhooks.json',
};
/** Nearly the longest text of Node. */
const BYTES_MAX = 500 * 1024 * 1024;
const REFERENCE = 'weft.dev/reference';

/** The objects in a folder of an earlier run. Throws an Error that says which file cannot be read. */
export function readBackup(folder: string): Saved {
  return new Map(Object.values(FILES).flatMap((name) => readFile(join(folder, name))));
}

function readFile(path: string): readonly (readonly [string, ListedObject])[] {
  const read = readRegularFile(path, { bytesMax: BYTES_MAX });
  if (read.kind === 'failed' && read.error.code === 'ENOENT') return [];
  if (read.kind !== 'content') {
    throw new Error(`${path}: ${read.kind === 'failed' ? reasonOf(read.error).text : 'it is not a regular file'}`);
  }
  const text = read.bytes.toString('utf8');
  const list = parsedJson(text);
  if (!isObject(list) || !Array.isArray(list['items'])) throw new Error(`${path}: it is no List in JSON`);
  return list['items'].flatMap((given: unknown, index) => {
    const read = readObjectOfFile(given, index + 1);
    if (read === undefined) return [];
    if ('problem' in read) throw new Error(`${path}: ${read.problem}`);
    const item = read.object;
    const { [REFERENCE]: reference = '', ...annotations } = item.metadata.annotations ?? {};
    return [[reference, toSave({ ...item, metadata: { ...item.metadata, annotations } })] as const];
  });
}

/**
 * Puts the backup of a takeover that was undone aside: the next one must not bring back custom resources that are deleted until then.
 * Returns where it is now; absent if there is none.
 */
export function putBackupAside(folder: string): string | undefined {
  if (!existsSync(folder)) return undefined;
  const aside = `${folder}-undone`;
  rmSync(aside, { recursive: true, force: true });
  renameSync(folder, aside);
  return aside;
}

/**
 * Adds objects to a backup, and writes its files whole or not at all, for their owner alone: custom resources may have passwords in their
 * environment. Returns the whole backup.
 */
export function writeBackup(folder: string, before: Saved, objects: readonly LocatedObject[]): Saved {
  const saved = new Map([...before, ...objects.map(({ reference, live }) => [reference, toSave(live)] as const)]);
  const parts = savedParts(saved);
  mkdirSync(folder, { recursive: true });
  for (const [part, name] of Object.entries(FILES) as [SavedPart, string][]) {
    if (parts[part].length === 0) continue;
    const items = parts[part].map(([reference, { metadata, ...object }]) => ({
      ...object,
      metadata: { ...metadata, annotations: { ...metadata?.annotations, [REFERENCE]: reference } },
    }));
    const path = join(folder, name);
    rmSync(`${path}.new`, { force: true });
    // Custom resources may have passwords.
    const text = prettyJson({ apiVersion: 'v1', kind: 'List', items });
    writeFileSync(`${path}.new`, text, { flag: 'wx', mode: 0o600 });
    renameSync(`${path}.new`, path);
  }
  return saved;
}
