import { execFile } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { LiveObject } from './api-client.js';
import type { ControlPlane } from './control-plane.js';
import { binaries } from './test-bed.js';

/** The engines of Flux and Argo CD: programs around their libraries, in the folders of these names. */
export type Engine = 'flux' | 'argocd';
export const ENGINES: readonly Engine[] = ['flux', 'argocd'];

/** Makes the cluster have `wanted`, and prunes what is in `before` only. Gives what the engine says of each object. */
export async function syncBy(
  engine: Engine,
  controlPlane: ControlPlane,
  wanted: readonly LiveObject[],
  before: readonly LiveObject[],
): Promise<string> {
  const folder = mkdtempSync(join(controlPlane.folder, 'sync-'));
  const [newFile, oldFile] = [join(folder, 'new.json'), join(folder, 'old.json')];
  writeFileSync(newFile, JSON.stringify(wanted));
  writeFileSync(oldFile, JSON.stringify(before));
  const args = [controlPlane.kubeconfig, newFile, oldFile];
  const { stdout } = await promisify(execFile)(join(binaries()[engine], engine), args);
  return stdout;
}
