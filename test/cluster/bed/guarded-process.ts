import { spawn } from 'node:child_process';
import { openSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** A background program that ends with the process that started it. */
export interface GuardedProcess {
  readonly name: string;
  /** Where its standard output and error go. */
  readonly logFile: string;
  isRunning(): boolean;
  /** Asks it to end, and ends it by force after five seconds. */
  stop(): Promise<void>;
  /** Ends it by SIGKILL. */
  kill(): Promise<void>;
}

/**
 * Runs the program and ends it as soon as standard input closes, which the kernel sees to whatever becomes of the process
 * on the other end: a test that throws, Ctrl-C, SIGKILL. The guard has a process group of its own, so that Ctrl-C does not
 * end the API server before the tests that use it.
 */
const GUARD = `
exec 3<&0
"$@" 3<&- </dev/null &
child=$!
{
  last=$(cat <&3)
  [ "$last" = kill ] && kill -KILL $child
  kill -TERM $child
  for i in 1 2 3 4 5 6 7 8 9 10; do kill -0 $child || exit; sleep 0.5; done
  kill -KILL $child
} 2>/dev/null &
watcher=$!
wait $child
code=$?
kill $watcher
exit $code
`;

/** Starts a program that ends with this process. */
export function startGuarded(
  name: string,
  command: string,
  args: readonly string[],
  options: { readonly logFile: string; readonly workingDirectory: string },
): GuardedProcess {
  const log = openSync(options.logFile, 'a');
  const child = spawn('sh', ['-c', GUARD, 'sh', command, ...args], {
    cwd: options.workingDirectory,
    // Go collects garbage when the heap has grown to five times the live objects. It took an eighth of the API server's time.
    env: { ...process.env, GOGC: '400' },
    detached: true,
    stdio: ['pipe', log, log],
  });
  let running = true;
  const ended = new Promise<void>((done) => {
    child.once('exit', () => {
      running = false;
      done();
    });
  });
  // The pipe of a program that ended by itself is broken; `isRunning` is false then.
  child.stdin?.on('error', () => undefined);
  return {
    name,
    logFile: options.logFile,
    isRunning: () => running,
    stop: async () => {
      child.stdin?.end();
      await ended;
    },
    kill: async () => {
      child.stdin?.end('kill');
      await ended;
    },
  };
}

/** Waits until `ask` returns a value; the error has the name of the condition. */
export async function until<T>(
  what: string,
  ask: () => Promise<T | undefined> | T | undefined,
  timeoutSeconds = 180,
): Promise<T> {
  const deadline = Date.now() + timeoutSeconds * 1000;
  let problem: unknown;
  while (Date.now() < deadline) {
    const askedMs = Date.now();
    try {
      const answer = await ask();
      if (answer !== undefined) return answer;
      problem = undefined;
    } catch (error) {
      problem = error;
    }
    // A slow answer means that the servers are busy, so the interval grows.
    await sleep(Math.max(100, Date.now() - askedMs));
  }
  const reason = problem instanceof Error ? `: ${problem.message}` : '';
  throw new Error(`${what}: not within ${timeoutSeconds} seconds${reason}`);
}
