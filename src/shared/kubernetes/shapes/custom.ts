import * as z from 'zod';
import { numberOrPercentage, objectSchema, type Shape } from './meta.js';

/** Custom resources. The API server checks one only as far as its CustomResourceDefinition says, which others install. */

/** sriovnetwork.openshift.io/v1: sriov-network-operator 249e20012, `api/v1/sriovnetworknodestate_types.go`. */
export const sriovNodeStateSchema = objectSchema.extend({
  spec: z
    .object({
      interfaces: z
        .array(
          z.object({
            vfGroups: z.array(z.object({ resourceName: z.string().exactOptional() })).exactOptional(),
          }),
        )
        .exactOptional(),
    })
    .exactOptional(),
  status: z
    .object({ syncStatus: z.string().exactOptional(), lastSyncError: z.string().exactOptional() })
    .exactOptional(),
});
export type ApiSriovNodeState = Shape<typeof sriovNodeStateSchema>;

/** maintenance.nvidia.com/v1alpha1: maintenance-operator e15d07b, `api/v1alpha1/nodemaintenance_types.go`. */
export const nodeMaintenanceSchema = objectSchema.extend({
  spec: z
    .object({
      requestorID: z.string().exactOptional(),
      additionalRequestors: z.array(z.string()).exactOptional(),
      nodeName: z.string().exactOptional(),
      waitForPodCompletion: z
        .object({ podSelector: z.string().exactOptional(), timeoutSeconds: z.int().exactOptional() })
        .exactOptional(),
      drainSpec: z
        .object({
          force: z.boolean().exactOptional(),
          podSelector: z.string().exactOptional(),
          timeoutSeconds: z.int().exactOptional(),
          deleteEmptyDir: z.boolean().exactOptional(),
          podEvictionFilters: z.array(z.object({ byResourceNameRegex: z.string() })).exactOptional(),
        })
        .exactOptional(),
    })
    .exactOptional(),
  status: z
    .object({
      conditions: z
        .array(
          z.object({
            type: z.string().exactOptional(),
            status: z.string().exactOptional(),
            reason: z.string().exactOptional(),
            message: z.string().exactOptional(),
          }),
        )
        .exactOptional(),
      waitForCompletion: z.array(z.string()).exactOptional(),
      drain: z.object({ waitForEviction: z.array(z.string()).exactOptional() }).exactOptional(),
    })
    .exactOptional(),
});
export type ApiNodeMaintenance = Shape<typeof nodeMaintenanceSchema>;

/** maintenance.nvidia.com/v1alpha1: maintenance-operator e15d07b, `api/v1alpha1/maintenanceoperatorconfig_types.go`. */
export const maintenanceOperatorConfigSchema = objectSchema.extend({
  spec: z.object({ maxParallelOperations: numberOrPercentage.exactOptional() }).exactOptional(),
});

/** The fields of `upgradePolicy` that are read, in both kinds of the GPU operator. */
const gpuUpgradePolicy = z.object({
  autoUpgrade: z.boolean().exactOptional(),
  maxUnavailable: numberOrPercentage.exactOptional(),
  drain: z.object({ enable: z.boolean().exactOptional() }).exactOptional(),
});
export type ApiUpgradePolicy = Shape<typeof gpuUpgradePolicy>;

/** nvidia.com/v1. */
export const clusterPolicySchema = objectSchema.extend({
  spec: z
    .object({
      driver: z
        .object({
          upgradePolicy: gpuUpgradePolicy.exactOptional(),
          useNvidiaDriverCRD: z.boolean().exactOptional(),
        })
        .exactOptional(),
      sandboxWorkloads: z.object({ enabled: z.boolean().exactOptional() }).exactOptional(),
    })
    .exactOptional(),
});
export type ApiClusterPolicy = Shape<typeof clusterPolicySchema>;

/** nvidia.com/v1alpha1. */
export const nvidiaDriverSchema = objectSchema.extend({
  spec: z.object({ upgradePolicy: gpuUpgradePolicy.exactOptional() }).exactOptional(),
});
export type ApiNvidiaDriver = Shape<typeof nvidiaDriverSchema>;
