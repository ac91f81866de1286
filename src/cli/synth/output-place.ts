import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Diagnostic } from '../../shared/diagnostics/diagnostic.js';
import { isLink } from '../../shared/files/links.js';
import { compareText } from '../../shared/lib/json.js';
import { INDEX_PATH } from '../../compile/render/tree/manifest-index.js';
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
 * @param targets the output folders of all clusters
 */
export function otherPaths(places: Iterable<string>, targets: ReadonlySet<string>): OtherPaths {
  const others = [...new Set(places)]
    .flatMap((place) => namesIn(place).map((name) => join(place, name)))
    .filter((path) => !targets.has(path))
    .sort(compareText);
  const isLeft = (path: string) => !isLink(path) && existsSync(join(path, INDEX_PATH));
  return { left: others.filter(isLeft), foreign: others.filter((path) => !isLeft(path)) };
}

/** Names in a folder; empty when it cannot be read. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
