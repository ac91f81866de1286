import * as z from 'zod';
import { IGNORE_WINDOWS_ANNOTATION } from '../../../shared/contract/labels.js';
import { allWindows } from '../../../shared/contract/pool-limits.js';
import type { Rollout } from '../../../shared/contract/upgrade-settings.js';
import { isoSecond } from '../../../shared/lib/time.js';
import type { Finding } from '../../model/findings.js';

const rfc3339 = z.iso.datetime({ offset: true });
/** The value is of any length. */
const SHOWN_CHARACTERS = 40;

interface WindowsByHand {
  readonly rollout: Rollout;
  /** Kind and message; absent: nothing was asked for. */
  readonly finding?: readonly [Finding['kind'], string];
}

/**
 * The rollout without its maintenance windows until the time of an annotation of the status ConfigMap.
 *
 * @param until the value of the annotation; a time that has passed, or is none, changes nothing, and the finding says so
 */
export function windowsByHand(rollout: Rollout, until: string | undefined, nowMs: number): WindowsByHand {
  if (until === undefined || allWindows(rollout).length === 0) return { rollout };
  const annotation = `the annotation ${IGNORE_WINDOWS_ANNOTATION} of the status ConfigMap`;
  if (!rfc3339.safeParse(until).success) {
    const shown = JSON.stringify(until.slice(0, SHOWN_CHARACTERS));
    const message = `maintenance windows hold: ${annotation} is ${shown}, and no time such as 2026-12-04T22:00:00Z`;
    return { rollout, finding: ['windows-kept', message] };
  }
  const untilMs = Date.parse(until);
  if (untilMs <= nowMs)
    return {
      rollout,
      finding: ['windows-kept', `maintenance windows hold: ${annotation} ended at ${isoSecond(untilMs)}`],
    };
  const pools = rollout.pools.map((pool) => ({ ...pool, maintenanceWindows: [] }));
  return {
    rollout: { ...rollout, pools, maintenanceWindows: [] },
    finding: ['windows-ignored', `maintenance windows are ignored until ${isoSecond(untilMs)}, by ${annotation}`],
  };
}
