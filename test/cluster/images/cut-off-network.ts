import { execFile, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startGuarded, until } from '../bed/guarded-process.js';

/** A network with nothing in it but loopback. */
export interface CutOffNetwork {
  /** Put before a command, it runs the command there. */
  readonly enter: readonly string[];
  /** Runs a script there, which ends with its first error. Returns what it printed, standard output first. */
  readonly run: (script: string) => Promise<{ readonly stdout: string; readonly stderr: string }>;
  readonly stop: () => Promise<void>;
}

/** Why there can be no such network here; undefined if there can. */
export function networkObstacle(): string | undefined {
  const { status, stderr, error } = spawnSync('unshare', ['-rnm', 'ip', 'link', 'set', 'lo', 'up'], {
    encoding: 'utf8',
  });
  return status === 0 ? undefined : (error?.message ?? stderr.trim());
}

/** Holds the network open: its names are those of a file, and the file says where each is on loopback. */
const HOLD = `
ip link set lo up
mount --bind hosts /etc/hosts
echo $$ > network.pid
exec sleep infinity
`;

/**
 * @param hosts addresses on loopback by the names that commands use
 * @param env of what runs there
 */
export async function startCutOffNetwork(
  folder: string,
  hosts: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string>>,
): Promise<CutOffNetwork> {
  const lines = Object.entries({ localhost: '127.0.0.1', ...hosts }).map(([name, address]) => `${address} ${name}\n`);
  writeFileSync(join(folder, 'hosts'), lines.join(''));
  const logFile = join(folder, 'network.log');
  const hold = ['-rnm', '--kill-child', 'sh', '-euc', HOLD];
  const process = startGuarded('network', 'unshare', hold, { logFile, workingDirectory: folder });
  const pidFile = join(folder, 'network.pid');
  const pid = await until(
    'the network is there',
    () => (existsSync(pidFile) && readFileSync(pidFile, 'utf8').trim()) || undefined,
    30,
  );
  const enter = ['nsenter', '-t', pid, '-U', '--preserve-credentials', '-n', '-m', `--wd=${folder}`];
  const [command = '', ...args] = enter;
  return {
    enter,
    run: async (script) =>
      promisify(execFile)(command, [...args, 'bash', '--norc', '--noprofile', '-euo', 'pipefail', '-c', script], {
        cwd: folder,
        env,
      }),
    stop: () => process.stop(),
  };
}
