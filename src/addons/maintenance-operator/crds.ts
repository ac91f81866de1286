import operatorConfigs from '../../crds/maintenanceoperatorconfigs.maintenance.nvidia.com.json' with { type: 'json' };
import nodeMaintenances from '../../crds/nodemaintenances.maintenance.nvidia.com.json' with { type: 'json' };
import type { ComponentCrd, RecordedCrd } from '../../crds/schema.js';
import type { MaintenanceOperatorSpec } from './schema.js';

/** The operator reads its configuration in its own namespace. */
export const definitions: readonly ComponentCrd[] = [{ ...operatorConfigs, isInOwnNamespace: true }, nodeMaintenances];

/** The definitions that come with what is deployed. */
export function crds({ deploy }: MaintenanceOperatorSpec): readonly RecordedCrd[] {
  return deploy ? definitions : [];
}
