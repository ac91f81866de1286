import type { AddOn } from '../add-on.js';
import { ofChartValues } from './chart-values.js';
import { definitions } from './crds.js';
import { MaintenanceOperator } from './manifests.js';
import { imageOf } from './names.js';
import { maintenanceOperatorSpec, type MaintenanceOperatorSpec } from './schema.js';

/**
 * The Maintenance Operator, which cordons and drains nodes by NodeMaintenances.
 *
 * @internal
 */
export const maintenanceOperator = {
  id: 'maintenance-operator',
  source: { kind: 'cluster', path: ['maintenanceOperator'] },
  schema: maintenanceOperatorSpec,
  installedAs: ['maintenance-operator', 'maintenance-operator-chart', 'nvidia-maintenance-operator'],
  definitions,
  crds: (spec) => (spec.deploy ? definitions : []),
  images: (spec, cluster) => (spec.deploy ? { 'operator.image': imageOf(spec, cluster) } : {}),
  ofChartValues,
  construct: MaintenanceOperator,
} as const satisfies AddOn<MaintenanceOperatorSpec>;

export { MaintenanceOperator };
export type { MaintenanceOperatorProps } from './manifests.js';
