import type { Component } from '../component.js';
import { NvIpamCni, STATUS_NAME } from './manifests.js';
import { CONTROLLER, NODE } from './names.js';
import { schema, type NvIpamCniSpec } from './schema.js';

/** NV-IPAM, which gives addresses to the interfaces of secondary networks. */
export const nvIpamCni = {
  id: 'nv-ipam-cni',
  statusName: STATUS_NAME,
  source: { kind: 'policy', path: ['nvIpam'], scopes: ['cluster'] } as const,
  schema,
  imageKeys: [{ path: [], release: 'nvIpam' }],
  containers: () => [CONTROLLER, NODE],
  crds: ['cidrpools.nv-ipam.nvidia.com', 'ippools.nv-ipam.nvidia.com'],
  gated: false,
  providesDriver: false,
  provides: ['nv-ipam'],
  // OpenShift makes the certificate itself.
  foreignApis: ({ enableWebhook }, { isOpenshift }) =>
    enableWebhook && !isOpenshift ? [{ group: 'cert-manager.io', path: ['enableWebhook'] }] : [],
  rules: [],
  build: (scope, props) => new NvIpamCni(scope, 'nv-ipam-cni', props),
} satisfies Component<NvIpamCniSpec>;
