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

interface KindShape {
  readonly group: string;
  readonly schema: z.ZodType;
}

/** The kinds of which fields are read, with the shapes of those fields. */
export const SHAPES = {
  Node: { group: '', schema: nodeSchema },
  Pod: { group: '', schema: podSchema },
  ConfigMap: { group: '', schema: configMapSchema },
  PersistentVolume: { group: '', schema: volumeSchema },
  PersistentVolumeClaim: { group: '', schema: volumeClaimSchema },
  DaemonSet: { group: 'apps', schema: daemonSetSchema },
  ControllerRevision: { group: 'apps', schema: controllerRevisionSchema },
  Deployment: { group: 'apps', schema: replicatedSchema },
  ReplicaSet: { group: 'apps', schema: replicatedSchema },
  StatefulSet: { group: 'apps', schema: replicatedSchema },
  Job: { group: 'batch', schema: jobSchema },
  PodDisruptionBudget: { group: 'policy', schema: budgetSchema },
  Lease: { group: 'coordination.k8s.io', schema: leaseSchema },
  ResourceClaim: { group: 'resource.k8s.io', schema: resourceClaimSchema },
  SriovNetworkNodeState: { group: 'sriovnetwork.openshift.io', schema: sriovNodeStateSchema },
  NodeMaintenance: { group: 'maintenance.nvidia.com', schema: nodeMaintenanceSchema },
  ClusterPolicy: { group: 'nvidia.com', schema: clusterPolicySchema },
  NVIDIADriver: { group: 'nvidia.com', schema: nvidiaDriverSchema },
} as const satisfies Readonly<Record<string, KindShape>>;

export type ShapedKind = keyof typeof SHAPES;

/** What is read of an object of a kind. */
export type ApiOf<Kind extends ShapedKind> = Shape<(typeof SHAPES)[Kind]['schema']>;
