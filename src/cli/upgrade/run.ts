import { randomBytes } from 'node:crypto';
import { hostname, userInfo } from 'node:os';
import { runCompanion } from '../../upgrade/runtime/loop/loop.js';
import type { Signals } from '../../upgrade/runtime/ports.js';
import { systemClock } from '../../upgrade/runtime/process/ports.js';
import { EXIT, type ExitCode, type Io } from '../io.js';
import { report } from '../report.js';
import { connect, noAnswer, noPolicy, type ClusterOptions, type Connection } from './connect.js';
import { nextActionsText } from './render.js';
import { runOutput } from './run-output.js';
import { survey } from './survey.js';

export interface RunOptions extends ClusterOptions {
  readonly dryRun?: boolean;
}

/** `weft upgrade run`: does the work of the Job in this process, with the same Lease. */
export async function upgradeRun(options: RunOptions, io: Io): Promise<ExitCode> {
  const connection = await connect(options, io);
  if ('code' in connection) {
    report([connection], 'text', io);
    return EXIT.userError;
  }
  try {
    return await (options.dryRun ? dryRun(connection, options, io) : run(connection, options, io));
  } finally {
    connection.close();
  }
}

async function dryRun({ port }: Connection, options: RunOptions, io: Io): Promise<ExitCode> {
  const found = await survey(port, options.namespace);
  if (!('decision' in found)) {
    report([found.kind === 'no-policy' ? noPolicy(found.message, options) : noAnswer(found.message)], 'text', io);
    return EXIT.userError;
  }
  io.stdout(nextActionsText(found));
  return found.decision.actions.length > 0 ? EXIT.differences : EXIT.ok;
}

async function run({ port, lost }: Connection, { namespace }: RunOptions, io: Io): Promise<ExitCode> {
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
  const end = await runCompanion(ports, { namespace, identity, mode: 'job', runId: `by-hand-${suffix}` });
  output.close();
  if (end.reason === 'bad-policy') report([noPolicy(end.message, { namespace, kubectl: '' })], 'text', io);
  else if (end.reason === 'forbidden') report([noAnswer(end.message)], 'text', io);
  if (lostWith === undefined) return end.exitCode;
  report([noAnswer(`\`kubectl proxy\` ended: ${lostWith}`)], 'text', io);
  return EXIT.userError;
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
