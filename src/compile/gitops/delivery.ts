import { COMPANION_COMPONENT, COMPANION_NAMES } from '../../shared/contract/labels.js';
import { keptBy } from '../../shared/lib/memo.js';
import type { Cluster } from '../model/config.js';
import type { GitOps } from '../model/gitops.js';
import { createFileCache } from '../render/file-cache.js';
import { fromCluster } from '../render/tree/base-path.js';
import { baseOf, type Base } from '../render/tree/base.js';
import { kustomization } from '../render/kustomization.js';
import { layout, type ApiObject, type Manifest, type OutputFile, type Placed } from '../render/layout.js';
import { appProject } from './argocd/app-project.js';
import { application, destinationOf } from './argocd/application.js';
import { healthObjects, healthValues } from './argocd/daemon-set-health.js';
import { deliveryGroup, type DeliveryGroup } from './delivery-group.js';
import { kustomizations } from './flux/kustomizations.js';
import { fluxSource } from './flux/source.js';
import { CHARTS, chartFiles } from './helm/charts.js';
import { toTemplate } from './helm/template-text.js';

/** The files of a cluster, without their first lines. */
interface Delivered extends OwnFiles {
  /** Objects that clusters share, in folders beside that of the cluster. */
  readonly bases: readonly Base[];
}

/** The files in the folder of a cluster. */
interface OwnFiles {
  /** Files of objects: those of the cluster, and those for a GitOps controller. */
  readonly manifests: readonly Manifest[];
  readonly others: readonly OutputFile[];
}

/** The input of the layout of a cluster's files. */
interface DeliveredCluster {
  readonly name: Cluster['name'];
  readonly spec: { readonly gitops: GitOps };
}

/** The files of clusters of one run. */
type Deliver = (cluster: DeliveredCluster, objects: readonly Placed[]) => Delivered;

/** Lays out the clusters of one run; common objects are laid out once. */
export function createDelivery(): Deliver {
  const caches = { plain: createFileCache(), flux: createFileCache(inGroups), helm: createFileCache(inCharts) };
  const kept = keptBy<Split>();
  const split = (all: readonly Manifest[]) => kept(all, [], () => withBases(all));
  return (cluster, objects) => {
    const { argocd, flux, helm } = cluster.spec.gitops;
    if (flux !== undefined) return fluxFiles(cluster.name, flux, split(caches.flux.manifestsOf(objects)));
    if (helm !== undefined) {
      const manifests = caches.helm.manifestsOf(objects);
      // A chart reads no file outside of its folder, so it has the program itself.
      const others = usedCharts(manifests).flatMap((chart) => chartFiles(chart, cluster.name, helm));
      return { manifests, others, bases: [] };
    }
    return plainFiles(split(caches.plain.manifestsOf(objects)), argocdFiles(cluster.name, argocd));
  };
}

function plainFiles({ manifests, bases }: Split, own: OwnFiles): Delivered {
  const listed = [...manifests.map(({ path }) => path), ...bases.map(({ folder }) => fromCluster(folder))];
  return {
    manifests: [...manifests, ...own.manifests],
    others: [kustomization(listed), ...own.others],
    bases,
  };
}

type Split = Pick<Delivered, 'manifests' | 'bases'>;

/** Takes the program of the companion out: it is by far the largest object, and equal in all clusters. */
function withBases(all: readonly Manifest[]): Split {
  const bases = all.filter(isProgram).map(baseOf);
  return { manifests: bases.length === 0 ? all : all.filter((manifest) => !isProgram(manifest)), bases };
}

const isProgram = ({ path, object: { kind, metadata } }: Manifest): boolean =>
  kind === 'ConfigMap' &&
  path.startsWith(`${COMPANION_COMPONENT}/`) &&
  metadata.name.startsWith(COMPANION_NAMES.programPrefix);

/** The files of all objects, with paths relative to the folder of the cluster. */
export function everyManifest({ manifests, bases }: Pick<Delivered, 'manifests' | 'bases'>): readonly Manifest[] {
  const inBases = bases.flatMap(({ folder, manifests: files }) =>
    files.map((file) => ({ ...file, path: fromCluster(`${folder}/${file.path}`) })),
  );
  return [...manifests, ...inBases];
}

/** Folder of the objects for Argo CD, in no kustomization: they belong in the cluster that Argo CD runs in. */
const ARGOCD_FOLDER = 'argocd';

/** What belongs in the cluster of Argo CD; nothing with an ApplicationSet, which is in the folder of the fleet. */
function argocdFiles(cluster: string, settings: GitOps['argocd']): OwnFiles {
  if (settings === undefined || settings.applicationSet !== undefined) return { manifests: [], others: [] };
  const objects = [
    application(settings, cluster),
    ...(settings.appProject ? [appProject(settings, [settings.repoURL], [destinationOf(settings, cluster)])] : []),
  ];
  const placed = [...objects.map((object) => ({ folder: '', object })), ...healthObjects(settings)];
  const inFolder = (path: string) => [ARGOCD_FOLDER, path].filter((part) => part !== '').join('/');
  return {
    manifests: layout(placed.map(({ folder, object }) => ({ folder: inFolder(folder), object }))),
    others: healthValues(settings).map(({ path, text }) => ({ path: inFolder(path), text })),
  };
}

/** Folder of the objects for Flux. */
const FLUX_FOLDER = 'flux';

function fluxFiles(cluster: string, settings: NonNullable<GitOps['flux']>, { manifests, bases }: Split): Delivered {
  const byGroup = new Map<DeliveryGroup, string[]>();
  for (const { path } of manifests) {
    const [group = '', ...rest] = path.split('/');
    const paths = byGroup.get(group as DeliveryGroup) ?? [];
    byGroup.set(group as DeliveryGroup, paths);
    paths.push(rest.join('/'));
  }
  byGroup.get('companion')?.push(...bases.map(({ folder }) => `../${fromCluster(folder)}`));
  const objects: readonly ApiObject[] = [
    ...fluxSource(settings, cluster),
    ...kustomizations(settings, cluster, new Set(byGroup.keys())),
  ];
  const own = layout(objects.map((object) => ({ folder: FLUX_FOLDER, object })));
  const inFlux = own.map(({ path }) => path.slice(FLUX_FOLDER.length + 1));
  return {
    manifests: [...manifests, ...own],
    others: [
      kustomization([...byGroup.keys()]),
      ...[...byGroup].map(([group, paths]) => kustomization(paths, group)),
      kustomization(inFlux, FLUX_FOLDER),
    ],
    bases,
  };
}

/** A folder for each group. Components have folders of their own in it. */
function inGroups(objects: readonly Placed[]): readonly Manifest[] {
  return layout(
    objects.map((placed) => {
      const group = deliveryGroup(placed);
      return { ...placed, folder: group === 'components' ? `${group}/${placed.folder}` : group };
    }),
  );
}

/** The templates of two charts: Helm looks up every kind of a chart before it applies the first object. */
function inCharts(objects: readonly Placed[]): readonly Manifest[] {
  return layout(
    objects.map((placed) => {
      const group = deliveryGroup(placed);
      const isBase = group === 'crds' || group === 'base';
      return { ...placed, folder: isBase ? 'base/templates' : `main/templates/${placed.folder}` };
    }),
  ).map((manifest) => ({ ...manifest, text: toTemplate(manifest.text) }));
}

function usedCharts(manifests: readonly Manifest[]) {
  return CHARTS.filter((chart) => manifests.some(({ path }) => path.startsWith(`${chart}/`)));
}
