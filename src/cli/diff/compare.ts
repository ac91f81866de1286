import { basename, relative, resolve } from 'node:path';
import { denyWarnings, type DeniedWarnings } from '../../shared/diagnostics/deny.js';
import { isError, type Diagnostic } from '../../shared/diagnostics/diagnostic.js';
import type { KubernetesObject } from '../../shared/kubernetes/types.js';
import { programDaemonSets } from '../../compile/coverage/daemon-sets.js';
import { createDelivery, everyManifest } from '../../compile/gitops/delivery.js';
import { FLEET_FOLDER } from '../../compile/gitops/argocd/application-set.js';
import { createFleet, type Fleet } from '../../compile/gitops/fleet.js';
import type { Manifest, Placed } from '../../compile/render/layout.js';
import { pathInBase } from '../../compile/render/tree/base-path.js';
import { BASE_SOURCE } from '../../compile/render/tree/base.js';
import { withHeader } from '../../compile/render/tree/header.js';
import { settingsOf } from '../../shared/contract/cluster-settings.js';
import { driverCoverage } from '../../review/coverage/coverage.js';
import { documentsOf } from '../../review/impact/document-change.js';
import { movedDrivers } from '../../review/impact/moved-drivers.js';
import type { UsedAddress } from '../../review/impact/used-addresses.js';
import type { ClusterNode } from '../../cluster/pools/nodes.js';
import { diffCluster, type ClusterDiff } from '../../review/diff/diff.js';
import { collectCauses, type Causes } from '../../review/diff/causes.js';
import { diffGroups, isDifferent, type DiffGroup } from '../../review/diff/groups.js';
import { changesOfBases } from './base-files.js';
import { compileFolder } from '../compile/compile.js';
import type { Compiled, Rendered } from '../compile/loaded.js';
import type { LeftBehind } from '../compile/left-behind.js';
import { sourceOf } from '../project.js';
import { NO_OBJECTS, readManifests } from '../old-output/manifests.js';
import { openFolder, type OldCluster, type OldManifest, type OldTree } from '../old-output/tree.js';
import type { Io } from '../io.js';
import { sameName } from '../problems.js';
import type { ProgramOptions } from '../programs.js';
import { startProgress, type Progress } from '../progress.js';
import { collectDiagnostics } from '../report.js';
import { fleetRunFor } from '../compile/fleet-run.js';

/** The old tree, and the name of its cluster if it is the folder of one cluster. */
export interface Old {
  readonly tree: OldTree;
  readonly only?: string;
}

/** The new side. */
export interface Next extends ProgramOptions {
  /** The output folder. */
  readonly output: string;
  readonly folders: readonly string[];
  /** Whether `folders` are all clusters of the project. Other clusters of the old tree then count as removed. */
  readonly isWhole: boolean;
  /** Warnings that count as errors. */
  readonly denied: DeniedWarnings;
  /** The nodes of the one cluster that is compared, if known. */
  readonly nodes?: readonly ClusterNode[];
  /** The addresses that pods of the one cluster have, if known. */
  readonly addresses?: readonly UsedAddress[];
}

/** The result for all clusters. */
interface Comparison {
  /** Not valid if a diagnostic is an error. */
  readonly groups: readonly DiffGroup[];
  readonly diagnostics: readonly Diagnostic[];
  /** Whether the old tree has the folder of any cluster. */
  readonly isFound: boolean;
  /** Clusters that another version of Weft renders: their output as it is on the disk was compared. */
  readonly left: readonly LeftBehind[];
  /** What changed in bases; absent if nothing did, or the old side is no revision. */
  readonly causes?: Causes | undefined;
  /** Where bases changed and clusters that extend them have errors: text that says so. */
  readonly failures: readonly string[];
}

interface Compared {
  readonly diff?: ClusterDiff;
  readonly diagnostics: readonly Diagnostic[];
  readonly isFound: boolean;
}

/**
 * Compares cluster by cluster. It keeps only the differences, and equal ones of several clusters once, so that memory
 * does not grow with the fleet.
 */
