import type { DriverPolicy, UpgradePolicy } from '../../../contract/upgrade-policy.js';
import type { Diagnostic } from '../../../diagnostics/diagnostic.js';
import { listed } from '../../../lib/listed.js';
import { failureOf } from '../../../upgrade/runtime/kube-port/answer.js';
import type { ApiClient } from '../../../upgrade/runtime/kube-port/api-client.js';
import { readPolicy } from '../../../upgrade/runtime/loop/policy.js';
import type { Answer } from '../../../upgrade/runtime/ports.js';
import { EXIT, type ExitCode, type Io } from '../../io.js';
import { report } from '../../report.js';
import { connect, noAnswer, noPolicy, type ClusterOptions, type Connection } from '../connect.js';

/** Options of every command that changes or explains nodes. */
export interface ManualOptions extends ClusterOptions {
  readonly output?: 'json';
  /** Label prefix of a driver; default: the only one of the policy. */
  readonly driver?: string;
}

/** An error that ends a command with exit code 2. */
export class Refusal extends Error {
  readonly diagnostic: Diagnostic;
  constructor(diagnostic: Diagnostic) {
    super(diagnostic.message);
    this.diagnostic = diagnostic;
  }
}

/** Connects and runs a command; reports an error if it cannot run. */
export async function withCluster(
  options: ClusterOptions,
  io: Io,
  use: (connection: Connection) => Promise<ExitCode>,
): Promise<ExitCode> {
  const connection = await connect(options, io);
  if ('code' in connection) {
    report([connection], 'text', io);
    return EXIT.userError;
  }
  try {
    return await use(connection);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    report([error.diagnostic], 'text', io);
    return EXIT.userError;
  } finally {
    connection.close();
  }
}

export async function currentPolicy({ port }: Connection, options: ClusterOptions): Promise<UpgradePolicy> {
  const read = await readPolicy(port, undefined);
  if (read.kind === 'policy') return read.policy;
  if (read.kind === 'end' && read.end.reason === 'bad-policy') throw new Refusal(noPolicy(read.end.message, options));
  throw new Refusal(noAnswer(read.kind === 'end' ? read.end.message : read.message));
}

/** The driver that a command applies to. */
export function driverOf({ drivers }: UpgradePolicy, { driver }: ManualOptions): DriverPolicy {
  const [only, ...others] =
    driver === undefined ? drivers : drivers.filter(({ labelPrefix }) => labelPrefix === driver);
  if (only !== undefined && others.length === 0) return only;
  const known = drivers.map(({ labelPrefix }) => labelPrefix);
  throw new Refusal({
    code: 'WEFT0441',
    severity: 'error',
    message:
      only === undefined
        ? `the policy in the cluster has ${driver === undefined ? 'no driver' : `no driver \`${driver}\``}`
        : `the policy in the cluster has several drivers: ${listed(known, 10)}`,
    help: known.length === 0 ? 'apply what `weft synth` renders' : `name one with \`--driver\`: ${listed(known, 10)}`,
  });
}

/** The value of a response; an error ends the command. */
export function valueOf<Value>(answer: Answer<Value>): Value {
  if (answer.kind === 'ok') return answer.value;
  throw new Refusal(noAnswer(answer.message));
}

/** Reads an object or a list; undefined if it does not exist. */
export async function readObject(client: ApiClient, path: string): Promise<unknown> {
  const reply = await client.call({ method: 'GET', path });
  if (reply.kind === 'reply' && reply.status === 200) return JSON.parse(reply.body) as unknown;
  const failure = failureOf(reply);
  if (failure.kind === 'gone') return undefined;
  throw new Refusal(noAnswer(failure.message));
}
