import { memoized } from '../lib/memo.js';
import { MAINTENANCE_ANNOTATION, readMaintenanceRecord } from './maintenance-record.js';

/**
 * Annotations of nodes that the companion does not write any more: those of its versions before `weft.dev/maintenance`, and the start times of
 * k8s-operator-libs (`pkg/upgrade/consts.go` at 11e747a). It reads them where a maintenance began with them.
 */
export type LegacyKeys = Readonly<
  Record<
    | 'waitStart'
    | 'validationStart'
    | 'drainStart'
    | 'podDeletionStart'
    | 'maintenanceStart'
    | 'restartStart'
    | 'restartsBefore'
    | 'cordoned'
    | 'cordonLifted'
    | 'outdated'
    | 'wanted'
    | 'before'
    | 'prePullStart'
    | 'failure',
    string
  >
>;

/** Why a node failed, by its record or by that of an older version; undefined: neither says so. */
export function recordedFailure(annotations: Readonly<Record<string, string>>): string | undefined {
  const record = readMaintenanceRecord(annotations[MAINTENANCE_ANNOTATION]);
  if (record !== undefined) return record.failure;
  for (const key in annotations) if (LEGACY_FAILURE.test(key)) return annotations[key];
  return undefined;
}

const LEGACY_FAILURE = /^weft\.dev\/.+-failure$/;

/** The keys of the driver with this label prefix. */
export const legacyKeys = memoized((prefix: string): LegacyKeys => {
  const upstream = `nvidia.com/${prefix}-driver-upgrade`;
  const ours = `weft.dev/${prefix}`;
  return {
    waitStart: `${upstream}-wait-for-pod-completion-start-time`,
    validationStart: `${upstream}-validation-start-time`,
    drainStart: `${ours}-drain-start-time`,
    podDeletionStart: `${ours}-pod-deletion-start-time`,
    maintenanceStart: `${ours}-node-maintenance-start-time`,
    restartStart: `${ours}-driver-restart-start-time`,
    restartsBefore: `${ours}-driver-restarts`,
    cordoned: `${ours}-cordoned`,
    cordonLifted: `${ours}-cordon-lifted`,
    outdated: `${ours}-outdated`,
    wanted: `${ours}-wanted`,
    before: `${ours}-before`,
    prePullStart: `${ours}-pre-pull-start-time`,
    failure: `${ours}-failure`,
  };
});

const OURS = 'weft.dev/';
const SUFFIXES = Object.values(legacyKeys('')).flatMap((key) => (key.startsWith(OURS) ? [key.slice(OURS.length)] : []));

/** The driver of an annotation that an older version wrote; undefined: it is another annotation. */
export function legacyPrefix(key: string): string | undefined {
  if (!key.startsWith(OURS)) return undefined;
  const suffix = SUFFIXES.find((one) => key.endsWith(one));
  const prefix = suffix === undefined ? '' : key.slice(OURS.length, -suffix.length);
  return prefix === '' ? undefined : prefix;
}
