import { COMPANION_NAMES } from '../../../shared/contract/labels.js';
import { textAt, valueAt } from '../../../shared/lib/json.js';
import { read } from '../../../cluster/reader/read.js';
import { LEASE_DURATION_SECONDS } from '../../../companion/runtime/lease/lease.js';
import type { Connection } from '../connect.js';

/** Which companion acts on a change, and when. */
export interface WhoActs {
  readonly by: 'lease-holder' | 'cronjob' | 'none';
  /** A sentence for users. */
  readonly message: string;
}

/** Looks for a running companion, then for the CronJob that starts the next one. */
export async function whoActs(connection: Connection, namespace: string, nowMs: number): Promise<WhoActs> {
  const lease = await connection.port.readLease();
  if (lease.kind === 'ok') {
    const { holderIdentity = '', renewMs = 0, leaseDurationSeconds = LEASE_DURATION_SECONDS } = lease.value.record;
    if (holderIdentity !== '' && nowMs < renewMs + leaseDurationSeconds * 1000) {
      return { by: 'lease-holder', message: `the companion ${holderIdentity} is running, and acts on it at once` };
    }
  }
  const schedule = await scheduleOf(connection, namespace);
  if (schedule !== undefined) {
    return { by: 'cronjob', message: `no companion is running: the CronJob (${schedule}) starts the next one` };
  }
  return {
    by: 'none',
    message: 'no companion is running, and no CronJob starts one: `weft upgrade run` does the work',
  };
}

/** Schedule of the CronJob; undefined if it is absent or suspended, or if reading it is not allowed. */
async function scheduleOf({ client }: Connection, namespace: string): Promise<string | undefined> {
  const want = { kind: 'CronJob', namespace, name: COMPANION_NAMES.cronJob } as const;
  const { items } = await read(client, [want], { without: ['forbidden', 'unavailable'] });
  const isSuspended = items.some((cronJob) => valueAt(cronJob, ['spec', 'suspend']) === true);
  return isSuspended ? undefined : textAt(items[0], 'spec', 'schedule');
}
