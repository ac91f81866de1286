import {
  NETWORK_OPERATOR_POD_SELECTOR,
  OFED_DRIVER_CONTAINER,
  OFED_DRIVER_LABEL,
  OFED_LABEL_PREFIX,
} from '../../contract/labels.js';
import type { Component } from '../component.js';
import { resolved } from '../component-construct.js';
import { SINCE } from '../kubernetes-since.js';
import { usesSafeLoad } from './init-container.js';
import { OfedDriver, STATUS_NAME } from './manifests.js';
import { daemonSetName, driverPools } from './pool.js';
import { rules } from './rules.js';
import { schema, type OfedDriverSpec } from './schema.js';
import { TOOLKIT_CONTAINER } from './toolkit.js';

export { OfedDriver };
export type { OfedDriverProps } from './manifests.js';

/**
 * The DOCA-OFED driver.
 *
 * @internal
 */
export const ofedDriver = {
  id: 'ofed-driver',
  statusName: STATUS_NAME,
  source: { kind: 'policy', path: ['ofedDriver'], scopes: ['cluster', 'node'] } as const,
  schema,
  imageKeys: [{ path: [], release: 'Mofed', hasOwnVersion: true }],
  containers: ({ isOpenshift }) => ['mofed-container', ...(isOpenshift ? [TOOLKIT_CONTAINER] : [])],
  crds: [],
  minimumKubernetes: SINCE.startupProbe,
  gated: false,
  providesDriver: true,
  upgradePolicy: (spec) => spec.upgradePolicy,
  driver: {
    api: 'network-operator',
    labelPrefix: OFED_LABEL_PREFIX,
    daemonSetSelector: OFED_DRIVER_LABEL,
    podSelector: OFED_DRIVER_LABEL,
    containerName: OFED_DRIVER_CONTAINER,
    controllerPodSelector: NETWORK_OPERATOR_POD_SELECTOR,
  },
  driverDaemonSets: (instance) => driverPools(instance).map((one) => ({ name: daemonSetName(one), pools: one.pools })),
  initContainerField: (spec) => (usesSafeLoad(spec) ? ['upgradePolicy', 'safeLoad'] : undefined),
  rules,
  build: (scope, props, cluster?) => new OfedDriver(scope, 'ofed-driver', resolved(props, cluster)),
} satisfies Component<OfedDriverSpec>;
