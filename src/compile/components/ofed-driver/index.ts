import {
  NETWORK_OPERATOR_POD_SELECTOR,
  OFED_DRIVER_CONTAINER,
  OFED_DRIVER_LABEL,
  OFED_GATE_LABEL,
  OFED_LABEL_PREFIX,
} from '../../../shared/contract/labels.js';
import type { Component } from '../component.js';
import { SINCE } from '../kubernetes-since.js';
import { ofVariables } from '../needed-objects.js';
import { usesSafeLoad } from './init-container.js';
import { OfedDriver, STATUS_NAME } from './manifests.js';
import { daemonSetName, driverImage, driverPools } from './pool.js';
import { DRIVER_VERSION } from './rules/version.js';
import { schema, type OfedDriverSpec } from './schema.js';
import { TOOLKIT_CONTAINER } from './toolkit.js';

export { OfedDriver };
export type { OfedDriverProps } from './manifests.js';

/** Older images lack what is rendered. */
const OLDEST = {
  program: 'DOCA-OFED driver',
  source: 'network-operator, hack/release.yaml of v24.10 and later',
  versionOf: /(?:^|-)(\d{1,2}\.\d{1,2})-\d/,
  version: '24.10',
  reason: 'older drivers are of operators with other manifests',
};

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
  imageKeys: [
    {
      path: [],
      release: 'Mofed',
      hasOwnVersion: true,
      versionPattern: DRIVER_VERSION,
      oldest: OLDEST,
      ofPool: (spec: OfedDriverSpec, pool, { spec: { driver } }) =>
        driverImage(spec, pool, driver.precompiledTags).image,
    },
  ],
  containers: ({ isOpenshift }) => [OFED_DRIVER_CONTAINER, ...(isOpenshift ? [TOOLKIT_CONTAINER] : [])],
  crds: [],
  removedKeys: {
    'upgradePolicy.maxUnavailable':
      'the policy of this driver has none: set `spec.upgrade.pools[].maxUnavailable` in the Cluster document, or ' +
      '`maxParallelUpgrades` here',
  },
  minimumKubernetes: SINCE.startupProbe,
  gated: false,
  neededObjects: ({ env }) => ofVariables(env),
  providesDriver: true,
  upgradePolicy: (spec) => spec.upgradePolicy,
  driver: {
    kind: 'ofed',
    labelPrefix: OFED_LABEL_PREFIX,
    daemonSetSelector: OFED_DRIVER_LABEL,
    daemonSetNames: 'mofed-.*',
    podSelector: OFED_DRIVER_LABEL,
    containerName: OFED_DRIVER_CONTAINER,
    gateLabel: OFED_GATE_LABEL,
    controllerPodSelector: NETWORK_OPERATOR_POD_SELECTOR,
  },
  driverDaemonSets: (instance) => driverPools(instance).map((one) => ({ name: daemonSetName(one), pools: one.pools })),
  initContainerField: (spec) => (usesSafeLoad(spec) ? ['upgradePolicy', 'safeLoad'] : undefined),
  construct: OfedDriver,
} satisfies Component<OfedDriverSpec>;
