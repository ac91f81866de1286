import { mkdirSync, realpathSync, rmdirSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { lockSync } from 'proper-lockfile';

/** A folder, which the library touches for as long as the run goes on. */
const LOCK_PATH = '.weft.lock';

/** What the library calls. It copies all that it is given for each lock, and a fleet has many. */
const fs = { mkdirSync, realpathSync, rmdirSync, statSync, utimesSync };

/** The lock of a run that was killed is taken over after this time. */
const STALE_MS = 5_000;
/** Longer than a killed run holds its lock. */
const WAIT_MS = 6_000;
const PAUSE_MS = 250;

/**
 * Takes the lock of a folder, and waits while another run holds it.
 *
 * @returns what releases it; undefined if another run goes on
 */
export async function acquireLock(
  folder: string,
  pause: (ms: number) => Promise<unknown> = setTimeout,
): Promise<(() => void) | undefined> {
  for (let waitedMs = 0; ; waitedMs += PAUSE_MS) {
    try {
      return lockSync(folder, {
        fs,
        lockfilePath: join(folder, LOCK_PATH),
        realpath: false,
        stale: STALE_MS,
        // A process that was suspended may lose its lock to another run; what both write, the next run makes whole.
        onCompromised: () => undefined,
      });
    } catch (error) {
      if (!isHeld(error)) throw error;
      if (waitedMs >= WAIT_MS) return undefined;
    }
    await pause(PAUSE_MS);
  }
}

const isHeld = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ELOCKED';
