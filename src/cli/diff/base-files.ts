import { readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { isInput, isProgram } from '../../compile/load/file-names.js';
import { decodeUtf8, fileBytesMax } from '../../compile/load/load.js';
import { loadYaml, type SourceDocument } from '../../compile/load/yaml/yaml.js';
import { baseChanges, type PlacedBaseChange } from '../../review/diff/base-changes.js';
import { readRegularFile } from '../../shared/files/read-file.js';
import { isFolder } from '../../compile/render/tree/disk.js';
import type { OldTree } from '../old-output/tree.js';
import type { Io } from '../io.js';

type Files = ReadonlyMap<string, Buffer>;

/**
 * What changed in a base between the revision of the old side and the disk; each base is read once. A tree that is no revision has no
 * input, and a base that the revision does not have is no cause: the entry of `extends` that names it is.
 */
export function changesOfBases(tree: OldTree, io: Pick<Io, 'cwd'>): (folder: string) => readonly PlacedBaseChange[] {
  const known = new Map<string, readonly PlacedBaseChange[]>();
  return (folder) => {
    const before = known.get(folder);
    if (before !== undefined) return before;
    const found = tree.inputOf === undefined ? [] : changesOf(folder, tree.inputOf(folder), io);
    known.set(folder, found);
    return found;
  };
}

function changesOf(folder: string, before: Files, io: Pick<Io, 'cwd'>): readonly PlacedBaseChange[] {
  if (before.size === 0) return [];
  const now = filesOnDisk(folder);
  const names = [...new Set([...before.keys(), ...now.keys()])].filter(isInput).sort();
  const shown = (name: string) => relative(io.cwd, join(folder, name)).split(sep).join('/');
  const changed = names.filter((name) => !isEqual(before.get(name), now.get(name)));
  const programs = changed.filter(isProgram).map((name): PlacedBaseChange => {
    const change = !before.has(name) ? 'added' : !now.has(name) ? 'removed' : 'changed';
    return { change: { file: shown(name), change }, path: [] };
  });
  // A document that moved to another file of the base is no change.
  const documents = (files: Files) =>
    changed.filter((name) => !isProgram(name)).flatMap((name) => documentsIn(shown(name), files.get(name)));
  return [...baseChanges(documents(before), documents(now)), ...programs];
}

function isEqual(one: Buffer | undefined, other: Buffer | undefined): boolean {
  return one !== undefined && other !== undefined && one.equals(other);
}

function filesOnDisk(folder: string): Files {
  if (!isFolder(folder)) return new Map();
  return new Map(
    readdirSync(folder)
      .filter(isInput)
      .flatMap((name) => {
        const read = readRegularFile(join(folder, name), { bytesMax: fileBytesMax });
        return read.kind === 'content' ? [[name, read.bytes] as const] : [];
      }),
  );
}

/** What cannot be read is reported where a cluster is read, and was reported when the revision was rendered. */
function documentsIn(file: string, bytes: Buffer | undefined): readonly SourceDocument[] {
  if (bytes === undefined || bytes.length > fileBytesMax) return [];
  const text = decodeUtf8(file, bytes);
  return typeof text === 'string' ? loadYaml(file, text).documents : [];
}
