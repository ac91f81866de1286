import { readFileSync } from 'node:fs';
import { readCrd } from '../../conformance/recorded.js';
import type { LiveObject } from './api-client.js';

/**
 * CRDs of other projects for kinds that Weft renders, reduced to names: cert-manager v1, whose Issuer and
 * Certificate the webhook of NV-IPAM uses, and the Prometheus Operator's, any field of which is accepted; the NodeFeatureRule of Node Feature Discovery, and that
 * of OpenShift's, which has the same schema.
 */
export const FOREIGN_CRDS: readonly LiveObject[] = [
  foreignCrd('cert-manager.io', 'v1', 'Issuer', 'issuers'),
  foreignCrd('cert-manager.io', 'v1', 'Certificate', 'certificates'),
  foreignCrd('monitoring.coreos.com', 'v1', 'PodMonitor', 'podmonitors'),
  foreignCrd('monitoring.coreos.com', 'v1', 'ServiceMonitor', 'servicemonitors'),
  foreignCrd('monitoring.coreos.com', 'v1', 'PrometheusRule', 'prometheusrules'),
  ruleCrd('nfd.k8s-sigs.io'),
  ruleCrd('nfd.openshift.io'),
];

/** The CRD of NetworkAttachmentDefinitions, which OpenShift installs. */
export function networkCrd(): LiveObject {
  const text = readFileSync('src/compile/crds/network-attachment-definitions.k8s.cni.cncf.io.json', 'utf8');
  return (JSON.parse(text) as { readonly crd: LiveObject }).crd;
}

function ruleCrd(group: string): LiveObject {
  const { metadata, spec, ...crd } = readCrd('nodefeaturerules.nfd.k8s-sigs.io');
  return { ...crd, metadata: { ...metadata, name: `nodefeaturerules.${group}` }, spec: { ...spec, group } };
}

/** A CRD that accepts any field. */
export function foreignCrd(
  group: string,
  version: string,
  kind: string,
  plural: string,
  scope: 'Namespaced' | 'Cluster' = 'Namespaced',
): LiveObject {
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope,
      names: { kind, plural },
      versions: [{ name: version, served: true, storage: true, schema }],
    },
  };
}
