import type { ClusterSettings } from '../../shared/contract/cluster-settings.js';
import type { DriverCoverage } from '../../shared/contract/driver-coverage.js';
import { sha256 } from '../../shared/lib/hash.js';
import { canonicalJson, compareText } from '../../shared/lib/json.js';
import type { KubernetesObject } from '../../shared/kubernetes/types.js';
import type { FieldChange } from '../../cluster/changes/fields.js';
import { WEFT_API_VERSION } from '../../compile/model/cluster.js';
import { isKept, objectChanges, type ObjectChange } from '../../cluster/changes/objects.js';
import { isDriver } from '../impact/driver.js';
import { driverSetOf, type DriverSet } from '../impact/driver-sets.js';
import { companionImage, isCompanionJob, isProgramReplaced, runsCompanion } from '../impact/companion-change.js';
import { coverageDiff, type CoverageChange, type CoverageDiff, type CoveredSide } from '../impact/coverage-changes.js';
import { virtualFunctionResources } from '../impact/virtual-function-resources.js';
import { virtualFunctionsIn } from '../impact/virtual-functions.js';
import { companionPolicy, isLoadedSafely, newSideOf } from '../impact/new-side.js';
import { offeredBy } from '../impact/offered-resources.js';
import { keptImageNotes } from '../impact/kept-images.js';
import { nodeFates, nodeRows, type NodeRow } from '../impact/node-rows.js';
import { releaseNotes } from '../impact/release-change.js';
import { podRestarts, type PodRestart } from '../impact/restarts.js';
import { impactClasses, impactOf, type Impact, type ImpactClass } from '../impact/impact.js';
import { poolChanges, underNewNames, type CoverageSides, type PoolChange } from '../impact/pool-changes.js';
import { countNodes } from '../../cluster/pools/count.js';
import type { ClusterNode } from '../../cluster/pools/nodes.js';
import { indexReferences, type FindReferrers } from '../impact/references.js';
import { settingsChange } from './settings.js';
import { findUsed, type UsedAddress } from '../impact/used-addresses.js';

/** One object that differs, and the impact of the difference. */
export interface ObjectDiff extends Impact {
  /** Of the new object, or of the old one if it is removed. */
  readonly apiVersion: string;
  readonly kind: string;
  /** Empty if the object has none. */
  readonly namespace: string;
  readonly name: string;
  readonly change: ObjectChange['kind'];
  /** Its file in the folder of the cluster, the old one if it is removed; absent if the caller does not know it. */
  readonly file?: string;
  /** Empty unless the object changed. */
  readonly fields: readonly FieldChange[];
  /** Of a whole object of class `rights` that is added or removed: who reviews the one of a cluster must not miss another one. */
  readonly digest?: string;
}

/** The differences of one cluster. */
export interface ClusterDiff {
  readonly name: string;
  /** Whether the cluster itself is new or removed. */
  readonly change: 'added' | 'removed' | 'changed';
  /** The worst first, workloads before the rest, then by kind, namespace and name; empty if nothing differs. */
  readonly objects: readonly ObjectDiff[];
  /** Node pools whose driver changes, sorted by name; empty if the old output does not list its pools. */
  readonly pools: readonly PoolChange[];
  /** What happens to nodes: one row for all nodes to which the same happens. */
  readonly nodes: readonly NodeRow[];
  /** The pods of DaemonSets that are made anew, without those of drivers. */
  readonly restarts: readonly PodRestart[];
  /** Where pods of components, without those of drivers, come from another DaemonSet or from none; in the order of the pools. */
  readonly coverage: readonly CoverageChange[];
  /** Other differences of the driver configuration, as sentences without a full stop. */
  readonly notes: readonly string[];
}

/** The two sides of a cluster. */
interface ClusterSides {
  readonly name: string;
  /** Absent if the cluster is new. */
  readonly old?: {
    /** Without objects that are certainly equal in `next`, if the caller knows them. */
    readonly objects: readonly KubernetesObject[];
    /** Absent if the old output does not list it. */
    readonly coverage?: readonly DriverCoverage[];
    /** Absent if the old output does not have them. */
    readonly settings?: ClusterSettings;
  };
  /** Absent if the cluster is removed. */
  readonly next?: {
    /** All objects that are rendered now. */
    readonly objects: readonly KubernetesObject[];
    /** Objects that are certainly unchanged. */
    readonly same?: ReadonlySet<KubernetesObject>;
    readonly coverage: readonly DriverCoverage[];
    /** The DaemonSets of components. Default: what pools get of them is not compared. */
    readonly covered?: CoveredSide;
    /** Identities of the objects that are documents of the input, unchanged; absent if there are none. */
    readonly documents?: ReadonlySet<string>;
    /** Default: not compared. */
    readonly settings?: ClusterSettings;
  };
  /** What released the old objects, if that is known, and the new ones, where the old side has no settings. */
  readonly releases?: { readonly before?: ClusterSettings; readonly after: ClusterSettings };
  /** The nodes of the cluster, if known. */
  readonly nodes?: readonly ClusterNode[];
  /** The addresses that its pods have, if known. */
  readonly addresses?: readonly UsedAddress[];
  /** The files of the objects of both sides, in the folder of the cluster. */
  readonly files?: ReadonlyMap<KubernetesObject, string>;
}

