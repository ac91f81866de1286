import { withoutEmpty, type JsonObject } from '../../../shared/lib/json.js';
import type { Flux } from '../../model/gitops.js';
import type { ApiObject } from '../../render/layout.js';

/** The source of the Kustomizations; none if it already exists in the cluster. */
export function fluxSource({ namespace, source }: Flux): readonly ApiObject[] {
  const { kind, name, url, branch, tag, semver, digest, secretName, interval } = source;
  if (url === undefined) return [];
  const ref = withoutEmpty({ branch, tag, semver, digest }) as JsonObject;
  const isOpen = Object.keys(ref).length === 0;
  return [
    {
      apiVersion: 'source.toolkit.fluxcd.io/v1',
      kind,
      metadata: { name, namespace },
      spec: {
        interval,
        url,
        ref: isOpen ? (kind === 'GitRepository' ? { branch: 'main' } : { tag: 'latest' }) : ref,
        ...(secretName !== undefined && { secretRef: { name: secretName } }),
      },
    },
  ];
}
