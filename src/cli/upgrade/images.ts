import type { DriverPolicy, UpgradePolicy } from '../../shared/contract/upgrade-policy.js';
import { isObject, listAt, valueAt } from '../../shared/lib/json.js';
import type { ApiClient } from '../../shared/kube-client/api-client.js';
import { listAll } from '../../shared/kube-client/list.js';
import { SHAPES } from '../../shared/kubernetes/shapes/kinds.js';
import { collectionPath } from '../../shared/kube-client/paths.js';
import { textBefore } from '../../shared/lib/text.js';

/** Versions of drivers for display. The companion compares install digests instead. */
export interface DriverVersions {
  /** The image tag of a pod, by `namespace/name`. */
  readonly ofPod: ReadonlyMap<string, string>;
  /** The image tag in the template of a DaemonSet, by `namespace/name`. */
  readonly ofDaemonSet: ReadonlyMap<string, string>;
}

/** Reads the image tags of driver pods and DaemonSets; empty if they cannot be read. */
export async function driverVersions(client: ApiClient, { drivers }: UpgradePolicy): Promise<DriverVersions> {
  const ofPod = new Map<string, string>();
  const ofDaemonSet = new Map<string, string>();
  for (const driver of drivers) {
    await readInto(client, collectionPath(SHAPES.Pod, driver.namespace), driver, ['spec'], ofPod);
    const template = ['spec', 'template', 'spec'];
    await readInto(client, collectionPath(SHAPES.DaemonSet, driver.namespace), driver, template, ofDaemonSet);
  }
  return { ofPod, ofDaemonSet };
}

async function readInto(
  client: ApiClient,
  path: string,
  { containerName }: DriverPolicy,
  podSpec: readonly string[],
  versions: Map<string, string>,
): Promise<void> {
  await listAll(client, path, (object) => {
    const containers = listAt(object, ...podSpec, 'containers').filter(isObject);
    const image = containers.find(({ name }) => name === containerName)?.['image'];
    const key = ['namespace', 'name'].map((field) => String(valueAt(object, ['metadata', field]))).join('/');
    if (typeof image === 'string') versions.set(key, versionOf(image));
  });
}

/**
 * The tag of an image without its operating system: `25.10-1.2.8.0-2` of
 * `…/doca-driver:25.10-1.2.8.0-2-ubuntu24.04-amd64`.
 */
export function versionOf(image: string): string {
  const [, tag = image] = /:([^:/]+)$/.exec(textBefore(image, '@')) ?? [];
  return tag.replace(/-[a-z]+[\d.]+(?:-[a-z\d]+)?-(?:amd64|arm64)$/, '').replace(/-[a-z]+[\d.]+-(?:amd64|arm64)$/, '');
}
