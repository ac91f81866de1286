/**
 * The folder of the bases, beside those of the clusters. No cluster can have its name, and the git generator of Argo CD (`reposerver/repository`,
 * `GetGitDirectories`) and `*` of a shell leave it out, so that who applies each folder of `dist` applies no base by itself.
 */
export const BASES_FOLDER = '.companion';

const BASE_FOLDER = /^\.companion\/[0-9a-f]{10}$/;

/** Whether a path, relative to the folder that the output folders are in, is that of a base. */
export const isBaseFolder = (path: string): boolean => BASE_FOLDER.test(path);

/** The path of a base, or of something in it, from the folder of a cluster. */
export const fromCluster = (path: string): string => `../${path}`;

/** The path in a base of what has this path from the folder of a cluster; undefined if that is in no base. */
export function pathInBase(path: string): string | undefined {
  const [, folder, , ...inner] = path.split('/');
  return folder === BASES_FOLDER ? inner.join('/') : undefined;
}
