import { driverKeys, PAUSED_ANNOTATION } from '../../../shared/contract/labels.js';
import { escapeLine } from '../../../shared/lib/escape.js';
import { listed } from '../../../shared/lib/listed.js';
import { IN_PROGRESS } from '../../../companion/model/node-states.js';
import type { StatusObject } from '../../../companion/runtime/ports.js';
import { EXIT, type ExitCode, type Io } from '../../io.js';
import { jsonText } from '../../json-text.js';
import { currentPolicy, withCluster, type Connection } from '../connect.js';
import { noAnswer, Refusal, valueOf } from '../../../cluster/reader/answers.js';
import type { ManualOptions } from './driver.js';
import { whoActs } from './who-acts.js';

const ATTEMPTS = 5;

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
async function writePaused({ port }: Connection, isPaused: boolean): Promise<boolean> {
  for (let attempt = 1; ; attempt++) {
    const status = await readOrCreate(port, isPaused);
    if (status === undefined) return false;
    const { [PAUSED_ANNOTATION]: before = 'false', ...others } = status.annotations;
    if ((before !== 'false') === isPaused) return false;
    const annotations = isPaused ? { ...others, [PAUSED_ANNOTATION]: 'true' } : others;
    const answer = await port.updateStatus({ ...status, annotations });
    if (answer.kind === 'ok') return true;
    // A running companion writes its status there.
    if (answer.kind !== 'conflict' || attempt === ATTEMPTS) throw new Refusal(noAnswer(answer));
  }
}

/** The companion creates the ConfigMap; a pause before its first run creates it too. */
async function readOrCreate(port: Connection['port'], isPaused: boolean): Promise<StatusObject | undefined> {
  const answer = await port.readStatus();
  if (answer.kind !== 'gone') return valueOf(answer);
  return isPaused ? valueOf(await port.createStatus({})) : undefined;
}
