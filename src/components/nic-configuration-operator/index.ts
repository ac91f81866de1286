import type { Component } from '../component.js';
import { NicConfigurationOperator, STATUS_NAME } from './manifests.js';
import { DAEMON, OPERATOR } from './names.js';
import { schema, type NicConfigurationOperatorSpec } from './schema.js';

/** The NIC configuration operator. */
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
  crds: [
    'nicconfigurationtemplates.configuration.net.nvidia.com',
    'nicdevices.configuration.net.nvidia.com',
    'nicfirmwaresources.configuration.net.nvidia.com',
    'nicfirmwaretemplates.configuration.net.nvidia.com',
    'nicinterfacenametemplates.configuration.net.nvidia.com',
  ],
  gated: true,
  providesDriver: false,
  rules: [],
  build: (scope, props) => new NicConfigurationOperator(scope, 'nic-configuration-operator', props),
} satisfies Component<NicConfigurationOperatorSpec>;
