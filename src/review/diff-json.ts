import { escapeJson } from '../diagnostics/render-escape.js';
import type { ClusterDiff } from './diff.js';
import { countByImpact, type ObjectDiff } from './diff.js';
import type { FieldChange } from './diff-fields.js';
import type { ImpactClass } from './impact.js';

/** What `weft diff --format json` prints. Fields may be added; those that are there keep their meaning within a version. */
export interface DiffDocument {
  readonly version: 1;
  /** Clusters in which something differs, sorted by name. */
  readonly clusters: readonly DiffDocumentCluster[];
}

export interface DiffDocumentCluster {
  readonly name: string;
  /** Whether the cluster itself is new, or gone. */
  readonly change: 'added' | 'removed' | 'changed';
  /** Objects of each class; 0 where there are none. */
  readonly counts: Readonly<Record<ImpactClass, number>>;
  /** The worst first. */
  readonly objects: readonly DiffDocumentObject[];
}

export interface DiffDocumentObject {
  readonly apiVersion: string;
  readonly kind: string;
  /** Empty where the object has none. */
  readonly namespace: string;
  readonly name: string;
  readonly change: 'added' | 'removed' | 'changed';
  readonly impact: ImpactClass;
  /** Node pools of the new configuration whose nodes are drained. */
  readonly pools: readonly string[];
  /** For a removal only: whether annotations keep the object in the cluster. */
  readonly isKept?: boolean;
  /** For a drain only: whether the companion does it by itself. */
  readonly isAutomatic?: boolean;
  /** Sentences for people; their words may change. */
  readonly notes: readonly string[];
  /** What still refers to an object that goes. */
  readonly referrers: readonly { readonly kind: string; readonly namespace: string; readonly name: string }[];
  /** Values are whole, except those of Secrets: `(hidden)`. */
  readonly fields: readonly FieldChange[];
}

/** The differences for programs. */
export function renderDiffJson(clusters: readonly ClusterDiff[]): string {
  const document: DiffDocument = {
    version: 1,
    clusters: clusters.filter(({ objects }) => objects.length > 0).map(clusterOf),
  };
  return `${escapeJson(JSON.stringify(document, null, 2))}\n`;
}

function clusterOf({ name, change, objects }: ClusterDiff): DiffDocumentCluster {
  const counts = {
    drain: 0,
    restart: 0,
    remove: 0,
    add: 0,
    cosmetic: 0,
    ...Object.fromEntries(countByImpact(objects)),
  };
  return { name, change, counts, objects: objects.map(objectOf) };
}

function objectOf(object: ObjectDiff): DiffDocumentObject {
  const { apiVersion, kind, namespace, name, change, impact, pools, notes, referrers, fields } = object;
  const { isKept, isAutomatic } = object;
  return {
    ...{ apiVersion, kind, namespace, name, change, impact, pools },
    ...(isKept === undefined ? {} : { isKept }),
    ...(isAutomatic === undefined ? {} : { isAutomatic }),
    ...{ notes, referrers, fields },
  };
}
