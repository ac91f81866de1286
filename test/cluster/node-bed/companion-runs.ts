import { COMPANION_NAMES } from '../../../src/shared/contract/labels.js';
import { until } from '../bed/guarded-process.js';
import { NAMESPACE } from '../simulated/fleet.js';
import type { NodeBed, PodStatus } from './node-bed.js';

/** Waits until a Job of the companion has done all its work. */
export async function untilComplete({ controlPlane }: NodeBed, job: string): Promise<void> {
  const metadata = { name: job, namespace: NAMESPACE };
  const has = async (condition: string) => {
    const live = await controlPlane.client.get({ apiVersion: 'batch/v1', kind: 'Job', metadata });
    const { conditions = [] } = (live?.['status'] ?? {}) as PodStatus;
    return conditions.some(({ type, status }) => type === condition && status === 'True');
  };
  await until(`Job ${job} ends`, async () => (await has('Complete')) || (await has('Failed')) || undefined, 240);
  if (await has('Failed')) throw new Error(`Job ${job} failed`);
}

let runs = 0;

/** Runs `kubectl create job --from=cronjob/weft-companion`, and waits until it is complete; returns the name of the Job. */
export async function runCronJob(bed: NodeBed): Promise<string> {
  const name = `by-hand-${++runs}`;
  await bed.controlPlane.kubectl('create', 'job', name, '-n', NAMESPACE, `--from=cronjob/${COMPANION_NAMES.cronJob}`);
  await untilComplete(bed, name);
  return name;
}
