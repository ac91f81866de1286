import type { KubernetesObject, ObjectMeta } from '../../shared/kubernetes/types.js';

interface SelfSigned {
  readonly certificate: ObjectMeta;
  readonly issuer: ObjectMeta;
  readonly secretName: string;
  /** The Service in front of the webhook, and the domain of the cluster. */
  readonly service: string;
  readonly domain: string;
}

/** A Certificate of cert-manager for a webhook, and the Issuer that signs it by itself. */
export function selfSigned({
  certificate,
  issuer,
  secretName,
  service,
  domain,
}: SelfSigned): readonly KubernetesObject[] {
  const host = `${service}.${certificate.namespace ?? ''}.svc`;
  return [
    {
      apiVersion: 'cert-manager.io/v1',
      kind: 'Certificate',
      metadata: certificate,
      spec: { dnsNames: [host, `${host}.${domain}`], issuerRef: { kind: 'Issuer', name: issuer.name }, secretName },
    },
    { apiVersion: 'cert-manager.io/v1', kind: 'Issuer', metadata: issuer, spec: { selfSigned: {} } },
  ];
}
