import { runOutcome, type RunOutcome } from '../run-outcome.js';
import type { Run } from './run.js';

/**
 * A failed Job remains failed, and GitOps reports it until it is created again. If a run of the CronJob ends without failed nodes, it
 * deletes the failed Job of the current policy. GitOps applies the same Job again, which finds nothing to do and completes.
 *
 * @returns the outcome of the run, or another one if a right is missing
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
    const message = `Job ${name} had failed, and no node is failed now: it is deleted, so that GitOps creates it again`;
    reporter.log({ level: 'info', message });
  } else if (answer.kind !== 'gone') {
    reporter.log({ level: 'warning', message: `the failed Job ${name} is not deleted: ${answer.message}` });
  }
  return end;
}
