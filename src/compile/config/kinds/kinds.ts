import type * as z from 'zod';
import { networkKinds } from '../../networks/all.js';
import { WEFT_API_VERSION } from '../../model/cluster.js';
import { cluster } from './cluster.js';
import { configMap } from '../../model/config-map.js';
import { NETWORK_OPERATOR_API_VERSION } from '../../../shared/contract/network-operator.js';
import { nicClusterPolicy, nicNodePolicy } from './policies.js';

/** A kind of input document. */
export interface DocumentKind {
  readonly apiVersion: string;
  readonly kind: string;
  /** `object`: any other Kubernetes object, which goes to the output unchanged. */
  readonly role: 'cluster' | 'policy' | 'network' | 'config-map' | 'object';
  readonly schema: z.ZodType;
  /** For objects: whether one without a namespace gets the namespace of the drivers. */
  readonly isInOwnNamespace?: boolean;
}

/** Every kind that Weft reads. */
export const documentKinds: readonly DocumentKind[] = [
  { apiVersion: WEFT_API_VERSION, kind: 'Cluster', role: 'cluster', schema: cluster },
  { apiVersion: NETWORK_OPERATOR_API_VERSION, kind: 'NicClusterPolicy', role: 'policy', schema: nicClusterPolicy },
  { apiVersion: NETWORK_OPERATOR_API_VERSION, kind: 'NicNodePolicy', role: 'policy', schema: nicNodePolicy },
  ...networkKinds.map(({ kind, schema }): DocumentKind => ({
    apiVersion: NETWORK_OPERATOR_API_VERSION,
    kind,
    role: 'network',
    schema,
  })),
  { apiVersion: 'v1', kind: 'ConfigMap', role: 'config-map', schema: configMap },
];
