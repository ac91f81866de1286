import { lstatSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';

/**
 * The first symbolic link on the way from a folder to a path. Git stores links, and one that a change brings leads where its author wants,
 * so no command follows one in the files that it works with. What lies above both, and a path that has nothing in common with the folder, is
 * that of the user's machine.
 *
 * @param from absolute path of the working directory, or of another folder that is no link
 */
export function linkOnTheWay(from: string, path: string): string | undefined {
  const parts = relative(from, path).split(sep);
  const down = parts.filter((part) => part !== '..' && part !== '');
  let at = resolve(from, ...parts.slice(0, parts.length - down.length));
  if (dirname(at) === at) return undefined;
  for (const part of down) {
    at = join(at, part);
    if (isLink(at)) return at;
  }
  return undefined;
}

/** Whether a path is a symbolic link, also a broken one; false if the path cannot be read. */
export function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
}

/** Whether a symbolic link leads to a folder; false if it is broken. */
export function leadsToFolder(link: string): boolean {
  try {
    return statSync(link).isDirectory();
  } catch {
    return false;
  }
}
