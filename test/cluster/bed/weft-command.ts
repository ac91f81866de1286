import { join } from 'node:path';
import { run } from '../../../src/cli/run.js';
import type { ControlPlane } from './control-plane.js';
import { binaries } from './test-bed.js';

export interface Printed {
  readonly stdout: string;
  readonly stderr: string;
  readonly exit: number;
}

/** Runs `weft` with the kubectl that was built with the control plane. */
export async function weftIn(controlPlane: ControlPlane, ...args: readonly string[]): Promise<Printed> {
  const printed = { stdout: '', stderr: '' };
  const exit = await run(args, {
    stdout: (text) => void (printed.stdout += text),
    stderr: (text) => void (printed.stderr += text),
    readStdin: () => Promise.resolve(''),
    readCompanionProgram: () => '',
    cwd: controlPlane.folder,
    env: { PATH: `${binaries().controlplane}:${process.env['PATH'] ?? ''}`, KUBECONFIG: join(controlPlane.kubeconfig) },
    isStdinTerminal: false,
    isStderrTerminal: false,
  });
  return { ...printed, exit };
}
