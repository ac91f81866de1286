import { randomBytes } from 'node:crypto';
import { hostname, userInfo } from 'node:os';
import { durationMs } from '../../shared/contract/duration.js';
import { IGNORE_WINDOWS_ANNOTATION } from '../../shared/contract/labels.js';
import { isoSecond } from '../../shared/lib/time.js';
import { runCompanion } from '../../companion/runtime/loop/loop.js';
import type { Signals } from '../../companion/runtime/ports.js';
import { systemClock } from '../../companion/runtime/process/ports.js';
import { EXIT, type ExitCode, type Io } from '../io.js';
import { noPolicy, withCluster, type ClusterOptions, type Connection } from './connect.js';
import { noAnswer, Refusal } from '../../cluster/reader/answers.js';
import { nextActionsText } from './render.js';
import { runOutput } from './run-output.js';
import { setStatusAnnotation } from './manual/status-annotation.js';
import { survey } from './survey.js';

export interface RunOptions extends ClusterOptions {
  readonly dryRun?: boolean;
  /** How long maintenance windows are ignored; true: `NOW_DEFAULT`. */
  readonly now?: string | true;
}

/** How long `--now` ignores windows, where the call does not say it. */
const NOW_DEFAULT = '4h';

/** `weft upgrade run`: does the work of the Job in this process, with the same Lease. */
export function upgradeRun(options: RunOptions, io: Io): Promise<ExitCode> {
  return options.dryRun
    ? withCluster(options, io, (connection) => dryRun(connection, options, io))
    : withCluster(options, io, (connection) => run(connection, options, io), 'upgrades drivers');
}

async function dryRun(connection: Connection, options: RunOptions, io: Io): Promise<ExitCode> {
  const found = await survey(connection, options, ignoredUntil(options));
  io.stdout(nextActionsText(found));
  return found.decision.actions.length > 0 ? EXIT.differences : EXIT.ok;
}

/** When windows hold again, by `--now`; undefined: they are not ignored. */
function ignoredUntil({ now }: RunOptions): string | undefined {
  if (now === undefined) return undefined;
  return isoSecond(Date.now() + durationMs(now === true ? NOW_DEFAULT : now));
}

async function run(connection: Connection, options: RunOptions, io: Io): Promise<ExitCode> {
  const { port, lost } = connection;
  const until = ignoredUntil(options);
  if (until !== undefined) {
    await setStatusAnnotation(connection, IGNORE_WINDOWS_ANNOTATION, () => until);
    io.stdout(`maintenance windows are ignored until ${until}, by every companion of the cluster\n`);
  }
  const signals = stoppable();
  let lostWith: string | undefined;
  io.onStop?.(signals.stop);
  void lost.then((words) => {
    lostWith = words;
    signals.stop();
  });
  const output = runOutput(io);
  const ports = { cluster: port, clock: systemClock, signals, random: Math.random, output };
  const suffix = randomBytes(4).toString('hex');
  const identity = `${userInfo().username}@${hostname()}_${suffix}`;
  const end = await runCompanion(ports, {
    namespace: options.namespace,
    identity,
    mode: 'job',
    runId: `by-hand-${suffix}`,
  });
  output.close();
  const { reason, message, exitCode } = end;
  if (lostWith !== undefined)
    throw new Refusal(noAnswer({ kind: 'retry', message: `\`kubectl proxy\` ended: ${lostWith}` }));
  if (reason === 'bad-policy') throw new Refusal(noPolicy(message, options));
  if (reason === 'forbidden') throw new Refusal(noAnswer({ kind: reason, message }));
  return exitCode;
}

function stoppable(): Signals & { readonly stop: () => void } {
  const callbacks: (() => void)[] = [];
  let isStopRequested = false;
  return {
    get stopRequested() {
      return isStopRequested;
    },
    onStop: (callback) => void callbacks.push(callback),
    stop() {
      isStopRequested = true;
      for (const callback of callbacks.splice(0)) callback();
    },
  };
}
