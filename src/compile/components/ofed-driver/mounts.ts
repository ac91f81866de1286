import type { NodePool } from '../../model/config.js';
import type { Volume, VolumeMount } from '../../../shared/kubernetes/types.js';

/** Volumes of the driver's pod, and the mounts of its container. */
export interface Mounts {
  readonly volumes: readonly Volume[];
  readonly volumeMounts: readonly VolumeMount[];
}

/** The directory of CA certificates by OS (network-operator b06827e0, pkg/state/state_ofed.go `CertConfigPathMap`). */
export const CERT_DIRECTORIES: ReadonlyMap<string, string> = new Map([
  ['ubuntu', '/usr/local/share/ca-certificates'],
  ['rhcos', '/etc/pki/ca-trust/extracted/pem'],
  ['rhel', '/etc/pki/ca-trust/extracted/pem'],
  ['sles', '/etc/ssl'],
]);

/** The directory of package repositories by OS (as above, `RepoConfigPathMap`). */
export const REPO_DIRECTORIES: ReadonlyMap<string, string> = new Map([
  ['ubuntu', '/etc/apt/sources.list.d'],
  ['rhcos', '/etc/yum.repos.d'],
  ['rhel', '/etc/yum.repos.d'],
  ['sles', '/etc/zypp/repos.d'],
]);

/** Subscriptions of the host that the container needs for packages (as above, `SubscriptionPathMap`), in mount path order. */
const SUBSCRIPTIONS: ReadonlyMap<string, readonly { mountPath: string; path: string; type: string }[]> = new Map([
  [
    'rhel',
    [
      { mountPath: '/run/secrets/etc-pki-entitlement', path: '/etc/pki/entitlement', type: 'Directory' },
      { mountPath: '/run/secrets/redhat.repo', path: '/etc/yum.repos.d/redhat.repo', type: 'File' },
      { mountPath: '/run/secrets/rhsm', path: '/etc/rhsm', type: 'Directory' },
    ],
  ],
  [
    'sles',
    [
      { mountPath: '/etc/SUSEConnect', path: '/etc/SUSEConnect', type: 'FileOrCreate' },
      { mountPath: '/etc/zypp/credentials.d', path: '/etc/zypp/credentials.d', type: 'Directory' },
    ],
  ],
]);

/** The mounts of the driver container that every pool has, in the operator's order. */
export const HOST_MOUNTS: Mounts = {
  volumeMounts: [
    { name: 'run-mlnx-ofed', mountPath: '/run/mellanox/drivers', mountPropagation: 'Bidirectional' },
    { name: 'etc-network', mountPath: '/etc/network' },
    { name: 'host-etc', mountPath: '/host/etc' },
    { name: 'host-usr', mountPath: '/host/usr' },
    { name: 'host-udev', mountPath: '/host/lib/udev' },
    { name: 'host-run-udev', mountPath: '/run/udev', readOnly: true },
    { name: 'host-lib-modules', mountPath: '/host/lib/modules' },
    { name: 'drivers-inventory', mountPath: '/mnt/drivers-inventory' },
    { name: 'host-ib-core', mountPath: '/etc/modprobe.d/ib_core.conf' },
    { name: 'dev-infiniband', mountPath: '/dev/infiniband' },
  ],
  volumes: [
    { name: 'run-mlnx-ofed', hostPath: { path: '/run/mellanox/drivers' } },
    { name: 'etc-network', hostPath: { path: '/etc/network' } },
    { name: 'host-etc', hostPath: { path: '/etc' } },
    { name: 'host-usr', hostPath: { path: '/usr' } },
    { name: 'host-udev', hostPath: { path: '/lib/udev' } },
    { name: 'host-run-udev', hostPath: { path: '/run/udev' } },
    { name: 'host-lib-modules', hostPath: { path: '/lib/modules' } },
    { name: 'drivers-inventory', hostPath: { path: '/var/opt/mofed-container/inventory', type: 'DirectoryOrCreate' } },
    { name: 'host-ib-core', hostPath: { path: '/etc/modprobe.d/ib_core.conf', type: 'FileOrCreate' } },
    { name: 'dev-infiniband', hostPath: { path: '/dev/infiniband', type: 'DirectoryOrCreate' } },
    { name: 'host-proc', hostPath: { path: '/proc', type: 'Directory' } },
    { name: 'host-sys', hostPath: { path: '/sys', type: 'Directory' } },
  ],
};

/**
 * Each key of a ConfigMap as a file of a directory; with `subPath` the other files of the directory stay. Without keys
 * the operator's volume has no source, which the API server reads as an empty directory.
 */
export function configMapMounts(
  configMap: { readonly name: string; readonly keys: readonly string[] },
  directory: string,
  fileNames: ReadonlyMap<string, string> = new Map(),
): Mounts {
  const files = configMap.keys.map((key) => ({ key, path: fileNames.get(key) ?? key }));
  return {
    volumeMounts: files.map(({ path }) => ({
      name: configMap.name,
      mountPath: `${directory}/${path}`,
      subPath: path,
      readOnly: true,
    })),
    volumes: [{ name: configMap.name, ...(files.length > 0 && { configMap: { name: configMap.name, items: files } }) }],
  };
}

/** The host's package subscription. CRI-O mounts Red Hat's by itself (as above, `handleSubscriptionVolumes`). */
export function subscriptionMounts(pool: NodePool): Mounts {
  const entries =
    pool.osName === 'rhel' && pool.containerRuntime === 'cri-o' ? [] : (SUBSCRIPTIONS.get(pool.osName) ?? []);
  const named = entries.map((entry, index) => ({ ...entry, name: `subscription-config-${index}` }));
  return {
    volumeMounts: named.map(({ name, mountPath }) => ({ name, mountPath, readOnly: true })),
    volumes: named.map(({ name, path, type }) => ({ name, hostPath: { path, type } })),
  };
}

/** All mounts of several sources, in order. */
export function joinMounts(parts: readonly Mounts[]): Mounts {
  return {
    volumes: parts.flatMap(({ volumes }) => volumes),
    volumeMounts: parts.flatMap(({ volumeMounts }) => volumeMounts),
  };
}
