import { driverKeys, PAUSED_ANNOTATION } from '../../../shared/contract/labels.js';
import { escapeLine } from '../../../shared/lib/escape.js';
import { listed } from '../../../shared/lib/listed.js';
import { IN_PROGRESS } from '../../../companion/model/node-states.js';
import { EXIT, type ExitCode, type Io } from '../../io.js';
import { jsonText } from '../../json-text.js';
import { currentPolicy, withCluster, type Connection } from '../connect.js';
import { valueOf } from '../../../cluster/reader/answers.js';
import type { ManualOptions } from './driver.js';
import { setStatusAnnotation } from './status-annotation.js';
import { whoActs } from './who-acts.js';

/** `weft upgrade pause` and `weft upgrade resume`: the annotation of the status ConfigMap, which the companion reads. */
export async function setPaused(isPaused: boolean, options: ManualOptions, io: Io): Promise<ExitCode> {
  return withCluster(
    options,
    io,
    async (connection) => {
      const { policy } = await currentPolicy(connection, options);
      const changed = await writePaused(connection, isPaused);
      const { items } = valueOf(await connection.port.list('nodes'));
      const states = policy.drivers.map(({ labelPrefix }) => driverKeys(labelPrefix).state);
      const inProgress = items
        .filter(({ labels }) => states.some((key) => IN_PROGRESS.has(labels[key] ?? '')))
        .map(({ name }) => name);
      const acts = await whoActs(connection, options.namespace, Date.now());
      const did = isPaused
        ? `${changed ? 'paused' : 'it is paused already'}: no node begins until \`weft upgrade resume\``
        : changed
          ? 'resumed'
          : 'it was not paused';
      const next = nextOf(isPaused, policy.paused, inProgress);
      const document = { command: isPaused ? 'pause' : 'resume', changed, inProgress, did, next, acts };
      if (options.output === 'json') io.stdout(jsonText(document));
      else io.stdout([did, `  next: ${next}`, acts.message].map((line) => `${escapeLine(line)}\n`).join(''));
      return !isPaused && policy.paused ? EXIT.differences : EXIT.ok;
    },
    isPaused ? 'pauses upgrades' : 'resumes upgrades',
  );
}

function nextOf(isPaused: boolean, isPausedByPolicy: boolean, inProgress: readonly string[]): string {
  if (!isPaused && isPausedByPolicy) {
    return 'no node begins: the policy says `upgrade: {paused: true}`; change the Cluster document';
  }
  if (!isPaused) return 'nodes begin as the budgets and windows of the policy allow it';
  if (inProgress.length === 0) return 'no node is in progress';
  return `nodes that have begun are finished: ${listed(inProgress, 10)}`;
}

/** True if the annotation had to be changed. */
function writePaused(connection: Connection, isPaused: boolean): Promise<boolean> {
  return setStatusAnnotation(connection, PAUSED_ANNOTATION, (before) => {
    if ((before ?? 'false') !== 'false') return isPaused ? before : undefined;
    return isPaused ? 'true' : before;
  });
}
