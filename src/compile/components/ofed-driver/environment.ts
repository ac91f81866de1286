import type { Cluster } from '../../model/config.js';
import type { EnvVar } from '../../model/shapes/pod.js';
import { environment } from '../pod-parts.js';
import type { OfedDriverSpec } from './schema.js';

/**
 * The environment of the driver's containers: from the policy, from the cluster-wide proxy if the policy does not set
 * it, and defaults (network-operator b06827e0, pkg/state/state_ofed.go `setEnvFromClusterWideProxy`,
 * `mergeWithDefaultEnvs`).
 */
export function driverEnvironment(spec: OfedDriverSpec, cluster: Cluster): readonly EnvVar[] {
  const own = spec.env ?? [];
  const isSet = (name: string) => own.some((variable) => variable.name === name);
  const defaults = [
    { name: 'CREATE_IFNAMES_UDEV', value: 'true' },
    { name: 'NVIDIA_NIC_DRIVERS_INVENTORY_PATH', value: '/mnt/drivers-inventory' },
  ].filter(({ name }) => !isSet(name));
  return [...environment(own), ...(cluster.isOpenshift ? proxyEnvironment(cluster, isSet) : []), ...defaults];
}

function proxyEnvironment(cluster: Cluster, isSet: (name: string) => boolean): readonly EnvVar[] {
  const { httpsProxy, httpProxy, noProxy } = cluster.spec.openshift.proxy;
  const settings: readonly (readonly [string, string])[] = [
    ['HTTPS_PROXY', httpsProxy],
    ['HTTP_PROXY', httpProxy],
    ['NO_PROXY', noProxy],
  ];
  return settings
    .filter(([name, value]) => value !== '' && !isSet(name) && !isSet(name.toLowerCase()))
    .flatMap(([name, value]) => [
      { name, value },
      { name: name.toLowerCase(), value },
    ]);
}
