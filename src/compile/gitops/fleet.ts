import type { Cluster } from '../model/config.js';
import type { ArgoCd } from '../model/gitops.js';
import { canonicalJson, compareText, valueAt } from '../../shared/lib/json.js';
import { groupBy } from '../../shared/lib/group-by.js';
import { layout, type ApiObject, type Manifest, type OutputFile, type Placed } from '../render/layout.js';
import { appProject } from './argocd/app-project.js';
import { applicationSet, type FleetMember } from './argocd/application-set.js';
import { destinationOf } from './argocd/application.js';
import { healthObjects, healthValues } from './argocd/daemon-set-health.js';

/** What the objects of a fleet depend on. */
export interface FleetCluster extends Pick<Cluster, 'name' | 'origin'> {
  readonly spec: Pick<Cluster['spec'], 'gitops'>;
}

/** The wave of a cluster, by the label of its document; absent without waves or label. */
export function waveOf({ spec, origin }: FleetCluster): string | undefined {
  const waves = spec.gitops.argocd?.applicationSet?.waves;
  const value = waves && valueAt(origin.document.value, ['metadata', 'labels', waves.label]);
  return typeof value === 'string' ? value : undefined;
}

/** The objects of Argo CD for all clusters of a run. */
export interface Fleet {
  /** Adds a cluster; returns the name of a cluster in the same ApplicationSet with other settings. */
  readonly take: (cluster: FleetCluster) => string | undefined;
  /** The files of their ApplicationSets, relative to the folder of the fleet; empty if there are none. */
  readonly files: () => readonly Manifest[];
  /** Files next to them that are no objects. */
  readonly others: () => readonly OutputFile[];
}

export function createFleet(): Fleet {
  const sets = new Map<string, FleetMember[]>();
  const clusters: string[] = [];
  return {
    take: (taken) => {
      const { name: cluster, spec } = taken;
      clusters.push(cluster);
      const settings = spec.gitops.argocd;
      const wave = waveOf(taken);
      if (settings?.applicationSet === undefined) return undefined;
      const { name } = settings.applicationSet;
      const members = sets.get(name) ?? [];
      sets.set(name, [...members, { cluster, settings, wave }]);
      return members.find((other) => sharedText(other.settings) !== sharedText(settings))?.cluster;
    },
    files: () => layout(objectsOf(sets, clusters.sort())),
    others: () => healthOf(sets).slice(0, 1).flatMap(healthValues),
  };
}

/** Settings that must be equal in all clusters of an ApplicationSet. */
function sharedText(settings: ArgoCd): string {
  return canonicalJson({ ...settings, destination: undefined });
}

/** Folder of the objects for Argo CD, below the folder of the fleet. */
const APPLICATIONS_FOLDER = 'applications';

function objectsOf(sets: ReadonlyMap<string, readonly FleetMember[]>, clusters: readonly string[]): readonly Placed[] {
  const sorted = [...sets].map(
    ([name, members]) => [name, [...members].sort((a, b) => compareText(a.cluster, b.cluster))] as const,
  );
  const all = sorted.flatMap(([, members]) => members);
  const byProject = groupBy(
    all.filter(({ settings }) => settings.appProject),
    ({ settings }) => `${settings.namespace}/${settings.project}`,
  );
  const applications = [
    ...sorted.flatMap(([name, members]) =>
      members.slice(0, 1).map((one) => applicationSet(name, one.settings, { members, clusters })),
    ),
    ...[...byProject.values()].flatMap(projectOf),
  ];
  return [
    ...applications.map((object) => ({ folder: APPLICATIONS_FOLDER, object })),
    ...healthOf(sets).flatMap(healthObjects),
  ];
}

/** Settings of the health checks: one for each Argo CD, which has a namespace. */
function healthOf(sets: ReadonlyMap<string, readonly FleetMember[]>): readonly ArgoCd[] {
  const all = [...sets.values()].flat().map(({ settings }) => settings);
  return [...groupBy(all, ({ namespace }) => namespace).values()].flatMap((settings) => settings.slice(0, 1));
}

/** The project of these clusters, which may be of several ApplicationSets. */
function projectOf(members: readonly FleetMember[]): readonly ApiObject[] {
  const repositories = [...new Set(members.map(({ settings }) => settings.repoURL))].sort();
  const destinations = members.map(({ cluster, settings }) => destinationOf(settings, cluster));
  return members.slice(0, 1).map(({ settings }) => appProject(settings, repositories, destinations));
}
