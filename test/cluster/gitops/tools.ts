import { execFile } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { LiveObject } from '../bed/api-client.js';
import type { ControlPlane } from '../bed/control-plane.js';
import { binaries } from '../bed/test-bed.js';

/** The engines of Flux and Argo CD: programs around their libraries, in the folders of these names. */
export type Engine = 'flux' | 'argocd';
export const ENGINES: readonly Engine[] = ['flux', 'argocd'];

/** Makes the cluster have `wanted`, and prunes what is in `before` only. Returns the engine's result for each object. */
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

/** The health of an object according to a controller. */
export interface Health {
  /** `<kind> <name>`. */
  readonly object: string;
  /** Argo CD: `Healthy`, `Progressing`, `Degraded`, …; Flux: `Current`, `InProgress`, `Failed`, …. */
  readonly status: string;
  readonly message: string;
}

/**
 * The health of live objects according to a controller.
 *
 * @param settings for Argo CD the script for DaemonSets, empty for none; for Flux the `healthCheckExprs` as JSON
 */
export async function healthBy(
  engine: Engine,
  controlPlane: ControlPlane,
  objects: readonly LiveObject[],
  settings: string,
): Promise<readonly Health[]> {
  const folder = mkdtempSync(join(controlPlane.folder, 'health-'));
  const found = await Promise.all(
    objects.map(async (object) => {
      const live = await controlPlane.client.get(object);
      return live ? [{ ...live, apiVersion: object.apiVersion, kind: object.kind }] : [];
    }),
  );
  const [liveFile, settingsFile] = [join(folder, 'live.json'), join(folder, 'settings')];
  writeFileSync(liveFile, JSON.stringify(found.flat()));
  writeFileSync(settingsFile, settings);
  const { stdout } = await promisify(execFile)(join(binaries()[engine], engine), ['health', liveFile, settingsFile]);
  return JSON.parse(stdout) as readonly Health[];
}
