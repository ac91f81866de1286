import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { run } from '../../src/cli/run.js';

/** A `weft synth -o json` that this process answers, for a caller that starts a program for each of many folders. */
export interface Resident {
  /** The program and its first arguments; the folder comes behind them. */
  readonly command: readonly string[];
  readonly stop: () => Promise<void>;
}

/** Asks for the folder $2 at the port $1, and gives what it gets as a program does: bash starts in a tenth of Node's time. */
const CLIENT = `
  exec 3<>"/dev/tcp/127.0.0.1/$1"
  printf '%s\\n' "$2" >&3
  read -r exit answer <&3
  cat "$answer.stdout"
  cat "$answer.stderr" >&2
  exit "$exit"
`;

/** Starts it; answers are kept in `folder`, which is the caller's to remove. */
export async function startResident(folder: string): Promise<Resident> {
  const answer = join(folder, 'answer');
  let answers = 0;
  // One after the other, as whoever starts a process for each has them.
  let last: Promise<unknown> = Promise.resolve();
  const server = createServer((socket) => {
    createInterface(socket).once('line', (path) => {
      last = last.then(() => reply(socket, path, `${answer}-${(answers += 1)}`));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    command: ['bash', '-c', CLIENT, 'weft', String(port)],
    stop: async () => {
      server.close();
      await once(server, 'close');
    },
  };
}

async function reply(socket: Socket, path: string, answer: string): Promise<void> {
  const printed = { stdout: '', stderr: '' };
  const exit = await run(['synth', '-o', 'json', path], {
    stdout: (text) => (printed.stdout += text),
    stderr: (text) => (printed.stderr += text),
    readStdin: () => Promise.resolve(''),
    cwd: process.cwd(),
    env: {},
    isStdinTerminal: false,
    isStderrTerminal: false,
  });
  writeFileSync(`${answer}.stdout`, printed.stdout);
  writeFileSync(`${answer}.stderr`, printed.stderr);
  socket.end(`${exit} ${answer}\n`);
}
