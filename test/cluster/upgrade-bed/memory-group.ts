import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseQuantity } from '../../../src/shared/kubernetes/quantity.js';
import { report } from '../bed/report.js';

/**
 * The memory cgroup of a container, as a kubelet makes it from `resources.limits.memory`. It does not only end a container
 * that takes too much: V8 also sizes its heap by it, so without it a program takes twice as much as in a cluster.
 */
export interface MemoryGroup {
  /** A process belongs to the group once it has written its id there. */
  readonly processes: string;
  remove(): void;
}

const ROOT = '/sys/fs/cgroup';
const NANO = 1_000_000_000n;
let count = 0;
let isTold = false;

/** Creates a group with a limit such as `512Mi`. Undefined, with a printed line, if this user may not create groups. */
export function createMemoryGroup(limit: string): MemoryGroup | undefined {
  const { parent, file } = hierarchy();
  const folder = join(parent, `weft-test-${process.pid}-${++count}`);
  const bytes = (parseQuantity(limit)?.nano ?? 0n) / NANO;
  try {
    mkdirSync(folder);
    writeFileSync(join(folder, file), String(bytes));
    return { processes: join(folder, 'cgroup.procs'), remove: () => removeGroup(folder) };
  } catch (error) {
    removeGroup(folder);
    if (!isTold) report(`SKIPPED: containers run without memory limits, their memory is not checked: ${String(error)}`);
    isTold = true;
    return undefined;
  }
}

/** The folder of groups, and the name of the file with the limit, for versions 1 and 2 of cgroups. */
function hierarchy(): { readonly parent: string; readonly file: string } {
  if (existsSync(join(ROOT, 'cgroup.controllers'))) return { parent: ROOT, file: 'memory.max' };
  const [, own = '/'] = /^\d+:memory:(.*)$/m.exec(readFileSync('/proc/self/cgroup', 'utf8')) ?? [];
  const parent = join(ROOT, 'memory', own);
  return { parent: existsSync(parent) ? parent : join(ROOT, 'memory'), file: 'memory.limit_in_bytes' };
}

/** A group whose last process is just ending stays, which does no harm. */
function removeGroup(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    return;
  }
}
