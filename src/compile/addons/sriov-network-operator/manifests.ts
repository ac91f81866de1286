import type { Construct } from 'constructs';
import { KEEP_ANNOTATIONS, OFED_GATE_LABEL } from '../../../shared/contract/labels.js';
import { type MadeObject, madeObjects } from '../../../shared/kubernetes/made-objects.js';
import { addObject } from '../../../shared/kubernetes/objects.js';
import type { KubernetesObject } from '../../../shared/kubernetes/types.js';
import type { SriovNetworkOperatorInput, SriovOperatorConfigDocument } from '../../model/input.js';
import type { AddOnProps } from '../add-on.js';
import { AddOnConstruct, type DeployedInCluster } from '../add-on-construct.js';
import { selfSigned } from '../certificates.js';
import { meta, type Parts } from './names.js';
import { deployment } from './operator.js';
import { accountsAndRoles } from './rbac.js';
import type { SriovNetworkOperatorSpec } from './schema.js';
import { supportedNicIds } from './supported-nics.js';

/** The props of `SriovNetworkOperator`: its section of the Cluster document, and the cluster. */
export interface SriovNetworkOperatorProps extends Omit<SriovNetworkOperatorInput, 'deploy'>, DeployedInCluster {}

/** The SR-IOV Network Operator, if it is deployed. */
export class SriovNetworkOperator extends AddOnConstruct {
  constructor(scope: Construct, id: string, props: SriovNetworkOperatorProps) {
    super(scope, id, 'sriov-network-operator', props);
  }

  /** The SriovOperatorConfig; absent if `sriovOperatorConfig.deploy` is false. */
  get config(): MadeObject<KubernetesObject & SriovOperatorConfigDocument> | undefined {
    return madeObjects<KubernetesObject & SriovOperatorConfigDocument>(this, 'SriovOperatorConfig')[0];
  }

  /** @internal */
  protected override build({ spec, cluster }: AddOnProps<SriovNetworkOperatorSpec>): void {
    if (!spec.deploy) return;
    const parts: Parts = { spec, cluster };
    const objects = [
      ...accountsAndRoles(parts),
      supportedNics(parts),
      deployment(parts),
      ...certificates(parts),
      ...(spec.sriovOperatorConfig.deploy ? [operatorConfig(parts)] : []),
    ];
    for (const object of objects) addObject(this, object);
  }
}

function supportedNics({ spec, cluster }: Parts): KubernetesObject {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'supported-nic-ids', namespace: cluster.namespace },
    data: supportedNicIds(spec),
  };
}

/** Certificates of the Services that the operator creates, whose names are fixed. */
function certificates(parts: Parts): readonly KubernetesObject[] {
  const { enabled, certificates: given } = parts.spec.operator.admissionControllers;
  const { secretNames, certManager } = given;
  if (!enabled || !certManager.enabled || !certManager.generateSelfSigned) return [];
  const of = (name: string) => ({ name, namespace: parts.cluster.namespace });
  return [
    { program: 'operator-webhook', secretName: secretNames.operator },
    { program: 'network-resources-injector', secretName: secretNames.injector },
  ].flatMap(({ program, secretName }) =>
    selfSigned({
      certificate: of(secretName),
      issuer: of(`${program}-selfsigned-issuer`),
      secretName,
      service: `${program}-service`,
      domain: 'cluster.local',
    }),
  );
}

/**
 * The configuration has a finalizer of the operator. If both were pruned at once, the deletion would hang, so the
 * configuration is not pruned.
 */
function operatorConfig(parts: Parts): KubernetesObject {
  const { sriovOperatorConfig: given, operator } = parts.spec;
  const { enabled } = operator.admissionControllers;
  const isGated = parts.cluster.spec.driver.gate === 'label';
  const selector = {
    ...given.configDaemonNodeSelector,
    ...(isGated && !(OFED_GATE_LABEL in given.configDaemonNodeSelector) ? { [OFED_GATE_LABEL]: 'false' } : {}),
  };
  const filled = <T extends object>(key: string, value: T) => (Object.keys(value).length > 0 ? { [key]: value } : {});
  const { name, namespace = '' } = meta(parts, 'default');
  return {
    apiVersion: 'sriovnetwork.openshift.io/v1',
    kind: 'SriovOperatorConfig',
    metadata: { name, namespace, annotations: KEEP_ANNOTATIONS },
    spec: {
      enableInjector: enabled,
      enableOperatorWebhook: enabled,
      ...filled('configDaemonNodeSelector', selector),
      logLevel: given.logLevel,
      disableDrain: given.disableDrain,
      configurationMode: given.configurationMode,
      ...filled('disablePlugins', given.disablePlugins),
      ...filled('featureGates', given.featureGates),
      ...filled('configDaemonEnvVars', given.configDaemonEnvVars),
    },
  };
}
