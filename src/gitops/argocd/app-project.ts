import type { JsonObject } from '../../lib/json.js';
import type { ArgoCd } from '../../model/gitops.js';
import type { ApiObject } from '../../render/layout.js';
import { ARGOCD_API_VERSION } from './application.js';

/**
 * The AppProject: which repositories may be applied to which clusters. Kinds and namespaces are not narrowed: a kind that left the
 * output could not be pruned, and networks are in the namespaces of workloads.
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
