import type * as z from 'zod';
import {
  budgetSchema,
  configMapSchema,
  leaseSchema,
  nodeSchema,
  resourceClaimSchema,
  volumeClaimSchema,
  volumeSchema,
} from './cluster.js';
import { clusterPolicySchema, nodeMaintenanceSchema, nvidiaDriverSchema, sriovNodeStateSchema } from './custom.js';
import type { Shape } from './meta.js';
import { podSchema } from './pod.js';
import { controllerRevisionSchema, daemonSetSchema, jobSchema, replicatedSchema } from './workloads.js';

/** A kind of which fields are read. */
interface ShapeOfKind {
  readonly apiVersion: string;
  /** API versions with the same fields that are read where the cluster does not serve that one, the newest first. */
  readonly olderVersions?: readonly string[];
  readonly plural: string;
  /** The fields that are read, as the API has them. */
  readonly schema: z.ZodType;
}

/** The kinds of which fields are read: where the API server has them, and the shapes of those fields. */
export const SHAPES = {
  Node: { apiVersion: 'v1', plural: 'nodes', schema: nodeSchema },
  Pod: { apiVersion: 'v1', plural: 'pods', schema: podSchema },
  ConfigMap: { apiVersion: 'v1', plural: 'configmaps', schema: configMapSchema },
  PersistentVolume: { apiVersion: 'v1', plural: 'persistentvolumes', schema: volumeSchema },
  PersistentVolumeClaim: { apiVersion: 'v1', plural: 'persistentvolumeclaims', schema: volumeClaimSchema },
  DaemonSet: { apiVersion: 'apps/v1', plural: 'daemonsets', schema: daemonSetSchema },
  ControllerRevision: { apiVersion: 'apps/v1', plural: 'controllerrevisions', schema: controllerRevisionSchema },
  Deployment: { apiVersion: 'apps/v1', plural: 'deployments', schema: replicatedSchema },
  ReplicaSet: { apiVersion: 'apps/v1', plural: 'replicasets', schema: replicatedSchema },
  StatefulSet: { apiVersion: 'apps/v1', plural: 'statefulsets', schema: replicatedSchema },
  Job: { apiVersion: 'batch/v1', plural: 'jobs', schema: jobSchema },
  PodDisruptionBudget: { apiVersion: 'policy/v1', plural: 'poddisruptionbudgets', schema: budgetSchema },
  Lease: { apiVersion: 'coordination.k8s.io/v1', plural: 'leases', schema: leaseSchema },
  ResourceClaim: {
    apiVersion: 'resource.k8s.io/v1',
    // Kubernetes serves the beta versions only where they are turned on.
    olderVersions: ['resource.k8s.io/v1beta2', 'resource.k8s.io/v1beta1'],
    plural: 'resourceclaims',
    schema: resourceClaimSchema,
  },
  SriovNetworkNodeState: {
    apiVersion: 'sriovnetwork.openshift.io/v1',
    plural: 'sriovnetworknodestates',
    schema: sriovNodeStateSchema,
  },
  NodeMaintenance: {
    apiVersion: 'maintenance.nvidia.com/v1alpha1',
    plural: 'nodemaintenances',
    schema: nodeMaintenanceSchema,
  },
  ClusterPolicy: { apiVersion: 'nvidia.com/v1', plural: 'clusterpolicies', schema: clusterPolicySchema },
  NVIDIADriver: { apiVersion: 'nvidia.com/v1alpha1', plural: 'nvidiadrivers', schema: nvidiaDriverSchema },
} as const satisfies Readonly<Record<string, ShapeOfKind>>;

export type ShapedKind = keyof typeof SHAPES;

/** What is read of an object of a kind. */
export type ApiOf<Kind extends ShapedKind> = Shape<(typeof SHAPES)[Kind]['schema']>;