export async function compareAll(old: Old, next: Next, io: Io): Promise<Comparison> {
  const names = new Map<string, string>();
  const groups = diffGroups();
  const deliver = createDelivery();
  const fleet = createFleet();
  const found = collectDiagnostics();
  const left: LeftBehind[] = [];
  const causes = collectCauses();
  const changesOf = changesOfBases(old.tree, io);
  let isFound = false;
  const take = (compared: Compared) => {
    if (compared.diff) groups.add(compared.diff);
    found.add(compared.diagnostics);
    isFound ||= compared.isFound;
  };
  const progress = startProgress(io);
  for await (const compiled of compileAll(next, progress, io)) {
    const diagnostics = denyWarnings(compiled.diagnostics, next.denied);
    found.add(diagnostics);
    const { documents = [], bases = [] } = compiled.loaded ?? {};
    const codes = diagnostics.filter(isError).map(({ code }) => code);
    const changes = bases.flatMap(changesOf);
    if (codes.length > 0) causes.addFailed({ name: basename(compiled.folder), changes, codes });
    const cluster = compiled.result?.config.cluster ?? compiled.behind;
    if (!cluster) continue;
    const { name } = cluster;
    const [other, shown] = [names.get(name), relative(io.cwd, resolve(io.cwd, compiled.folder))];
    if (other === undefined) names.set(name, shown);
    else found.add([sameName(name, other, shown)]);
    if (found.hasErrors()) continue;
    fleet.take(cluster);
    if (compiled.behind) {
      left.push(compiled.behind);
      take(compareLeft(name, old, next));
    }
    if (!compiled.result) continue;
    const { objects } = compiled.result;
    const source = sourceOf(resolve(io.cwd, compiled.folder));
    const manifests = everyManifest(deliver(compiled.result.config.cluster, objects as readonly Placed[]));
    const compared = compareCluster({ result: compiled.result, source, manifests }, old, next);
    take(compared);
    if (compared.diff) causes.add({ name, documents, changes, isDifferent: isDifferent(compared.diff) });
  }
  if (next.isWhole && old.only === undefined && !found.hasErrors()) {
    take(compareFleet(fleet, old.tree));
    const known = new Set([...names.keys(), FLEET_FOLDER]);
    for (const name of old.tree.folders.filter((folder) => !known.has(folder))) take(compareGone(name, old.tree));
  }
  progress.clear();
  return {
    groups: groups.all(),
    diagnostics: found.all,
    isFound,
    left,
    causes: causes.all(),
    failures: causes.failures(),
  };
}

async function* compileAll(next: Next, progress: Progress, io: Io): AsyncGenerator<Compiled, void> {
  const { folders } = next;
  const fleet = fleetRunFor(folders);
  for (const [index, folder] of folders.entries()) {
    progress.step(`comparing ${relative(io.cwd, resolve(io.cwd, folder))}`, index + 1, folders.length);
    yield await compileFolder(folder, io, { ...next, fleet });
  }
}

/** The folder with the objects of the whole fleet, if either side has one. */
function compareFleet(fleet: Fleet, tree: OldTree): Compared {
  const manifests = fleet.files();
  const objects = manifests.map(({ object }): KubernetesObject => object);
  if (objects.length === 0) return compareGone(FLEET_FOLDER, tree);
  const found = tree.cluster(FLEET_FOLDER);
  const old = found ? readManifests(found) : NO_OBJECTS;
  const sides = {
    name: FLEET_FOLDER,
    next: { objects, same: new Set<KubernetesObject>(), coverage: [] },
    ...(found ? { old: { objects: old.objects } } : {}),
    files: new Map([...old.files, ...filesOf(manifests)]),
  };
  return { diff: diffCluster(sides), diagnostics: old.diagnostics, isFound: false };
}

