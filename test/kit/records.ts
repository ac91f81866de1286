import { legacyKeys, recordedFailure } from '../../src/shared/contract/legacy-keys.js';
import {
  MAINTENANCE_ANNOTATION,
  maintenanceRecordText,
  readMaintenanceRecord,
  type MaintenanceRecord,
} from '../../src/shared/contract/maintenance-record.js';
import { digestOf } from './digests.js';

type Annotations = Readonly<Record<string, string>>;

/** The record as the annotation of a node; that of a maintenance that the companion has begun for the OFED driver of the policies here. */
export function recorded(record: MaintenanceRecord): Readonly<Record<string, string>> {
  const isBegun = record.due === undefined;
  const text = maintenanceRecordText({ ...(isBegun && { wants: { ofed: digestOf('new') } }), ...record });
  return text === undefined ? {} : { [MAINTENANCE_ANNOTATION]: text };
}

/** The companion's mark of its cordon: `true` until it has a time, then the time of the taint. */
export function cordonMark(annotations: Annotations, prefix = 'ofed'): string | undefined {
  const record = readMaintenanceRecord(annotations[MAINTENANCE_ANNOTATION]);
  if (record === undefined) return annotations[legacyKeys(prefix).cordoned];
  return record.cordon === '' ? 'true' : record.cordon;
}

/** It became due for what is installed. */
export function isOutdated(annotations: Annotations, prefix: string): boolean {
  const record = readMaintenanceRecord(annotations[MAINTENANCE_ANNOTATION]);
  return record?.due?.includes(prefix) ?? annotations[legacyKeys(prefix).outdated] !== undefined;
}

export { recordedFailure };
