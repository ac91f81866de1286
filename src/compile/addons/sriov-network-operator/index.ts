import { OFED_GATE_LABEL } from '../../../shared/contract/labels.js';
import type { AddOn, VirtualFunctions } from '../add-on.js';
import { ofChartValues } from './chart-values.js';
import { definitions } from './crds.js';
import { imagesOf, imageVariables } from './images.js';
import { SriovNetworkOperator } from './manifests.js';
import { supportedNics } from './supported-nics.js';
import { sriovNetworkOperatorSpec, type SriovNetworkOperatorSpec, type SriovSection } from './schema.js';

/**
 * The SR-IOV Network Operator, which creates virtual functions from SriovNetworkNodePolicies.
 *
 * @internal
 */
export const sriovNetworkOperator = {
  id: 'sriov-network-operator',
  source: { kind: 'cluster', path: ['sriovNetworkOperator'] },
  schema: sriovNetworkOperatorSpec,
  installedAs: ['sriov-network-operator', 'sriov-network-operator-chart'],
  definitions,
  crds: (spec) => (spec.deploy ? definitions : []),
  images: (spec, cluster) => (spec.deploy ? imagesOf(spec, cluster) : {}),
  imageVariables,
  gated: (spec) => spec.deploy && spec.sriovOperatorConfig.deploy,
  virtualFunctions: (spec) => (spec.deploy ? virtualFunctionsOf(spec) : undefined),
  supportedNics: (spec) => (spec.deploy ? supportedNics(spec) : undefined),
  gateLabelPath: (spec) =>
    spec.deploy && OFED_GATE_LABEL in spec.sriovOperatorConfig.configDaemonNodeSelector
      ? ['sriovOperatorConfig', 'configDaemonNodeSelector', OFED_GATE_LABEL]
      : undefined,
  ofChartValues,
  construct: SriovNetworkOperator,
} as const satisfies AddOn<SriovNetworkOperatorSpec>;

function virtualFunctionsOf({ operator: { resourcePrefix, externalDrainer } }: SriovSection): VirtualFunctions {
  const { enabled, ...drain } = externalDrainer;
  return { resourcePrefix, drain: enabled ? drain : undefined };
}

export { SriovNetworkOperator };
export type { SriovNetworkOperatorProps } from './manifests.js';
