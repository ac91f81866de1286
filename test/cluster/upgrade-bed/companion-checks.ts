import { expect } from '@jest/globals';
import { mostAtOnce, type Verdict } from './audit.js';
import type { CompanionProcess } from './companion-container.js';
import type { UpgradeBed } from './upgrade-bed.js';

const LOG_LINES_SHOWN = 40;

/** Waits for the end of a run after which all nodes must be done. Fails with the end of the log, which says what a node waited for. */
export async function expectDone(bed: UpgradeBed, companion: CompanionProcess): Promise<void> {
  const code = await companion.ended;
  if (code !== 0 || reasonOf(companion) !== 'done') {
    const log = companion.logs().slice(-LOG_LINES_SHOWN);
    throw new Error(`the companion ended with ${code}:\n${log.map((line) => JSON.stringify(line)).join('\n')}`);
  }
  expect(await bed.behind()).toEqual([]);
}

/** Runs the container of the CronJob to its end: no work is left that can be done now. */
export async function runCronJob(bed: UpgradeBed): Promise<void> {
  const companion = await bed.start({ mode: 'cronjob' });
  expect(await companion.ended).toBe(0);
}

/** Checks what must hold after any interruption of the companion. */
export function expectSound(bed: UpgradeBed, slots: number): Verdict {
  const verdict = bed.audit();
  const { refused, uncordoned, outsidePolicy, leftCordoned } = verdict;
  expect({ refused, uncordoned, outsidePolicy, leftCordoned }).toEqual({
    ...{ refused: [], uncordoned: [], outsidePolicy: [], leftCordoned: [] },
  });
  expect(mostAtOnce(verdict.spans)).toBeLessThanOrEqual(slots);
  return verdict;
}

/** Memory limit of a companion with up to 1,000 nodes. */
const MEMORY_MIB = 128;

/** Checks the container's memory if it has its limit: without one V8 sizes its heap by the memory of the machine. */
export function expectFits({ isMemoryLimited, peakMiB }: CompanionProcess): void {
  if (isMemoryLimited) expect(peakMiB()).toBeLessThan(MEMORY_MIB);
}

/** The reason for which the run ended, from the last line of its log. */
export function reasonOf(companion: CompanionProcess): unknown {
  return companion.logs().at(-1)?.['reason'];
}
