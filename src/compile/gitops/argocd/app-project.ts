import type { JsonObject } from '../../../shared/lib/json.js';
import type { ArgoCd } from '../../model/gitops.js';
import type { ApiObject } from '../../render/layout.js';
import { ARGOCD_API_VERSION } from './application.js';

/**
 * The AppProject: the repositories and clusters that are allowed. It allows all kinds and namespaces, because Argo CD
 * could not prune objects of a kind that was removed from a list, and networks are in the namespaces of workloads.
 */
export function appProject(
  { project, namespace }: ArgoCd,
  sourceRepos: readonly string[],
  destinations: readonly JsonObject[],
): ApiObject {
  return {
    apiVersion: ARGOCD_API_VERSION,
    kind: 'AppProject',
    metadata: { name: project, namespace },
    spec: {
      description: 'Networks, their plugins and drivers.',
      sourceRepos,
      destinations: destinations.map((destination) => ({ ...destination, namespace: '*' })),
      clusterResourceWhitelist: [{ group: '*', kind: '*' }],
    },
  };
}
