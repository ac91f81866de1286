import * as fs from 'node:fs';
import { dirname } from 'node:path';

/**
 * All operations that change the disk. Synchronous on purpose: for small files Node's promises take four times as long
 * as the operations, and the event loop runs between the slices.
 */
export interface Disk {
  /** Also creates the folders above it; returns the topmost new one. */
  makeFolders(path: string): string | undefined;
  /** Fails with EEXIST when the file exists. */
  createFile(path: string, text: string): void;
  /** Gives a file a second name. Fails with EEXIST when that exists. */
  link(from: string, to: string): void;
  rename(from: string, to: string): void;
  removeFile(path: string): void;
  removeEmptyFolder(path: string): void;
  removeFolder(path: string): void;
}

/** The disk itself. */
export const realDisk: Disk = {
  makeFolders,
  createFile: (path, text) => fs.writeFileSync(path, text, { flag: 'wx' }),
  link: (from, to) => fs.linkSync(from, to),
  rename: (from, to) => fs.renameSync(from, to),
  removeFile: (path) => fs.unlinkSync(path),
  removeEmptyFolder: (path) => fs.rmdirSync(path),
  removeFolder: (path) => fs.rmSync(path, { recursive: true, force: true }),
};

/** Node's own recursion does not terminate if the creation of a folder fails with ENOENT, as in /proc. */
function makeFolders(path: string): string | undefined {
  if (isFolder(path)) return undefined;
  const above = dirname(path) === path ? undefined : makeFolders(dirname(path));
  try {
    fs.mkdirSync(path);
  } catch (error) {
    // Another run may have created it in the meantime.
    if (errorCode(error) !== 'EEXIST' || !isFolder(path)) throw error;
  }
  return above ?? path;
}

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
