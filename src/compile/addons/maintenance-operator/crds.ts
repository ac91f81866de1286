import operatorConfigs from '../../crds/maintenanceoperatorconfigs.maintenance.nvidia.com.json' with { type: 'json' };
import nodeMaintenances from '../../crds/nodemaintenances.maintenance.nvidia.com.json' with { type: 'json' };
import type { ComponentCrd } from '../../crds/schema.js';

/** The operator reads its configuration in its own namespace. */
export const definitions: readonly ComponentCrd[] = [{ ...operatorConfigs, isInOwnNamespace: true }, nodeMaintenances];
