import * as z from 'zod';
import { EXIT } from './io.js';
import { run } from './run.js';

// Zod would write and compile a validator for each schema, of which a run uses most once.
z.config({ jitless: true });

const SIGNAL_EXITS = { SIGINT: 130, SIGTERM: 143 } as const;

let isOver = false;

function end(code: number): never {
  isOver = true;
  process.exit(code);
}

// What is held (the lock of an output folder) is let go when the process exits.
for (const [signal, code] of Object.entries(SIGNAL_EXITS)) process.on(signal, () => end(code));

// A reader that has seen enough (`weft synth -o json | head`) closes the pipe: that is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') end(EXIT.ok);
  process.stderr.write(`error: standard output cannot be written: ${error.message}\n`);
  end(EXIT.userError);
});
// Where nobody reads what is said, the work goes on.
process.stderr.on('error', () => undefined);

process.on('exit', () => {
  if (isOver) return;
  process.stderr.write('error: the input waits for something that never comes; nothing written\n');
  process.stderr.write('help: look for an `await` in cluster.ts whose promise nothing resolves\n');
  process.exitCode = EXIT.userError;
});

void run(process.argv.slice(2), {
  stdout: (data) => void process.stdout.write(data),
  stderr: (data) => void process.stderr.write(data),
  readStdin: async () => (await import('node:stream/consumers')).text(process.stdin),
  cwd: process.cwd(),
  env: process.env,
  isStdinTerminal: process.stdin.isTTY,
  isStderrTerminal: process.stderr.isTTY,
}).then((code) => {
  isOver = true;
  process.exitCode = code;
});
