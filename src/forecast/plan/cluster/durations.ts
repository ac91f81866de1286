import { readDone } from '../../../shared/contract/done-record.js';
import { driverMatcher } from './roles.js';
import type { UpgradePolicy } from '../../../shared/contract/upgrade-policy.js';
import { driverKeys } from '../../../shared/contract/labels.js';
import type { ApiPod } from '../../../shared/kubernetes/shapes/pod.js';
import type { SnapshotObjects } from '../snapshot/objects.js';
import { DURATION_NAMES, type DurationName, type PlannedDuration, type PlanOptions } from '../types.js';

const MINUTE = 60;
/** Where the annotation of a node says when its upgrade ended. */
const UPGRADES = 'past upgrades, from the creation of the driver pod to the annotation of its node';
const STARTS = 'pods of this cluster, in their last start';

/** Used where nothing was measured, in seconds. */
export const DEFAULT_DURATIONS: Readonly<Record<DurationName, readonly [number, number]>> = {
  driver: [3 * MINUTE, 8 * MINUTE],
  workload: [5, MINUTE],
  termination: [1, 30],
  job: [10 * MINUTE, 60 * MINUTE],
};
/** Fewer measurements say little. */
const SAMPLES_MIN = 3;
/** A pod that took longer was not starting all that time. */
const LONGEST_SECONDS = 2 * 3600;

/** The duration of each thing: as the caller says, as measured in this cluster, or the default. */
export function plannedDurations(
  objects: SnapshotObjects,
  policy: UpgradePolicy,
  { durations = {} }: Pick<PlanOptions, 'durations'>,
): readonly PlannedDuration[] {
  const isDriver = driverMatcher(policy);
  const drivers = objects.Pod.filter(isDriver);
  const others = objects.Pod.filter((pod) => !isDriver(pod));
  // An upgrade also pulled the image, as the next one will.
  const measured: Partial<Record<DurationName, readonly Measured[]>> = {
    driver: [
      { of: UPGRADES, seconds: upgradeSeconds(objects, policy) },
      { of: STARTS, seconds: drivers.flatMap(startSeconds) },
    ],
    workload: [{ of: STARTS, seconds: others.flatMap(startSeconds) }],
  };
  return DURATION_NAMES.map((name): PlannedDuration => {
    const given = durations[name];
    if (given !== undefined) return { name, ...given, source: 'given' };
    const found = measured[name]?.find(({ seconds }) => seconds.length >= SAMPLES_MIN);
    if (found !== undefined) return { name, ...rangeOf(found) };
    const [from, to] = DEFAULT_DURATIONS[name];
    return { name, from, to, source: 'default' };
  });
}

interface Measured {
  readonly of: string;
  readonly seconds: readonly number[];
}

function rangeOf({ of, seconds }: Measured): Omit<PlannedDuration, 'name'> {
  const sorted = [...seconds].sort((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
  return {
    from: at(0.1),
    to: at(0.9),
    source: `measured: ${sorted.length} ${of}, without the fastest and slowest tenth`,
  };
}

/** How long the driver pods that are there now took in their upgrade. One that was created later, as at a repair, took part in none. */
function upgradeSeconds({ Node, Pod }: SnapshotObjects, { drivers }: UpgradePolicy): readonly number[] {
  return drivers.flatMap((driver) => {
    const { done } = driverKeys(driver.labelPrefix);
    const ends = new Map(Node.map(({ metadata }) => [metadata?.name, readDone(metadata?.annotations?.[done])?.doneMs]));
    return Pod.filter(driverMatcher({ drivers: [driver] })).flatMap((pod) => {
      const createdMs = Date.parse(pod.metadata?.creationTimestamp ?? '');
      const seconds = ((ends.get(pod.spec?.nodeName) ?? NaN) - createdMs) / 1000;
      return seconds >= 0 && seconds <= LONGEST_SECONDS ? [seconds] : [];
    });
  });
}

/** From the start of its last container until it was Ready; empty for a pod that is not, or that has restarted. */
function startSeconds({ status = {} }: ApiPod): readonly number[] {
  const { conditions = [], containerStatuses = [] } = status;
  const ready = conditions.find(({ type, status }) => type === 'Ready' && status === 'True');
  if (ready === undefined || containerStatuses.some(({ restartCount = 0 }) => restartCount > 0)) return [];
  const started = containerStatuses.map(({ state }) => Date.parse(state?.running?.startedAt ?? ''));
  const seconds = (Date.parse(ready.lastTransitionTime ?? '') - Math.max(...started)) / 1000;
  return seconds >= 0 && seconds <= LONGEST_SECONDS ? [seconds] : [];
}
