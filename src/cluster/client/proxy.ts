import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { failureOf } from '../../shared/kube-client/answer.js';
import { counted } from '../../shared/lib/listed.js';
import { collect, type Reply } from '../../shared/kube-client/exchange.js';

/** What the requests of a session may do: `dry-run` asks what changes would do, and which rights the user has. */
export type SessionUse = 'read' | 'dry-run' | 'write';

/** The cluster for kubectl, and how to start kubectl. */
export interface KubectlOptions {
  /** The command. Default: `kubectl`. */
  readonly command?: string;
  /** Context of the kubeconfig. Default: the current one. */
  readonly context?: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Default: `read`. */
  readonly use?: SessionUse;
  /** How long to wait for the cluster to answer, with the login. Default: 5 minutes. */
  readonly loginMs?: number;
  /** Output of kubectl and its login plugins. */
  readonly onOutput: (text: string) => void;
}

/** `kubectl proxy` on a unix socket that only this user can reach. */
export interface KubectlProxy {
  readonly socketPath: string;
  /** Resolves with its last output when it ends by itself. */
  readonly ended: Promise<string>;
  readonly stop: () => void;
}

/** Why there is no proxy: kubectl cannot be started, or the cluster does not answer through it. */
export interface KubectlFailure {
  readonly kind: 'not-started' | 'no-answer';
  readonly message: string;
}

/**
 * Starts kubectl, and ends it when file descriptor 3 closes, which the kernel does however this process ends. Login
 * plugins get standard input. Ctrl-C must not reach kubectl, which has to run until the Lease is released.
 */
const GUARD = `
trap '' INT
exec 4<&0
"$@" <&4 3<&- 4<&- &
child=$!
{ cat <&3; kill -TERM $child; } >/dev/null 2>&1 4<&- &
watcher=$!
exec 3<&- 4<&-
wait $child
code=$?
kill $watcher 2>/dev/null
exit $code
`;
/** Exit code of a shell for a command that does not exist or cannot be executed. */
const NOT_FOUND = new Set([126, 127]);
/**
 * Methods that kubectl refuses, as a regular expression of Go: all but GET, and for a dry run all but GET, POST and PATCH. */
const REJECTED_METHODS: Readonly<Record<SessionUse, readonly string[]>> = {
  read: ['--reject-methods=^[^G]'],
  'dry-run': ['--reject-methods=^(?:[^GP]|PU)'],
  write: [],
};
const READY = 'Starting to serve on';
/** A login in a browser takes time; kubectl starts it with the first request. */
const LOGIN_MS = 300_000;
const LAST_OUTPUT_LENGTH = 500;

/** Starts `kubectl proxy` and waits until the cluster answers through it. */
export async function startKubectlProxy(options: KubectlOptions): Promise<KubectlProxy | KubectlFailure> {
  if (process.platform === 'win32') {
    return { kind: 'not-started', message: 'unix sockets and shells are needed, which native Windows does not have' };
  }
  // 0700: every process that connects to the socket has this user's rights in the cluster.
  const folder = mkdtempSync(join(tmpdir(), 'weft-'));
  const socketPath = join(folder, 'api');
  const child = startGuarded(socketPath, options);
  let isStopped = false;
  const stop = (): void => {
    isStopped = true;
    process.removeListener('exit', stop);
    child.stdio[3]?.destroy();
    rmSync(folder, { recursive: true, force: true });
  };
  // The guard ends kubectl in any case; the folder is removed if there is time.
  process.once('exit', stop);
  const { ready, ended } = follow(child, (text) => {
    if (!isStopped) options.onOutput(text);
  });
  const answered = async (): Promise<KubectlFailure | undefined> => {
    const early = await Promise.race([ready, ended]);
    return early === undefined ? firstAnswer(socketPath, ended) : exitFailure(child, early, options.command);
  };
  const failure = await within(options, answered());
  if (failure === undefined) return { socketPath, ended, stop };
  stop();
  return failure;
}