/** Compares the old objects with the new ones. Linear in the number of objects. */
export function diffCluster({ name, old, next, releases, nodes, addresses, files }: ClusterSides): ClusterDiff {
  const objects = next?.objects ?? [];
  const { same } = next ?? {};
  const changes = objectChanges(old?.objects ?? [], same ? objects.filter((object) => !same.has(object)) : objects);
  const coverage = coverageOf(old, next);
  const staying = changes.flatMap((change) => (change.kind === 'removed' && isKept(change.from) ? [change.from] : []));
  const findReferrers = lazily([...objects, ...staying]);
  const companion = companionPolicy(objects);
  const about = { isClusterGone: next === undefined, isLoadedSafely: isLoadedSafely(objects) };
  const before = [...(old?.objects ?? []), ...(same ?? [])];
  const [oldSets, newSets] = [before.filter(isDriver).map(driverSetOf), objects.filter(isDriver).map(driverSetOf)];
  const covered = coveredOf(old && before, next, changes);
  const fates = nodeFates({
    undriven: covered.undriven,
    before: oldSets,
    next: newSideOf(newSets, objects.some(runsCompanion) ? companion : undefined, next?.coverage ?? [], about),
    coverage: coverage ?? { after: next?.coverage ?? [] },
    ...(nodes && { nodes }),
  });
  const rows = nodeRows(fates, nodes !== undefined);
  const isScheduled = objects.some((object) => runsCompanion(object) && !isCompanionJob(object));
  const oldCompanionImage = isScheduled ? undefined : companionImage(old?.objects ?? []);
  const context = {
    rows,
    podChanges: covered.changes,
    isClusterThroughout: old !== undefined && next !== undefined,
    documents: next?.documents ?? new Set<string>(),
    areMarksJudged: old?.settings !== undefined,
    areNodesKnown: nodes !== undefined,
    drivers: [...oldSets, ...newSets],
    driverPools: poolsIn(coverage?.before ?? next?.coverage ?? []),
    hasCompanionJob: objects.some(isCompanionJob),
    isProgramReplaced: isProgramReplaced(changes),
    ...(virtualFunctionsIn(companion) && {
      drainedNodes: { coverage: next?.coverage ?? [], ...(nodes && { nodes }) },
    }),
    offered: new Set(objects.flatMap(offeredBy)),
    virtualFunctions: virtualFunctionResources(objects),
    ...(oldCompanionImage !== undefined && { oldCompanionImage }),
    bindings: [...objects, ...(old?.objects ?? [])].filter(({ kind }) => kind.endsWith('RoleBinding')),
    findReferrers,
    ...(addresses && { findUsed: findUsed(addresses, objects, findReferrers) }),
  };
  const counted = coverage && nodes && countNodes(nodes, [...coverage.before, ...coverage.after]);
  const diffs = changes.map((change) => objectDiff(change, impactOf(change, context), files));
  const settings = releases ?? { before: old?.settings, after: next?.settings };
  const hasPolicy = diffs.some(({ impact }) => impact === 'policy');
  return {
    name,
    change: !old ? 'added' : !next ? 'removed' : 'changed',
    objects: [...clusterDocumentDiff(name, old, next, [...oldSets, ...newSets]), ...diffs].sort(compareDiffs),
    nodes: old ? rows : [],
    restarts: old ? podRestarts(fates, [before, objects], companion, nodes !== undefined) : [],
    pools: coverage && old && next ? poolChanges(coverage, counted) : [],
    coverage: covered.changes,
    notes: [
      ...covered.notes,
      ...releaseNotes(
        settings.before,
        settings.after,
        changes,
        rows.some(({ step }) => step === 'drained'),
      ),
      ...(settings.before && settings.after ? keptImageNotes(settings.before, settings.after, objects) : []),
      ...(coverage && old && next ? settingNotes(coverage, hasPolicy) : []),
    ],
  };
}

