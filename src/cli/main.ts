import { text } from 'node:stream/consumers';
import { run } from './run.js';

// A reader that has seen enough (`weft synth -o json | head`) closes the pipe: that is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

void run(process.argv.slice(2), {
  stdout: (data) => void process.stdout.write(data),
  stderr: (data) => void process.stderr.write(data),
  readStdin: () => text(process.stdin),
  cwd: process.cwd(),
  env: process.env,
  isStdinTerminal: process.stdin.isTTY,
  isStderrTerminal: process.stderr.isTTY,
  isStdoutTerminal: process.stdout.isTTY,
}).then((code) => {
  process.exitCode = code;
});
