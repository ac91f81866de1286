import type { Component } from '../component.js';
import { SINCE } from '../kubernetes-since.js';
import { crds } from './crds.js';
import { NvIpamCni, STATUS_NAME } from './manifests.js';
import { CONTROLLER, NODE } from './names.js';
import { schema, type NvIpamCniSpec } from './schema.js';

export { NvIpamCni };
export type { NvIpamCniProps } from './manifests.js';

/** Older images lack what is rendered. */
const OLDEST = {
  program: 'NV-IPAM',
  source: 'nvidia-k8s-ipam 9a60011, api/v1alpha1/ippool_type.go',
  versionOf: /^v(\d+\.\d+)\.\d+/,
  version: '0.2',
  reason: 'older images know no `exclusions` of pools, and give those addresses to pods',
};

/**
 * NV-IPAM, which gives addresses to the interfaces of secondary networks.
 *
 * @internal
 */
export const nvIpamCni = {
  id: 'nv-ipam-cni',
  statusName: STATUS_NAME,
  source: { kind: 'policy', path: ['nvIpam'], scopes: ['cluster'] } as const,
  schema,
  checks: [
    {
      program: 'NV-IPAM',
      source: 'nvidia-k8s-ipam v0.4.0, api/v1alpha1/ippool_validate.go and cidrpool_validate.go',
      what: 'IPPool and CIDRPool: networks, blocks, exclusions, gateways, routes, static allocations',
    },
    {
      program: 'NV-IPAM',
      source: 'nvidia-k8s-ipam v0.4.0, pkg/cni/types/types.go',
      what: '`poolName`: at most two; `poolType`: `ippool` or `cidrpool`',
    },
  ],
  removedKeys: {
    config: 'removed from the API in v24.1: delete it, and write its pools as `IPPool` documents beside the policy',
  },
  imageKeys: [{ path: [], release: 'nvIpam', oldest: OLDEST }],
  containers: () => [CONTROLLER, NODE],
  crds,
  minimumKubernetes: SINCE.validationRules,
  gated: false,
  providesDriver: false,
  provides: [{ id: 'nv-ipam', name: 'NV-IPAM', isInOpenshift: false }],
  // OpenShift creates the certificate itself.
  foreignApis: ({ enableWebhook }, { isOpenshift }) =>
    enableWebhook && !isOpenshift ? [{ group: 'cert-manager.io', path: ['enableWebhook'] }] : [],
  construct: NvIpamCni,
} satisfies Component<NvIpamCniSpec>;
