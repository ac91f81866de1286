import { afterAll, expect, it } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../bed/guarded-process.js';
import { folderOf } from '../bed/test-bed.js';

/** The text of a file of a process; empty if the process is gone. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function workingDirectory(pid: string): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return '';
  }
}

/** Processes that work in a folder, have its path as an argument, or have a mount of it: their names. */
function processesOf(folder: string): readonly string[] {
  return readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid))
    .filter((pid) =>
      [read(`/proc/${pid}/cmdline`), read(`/proc/${pid}/mountinfo`), workingDirectory(pid)].some((text) =>
        text.includes(folder),
      ),
    )
    .map((pid) => read(`/proc/${pid}/comm`).trim());
}

let child: ChildProcess | undefined;
afterAll(() => void child?.kill('SIGKILL'));

it('nothing of a node is left when the process of the tests is killed', async () => {
  const folder = folderOf('killed');
  mkdirSync(folder, { recursive: true });
  const env = { ...process.env, WEFT_CLUSTER_FOLDER: folder };
  const holder = spawn(process.execPath, ['--import', 'tsx', 'test/cluster/node-bed/hold.ts'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  child = holder;
  await new Promise((ready, failed) => {
    holder.stdout.once('data', ready);
    holder.once('exit', (code) => failed(new Error(`it ended with ${code}`)));
  });
  const machine = join(folder, 'held/real-1');
  const group = /weft-node-\d+/.exec(read(`/proc/${read(join(machine, 'unshared.pid')).trim()}/cgroup`))?.[0] ?? '';
  const groups = read(join(machine, 'hierarchies'))
    .trim()
    .split('\n')
    .map((line) => join(line.split(' ')[0] ?? '', group));
  expect(groups.filter((path) => existsSync(path))).toEqual(groups);
  // As the kernel cuts their names.
  const programs = ['kube-apiserver', 'containerd', 'containerd-shim', 'kubelet', 'sleep'];
  expect(processesOf(folder)).toEqual(expect.arrayContaining(programs));

  holder.kill('SIGKILL');
  await until('no process is left', () => {
    const left = processesOf(folder);
    if (left.length > 0) throw new Error(left.join('\n'));
    return true;
  });
  expect(groups.filter((path) => existsSync(path))).toEqual([]);
  expect(read('/proc/self/mountinfo')).not.toContain(folder);
});
