import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/**
 * Options with which bash reads no file but the script. Also with `-c`, bash reads /etc/bash.bashrc and ~/.bashrc where it thinks that ssh
 * started it: `SSH_CLIENT` is set, or standard input is a socket, as it is for a child of Node (bash, `shell.c`,
 * `run_startup_files`). Such a file may end a shell that has `-eu`.
 */
export const NO_STARTUP_FILES = ['--norc', '--noprofile'];

/** Variables that make bash read files, or think that ssh started it. */
const STARTUP_VARIABLES = /^(?:BASH_ENV|ENV|SSH_\w+|SSH2_CLIENT)$/;

/** Runs a script that ends with its first error; returns what it printed, standard output first. */
export async function runBash(
  script: string,
  { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string | undefined>> },
): Promise<{ readonly stdout: string; readonly stderr: string }> {
  const left = Object.fromEntries(Object.entries(env).filter(([name]) => !STARTUP_VARIABLES.test(name)));
  return promisify(execFile)('bash', [...NO_STARTUP_FILES, '-euo', 'pipefail', '-c', script], { cwd, env: left });
}
