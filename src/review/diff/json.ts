import { escapeJson } from '../../shared/lib/escape.js';
import { compareText } from '../../shared/lib/json.js';
import { countByImpact, type ClusterDiff, type ObjectDiff } from './diff.js';
import type { DiffGroup } from './groups.js';
import { impactClasses, type ImpactClass } from '../impact/impact.js';

/** The output of `weft diff --format json`. Fields may be added; existing fields keep their meaning within a version. */
export interface DiffDocument {
  readonly version: 1;
  /** The old side, such as `HEAD:dist/`. */
  readonly old: string;
  /** Clusters in which something differs, sorted by name. */
  readonly clusters: readonly DiffDocumentCluster[];
}

/** Its texts may change. Values of fields are complete, except those of Secrets: `(hidden)`. */
interface DiffDocumentCluster extends ClusterDiff {
  /** Number of objects of each class; 0 if there are none. */
  readonly counts: Readonly<Record<ImpactClass, number>>;
}

/** The differences as one JSON document. Yields parts, because the text of all clusters may be large. */
export function* renderDiffJson(
  groups: readonly DiffGroup[],
  { old }: Pick<DiffDocument, 'old'>,
): Generator<string, void> {
  yield escapeJson(`{\n  "version": 1,\n  "old": ${JSON.stringify(old)},\n  "clusters": [`);
  const clusters = groups
    .flatMap((group) => group.names.map((name) => ({ name, group })))
    .sort((a, b) => compareText(a.name, b.name));
  for (const [index, { name, group }] of clusters.entries()) {
    const text = JSON.stringify(clusterOf(name, group), null, 2).replace(/^/gm, '    ');
    yield `${index === 0 ? '\n' : ',\n'}${escapeJson(text)}`;
  }
  yield clusters.length === 0 ? ']\n}\n' : '\n  ]\n}\n';
}

function clusterOf(
  name: string,
  { change, objects, pools, nodes, restarts, coverage, notes }: DiffGroup,
): DiffDocumentCluster {
  const none = Object.fromEntries(impactClasses.map((impact) => [impact, 0])) as Record<ImpactClass, number>;
  const counts = { ...none, ...Object.fromEntries(countByImpact(objects)) };
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