function coveredOf(
  before: readonly KubernetesObject[] | undefined,
  next: ClusterSides['next'],
  changes: readonly ObjectChange[],
): CoverageDiff {
  if (before === undefined || next?.covered === undefined || !changes.some(isOfDaemonSet))
    return { changes: [], notes: [], undriven: new Map() };
  return coverageDiff(before, next.covered);
}

function isOfDaemonSet(change: ObjectChange): boolean {
  return (change.kind === 'removed' ? change.from : change.to).kind === 'DaemonSet';
}

/** The Cluster document is no object of the output, but has a row of its own where it does what no object shows. */
function clusterDocumentDiff(
  name: string,
  old: ClusterSides['old'],
  next: ClusterSides['next'],
  drivers: readonly DriverSet[],
): readonly ObjectDiff[] {
  const found = settingsChange(old, next, new Map(drivers.map((one) => [one.id, one])));
  if (found === undefined) return [];
  const identity = { apiVersion: WEFT_API_VERSION, kind: 'Cluster', namespace: '', name };
  return [{ ...identity, change: 'changed', pools: [], referrers: [], ...found }];
}

function poolsIn(coverage: readonly DriverCoverage[]): readonly string[] {
  return [...new Set(coverage.map(({ pool }) => pool))].sort(compareText);
}

/**
 * The driver coverage of both sides, with the new names of pools; `undefined` if the old output does not list its
 * pools.
 */
function coverageOf(old: ClusterSides['old'], next: ClusterSides['next']): CoverageSides | undefined {
  const before = old ? old.coverage : [];
  return before === undefined ? undefined : underNewNames({ before, after: next?.coverage ?? [] });
}

/** The driver gate, which no field of a DaemonSet shows, and `autoUpgrade` where no policy of a companion has it. */
function settingNotes({ before, after }: CoverageSides, hasPolicy: boolean): readonly string[] {
  const policies = [...new Set(after.map(({ policy }) => policy))].sort(compareText);
  const upgrades = policies.flatMap((policy) => {
    const [from, to] = [before, after].map((side) => side.find((one) => one.policy === policy)?.autoUpgrade);
    return from === undefined || from === to ? [] : [`\`autoUpgrade\` of ${policy}: ${from} -> ${to}`];
  });
  const [from, to] = [before[0]?.gate, after[0]?.gate];
  const isGateChanged = from !== undefined && to !== undefined && from !== to;
  return [...(hasPolicy ? [] : upgrades), ...(isGateChanged ? [`the driver gate: ${from} -> ${to}`] : [])];
}

/** How many objects each class has; classes without any are left out. */
export function countByImpact(objects: readonly ObjectDiff[]): ReadonlyMap<ImpactClass, number> {
  const counts = impactClasses.map(
    (impact) => [impact, objects.filter((one) => one.impact === impact).length] as const,
  );
  return new Map(counts.filter(([, count]) => count > 0));
}

/** Only removed objects need their referrers, so the index is built at the first request. */
function lazily(objects: readonly KubernetesObject[]): FindReferrers {
  let find: FindReferrers | undefined;
  return (object) => (find ??= indexReferences(objects))(object);
}

function objectDiff(change: ObjectChange, impact: Impact, files: ClusterSides['files']): ObjectDiff {
  const object = change.kind === 'removed' ? change.from : change.to;
  const { apiVersion, kind, metadata } = object;
  const file = files?.get(object);
  return {
    apiVersion,
    kind,
    namespace: metadata.namespace ?? '',
    name: metadata.name,
    change: change.kind,
    ...(file !== undefined && { file }),
    ...impact,
    fields: change.kind === 'changed' ? change.fields : [],
    ...(change.kind !== 'changed' && impact.impact === 'rights' && { digest: sha256(canonicalJson(object)) }),
  };
}

/** Workloads come first. */
const WORKLOADS = new Set(['DaemonSet', 'Deployment', 'StatefulSet', 'Job', 'CronJob']);

function compareDiffs(a: ObjectDiff, b: ObjectDiff): number {
  return (
    impactClasses.indexOf(a.impact) - impactClasses.indexOf(b.impact) ||
    Number(WORKLOADS.has(b.kind)) - Number(WORKLOADS.has(a.kind)) ||
    compareText(a.kind, b.kind) ||
    compareText(a.namespace, b.namespace) ||
    compareText(a.name, b.name)
  );
}