/** The answer, or a failure after the time that a login may take: neither kubectl nor a server has to say anything. */
async function within(
  { command = 'kubectl', loginMs = LOGIN_MS }: KubectlOptions,
  answer: Promise<KubectlFailure | undefined>,
): Promise<KubectlFailure | undefined> {
  const seconds = Math.ceil(loginMs / 1000);
  const message = `\`kubectl proxy\` has no answer of the cluster after ${counted(seconds, 'second')}: see what \`${command} version\` says, and log in with it first if it asks for that`;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<KubectlFailure>((resolve) => {
    timer = setTimeout(() => resolve({ kind: 'no-answer', message }), loginMs);
  });
  const first = await Promise.race([answer, late]);
  clearTimeout(timer);
  return first;
}

function startGuarded(
  socketPath: string,
  { command = 'kubectl', context, env, use = 'read' }: KubectlOptions,
): ChildProcess {
  const args = [
    ...(context === undefined ? [] : [`--context=${context}`]),
    ...['proxy', `--unix-socket=${socketPath}`],
    // The server's URL in a kubeconfig may have a path: Rancher, and proxies in front of several clusters.
    '--append-server-path',
    ...REJECTED_METHODS[use],
  ];
  const stdio = ['inherit', 'pipe', 'pipe', 'pipe'] as const;
  return spawn('sh', ['-c', GUARD, 'sh', command, ...args], { stdio: [...stdio], env: { ...env } });
}

interface Followed {
  readonly ready: Promise<undefined>;
  /** With its last output. */
  readonly ended: Promise<string>;
}

/** kubectl logs each request that fails (`proxy_server.go`), of which the answer tells, too. Login programs write beside it. */
const PROXY_LOG = /^[IWEF]\d{4} .*\bproxy_server\.go:\d+\].*(?:\n|$)/gm;
const withoutProxyLog = (text: string): string => text.replace(PROXY_LOG, '');

function follow(child: ChildProcess, onOutput: (text: string) => void): Followed {
  let output = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    const text = withoutProxyLog(chunk.toString());
    output = (output + text).slice(-LAST_OUTPUT_LENGTH);
    if (text !== '') onOutput(text);
  });
  // A broken pipe has no more information than the end of the process.
  child.stdio[3]?.on('error', () => undefined);
  const ready = new Promise<undefined>((resolve) => {
    let printed = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      printed = (printed + chunk.toString()).slice(-LAST_OUTPUT_LENGTH);
      if (printed.includes(READY)) resolve(undefined);
    });
  });
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    // Not `close`, because descriptor 3 stays open until this process closes it.
    child.stderr?.once('close', () => resolve(output.trim()));
  });
  return { ready, ended };
}

async function exitFailure(child: ChildProcess, output: string, command = 'kubectl'): Promise<KubectlFailure> {
  if (child.exitCode === null && child.pid !== undefined) await once(child, 'exit');
  const isMissing = child.exitCode !== null && NOT_FOUND.has(child.exitCode);
  const message = isMissing ? `there is no command \`${command}\`` : `\`kubectl proxy\` ended: ${output}`;
  return { kind: isMissing ? 'not-started' : 'no-answer', message };
}

/**
 * Requests the server's version, which needs a login but no rights. Undefined if the server answers, else the reason.
 */
async function firstAnswer(socketPath: string, ended: Promise<string>): Promise<KubectlFailure | undefined> {
  const asked = new Promise<string | undefined>((resolve) => {
    const headers = { host: 'localhost' };
    const sent = request({ socketPath, path: '/version', headers }, (response) => {
      collect(response).then(
        (reply) => resolve(loginFailure(reply)),
        (error: unknown) => resolve(String(error)),
      );
    });
    sent.on('error', (error) => resolve(error.message));
    sent.end();
  });
  const message = await Promise.race([asked, ended.then((output) => `\`kubectl proxy\` ended: ${output}`)]);
  return message === undefined ? undefined : { kind: 'no-answer', message };
}

/** A status from 500 on comes from kubectl, with the reason: it cannot reach the server, or the login failed. */
function loginFailure(reply: Reply): string | undefined {
  if (reply.kind === 'reply' && reply.status < 500 && reply.status !== 401) return undefined;
  return `the API server cannot be reached, or refuses the login: ${failureOf(reply).message}`;
}
