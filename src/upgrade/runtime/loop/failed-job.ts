import { runOutcome, type RunOutcome } from '../run-outcome.js';
import type { Run } from './run.js';

/**
 * A Job that failed stays failed, and GitOps reports it until it is made again. So a run of the CronJob that ends with no failed
 * node deletes the Job of the current policy where that failed: GitOps applies the same Job again, it finds nothing to do, and
 * completes. Another run, and a policy that names no Job, changes nothing.
 *
 * @returns the end of the run: another one where a right is missing
 */
export async function deleteFailedJob(run: Run, end: RunOutcome): Promise<RunOutcome> {
  const { ports, options, reporter, jobWithoutFailures: name } = run;
  const hasRepaired = end.reason === 'done' || end.reason === 'waiting';
  if (options.mode !== 'cronjob' || name === undefined || !hasRepaired) return end;
  const job = await ports.cluster.getJob(name);
  if (job.kind === 'ok' && !job.value.isFailed) return end;
  const answer = job.kind === 'ok' ? await ports.cluster.deleteJob(name, job.value.uid) : job;
  if (answer.kind === 'forbidden') return runOutcome('forbidden', answer.message);
  if (answer.kind === 'ok') {
    const message = `Job ${name} had failed, and no node is failed now: it is deleted, so that GitOps makes it again`;
    reporter.log({ level: 'info', message });
  } else if (answer.kind !== 'gone') {
    reporter.log({ level: 'warning', message: `the failed Job ${name} is not deleted: ${answer.message}` });
  }
  return end;
}
