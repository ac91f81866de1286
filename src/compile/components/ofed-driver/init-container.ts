import type { Cluster } from '../../model/config.js';
import type { EnvVar } from '../../model/shapes/pod.js';
import {
  driverKeys,
  INIT_CONFIG_KEY,
  INIT_CONFIG_MAP,
  OFED_INIT_CONTAINER,
  OFED_LABEL_PREFIX,
} from '../../../shared/contract/labels.js';
import type { Container } from '../../../shared/kubernetes/types.js';
import { podField, visible } from '../pod-parts.js';
import type { OfedDriverSpec } from './schema.js';

/** Modules whose dependent modules the init container checks before the driver replaces them. */
const DRIVER_MODULES = [
  'mlx5_core',
  'mlx5_ib',
  'ib_umad',
  'ib_uverbs',
  'ib_ipoib',
  'rdma_cm',
  'rdma_ucm',
  'ib_core',
  'ib_cm',
];

/**
 * The operator's init container: it waits for a safe moment to load the driver and refuses to load it under modules that
 * still use the old one (network-operator b06827e0, manifests/state-ofed-driver/0050_ofed-driver-ds.yaml).
 */
export function initContainer(cluster: Cluster, env: readonly EnvVar[]): Container {
  return {
    name: OFED_INIT_CONTAINER,
    image: cluster.initContainerImage,
    imagePullPolicy: 'IfNotPresent',
    args: [
      '--node-name',
      '$(NODE_NAME)',
      '--configmap-name',
      INIT_CONFIG_MAP,
      '--configmap-namespace',
      cluster.namespace,
      '--configmap-key',
      INIT_CONFIG_KEY,
    ],
    env: visible([podField('NODE_NAME', 'spec.nodeName'), ...env]),
    volumeMounts: [
      { name: 'host-proc', mountPath: '/host/proc', readOnly: true },
      { name: 'host-sys', mountPath: '/host/sys', readOnly: true },
    ],
  };
}

/** True if the policy requires nodes to be drained before their driver is loaded. */
export function usesSafeLoad(spec: OfedDriverSpec): boolean {
  return spec.upgradePolicy?.autoUpgrade === true && spec.upgradePolicy.safeLoad;
}

/** Data of the init container's ConfigMap (as above, 0040_ofed_init_container_config-configmap.yaml). */
export function initConfigData(spec: OfedDriverSpec): Readonly<Record<string, string>> {
  const config = {
    safeDriverLoad: { enable: usesSafeLoad(spec), annotation: driverKeys(OFED_LABEL_PREFIX).safeLoad },
    moduleDependencyCheck: { modules: DRIVER_MODULES, hostProcPath: '/host/proc', hostSysPath: '/host/sys' },
  };
  return { [INIT_CONFIG_KEY]: `${JSON.stringify(config, null, 2)}\n` };
}
