import { OFED_GATE_LABEL } from '../../contract/labels.js';
import type { AddOn } from '../add-on.js';
import { ofChartValues } from './chart-values.js';
import { crds, definitions } from './crds.js';
import { imagesOf } from './images.js';
import { SriovNetworkOperator } from './manifests.js';
import { supportedNics } from './supported-nics.js';
import { sriovNetworkOperatorSpec, type SriovNetworkOperatorSpec } from './schema.js';

/**
 * The SR-IOV Network Operator, which creates virtual functions from SriovNetworkNodePolicies.
 *
 * @internal
 */
export const sriovNetworkOperator = {
  id: 'sriov-network-operator',
  source: { kind: 'cluster', path: ['sriovNetworkOperator'] },
  schema: sriovNetworkOperatorSpec,
  definitions,
  crds,
  images: (spec, cluster) => (spec.deploy ? imagesOf(spec, cluster) : {}),
  gated: (spec) => spec.deploy && spec.sriovOperatorConfig.deploy,
  resourcePrefix: (spec) => (spec.deploy ? spec.operator.resourcePrefix : undefined),
  supportedNics: (spec) => (spec.deploy ? supportedNics(spec) : undefined),
  gateLabelPath: (spec) =>
    spec.deploy && OFED_GATE_LABEL in spec.sriovOperatorConfig.configDaemonNodeSelector
      ? ['sriovOperatorConfig', 'configDaemonNodeSelector', OFED_GATE_LABEL]
      : undefined,
  ofChartValues,
  construct: SriovNetworkOperator,
} as const satisfies AddOn<SriovNetworkOperatorSpec>;

export { SriovNetworkOperator };
export type { SriovNetworkOperatorProps } from './manifests.js';
