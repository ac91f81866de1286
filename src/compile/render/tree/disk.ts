import * as fs from 'node:fs';

/** The operations that change an output folder; tests stop a run at each of them. */
export type Disk = Pick<
  typeof fs,
  'mkdirSync' | 'writeFileSync' | 'renameSync' | 'unlinkSync' | 'rmdirSync' | 'rmSync'
>;

/** Whether a path is a folder; links are followed. Throws if the path cannot be resolved, for instance with EACCES. */
export function isFolder(path: string): boolean {
  return fs.statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** The type of the file at a path, links not followed; `undefined` when there is none. */
export function lstat(path: string): fs.Stats | undefined {
  return fs.lstatSync(path, { throwIfNoEntry: false });
}

/** For cleaning up at the end, where a failure does not change the result. */
export function quietly(step: () => void): void {
  try {
    step();
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
  }
}

/** The code of an error of the operating system; undefined for any other error, which is a bug. */
export function errorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('syscall' in error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
