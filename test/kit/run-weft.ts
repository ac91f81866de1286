import { join } from 'node:path';
import type { Io } from '../../src/cli/io.js';
import { run } from '../../src/cli/run.js';

/** What a command prints, and its exit code. */
export interface Printed {
  readonly stdout: string;
  readonly stderr: string;
  readonly exit: number;
}

/** Runs `weft` in this process and in the folder `cwd`. By default it has no environment, no terminal and no standard input. */
export async function runWeft(args: readonly string[], io: Partial<Io> & Pick<Io, 'cwd'>): Promise<Printed> {
  const printed = { stdout: '', stderr: '' };
  const exit = await run(args, {
    stdout: (text) => void (printed.stdout += text),
    stderr: (text) => void (printed.stderr += text),
    readStdin: () => Promise.resolve(''),
    env: {},
    readCompanionProgram: () => 'the program of the companion\n',
    isStdinTerminal: false,
    isStderrTerminal: false,
    ...io,
  });
  return { ...printed, exit };
}

/** An environment whose kubectl serves the objects of a file, by their paths: `test/kube-server/bin`. */
export function withCluster(file?: string): Io['env'] {
  const path = `${join(__dirname, '../kube-server/bin')}:${process.env['PATH'] ?? ''}`;
  return { PATH: path, NO_COLOR: '1', ...(file !== undefined && { FAKE_CLUSTER: file }) };
}
