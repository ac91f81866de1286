import { escapeJson } from '../../shared/lib/escape.js';
import { compareText } from '../../shared/lib/json.js';
import { alikeGroups, type AlikeGroups } from './alike.js';
import type { Causes } from './causes.js';
import type { DiffContext, FailedCluster, LeftCluster } from './context.js';
import { countByImpact, type ClusterDiff, type ObjectDiff } from './diff.js';
import type { DiffGroup } from './groups.js';
import { impactClasses, type ImpactClass } from '../impact/impact.js';

/** The output of `weft diff --format json`. Fields may be added; existing fields keep their meaning within a version. */
export interface DiffDocument {
  readonly version: 1;
  /** The old side, such as `HEAD:dist/`. */
  readonly old: string;
  /** What changed in bases, where the old side is a revision; absent if nothing did. */
  readonly causes?: Causes | undefined;
  /** Clusters with errors, which are not compared; standard error has the errors. */
  readonly failed: readonly Pick<FailedCluster, 'name' | 'codes'>[];
  /** Clusters that another version of Weft renders: their output as it lies on the disk was compared. */
  readonly leftBehind: readonly LeftCluster[];
  /** The same clusters by what the differences do, the worst first; a cluster is in one group. */
  readonly groups: readonly DiffDocumentGroup[];
  /** Clusters in which something differs, sorted by name. */
  readonly clusters: readonly DiffDocumentCluster[];
}

/** Clusters whose differences differ in names of pools, kernels, drivers, runs and nodes alone. */
interface DiffDocumentGroup {
  /** Sorted. */
  readonly clusters: readonly string[];
  /** The cluster that other formats show for all of them. */
  readonly shown: string;
  /** Nodes to which something happens, in all of them; absent where they are not known. */
  readonly nodes?: number;
  /** Those of the shown cluster. */
  readonly counts: DiffDocumentCluster['counts'];
}

/** Its texts may change. Values of fields are complete, except those of Secrets: `(hidden)`. */
interface DiffDocumentCluster extends ClusterDiff {
  /** Number of objects of each class; 0 if there are none. */
  readonly counts: Readonly<Record<ImpactClass, number>>;
}

/** The differences as one JSON document. Yields parts, because the text of all clusters may be large. */
export function* renderDiffJson(
  groups: readonly DiffGroup[],
  { old, causes, failed = [], left = [] }: DiffContext & Pick<DiffDocument, 'old'>,
): Generator<string, void> {
  const head: DiffDocument = {
    version: 1,
    old,
    ...(causes && { causes }),
    failed: failed.map(({ name, codes }) => ({ name, codes })),
    leftBehind: left.map(({ name, weft }) => ({ name, weft })),
    groups: alikeGroups(groups).map(groupOf),
    clusters: [],
  };
  yield escapeJson(JSON.stringify(head, null, 2).replace(/\]\n\}$/, ''));
  const clusters = groups
    .flatMap((group) => group.names.map((name) => ({ name, group })))
    .sort((a, b) => compareText(a.name, b.name));
  for (const [index, { name, group }] of clusters.entries()) {
    yield `${index === 0 ? '\n' : ',\n'}${escapeJson(JSON.stringify(clusterOf(name, group), null, 2).replace(/^/gm, '    '))}`;
  }
  yield clusters.length === 0 ? ']\n}\n' : '\n  ]\n}\n';
}

function groupOf({ names, shown, nodeCount }: AlikeGroups): DiffDocumentGroup {
  return {
    clusters: names,
    shown: shown.names[0] ?? '',
    ...(nodeCount !== undefined && { nodes: nodeCount }),
    counts: countsOf(shown.objects),
  };
}

function countsOf(objects: readonly ObjectDiff[]): DiffDocumentCluster['counts'] {
  const none = Object.fromEntries(impactClasses.map((impact) => [impact, 0])) as Record<ImpactClass, number>;
  return { ...none, ...Object.fromEntries(countByImpact(objects)) };
}

function clusterOf(
  name: string,
  { change, objects, pools, nodes, restarts, coverage, notes }: DiffGroup,
): DiffDocumentCluster {
  const counts = countsOf(objects);
  return { name, change, counts, pools, nodes, restarts, coverage, notes, objects: objects.map(objectOf) };
}

function objectOf(object: ObjectDiff): ObjectDiff {
  const { apiVersion, kind, namespace, name, change, file, impact, pools, notes, referrers, fields } = object;
  const { poolsAtOnce, mover, startsRun, hasLaterPods, isKept, refusedFields } = object;
  return {
    apiVersion,
    kind,
    namespace,
    name,
    change,
    ...(file === undefined ? {} : { file }),
    impact,
    pools,
    ...(poolsAtOnce === undefined ? {} : { poolsAtOnce }),
    ...(mover === undefined ? {} : { mover }),
    ...(startsRun === undefined ? {} : { startsRun }),
    ...(hasLaterPods === undefined ? {} : { hasLaterPods }),
    ...(isKept === undefined ? {} : { isKept }),
    ...(refusedFields === undefined ? {} : { refusedFields }),
    notes,
    referrers,
    fields,
  };
}
