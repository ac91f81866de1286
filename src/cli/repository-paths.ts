import { existsSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { Diagnostic, ExtendsPlace, Location } from '../shared/diagnostics/diagnostic.js';
import type { Io } from './io.js';

/**
 * Diagnostics with the paths that GitHub resolves, whatever the working directory: from `GITHUB_WORKSPACE`, where it holds the
 * file, else from the top of the git work tree. Other files keep their path.
 */
export function fromRepository(diagnostics: readonly Diagnostic[], { cwd, env }: Io): readonly Diagnostic[] {
  const roots = [env['GITHUB_WORKSPACE'], workTree(cwd)].filter((root) => root !== undefined && root !== '');
  const placedFile = <P extends ExtendsPlace>(place: P): P => {
    const path = resolve(cwd, place.file);
    const shown = roots.map((root) => relative(resolve(cwd, root ?? ''), path)).find(isInside);
    return shown === undefined ? place : { ...place, file: shown.split(sep).join('/') };
  };
  const placed = (location: Location): Location => {
    const { inheritedBy } = location;
    const heirs = inheritedBy?.map((one) => ({
      ...placedFile(one),
      ...(one.through && { through: one.through.map(placedFile) }),
    }));
    return { ...placedFile(location), ...(heirs && { inheritedBy: heirs }) };
  };
  return diagnostics.map((diagnostic) => {
    const { location, related } = diagnostic;
    return {
      ...diagnostic,
      ...(location && { location: placed(location) }),
      ...(related && { related: { ...related, location: placed(related.location) } }),
    };
  });
}

const isInside = (path: string) => path !== '' && path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path);

/**
 * The root of the git work tree: the nearest folder upwards with `.git`, which is a file in a work tree of its own. Git checks out no such name, so
 * a change cannot bring one.
 */
export function workTree(folder: string): string | undefined {
  if (existsSync(join(folder, '.git'))) return folder;
  return dirname(folder) === folder ? undefined : workTree(dirname(folder));
}
