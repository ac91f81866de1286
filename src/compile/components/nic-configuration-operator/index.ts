import type { Component } from '../component.js';
import { SINCE } from '../kubernetes-since.js';
import { ofVariables } from '../needed-objects.js';
import { crds } from './crds.js';
import { NicConfigurationOperator, STATUS_NAME } from './manifests.js';
import { DAEMON, OPERATOR } from './names.js';
import { schema, type NicConfigurationOperatorSpec } from './schema.js';

export { NicConfigurationOperator };
export type { NicConfigurationOperatorProps } from './manifests.js';

/**
 * The NIC configuration operator.
 *
 * @internal
 */
export const nicConfigurationOperator = {
  id: 'nic-configuration-operator',
  statusName: STATUS_NAME,
  source: { kind: 'policy', path: ['nicConfigurationOperator'], scopes: ['cluster'] } as const,
  schema,
  imageKeys: [
    { path: ['operator'], release: 'nicConfigurationOperator' },
    { path: ['configurationDaemon'], release: 'nicConfigurationConfigDaemon' },
  ],
  // The operator's template looks for the name of the Deployment, although its container is called `manager`.
  containers: () => [OPERATOR, DAEMON],
  crds,
  minimumKubernetes: SINCE.validationRules,
  gated: true,
  neededObjects: ({ env, nicFirmwareStorage: storage }) => [
    ...(storage?.create === false
      ? [{ kind: 'PersistentVolumeClaim', name: storage.pvcName, path: ['nicFirmwareStorage', 'pvcName'] } as const]
      : []),
    ...ofVariables(env),
  ],
  providesDriver: false,
  construct: NicConfigurationOperator,
} satisfies Component<NicConfigurationOperatorSpec>;
