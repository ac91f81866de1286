import * as fs from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { errorCode, lstat, quietly, type Disk } from './disk.js';

export const LOCK_PATH = '.weft.lock';

/** A process of another machine cannot be looked up; no run takes as long as this. */
const FOREIGN_LOCK_MAX_AGE_SECONDS = 600;

/** Takes the lock, or says who holds it. The lock of a process that is gone is taken over. */
export function acquireLock(disk: Disk, folder: string): string | undefined {
  const path = join(folder, LOCK_PATH);
  if (createLock(disk, path)) return undefined;
  const stats = lstat(path);
  if (stats !== undefined) {
    const holder = stats.isFile() ? fs.readFileSync(path, 'utf8').trim() : 'something that is not a file';
    if (!isStale(holder, stats.mtimeMs)) return holder;
    // Renaming decides between two runs that both saw the same stale lock; who moved a fresh one puts it back.
    const moved = `${path}.${process.pid}`;
    disk.rename(path, moved);
    if (fs.readFileSync(moved, 'utf8').trim() !== holder) {
      disk.rename(moved, path);
      return 'another run';
    }
    disk.removeFile(moved);
  }
  return createLock(disk, path) ? undefined : 'another run';
}

/** Also removes what a run left that was killed while it took a lock over. */
export function releaseLock(disk: Disk, folder: string): void {
  const left = fs.readdirSync(folder).filter((name) => name.startsWith(`${LOCK_PATH}.`));
  for (const name of [...left, LOCK_PATH]) quietly(() => disk.removeFile(join(folder, name)));
}

function createLock(disk: Disk, path: string): boolean {
  try {
    disk.createFile(path, `process ${process.pid} on ${hostname()}\n`);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

function isStale(holder: string, changedAtMs: number): boolean {
  const [, pid, host] = /^process (\d+) on (.*)$/.exec(holder) ?? [];
  if (pid === undefined || host !== hostname()) return Date.now() - changedAtMs > FOREIGN_LOCK_MAX_AGE_SECONDS * 1000;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return errorCode(error) === 'ESRCH';
  }
}
