import { join } from 'node:path';
import type { Binaries } from './binaries.js';
import { startControlPlane, type ControlPlane, type ControlPlaneOptions } from './control-plane.js';

/** A variable that `run.ts` sets for the tests. */
function setting(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set: start these tests by \`npm run test:cluster\``);
  return value;
}

export function binaries(): Binaries {
  return JSON.parse(setting('WEFT_CLUSTER_BINARIES')) as Binaries;
}

/** The seed of all random choices of a run. */
export function seed(): number {
  return Number(setting('WEFT_SEED'));
}

/** Whether the tests run at full size: `npm run test:cluster -- --full`. */
export function isFull(): boolean {
  return process.env['WEFT_FULL'] !== undefined;
}

/** A folder of this run for one test file. */
export function folderOf(name: string): string {
  return join(setting('WEFT_CLUSTER_FOLDER'), name);
}

/** A control plane for one test file. */
export function startTestBed(
  name: string,
  options: Pick<ControlPlaneOptions, 'hasControllers' | 'nodes'> = {},
): Promise<ControlPlane> {
  return startControlPlane({ ...options, binaries: binaries().controlplane, folder: folderOf(name) });
}
