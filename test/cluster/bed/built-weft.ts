import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { ControlPlane } from './control-plane.js';
import { binaries } from './test-bed.js';
import type { Printed } from '../../kit/run-weft.js';

/** A run of the built command, as a process of its own. */
export interface WeftRun {
  readonly ended: Promise<Printed>;
  /** Its output so far. */
  readonly text: () => string;
}

/**
 * Runs the command that `putCommand` put into the folder of a control plane.
 *
 * @param killAt the process is killed with SIGKILL as soon as it has printed this; its exit is 137 then
 */
export function runBuiltWeft(controlPlane: ControlPlane, args: readonly string[], killAt?: string): WeftRun {
  const { folder, kubeconfig } = controlPlane;
  const env = { PATH: `${binaries().controlplane}:${process.env['PATH'] ?? ''}`, KUBECONFIG: kubeconfig, HOME: folder };
  const child = spawn(process.execPath, [join(folder, 'bin/weft.cjs'), ...args], { cwd: folder, env });
  const printed = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => {
    printed.stdout += chunk.toString();
    if (killAt !== undefined && printed.stdout.includes(killAt)) child.kill('SIGKILL');
  });
  child.stderr.on('data', (chunk: Buffer) => {
    printed.stderr += chunk.toString();
  });
  const ended = new Promise<Printed>((done) => {
    child.once('close', (code) => done({ ...printed, exit: code ?? 137 }));
  });
  return { ended, text: () => printed.stdout + printed.stderr };
}
