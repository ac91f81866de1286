import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { errorCode, lstat, quietly, type Disk } from './disk.js';

export const LOCK_PATH = '.weft.lock';

/** Longer than any run takes. The lock of an unknown process is stale after this time. */
const LOCK_MAX_AGE_SECONDS = 600;

/** The holder of a lock that does not name one. */
const UNKNOWN_HOLDER = 'another run';

/** Takes the lock, or returns its holder. A lock of a process that has ended is taken over. */
export function acquireLock(disk: Disk, folder: string): string | undefined {
  const path = join(folder, LOCK_PATH);
  if (createLock(disk, path)) return undefined;
  const stats = lstat(path);
  if (stats !== undefined) {
    const holder = stats.isFile() ? fs.readFileSync(path, 'utf8').trim() : 'something that is not a file';
    if (!isStale(holder, stats.mtimeMs)) return holder === '' ? UNKNOWN_HOLDER : nameOf(holder);
    if (!removeStale(disk, path, holder)) return UNKNOWN_HOLDER;
  }
  return createLock(disk, path) ? undefined : UNKNOWN_HOLDER;
}

/** The holder for messages, without the start time, which is in clock ticks and only distinguishes processes. */
function nameOf(holder: string): string {
  return holder.replace(/^(process \d+ on .*), started at \d+$/, '$1');
}

/**
 * If two runs see the same stale lock, only one can rename it. A run that renamed a new lock by mistake renames it
 * back.
 */
function removeStale(disk: Disk, path: string, holder: string): boolean {
  const moved = temporaryName(path);
  try {
    disk.rename(path, moved);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw error;
  }
  if (fs.readFileSync(moved, 'utf8').trim() !== holder) {
    disk.rename(moved, path);
    return false;
  }
  disk.removeFile(moved);
  return true;
}

/** Also removes files of runs that were killed while they took the lock. */
export function releaseLock(disk: Disk, folder: string): void {
  const left = fs.readdirSync(folder).filter((name) => name.startsWith(`${LOCK_PATH}.`));
  for (const name of [...left, LOCK_PATH]) quietly(() => disk.removeFile(join(folder, name)));
}

/** The lock file appears with its text in it, so that a run that is killed leaves no lock without an owner. */
function createLock(disk: Disk, path: string): boolean {
  const text = lockText();
  const whole = temporaryName(path);
  try {
    disk.createFile(whole, text);
    disk.link(whole, path);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    if (errorCode(error) === undefined) throw error;
  } finally {
    quietly(() => disk.removeFile(whole));
  }
  return createLockWithoutLinks(disk, path, text);
}

/** For file systems without hard links, such as FAT. It also reports any other error of the folder. */
function createLockWithoutLinks(disk: Disk, path: string, text: string): boolean {
  try {
    disk.createFile(path, text);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

/** The name is random, because two containers may have equal process ids and share an output folder. */
function temporaryName(path: string): string {
  return `${path}.${randomUUID()}`;
}

function lockText(): string {
  const start = startOf(process.pid);
  return `process ${process.pid} on ${hostname()}${start === undefined ? '' : `, started at ${start}`}\n`;
}

/** The start time of a process in clock ticks since boot; undefined if there is no such process, or not on Linux. */
function startOf(pid: number): string | undefined {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'latin1');
    // proc(5): the name of the program, in parentheses, may have any characters; the start is the 22nd field, the state
    // the third.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}

function isStale(holder: string, changedAtMs: number): boolean {
  const [, pid, host, start] = /^process (\d+) on (.*?)(?:, started at (\d+))?$/.exec(holder) ?? [];
  const isOld = Date.now() - changedAtMs > LOCK_MAX_AGE_SECONDS * 1000;
  if (pid === undefined || host !== hostname()) return isOld;
  if (!isAlive(Number(pid))) return true;
  // Process ids are reused: in a container, the first process always has the id 1.
  const now = startOf(Number(pid));
  return start === undefined || now === undefined ? isOld : start !== now;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) !== 'ESRCH';
  }
}
