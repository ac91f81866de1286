import type { Cluster } from '../../model/config.js';
import type { KubernetesObject } from '../../../shared/kubernetes/types.js';
import { clusterMetadata } from '../pod-parts.js';
import { CERTIFICATE_SECRET, CONTROLLER } from './names.js';

const SERVICE = 'nv-ipam-webhook-service';
const CERTIFICATE = 'nv-ipam-serving-cert';
const ISSUER = 'nv-ipam-selfsigned-issuer';
const API_GROUP = 'nv-ipam.nvidia.com';

type Owner = { readonly statusName: string };

/**
 * The objects with which the API server calls the webhook. Its certificate comes from cert-manager, or on OpenShift
 * from the platform, requested by annotations.
 */
export function webhookObjects(component: Owner, cluster: Cluster): readonly KubernetesObject[] {
  return [
    ...(cluster.isOpenshift ? [] : certManagerObjects(component, cluster)),
    service(component, cluster),
    configuration(component, cluster),
  ];
}

function certManagerObjects(component: Owner, { namespace }: Cluster): readonly KubernetesObject[] {
  const apiVersion = 'cert-manager.io/v1';
  return [
    {
      apiVersion,
      kind: 'Issuer',
      metadata: clusterMetadata(ISSUER, namespace, component),
      spec: { selfSigned: {} },
    },
    {
      apiVersion,
      kind: 'Certificate',
      metadata: clusterMetadata(CERTIFICATE, namespace, component),
      spec: {
        dnsNames: [`${SERVICE}.${namespace}.svc`, `${SERVICE}.${namespace}.svc.cluster.local`],
        issuerRef: { kind: 'Issuer', name: ISSUER },
        secretName: CERTIFICATE_SECRET,
      },
    },
  ];
}

function service(component: Owner, { namespace, isOpenshift }: Cluster): KubernetesObject {
  const annotations = { 'service.alpha.openshift.io/serving-cert-secret-name': CERTIFICATE_SECRET };
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { ...clusterMetadata(SERVICE, namespace, component), ...(isOpenshift ? { annotations } : {}) },
    spec: { ports: [{ port: 443, targetPort: 9443 }], selector: { name: CONTROLLER } },
  };
}

function configuration(component: Owner, { namespace, isOpenshift }: Cluster): KubernetesObject {
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: {
      ...clusterMetadata('nv-ipam-validating-webhook-configuration', undefined, component),
      annotations: isOpenshift
        ? { 'service.beta.openshift.io/inject-cabundle': 'true' }
        : { 'cert-manager.io/inject-ca-from': `${namespace}/${CERTIFICATE}` },
    },
    webhooks: ['ippool', 'cidrpool'].map((kind) => ({
      admissionReviewVersions: ['v1'],
      clientConfig: {
        service: { name: SERVICE, namespace, path: `/validate-nv-ipam-nvidia-com-v1alpha1-${kind}` },
      },
      failurePolicy: 'Fail',
      name: `validate-${kind}.${API_GROUP}`,
      rules: [
        {
          apiGroups: [API_GROUP],
          apiVersions: ['v1alpha1'],
          operations: ['CREATE', 'UPDATE'],
          resources: [`${kind}s`],
        },
      ],
      sideEffects: 'None',
    })),
  };
}
