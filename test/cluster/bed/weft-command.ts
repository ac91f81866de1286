import { runWeft, type Printed } from '../../kit/run-weft.js';
import type { ControlPlane } from './control-plane.js';
import { binaries } from './test-bed.js';

/** Runs `weft` with the kubectl that was built with the control plane. */
export function weftIn(
  { folder, kubeconfig }: Pick<ControlPlane, 'folder' | 'kubeconfig'>,
  ...args: readonly string[]
): Promise<Printed> {
  return runWeft(args, {
    cwd: folder,
    env: { PATH: `${binaries().controlplane}:${process.env['PATH'] ?? ''}`, KUBECONFIG: kubeconfig },
  });
}
