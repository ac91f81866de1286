import { escapeJson } from '../../diagnostics/render/escape.js';
import { compareText } from '../../lib/json.js';
import { countByImpact, type ObjectDiff } from './diff.js';
import type { FieldChange } from '../changes/fields.js';
import type { DiffGroup } from './groups.js';
import { impactClasses, type ImpactClass } from '../impact/impact.js';
import type { Mover } from '../impact/driver.js';
import type { NodeRow } from '../impact/node-rows.js';
import type { PodRestart } from '../impact/restarts.js';
import type { PoolChange } from '../impact/pool-changes.js';

/** The output of `weft diff --format json`. Fields may be added; existing fields keep their meaning within a version. */
export interface DiffDocument {
  readonly version: 1;
  /** The old side, such as `HEAD:dist/`. */
  readonly old: string;
  /** Clusters in which something differs, sorted by name. */
  readonly clusters: readonly DiffDocumentCluster[];
}

interface DiffDocumentCluster {
  readonly name: string;
  /** Whether the cluster itself is new or removed. */
  readonly change: 'added' | 'removed' | 'changed';
  /** Number of objects of each class; 0 if there are none. */
  readonly counts: Readonly<Record<ImpactClass, number>>;
  /** Node pools whose driver changes, sorted by name. */
  readonly pools: readonly PoolChange[];
  /** What happens to nodes: one row for all nodes to which the same happens. */
  readonly nodes: readonly NodeRow[];
  /** The pods of DaemonSets that are made anew, without those of drivers. */
  readonly restarts: readonly PodRestart[];
  /** Other differences of the driver configuration, as text that may change. */
  readonly notes: readonly string[];
  /** The worst first. */
  readonly objects: readonly DiffDocumentObject[];
}

interface DiffDocumentObject {
  readonly apiVersion: string;
  readonly kind: string;
  /** Empty if the object has none. */
  readonly namespace: string;
  readonly name: string;
  readonly change: 'added' | 'removed' | 'changed';
  /** Its file in the folder of the cluster; the old one if it is removed. */
  readonly file?: string;
  readonly impact: ImpactClass;
  /** Node pools of the driver on either side, if they or the driver differ. */
  readonly pools: readonly string[];
  /** For drivers: those of `pools` whose driver pods are deleted when the change is applied, without a drain. */
  readonly poolsAtOnce?: readonly string[];
  /** For drivers, and absent if all pools are in `poolsAtOnce`: what upgrades the nodes of the other pools. */
  readonly mover?: Mover;
  /** True if applying it starts a run of the companion. */
  readonly startsRun?: boolean;
  /** For a removal only: whether annotations keep the object in the cluster. */
  readonly isKept?: boolean;
  /**
   * For a change only: fields that the API server refuses to change, so that applying fails. Absent if there are none.
   */
  readonly refusedFields?: readonly string[];
  /** Sentences for users; the texts may change. */
  readonly notes: readonly string[];
  /** Objects that still refer to a removed object. */
  readonly referrers: readonly { readonly kind: string; readonly namespace: string; readonly name: string }[];
  /** Values are complete, except those of Secrets: `(hidden)`. */
  readonly fields: readonly FieldChange[];
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

function clusterOf(name: string, { change, objects, pools, nodes, restarts, notes }: DiffGroup): DiffDocumentCluster {
  const none = Object.fromEntries(impactClasses.map((impact) => [impact, 0])) as Record<ImpactClass, number>;
  const counts = { ...none, ...Object.fromEntries(countByImpact(objects)) };
  return { name, change, counts, pools, nodes, restarts, notes, objects: objects.map(objectOf) };
}

function objectOf(object: ObjectDiff): DiffDocumentObject {
  const { apiVersion, kind, namespace, name, change, file, impact, pools, notes, referrers, fields } = object;
  const { poolsAtOnce, mover, startsRun, isKept, refusedFields } = object;
  return {
    ...{ apiVersion, kind, namespace, name, change },
    ...(file === undefined ? {} : { file }),
    ...{ impact, pools },
    ...(poolsAtOnce === undefined ? {} : { poolsAtOnce }),
    ...(mover === undefined ? {} : { mover }),
    ...(startsRun === undefined ? {} : { startsRun }),
    ...(isKept === undefined ? {} : { isKept }),
    ...(refusedFields === undefined ? {} : { refusedFields }),
    ...{ notes, referrers, fields },
  };
}
