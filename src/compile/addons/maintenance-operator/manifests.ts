import { fullName, selectorLabels } from '../chart-names.js';
import type { Construct } from 'constructs';
import { type MadeObject, madeObjects } from '../../../shared/kubernetes/made-objects.js';
import { addObject } from '../../../shared/kubernetes/objects.js';
import type { KubernetesObject } from '../../../shared/kubernetes/types.js';
import type { MaintenanceOperatorConfigDocument, MaintenanceOperatorInput } from '../../model/input.js';
import type { AddOnProps } from '../add-on.js';
import { AddOnConstruct, type DeployedInCluster } from '../add-on-construct.js';
import { selfSigned } from '../certificates.js';
import { meta, partLabels, type Parts } from './names.js';
import { accountAndRoles } from './rbac.js';
import type { MaintenanceOperatorSpec } from './schema.js';
import { deployment, webhook } from './workload.js';

/** The props of `MaintenanceOperator`: its section of the Cluster document, and the cluster. */
export interface MaintenanceOperatorProps extends Omit<MaintenanceOperatorInput, 'deploy'>, DeployedInCluster {}

/** The Maintenance Operator, if it is deployed. */
export class MaintenanceOperator extends AddOnConstruct {
  constructor(scope: Construct, id: string, props: MaintenanceOperatorProps) {
    super(scope, id, 'maintenance-operator', props);
  }

  /** The MaintenanceOperatorConfig; absent if `operatorConfig.deploy` is false. */
  get config(): MadeObject<KubernetesObject & MaintenanceOperatorConfigDocument> | undefined {
    return madeObjects<KubernetesObject & MaintenanceOperatorConfigDocument>(this, 'MaintenanceOperatorConfig')[0];
  }

  /** @internal */
  protected override build({ spec, cluster }: AddOnProps<MaintenanceOperatorSpec>): void {
    if (!spec.deploy) return;
    const parts: Parts = { spec, cluster };
    const objects = [
      ...accountAndRoles(parts),
      deployment(parts),
      ...(spec.operator.admissionController.enable ? [...webhook(parts), ...certificates(parts)] : []),
      ...(spec.operatorConfig.deploy ? [operatorConfig(parts)] : []),
    ];
    for (const object of objects) addObject(this, object);
  }
}

function certificates(parts: Parts): readonly KubernetesObject[] {
  const { certManager, secretNames } = parts.spec.operator.admissionController.certificates;
  if (!certManager.enable || !certManager.generateSelfSigned) return [];
  const labels = selectorLabels(parts);
  return selfSigned({
    certificate: meta(parts, fullName(parts, '-serving-cert'), labels),
    issuer: meta(parts, fullName(parts, '-selfsigned-issuer'), labels),
    secretName: secretNames.operator,
    service: fullName(parts, '-webhook-service'),
    domain: parts.spec.kubernetesClusterDomain,
  });
}

function operatorConfig(parts: Parts): KubernetesObject {
  const fields = Object.entries(parts.spec.operatorConfig).filter(
    ([key, value]) => key !== 'deploy' && value !== undefined,
  );
  return {
    apiVersion: 'maintenance.nvidia.com/v1alpha1',
    kind: 'MaintenanceOperatorConfig',
    metadata: meta(parts, 'default', partLabels(parts, 'config')),
    spec: Object.fromEntries(fields),
  };
}
