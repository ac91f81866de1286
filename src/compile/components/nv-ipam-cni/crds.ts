import cidrPools from '../../crds/cidrpools.nv-ipam.nvidia.com.json' with { type: 'json' };
import ipPools from '../../crds/ippools.nv-ipam.nvidia.com.json' with { type: 'json' };
import type { ComponentCrd } from '../../crds/schema.js';
import { cidrPoolSpec, ipPoolSpec } from './pools.js';

/** Its controller reads pools only in its own namespace (nvidia-k8s-ipam v0.4.0, cmd/ipam-controller/app/app.go). */
export const crds: readonly ComponentCrd[] = [
  { ...cidrPools, specOf: cidrPoolSpec, isInOwnNamespace: true },
  { ...ipPools, specOf: ipPoolSpec, isInOwnNamespace: true },
];
