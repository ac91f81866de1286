import { expect } from '@jest/globals';
import { mostAtOnce, type Verdict } from './audit.js';
import type { CompanionProcess } from './companion-container.js';
import type { UpgradeBed } from './upgrade-bed.js';

/** Waits for the end of a run that must have left nothing to do. */
export async function expectDone(bed: UpgradeBed, companion: CompanionProcess): Promise<void> {
  const code = await companion.ended;
  expect({ code, last: companion.logs().at(-1) }).toMatchObject({ code: 0, last: { reason: 'done' } });
  expect(await bed.behind()).toEqual([]);
}

/** What must never happen, whatever interrupts the companion. */
export function expectSound(bed: UpgradeBed, slots: number): Verdict {
  const verdict = bed.judge();
  const { refused, uncordoned, outsidePolicy, leftCordoned } = verdict;
  expect({ refused, uncordoned, outsidePolicy, leftCordoned }).toEqual({
    ...{ refused: [], uncordoned: [], outsidePolicy: [], leftCordoned: [] },
  });
  expect(mostAtOnce(verdict.spans)).toBeLessThanOrEqual(slots);
  return verdict;
}

/** What a companion may take with up to 1,000 nodes. */
const MEMORY_MIB = 128;

/** The container's memory, where it has its limit: without one V8 lets its heap grow by the memory of the machine. */
export function expectFits({ isMemoryLimited, peakMiB }: CompanionProcess): void {
  if (isMemoryLimited) expect(peakMiB()).toBeLessThan(MEMORY_MIB);
}

/** Whether a log line is of a run that ended for this reason. */
export function reasonOf(companion: CompanionProcess): unknown {
  return companion.logs().at(-1)?.['reason'];
}
