import { diagnostic } from '../../shared/diagnostics/codes.js';
import type { Diagnostic } from '../../shared/diagnostics/diagnostic.js';
import type { Session } from '../../cluster/client/session.js';
import { createKubePort } from '../../companion/runtime/kube-port/kube-port.js';
import { readPolicy, type CurrentPolicy } from '../../companion/runtime/loop/policy.js';
import type { ClusterPort } from '../../companion/runtime/ports.js';
import { expectedCluster } from '../cluster/expected.js';
import { noAnswer, Refusal } from '../../cluster/reader/answers.js';
import { withSession, type ClusterChoice } from '../cluster/session.js';
import type { ExitCode, Io } from '../io.js';
import { refused } from '../report.js';

/** Options of every `weft upgrade` command. */
export interface ClusterOptions extends ClusterChoice {
  /** Namespace of the companion. */
  readonly namespace: string;
  /** Folder of the cluster: its Cluster document says which cluster is expected. Default: any cluster is. */
  readonly folder?: string;
}

/** A cluster with a companion. */
export interface Connection extends Session {
  readonly port: ClusterPort;
}

/**
 * Connects, runs a command and closes the connection; reports an error if it cannot run.
 *
 * @param changes what the command changes in the cluster. Default: nothing
 */
export async function withCluster(
  options: ClusterOptions,
  io: Io,
  use: (connection: Connection) => Promise<ExitCode>,
  changes?: string,
): Promise<ExitCode> {
  const expected = options.folder === undefined ? undefined : await expectedCluster(options.folder, options, io);
  if (expected !== undefined && !('name' in expected)) return refused(expected, 'text', io);
  const end = await withSession({ ...options, expected, changes }, io, (session) =>
    use({ ...session, port: createKubePort(session.client, options.namespace) }),
  );
  return typeof end === 'number' ? end : refused([end], 'text', io);
}

/** The policy in the cluster; an error ends the command. */
export async function currentPolicy({ port }: Connection, options: ClusterOptions): Promise<CurrentPolicy> {
  const read = await readPolicy(port, undefined);
  if (read.kind === 'policy') return read;
  if (read.kind === 'retry') throw new Refusal(noAnswer(read));
  const { reason, message } = read.end;
  throw new Refusal(reason === 'bad-policy' ? noPolicy(message, options) : noAnswer({ kind: 'forbidden', message }));
}

/** The policy is missing or cannot be read. */
export function noPolicy(message: string, { namespace }: ClusterOptions): Diagnostic {
  const help =
    `is the companion applied? Its namespace is taken to be \`${namespace}\`; name another one with \`--namespace\`, ` +
    'another cluster with `--context`';
  return diagnostic('WEFT0392', { message, help });
}
