import type { JsonObject } from '../../../shared/lib/json.js';
import type { ArgoCd } from '../../model/gitops.js';
import type { ApiObject } from '../../render/layout.js';
import { applicationName, repositoryPath } from '../object-names.js';
import { applicationSpec, ARGOCD_API_VERSION, destinationOf } from './application.js';

/** Folder of `dist/` for the objects of a fleet, a name that no cluster can have. */
export const FLEET_FOLDER = 'argocd';

/** A cluster and its settings. */
export interface FleetMember {
  readonly cluster: string;
  readonly settings: ArgoCd;
  readonly wave: string | undefined;
}

/** The clusters of an ApplicationSet, sorted, and the names of all clusters in the same output folder. */
interface FleetClusters {
  readonly members: readonly FleetMember[];
  readonly clusters: readonly string[];
}

/**
 * Argo CD creates one Application for each cluster. If a cluster is removed from the repository, its objects stay: the
 * deletion of an Application by mistake must not delete drivers.
 */
export function applicationSet(name: string, settings: ArgoCd, { members, clusters }: FleetClusters): ApiObject {
  const isGit = settings.applicationSet?.generator === 'git';
  const waves = settings.applicationSet?.waves;
  return {
    apiVersion: ARGOCD_API_VERSION,
    kind: 'ApplicationSet',
    metadata: { name, namespace: settings.namespace },
    spec: {
      goTemplate: true,
      goTemplateOptions: ['missingkey=error'],
      generators: [isGit ? gitGenerator(settings, othersThan(members, clusters)) : listGenerator(members)],
      ...(waves !== undefined && { strategy: rollingSync(waves) }),
      syncPolicy: { preserveResourcesOnDeletion: true },
      template: isGit
        ? template(settings, '{{.path.basename}}', '{{.path.path}}', { name: '{{.path.basename}}' })
        : template(settings, '{{.cluster}}', '{{.path}}', { name: '{{.name}}', server: '{{.server}}' }),
    },
  };
}

/**
 * A step for each wave. The controller then starts all syncs itself: it takes whether to prune from `automated` of the template, and switches
 * `automated` off in the Applications (argo-cd, docs/operator-manual/applicationset/Progressive-Syncs.md).
 */
function rollingSync({ label, order }: Waves): JsonObject {
  const steps = order.map((value) => ({ matchExpressions: [{ key: label, operator: 'In', values: [value] }] }));
  return { type: 'RollingSync', rollingSync: { steps } };
}

type Waves = NonNullable<NonNullable<ArgoCd['applicationSet']>['waves']>;

function template(settings: ArgoCd, cluster: string, path: string, destination: JsonObject): JsonObject {
  const waves = settings.applicationSet?.waves;
  return {
    metadata: {
      name: applicationName(settings, cluster),
      ...(waves !== undefined && { labels: { [waves.label]: '{{.wave}}' } }),
    },
    spec: { ...applicationSpec(settings, path), destination },
  };
}

function othersThan(members: readonly FleetMember[], clusters: readonly string[]): readonly string[] {
  const names = new Set(members.map(({ cluster }) => cluster));
  return clusters.filter((cluster) => !names.has(cluster));
}

/** Every folder next to this one belongs to a cluster; `others` are not applied by this ApplicationSet. */
function gitGenerator({ repoURL, targetRevision, path }: ArgoCd, others: readonly string[]): JsonObject {
  const excluded = [FLEET_FOLDER, ...others].map((folder) => ({ path: repositoryPath(path, folder), exclude: true }));
  const directories = [{ path: repositoryPath(path, '*') }, ...excluded];
  return { git: { repoURL, revision: targetRevision, directories } };
}

function listGenerator(members: readonly FleetMember[]): JsonObject {
  const elements = members.map(({ cluster, settings, wave }) => ({
    cluster,
    path: repositoryPath(settings.path, cluster),
    name: '',
    server: '',
    ...(wave !== undefined && { wave }),
    ...destinationOf(settings, cluster),
  }));
  return { list: { elements } };
}
