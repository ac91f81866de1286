import { basename, relative, resolve } from 'node:path';
import { denyWarnings, type DeniedWarnings } from '../../shared/diagnostics/deny.js';
import type { Diagnostic } from '../../shared/diagnostics/diagnostic.js';
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
import type { FailedCluster } from '../../review/diff/context.js';
import { changesOfBases } from './base-files.js';
import { failedCluster, nameOf } from './failed.js';
import { compileFolder } from '../compile/compile.js';
import type { Compiled, Rendered } from '../compile/loaded.js';
import { collectUnusedIgnores } from '../compile/unused-ignores.js';
import type { LeftBehind } from '../compile/left-behind.js';
import { sourceOf } from '../project.js';
import { NO_OBJECTS, readManifests } from '../old-output/manifests.js';
import { openFolder } from '../old-output/folder.js';
import type { OldCluster, OldManifest, OldTree } from '../old-output/tree.js';
import type { Io } from '../io.js';
import { sameName } from '../problems.js';
import type { ProgramOptions } from '../programs.js';
import { startProgress, type Progress } from '../progress.js';
import { collectDiagnostics, hasErrors } from '../report.js';
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
  /** The differences of the clusters without errors. */
  readonly groups: readonly DiffGroup[];
  readonly diagnostics: readonly Diagnostic[];
  readonly failed: readonly FailedCluster[];
  /** How many clusters there are on either side, with and without errors. */
  readonly clusterCount: number;
  /** Two clusters have one name, so what was rendered for which is not known: nothing is compared. */
  readonly hasNamesakes: boolean;
  /** Whether the old tree has the folder of any cluster. */
  readonly isFound: boolean;
  /** Clusters that another version of Weft renders: their output as it is on the disk was compared. */
  readonly left: readonly LeftBehind[];
  /** What changed in bases; absent if nothing did, or the old side is no revision. */
  readonly causes?: Causes | undefined;
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
  const unusedIgnores = collectUnusedIgnores(next.denied);
  const changesOf = changesOfBases(old.tree, io);
  const failed: FailedCluster[] = [];
  let [isFound, hasNamesakes, clusterCount] = [false, false, 0];
  /** Keeps the differences of a cluster without errors; `undefined`: it is not the one that is asked for. */
  const take = (name: string, compared: Compared): 'different' | 'same' | 'unknown' | undefined => {
    found.add(compared.diagnostics);
    isFound ||= compared.isFound;
    const failure = failedCluster(name, compared.diagnostics);
    if (compared.diff === undefined && failure === undefined) return undefined;
    clusterCount += 1;
    if (failure !== undefined) {
      failed.push(failure);
      return 'unknown';
    }
    if (compared.diff === undefined) return undefined;
    groups.add(compared.diff);
    return isDifferent(compared.diff) ? 'different' : 'same';
  };
  const progress = startProgress(io);
  for await (const compiled of compileAll(next, progress, io)) {
    const { documents = [], bases = [] } = compiled.loaded ?? {};
    const cluster = compiled.result?.config.cluster ?? compiled.behind;
    const name = cluster?.name ?? nameOf(compiled.folder, documents);
    const [other, shown] = [names.get(name), relative(io.cwd, resolve(io.cwd, compiled.folder))];
    if (other === undefined) names.set(name, shown);
    else {
      found.add([sameName(name, other, shown)]);
      hasNamesakes = true;
    }
    unusedIgnores.add(compiled);
    const diagnostics = denyWarnings(compiled.diagnostics, next.denied);
    const outcome = take(
      name,
      hasErrors(diagnostics)
        ? { diagnostics, isFound: old.tree.folders.includes(name) }
        : withDiagnostics(diagnostics, compareCompiled(compiled, name, { old, next, deliver, io })),
    );
    if (cluster !== undefined) fleet.take(cluster);
    if (compiled.behind !== undefined) left.push(compiled.behind);
    else if (outcome !== undefined) causes.add({ name, documents, changes: bases.flatMap(changesOf), outcome });
  }
  if (next.isWhole && old.only === undefined) {
    // They are made of all clusters.
    if (failed.length === 0) take(FLEET_FOLDER, compareFleet(fleet, old.tree));
    const known = new Set([...names.keys(), FLEET_FOLDER]);
    for (const name of old.tree.folders.filter((folder) => !known.has(folder))) take(name, compareGone(name, old.tree));
  }
  // Other clusters may need the comments.
  if (next.isWhole) found.add(unusedIgnores.all());
  progress.clear();
  return {
    groups: groups.all(),
    diagnostics: found.all,
    failed,
    clusterCount,
    hasNamesakes,
    isFound,
    left,
    causes: causes.all(),
  };
}

interface ComparedWith {
  readonly old: Old;
  readonly next: Next;
  readonly deliver: ReturnType<typeof createDelivery>;
  readonly io: Io;
}

/** A cluster without errors. */
function compareCompiled(
  { behind, result, folder }: Compiled,
  name: string,
  { old, next, deliver, io }: ComparedWith,
): Compared {
  if (behind) return compareLeft(name, old, next);
  if (!result) return { diagnostics: [], isFound: false };
  const source = sourceOf(resolve(io.cwd, folder));
  const manifests = everyManifest(deliver(result.config.cluster, result.objects as readonly Placed[]));
  return compareCluster({ result, source, manifests }, old, next);
}

function withDiagnostics(diagnostics: readonly Diagnostic[], compared: Compared): Compared {
  return { ...compared, diagnostics: [...diagnostics, ...compared.diagnostics] };
}

async function* compileAll(next: Next, progress: Progress, io: Io): AsyncGenerator<Compiled, void> {
  const { folders } = next;
  const fleet = fleetRunFor(folders);
  for (const [index, folder] of folders.entries()) {
    progress.step(`comparing ${relative(io.cwd, resolve(io.cwd, folder))}`, index + 1, folders.length);
    yield await compileFolder(folder, io, { ...next, fleet, takesLeftBehind: true });
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
