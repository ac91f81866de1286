import { recordedFailure } from '../../../shared/contract/legacy-keys.js';
import { COMPANION_COMPONENT, COMPONENT_LABEL } from '../../../shared/contract/labels.js';
import { escapeLine } from '../../../shared/lib/escape.js';
import { isObject, listAt } from '../../../shared/lib/json.js';
import { listed } from '../../../shared/lib/listed.js';
import { IN_PROGRESS } from '../../../companion/model/node-states.js';
import type { SnapshotNode } from '../../../companion/model/types.js';
import type { ApiClient } from '../../../shared/kube-client/api-client.js';
import type { Io } from '../../io.js';
import type { Connection } from '../connect.js';
import { valueOf } from '../../../cluster/reader/answers.js';
import { read } from '../../../cluster/reader/read.js';
import { hasFailed, type CommandKeys } from './node-changes.js';
import type { WhoActs } from './who-acts.js';

/** A Job of the companion that failed: GitOps reports it as degraded until it is deleted and made again. */
interface FailedJob {
  readonly name: string;
  readonly uid: string;
}

export interface RetryEnd {
  readonly jobs: readonly { readonly name: string; readonly deleted: boolean; readonly message: string }[];
  /** A failed Job was kept, because nodes are not done. */
  readonly left: boolean;
  /** A node failed again while the command waited. */
  readonly failed: boolean;
}

/** The nodes that `retry` looks after. */
interface RetryScope {
  /** The keys of all drivers of the policy: the Job is that of all. */
  readonly drivers: readonly CommandKeys[];
  /** The driver of the nodes that are tried again, and their names; undefined: no node is. */
  readonly retried: { readonly keys: CommandKeys | undefined; readonly names: readonly string[] };
}

interface RetryOptions {
  readonly namespace: string;
  readonly wait?: boolean;
  readonly output?: 'json';
}

const POLL_MS = 5_000;

/**
 * Deletes failed Jobs of the companion once no node is failed or in progress for any driver. GitOps then creates them again, and they
 * complete. With `wait` it waits until the nodes are done, unless nothing tries them again.
 */
export async function finishRetry(
  connection: Connection,
  scope: RetryScope,
  acts: WhoActs,
  options: RetryOptions,
  io: Io,
): Promise<RetryEnd> {
  const { keys, names } = scope.retried;
  const jobs = await failedJobs(connection.client, options.namespace);
  const print = (line: string): void => {
    if (options.output !== 'json') io.stdout(`${escapeLine(line)}\n`);
  };
  if (options.wait !== true && jobs.length === 0) return { jobs: [], left: false, failed: false };
  const stop = { isRequested: false };
  io.onStop?.(() => void (stop.isRequested = true));
  for (;;) {
    const { items } = valueOf(await connection.port.list('nodes'));
    const failed = keys === undefined ? [] : items.filter((node) => names.includes(node.name) && hasFailed(node, keys));
    const unfinished = items.filter((node) => unfinishedFor(node, scope).length > 0);
    const isPending = unfinished.some((node) => unfinishedFor(node, scope).some((one) => !hasFailed(node, one)));
    if (unfinished.length === 0) return { jobs: await deleteJobs(connection, jobs, print), left: false, failed: false };
    const canWait = acts.by !== 'none' && failed.length === 0 && isPending;
    if (options.wait !== true || !canWait || stop.isRequested) {
      const left = listed(
        unfinished.map(({ name }) => name),
        5,
      );
      const message = `it stays until ${left} ${unfinished.length === 1 ? 'is' : 'are'} done; then the CronJob or \`weft upgrade retry\` deletes it`;
      for (const { name } of jobs) print(`Job ${name} failed: ${message}`);
      for (const { name, annotations } of failed)
        print(`${name}: failed again: ${recordedFailure(annotations) ?? 'no reason is recorded'}`);
      const kept = jobs.map(({ name }) => ({ name, deleted: false, message }));
      return { jobs: kept, left: jobs.length > 0, failed: options.wait === true && failed.length > 0 };
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** The drivers for which a node is failed, in progress, or to be retried after a failure. */
function unfinishedFor(
  { name, labels, annotations }: SnapshotNode,
  { drivers, retried }: RetryScope,
): readonly CommandKeys[] {
  return drivers.filter((keys) => {
    const state = labels[keys.state] ?? '';
    if (state === 'upgrade-failed' || IN_PROGRESS.has(state)) return true;
    const isRetried = keys.state === retried.keys?.state && retried.names.includes(name);
    return state === 'upgrade-required' && (recordedFailure(annotations) !== undefined || isRetried);
  });
}

/** Jobs of the companion with the condition Failed; those of the CronJob are replaced by its next run. */
async function failedJobs(client: ApiClient, namespace: string): Promise<readonly FailedJob[]> {
  const want = { kind: 'Job', namespace, labels: `${COMPONENT_LABEL}=${COMPANION_COMPONENT}` } as const;
  const { items } = await read(client, [want], {}, (job): FailedJob | undefined => {
    const { name, uid = '', ownerReferences } = job.metadata;
    const conditions = listAt(job, 'status', 'conditions').filter(isObject);
    const isFailed = conditions.some(({ type, status }) => type === 'Failed' && status === 'True');
    return isFailed && ownerReferences === undefined ? { name, uid } : undefined;
  });
  return items;
}

async function deleteJobs(
  { port }: Connection,
  jobs: readonly FailedJob[],
  print: (line: string) => void,
): Promise<RetryEnd['jobs']> {
  const message = 'deleted: every node is done, so the Job completes when GitOps makes it again';
  for (const { name, uid } of jobs) {
    const answer = await port.deleteJob(name, uid);
    if (answer.kind !== 'gone') valueOf(answer);
    print(`Job ${name}: ${message}`);
  }
  return jobs.map(({ name }) => ({ name, deleted: true, message }));
}
