import type { JsonObject } from '../../../shared/lib/json.js';
import type { ArgoCd } from '../../model/gitops.js';
import type { ApiObject } from '../../render/layout.js';
import { applicationName, repositoryPath } from '../object-names.js';

export const ARGOCD_API_VERSION = 'argoproj.io/v1alpha1';

/**
 * Fields of rendered objects that other controllers write. Without `RespectIgnoreDifferences` a sync would write them back.
 * cert-manager's cainjector writes the CA bundles of webhooks and of conversions; OpenShift's controller manager writes the pull
 * secrets of ServiceAccounts.
 */
const IGNORED: readonly JsonObject[] = [
  ...['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'].map((kind) => ({
    group: 'admissionregistration.k8s.io',
    kind,
    jqPathExpressions: ['.webhooks[]?.clientConfig.caBundle'],
  })),
  {
    group: 'apiextensions.k8s.io',
    kind: 'CustomResourceDefinition',
    jqPathExpressions: ['.spec.conversion.webhook.clientConfig.caBundle'],
  },
  { group: '', kind: 'ServiceAccount', jsonPointers: ['/imagePullSecrets', '/secrets'] },
];

/** The part of an Application's `spec` that is equal for all clusters. */
export function applicationSpec(settings: ArgoCd, path: string): JsonObject {
  const { project, repoURL, targetRevision, prune, selfHeal } = settings;
  return {
    project,
    source: { repoURL, targetRevision, path },
    syncPolicy: {
      automated: { prune, selfHeal },
      syncOptions: ['ServerSideApply=true', 'RespectIgnoreDifferences=true'],
      // A new kind may be unknown to discovery for a moment after its CRD is established.
      retry: { limit: 5, backoff: { duration: '10s', factor: 2, maxDuration: '3m' } },
    },
    ignoreDifferences: [...IGNORED],
  };
}

/** The cluster in Argo CD. */
export function destinationOf({ destination }: ArgoCd, cluster: string): JsonObject {
  return destination?.server === undefined ? { name: destination?.name ?? cluster } : { server: destination.server };
}

/**
 * The Application of a cluster. It has no finalizer, so deleting it keeps the objects, including drivers. It uses no
 * hooks, `Replace` or `Force`, because the companion's Job has another name for each run.
 */
export function application(settings: ArgoCd, cluster: string): ApiObject {
  const name = applicationName(settings, cluster);
  return {
    apiVersion: ARGOCD_API_VERSION,
    kind: 'Application',
    metadata: { name, namespace: settings.namespace },
    spec: {
      ...applicationSpec(settings, repositoryPath(settings.path, cluster)),
      destination: destinationOf(settings, cluster),
    },
  };
}
