import * as fs from 'node:fs';
import { dirname } from 'node:path';

/**
 * Everything that changes the disk. Synchronous on purpose: for files of this size Node's promises cost four times as
 * much as the work itself, and between the steps the event loop runs.
 */
export interface Disk {
  /** Makes also those above it; returns the topmost that was not there. */
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

/** Node's own recursion never ends where a folder cannot be made and says ENOENT, as in /proc. */
function makeFolders(path: string): string | undefined {
  if (isFolder(path)) return undefined;
  const above = dirname(path) === path ? undefined : makeFolders(dirname(path));
  try {
    fs.mkdirSync(path);
  } catch (error) {
    // Another run may have been quicker.
    if (errorCode(error) !== 'EEXIST' || !isFolder(path)) throw error;
  }
  return above ?? path;
}

/** Whether a path leads to a folder, links followed. Fails where the way there cannot be gone, as with EACCES. */
export function isFolder(path: string): boolean {
  return fs.statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** The type of the file at a path, links not followed; `undefined` when there is none. */
export function lstat(path: string): fs.Stats | undefined {
  return fs.lstatSync(path, { throwIfNoEntry: false });
}

/** For tidying up after the outcome is decided, where a failure changes nothing. */
export function quietly(step: () => void): void {
  try {
    step();
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
  }
}

/** The code of an operating system's error; undefined for every other error, which is a bug. */
export function errorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('syscall' in error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
