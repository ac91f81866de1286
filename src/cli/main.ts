import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { bugReport } from './bug-report.js';
import { EXIT, type ExitCode } from './io.js';
import { run } from './run.js';

export { run };

// Zod would write and compile a validator for each schema, of which a run uses most once.
z.config({ jitless: true });

const SIGNAL_EXITS = { SIGINT: 130, SIGTERM: 143 } as const;

/** What a command wants done at the first signal, in place of the end. */
let stopCommand: (() => void) | undefined;

/** Says how the process ends where the command does not end it. */
function watchProcess(): void {
  // The lock of an output folder is released when the process exits.
  for (const [signal, code] of Object.entries(SIGNAL_EXITS)) {
    process.on(signal, () => {
      const stop = stopCommand ?? (() => process.exit(code));
      stopCommand = undefined;
      stop();
    });
  }
  watchOutput();
  const fail = (error: unknown): never => {
    process.stderr.write(bugReport(error));
    process.exit(EXIT.bug);
  };
  process.on('uncaughtException', fail).on('unhandledRejection', fail);
}

/**
 * A reader that has seen enough (`weft synth -o json | head`) closes the pipe. That is no error, and no answer either: the
 * command goes on, because its exit code says whether there are differences.
 */
const hasSeenEnough = ({ code }: NodeJS.ErrnoException): boolean => code === 'EPIPE';

function watchOutput(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (hasSeenEnough(error)) return;
    process.stderr.write(`error: standard output cannot be written: ${error.message}\n`);
    process.exit(EXIT.userError);
  });
  // The command continues when standard error is closed.
  process.stderr.on('error', () => undefined);
}

/** Absent where the folder was removed. */
function workingDirectory(): string | undefined {
  try {
    return process.cwd();
  } catch {
    return undefined;
  }
}

async function readStdin(charactersMax: number): Promise<string | undefined> {
  process.stdin.setEncoding('utf8');
  let text = '';
  for await (const chunk of process.stdin as AsyncIterable<string>) {
    text += chunk;
    if (text.length > charactersMax) return undefined;
  }
  return text;
}

async function ask(question: string): Promise<string> {
  const { createInterface } = await import('node:readline/promises');
  const line = createInterface({ input: process.stdin, output: process.stderr });
  // Ctrl-D ends the input without a line, and Ctrl-C ends the process.
  const ended = new Promise<string>((resolve) => line.once('close', () => resolve('')));
  line.once('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  const answer = await Promise.race([line.question(question), ended]);
  line.close();
  return answer;
}

/** Version of the program; the build fills it in from package.json. */
declare const WEFT_VERSION: string | undefined;

function start(cwd: string | undefined): Promise<ExitCode> {
  if (cwd === undefined) {
    process.stderr.write('error: the working directory is gone\nhelp: go to a folder that is there\n');
    return Promise.resolve(EXIT.userError);
  }
  return run(process.argv.slice(2), {
    stdout: (data) => void process.stdout.write(data),
    stderr: (data) => void process.stderr.write(data),
    readStdin,
    cwd,
    env: process.env,
    ...(typeof WEFT_VERSION === 'string' && { version: WEFT_VERSION }),
    // The build writes it beside the bundle.
    readCompanionProgram: () => readFileSync(join(__dirname, 'companion.cjs'), 'utf8'),
    // Standard input is a third of what Node loads for a run, most of which never look at it.
    get isStdinTerminal() {
      return process.stdin.isTTY;
    },
    isStderrTerminal: process.stderr.isTTY,
    isStdoutTerminal: process.stdout.isTTY,
    ask,
    onStop: (callback) => void (stopCommand = callback),
  });
}

/** Ends the process when its output is written, even if a timer or a connection is left that would keep it alive. */
function exitWhenWritten(code: ExitCode): void {
  // An error of a stream is emitted after its callback.
  const exit = (): void => void setImmediate(() => process.exit(code));
  process.stdout.write('', () => process.stderr.write('', exit));
}

/** Runs the command that the process was started for. */
export function main(): void {
  watchProcess();
  void start(workingDirectory()).then(exitWhenWritten);
}
