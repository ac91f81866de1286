import * as z from 'zod';
import { canonicalJson, parsedJson } from '../lib/json.js';

/**
 * Annotation of a node, ours: what its maintenance has to remember and no label says. The value is JSON. It is there while a maintenance lasts,
 * also a failed one.
 */
export const MAINTENANCE_ANNOTATION = 'weft.dev/maintenance';

const seconds = z.number();

const before = z.object({
  resources: z.record(z.string(), z.string()),
  gatedPods: z.number(),
  /** Virtual functions were as their policies want them. */
  functions: z.boolean().optional(),
});

/** Why no pod of a node may be evicted because of one of them: nothing would replace it, its data would be lost, or it would run on. */
export const podRefusal = z.object({
  kind: z.enum(['no-controller', 'empty-dir', 'keeps-running']),
  /** As `namespace/name`. */
  pod: z.string(),
});

/** A drain that could not go on. */
const blockedDrain = z.object({
  /** How often the node was begun again after that without a request. */
  retries: z.number(),
  /** UIDs of pods that stayed for another reason than a PodDisruptionBudget. */
  pods: z.array(z.string()),
});

export const maintenanceRecord = z.object({
  /** Unix seconds since when the node is in a state. */
  since: z.record(z.string(), seconds).optional(),
  /** Unix seconds since when the restart of a participant may go on, by its name. */
  restarts: z.record(z.string(), seconds).optional(),
  /** What each participant is to get: an install digest or a generation; `none` removes the driver. */
  wants: z.record(z.string(), z.string()).optional(),
  /** The participants for which the companion says that a maintenance is due, so that it can take that back. */
  due: z.array(z.string()).optional(),
  /** The cordon is the companion's: the time of its taint, empty until the node lifecycle controller has dated it. */
  cordon: z.string().optional(),
  /** Annotations of the node for autoscalers that the companion set. */
  protected: z.array(z.string()).optional(),
  /** How often the cordon was lifted in this maintenance. */
  lifted: z.number().optional(),
  /** Resources and pods of the node before the maintenance, for the validation. */
  before: before.optional(),
  /** `<UID> <restarts>` of the driver pod of a participant when the maintenance began. */
  restartsBefore: z.record(z.string(), z.string()).optional(),
  /** Unix seconds when the wait for the new image began. */
  prePull: seconds.optional(),
  /** Why the node failed. */
  failure: z.string().optional(),
  /** The pods for which it failed, where its drain was refused. */
  refusals: z.array(podRefusal).optional(),
  blocked: blockedDrain.optional(),
});

export type MaintenanceRecord = z.output<typeof maintenanceRecord>;
export type PodRefusal = z.output<typeof podRefusal>;
export type NodeBefore = z.output<typeof before>;

/** Reads the annotation; undefined: the node has none, or it cannot be read. */
export function readMaintenanceRecord(text: string | undefined): MaintenanceRecord | undefined {
  return text === undefined ? undefined : maintenanceRecord.safeParse(parsedJson(text)).data;
}

/** The annotation's text; undefined: there is nothing to remember. The same record has the same text. */
export function maintenanceRecordText(record: MaintenanceRecord): string | undefined {
  const entries = Object.entries(record).filter(([, value]) => value !== undefined && !isEmpty(value));
  return entries.length === 0 ? undefined : canonicalJson(Object.fromEntries(entries));
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}
