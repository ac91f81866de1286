import type * as z from 'zod';
import {
  budgetSchema,
  configMapSchema,
  leaseSchema,
  nodeSchema,
  resourceClaimSchema,
  resourceSliceSchema,
  volumeClaimSchema,
  volumeSchema,
} from './cluster.js';
import {
  clusterPolicySchema,
  maintenanceOperatorConfigSchema,
  nodeMaintenanceSchema,
  nvidiaDriverSchema,
  sriovNodeStateSchema,
} from './custom.js';
import type { Shape } from './meta.js';
import { podSchema } from './pod.js';
import { controllerRevisionSchema, daemonSetSchema, jobSchema, replicatedSchema } from './workloads.js';

/** A kind of which fields are read. */
interface ShapedResource {
  readonly apiVersion: string;
  /** API versions with the same fields that are read where the cluster does not serve that one, the newest first. */
  readonly olderVersions?: readonly string[];
  readonly plural: string;
  /** Not every cluster serves it. */
  readonly isOptional?: true;
  /** The fields that are read, as the API has them. */
  readonly schema: z.ZodType;
}

const always = <Schema extends z.ZodType>(apiVersion: string, plural: string, schema: Schema) =>
  ({ apiVersion, plural, schema }) as const;
const optional = <Schema extends z.ZodType>(apiVersion: string, plural: string, schema: Schema) =>
  ({ apiVersion, plural, schema, isOptional: true }) as const;

/** The kinds of which fields are read: where the API server has them, and the shapes of those fields. */
export const SHAPES = {
  Node: always('v1', 'nodes', nodeSchema),
  Pod: always('v1', 'pods', podSchema),
  ConfigMap: always('v1', 'configmaps', configMapSchema),
  PersistentVolume: always('v1', 'persistentvolumes', volumeSchema),
  PersistentVolumeClaim: always('v1', 'persistentvolumeclaims', volumeClaimSchema),
  DaemonSet: always('apps/v1', 'daemonsets', daemonSetSchema),
  ControllerRevision: always('apps/v1', 'controllerrevisions', controllerRevisionSchema),
  Deployment: always('apps/v1', 'deployments', replicatedSchema),
  ReplicaSet: always('apps/v1', 'replicasets', replicatedSchema),
  StatefulSet: always('apps/v1', 'statefulsets', replicatedSchema),
  Job: always('batch/v1', 'jobs', jobSchema),
  PodDisruptionBudget: always('policy/v1', 'poddisruptionbudgets', budgetSchema),
  Lease: always('coordination.k8s.io/v1', 'leases', leaseSchema),
  ResourceClaim: {
    ...optional('resource.k8s.io/v1', 'resourceclaims', resourceClaimSchema),
    // Kubernetes serves the beta versions only where they are turned on.
    olderVersions: ['resource.k8s.io/v1beta2', 'resource.k8s.io/v1beta1'],
  },
  ResourceSlice: {
    ...optional('resource.k8s.io/v1', 'resourceslices', resourceSliceSchema),
    olderVersions: ['resource.k8s.io/v1beta2', 'resource.k8s.io/v1beta1'],
  },
  SriovNetworkNodeState: optional('sriovnetwork.openshift.io/v1', 'sriovnetworknodestates', sriovNodeStateSchema),
  NodeMaintenance: optional('maintenance.nvidia.com/v1alpha1', 'nodemaintenances', nodeMaintenanceSchema),
  MaintenanceOperatorConfig: optional(
    'maintenance.nvidia.com/v1alpha1',
    'maintenanceoperatorconfigs',
    maintenanceOperatorConfigSchema,
  ),
  ClusterPolicy: optional('nvidia.com/v1', 'clusterpolicies', clusterPolicySchema),
  NVIDIADriver: optional('nvidia.com/v1alpha1', 'nvidiadrivers', nvidiaDriverSchema),
} as const satisfies Readonly<Record<string, ShapedResource>>;

export type ShapedKind = keyof typeof SHAPES;

/** What is read of an object of a kind. */
export type ApiOf<Kind extends ShapedKind> = Shape<(typeof SHAPES)[Kind]['schema']>;