/** A cluster that is left behind: its output on the disk is the new side. */
function compareLeft(name: string, { tree, only }: Old, { output }: Next): Compared {
  if (only !== undefined && only !== name) return { diagnostics: [], isFound: false };
  const [before, now] = [tree, openFolder(output, basename(output))].map((side) => side.cluster(name));
  const old = before ? readManifests(before) : NO_OBJECTS;
  const next = now ? readManifests(now) : NO_OBJECTS;
  const sides = {
    name,
    ...(now && { next: { objects: next.objects, coverage: [], ...configurationIn(now) } }),
    // What one side does not say cannot be compared.
    ...(before && { old: { objects: old.objects, ...(now?.coverage && configurationIn(before)) } }),
    files: new Map([...old.files, ...next.files]),
  };
  const diagnostics = [...old.diagnostics, ...next.diagnostics];
  return { diff: diffCluster(sides), diagnostics, isFound: before !== undefined };
}

/** A folder of the old tree without a cluster now: a removed cluster if Weft wrote it, else not compared. */
function compareGone(name: string, tree: OldTree): Compared {
  const found = tree.cluster(name);
  if (!found?.hasIndex) return { diagnostics: [], isFound: false };
  const { objects, diagnostics, files } = readManifests(found);
  return {
    diff: diffCluster({ name, old: { objects, ...configurationIn(found) }, files }),
    diagnostics,
    isFound: true,
  };
}

/** The files that a cluster renders now, and the input folder that their first line names. */
interface NextCluster {
  readonly result: Rendered;
  readonly source: string;
  readonly manifests: readonly Manifest[];
}

function compareCluster(
  next: NextCluster,
  { tree, only }: Old,
  { isWhole, folders, nodes, addresses }: Next,
): Compared {
  const { config, objects: placed } = next.result;
  const { name } = config.cluster;
  // The folder of one cluster may have any name where the input is one cluster too.
  const isOnlyPair = only !== undefined && !isWhole && folders.length === 1;
  if (only !== undefined && only !== name && !isOnlyPair) return { diagnostics: [], isFound: false };
  const objects = next.manifests.map(({ object }): KubernetesObject => object);
  const found = tree.cluster(isOnlyPair ? only : name);
  const same = found ? sameObjects(next, found, tree) : new Map<OldManifest, KubernetesObject>();
  const old = found
    ? readManifests(
        found,
        found.manifests.filter((manifest) => !same.has(manifest)),
      )
    : NO_OBJECTS;
  const daemonSets = programDaemonSets(config, placed);
  const sides = {
    name,
    next: {
      objects,
      same: new Set(same.values()),
      coverage: driverCoverage(config, daemonSets),
      covered: { config, daemonSets },
      documents: documentsOf(config),
      settings: settingsOf(config.cluster.spec),
    },
    ...(found ? { old: { objects: old.objects, ...configurationIn(found) } } : {}),
    ...(nodes && { nodes }),
    ...(addresses && { addresses }),
    files: new Map([...old.files, ...filesOf(next.manifests)]),
  };
  const diagnostics = [...old.diagnostics, ...movedDrivers(config.cluster, old.objects, objects)];
  return { diff: diffCluster(sides), diagnostics, isFound: found !== undefined };
}

/** Objects whose file has the same bytes as before. Parsing is most of the work, so these are left out. */
function sameObjects(
  { manifests, source }: NextCluster,
  old: OldCluster,
  tree: OldTree,
): ReadonlyMap<OldManifest, KubernetesObject> {
  const byPath = new Map(manifests.map((file) => [file.path, file]));
  return new Map(
    old.manifests.flatMap((manifest) => {
      const next = byPath.get(manifest.inner);
      const isSame = next !== undefined && tree.idOf(textOf(next, source)) === manifest.id;
      return isSame ? [[manifest, next.object] as const] : [];
    }),
  );
}

/** The text of a file, which is in the folder of the cluster or in a base. */
function textOf(file: Manifest, source: string): string {
  const inner = pathInBase(file.path);
  return inner === undefined ? withHeader(file, source).text : withHeader({ ...file, path: inner }, BASE_SOURCE).text;
}

function configurationIn({ coverage, settings }: OldCluster): Pick<OldCluster, 'coverage' | 'settings'> {
  return { ...(coverage && { coverage }), ...(settings && { settings }) };
}

function filesOf(manifests: readonly Manifest[]): ReadonlyMap<KubernetesObject, string> {
  return new Map(manifests.map(({ object, path }) => [object, path]));
}
