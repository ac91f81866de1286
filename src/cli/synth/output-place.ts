import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Diagnostic } from '../../shared/diagnostics/diagnostic.js';
import { isLink } from '../../shared/files/links.js';
import { compareText } from '../../shared/lib/json.js';
import { readRegularFile } from '../../shared/files/read-file.js';
import { fileBytesMax } from '../../compile/load/load.js';
import { BASES_FOLDER } from '../../compile/render/tree/base-path.js';
import { INDEX_PATH, parseIndex } from '../../compile/render/tree/manifest-index.js';
import { outputInInput } from '../problems.js';
import { CLUSTERS } from '../project.js';

/**
 * Checks that the output is separate from the input; otherwise the next run would read it. The returned function gives
 * a diagnostic for an output folder that is an input folder, is inside one or inside its `clusters/`, or contains one.
 * It resolves symbolic links.
 *
 * @param folders absolute paths of the input folders
 */
export function inputGuard(
  folders: readonly string[],
  shown: (path: string) => string,
): (target: string) => Diagnostic | undefined {
  const inputs = new Map<string, string>();
  const realParent = realParents();
  for (const folder of folders) {
    if (basename(dirname(folder)) === CLUSTERS) inputs.set(realParent(folder), dirname(folder));
    inputs.set(realPath(folder), folder);
  }
  const above = new Map([...inputs].flatMap(([real, path]) => upwards(real).map((one) => [one, path] as const)));
  return (target) => {
    const real = join(realParent(target), basename(target));
    const around = upwards(real).flatMap((path) => inputs.get(path) ?? [])[0];
    const inside = above.get(real);
    if (around !== undefined)
      return outputInInput(shown(target), `is, or lies in, the input folder \`${shown(around)}\``);
    return inside === undefined
      ? undefined
      : outputInInput(shown(target), `holds the input folder \`${shown(inside)}\``);
  };
}

/** A path and all folders above it. */
function upwards(path: string): readonly string[] {
  return dirname(path) === path ? [path] : [path, ...upwards(dirname(path))];
}

/** Real paths of the parent folders; a fleet has one or two of them. */
function realParents(): (path: string) => string {
  const known = new Map<string, string>();
  return (path) => {
    const parent = dirname(path);
    const real = known.get(parent) ?? realPath(parent);
    known.set(parent, real);
    return real;
  };
}

/** The real path of a path whose last parts may not exist. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return dirname(path) === path ? path : join(realPath(dirname(path)), basename(path));
  }
}

/** The path that has to be a folder and is not one: the path itself, or the nearest existing one above it. */
export function nonFolderAt(path: string): string | undefined {
  try {
    return statSync(path).isDirectory() ? undefined : path;
  } catch {
    return dirname(path) === path ? undefined : nonFolderAt(dirname(path));
  }
}

/** What lies beside the output folders of the clusters. Both are sorted. */
interface OtherPaths {
  /** Folders that Weft wrote and that belong to none of the clusters, because a cluster was renamed or removed. */
  readonly left: readonly string[];
  readonly foreign: readonly string[];
}

/**
 * @param places the folders that the output folders are in
 * @param targets the output folders of all clusters, and the bases
 */
export function otherPaths(places: Iterable<string>, targets: ReadonlySet<string>): OtherPaths {
  const all = [...new Set(places)];
  const others = all.flatMap(pathsIn).filter((path) => !targets.has(path) && !isBasesFolder(path));
  const inBases = all.flatMap(basePaths).filter((path) => !targets.has(path) && !hasIndex(path));
  return {
    left: others.filter(hasIndex).sort(compareText),
    foreign: [...others.filter((path) => !hasIndex(path)), ...inBases].sort(compareText),
  };
}

/**
 * The bases that no output folder lists: neither those of this run nor others beside them, which are applied for as long as they are there.
 * None where the index of another folder cannot be read.
 *
 * @param places the folders that the output folders are in
 * @param targets the output folders of this run
 * @param used the bases of this run
 */
export function unusedBases(
  places: Iterable<string>,
  targets: ReadonlySet<string>,
  used: ReadonlySet<string>,
): readonly string[] {
  return [...new Set(places)].flatMap((place) => {
    const bases = basePaths(place).filter((path) => !used.has(path) && hasIndex(path));
    if (bases.length === 0) return [];
    const others = pathsIn(place).filter((path) => !targets.has(path) && hasIndex(path));
    const listed = others.map((folder) => basesOf(folder)?.map((base) => join(place, base)));
    return listed.includes(undefined) ? [] : bases.filter((path) => !listed.flat().includes(path));
  });
}

/** The bases that an output folder lists; undefined if its index cannot be read. */
function basesOf(folder: string): readonly string[] | undefined {
  const read = readRegularFile(join(folder, INDEX_PATH), { bytesMax: fileBytesMax });
  const index = parseIndex(read.kind === 'content' ? read.bytes.toString('utf8') : '');
  return index.kind === 'index' ? index.bases : undefined;
}

const hasIndex = (path: string) => !isLink(path) && existsSync(join(path, INDEX_PATH));
const isBasesFolder = (path: string) =>
  basename(path) === BASES_FOLDER && !isLink(path) && nonFolderAt(path) === undefined;
const basePaths = (place: string) => {
  const folder = join(place, BASES_FOLDER);
  return isBasesFolder(folder) ? pathsIn(folder) : [];
};
const pathsIn = (place: string) => namesIn(place).map((name) => join(place, name));

/** Names in a folder; empty when it cannot be read. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
