import { diagnostic } from '../../shared/diagnostics/codes.js';
import type { Diagnostic } from '../../shared/diagnostics/diagnostic.js';
import { escapeLine } from '../../shared/lib/escape.js';
import type { KubectlOptions, SessionUse } from '../../cluster/client/proxy.js';
import { openSession, type Session } from '../../cluster/client/session.js';
import { kubectlTarget } from '../../cluster/client/target.js';
import { noAnswer, Refusal } from '../../cluster/reader/answers.js';
import { read } from '../../cluster/reader/read.js';
import type { Io } from '../io.js';
import type { ProgramOptions } from '../programs.js';
import { anotherCluster, contextOf, type ExpectedCluster } from './expected.js';

/** Which cluster a command reaches. */
export interface ClusterChoice extends ProgramOptions {
  /** Context of the kubeconfig. Default: the current one. */
  readonly context?: string;
  /** The command. Default: `kubectl`. */
  readonly kubectl?: string;
  /** Format of the command's output. Default: text. */
  readonly format?: string;
  /** The cluster that the documents name. Another one is an error. Default: any. */
  readonly expected?: ExpectedCluster | undefined;
  /** What the command changes, such as `upgrades drivers`: it says to which cluster, and asks on a terminal. Default: nothing. */
  readonly changes?: string | undefined;
  /** Whether a command that changes nothing asks what changes would do, or which rights the user has. Default: it only reads. */
  readonly dryRuns?: boolean;
  /** `--yes`: do not ask. */
  readonly yes?: boolean;
}

/**
 * Connects, uses the cluster and closes the session. Returns a diagnostic if the cluster cannot be reached or refuses, is not the
 * expected one, or may not be changed.
 */
export async function withSession<Value>(
  choice: ClusterChoice,
  io: Io,
  use: (session: Session) => Promise<Value>,
): Promise<Value | Diagnostic> {
  const { kubectl, format = 'text', expected } = choice;
  const context = contextOf(choice.context, expected);
  if (typeof context === 'object') return context;
  // In a format for programs standard error must be one document, so the output of kubectl is dropped.
  const onOutput = format === 'text' || format === 'markdown' ? io.stderr : () => undefined;
  const options: KubectlOptions = {
    env: io.env,
    onOutput,
    use: useOf(choice),
    ...(kubectl !== undefined && { command: kubectl }),
    ...(context !== undefined && { context }),
  };
  const session = await openSession(options);
  if ('kind' in session) {
    return session.kind === 'not-started'
      ? diagnostic('WEFT0390', {
          message: session.message,
          help: 'install kubectl, or name it with `--kubectl`; on Windows use WSL',
        })
      : noAnswer({ kind: 'retry', message: session.message });
  }
  try {
    await checkExpected(session, expected);
    await confirmChanges(choice, options, io);
    return await use(session);
  } catch (error) {
    if (error instanceof Refusal) return error.diagnostic;
    throw error;
  } finally {
    session.close();
  }
}

function useOf({ changes, dryRuns = false }: ClusterChoice): SessionUse {
  if (changes !== undefined) return 'write';
  return dryRuns ? 'dry-run' : 'read';
}

/** Refuses a cluster with another UID than the expected one. */
async function checkExpected({ client }: Session, expected: ExpectedCluster | undefined): Promise<void> {
  if (expected?.clusterUID === undefined) return;
  const help = 'reading the namespace kube-system shows whether this is the cluster of the documents';
  const { items } = await read(client, [{ kind: 'Namespace', name: 'kube-system' }], { help });
  const found = items[0]?.metadata.uid ?? '';
  if (found !== expected.clusterUID) throw new Refusal(anotherCluster(expected, found));
}

/** Says which cluster is about to be changed, and asks on a terminal. */
async function confirmChanges(choice: ClusterChoice, options: KubectlOptions, io: Io): Promise<void> {
  const { changes, yes = false, expected } = choice;
  if (changes === undefined) return;
  const target = await kubectlTarget(options);
  const where =
    target === undefined ? 'the cluster that kubectl reaches' : `context ${target.context}, ${target.server}`;
  const named = expected === undefined ? '' : ` (Cluster ${expected.name})`;
  io.stderr(escapeLine(`this ${changes}: ${where}${named}`) + '\n');
  if (yes || io.ask === undefined || !io.isStdinTerminal || !io.isStderrTerminal) return;
  const answer = await io.ask('go on? [y/N] ');
  if (/^y(?:es)?$/i.test(answer.trim())) return;
  throw new Refusal(
    diagnostic('WEFT0394', {
      message: 'the answer is not `y`, so nothing was changed',
      help: '`--yes` answers for you',
    }),
  );
}
