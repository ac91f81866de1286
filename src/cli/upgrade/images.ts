import { podDriversOf, type UpgradePolicy } from '../../shared/contract/upgrade-policy.js';
import { isObject, listAt } from '../../shared/lib/json.js';
import type { ApiClient } from '../../shared/kube-client/api-client.js';
import { namespacedName } from '../../shared/kubernetes/identity.js';
import { read, type Want } from '../../cluster/reader/read.js';
import { textBefore } from '../../shared/lib/text.js';

/** Versions of drivers for display. The companion compares install digests instead. */
export interface DriverVersions {
  /** The image tag of a pod, by `namespace/name`. */
  readonly ofPod: ReadonlyMap<string, string>;
  /** The image tag in the template of a DaemonSet, by `namespace/name`. */
  readonly ofDaemonSet: ReadonlyMap<string, string>;
}

/** Reads the image tags of driver pods and DaemonSets; empty if they cannot be read. */
export async function driverVersions(client: ApiClient, policy: UpgradePolicy): Promise<DriverVersions> {
  const ofPod = new Map<string, string>();
  const ofDaemonSet = new Map<string, string>();
  for (const { namespace, containerName } of podDriversOf(policy)) {
    await readInto(client, { kind: 'Pod', namespace }, containerName, ['spec'], ofPod);
    await readInto(client, { kind: 'DaemonSet', namespace }, containerName, ['spec', 'template', 'spec'], ofDaemonSet);
  }
  return { ofPod, ofDaemonSet };
}

async function readInto(
  client: ApiClient,
  want: Want,
  containerName: string,
  podSpec: readonly string[],
  versions: Map<string, string>,
): Promise<void> {
  await read(client, [want], { without: ['forbidden', 'unavailable'] }, (object) => {
    const containers = listAt(object, ...podSpec, 'containers').filter(isObject);
    const image = containers.find(({ name }) => name === containerName)?.['image'];
    if (typeof image === 'string') versions.set(namespacedName(object), versionOf(image));
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
