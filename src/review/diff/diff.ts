import type { Config } from '../../model/config.js';
import { allComponents } from '../../components/all.js';
import { compareText } from '../../lib/json.js';
import type { KubernetesObject } from '../../kubernetes/types.js';
import type { FieldChange } from './fields.js';
import { objectChanges, type ObjectChange } from './objects.js';
import {
  impactClasses,
  impactOf,
  isCompanionJob,
  runsCompanion,
  type Impact,
  type ImpactClass,
} from '../impact/impact.js';
import { isDriver } from '../impact/driver.js';
import { indexReferences, type FindReferrers } from '../impact/references.js';

/** One object that differs, and what that does. */
export interface ObjectDiff extends Impact {
  /** Of the new object, or of the old one where it goes. */
  readonly apiVersion: string;
  readonly kind: string;
  /** Empty where the object has none. */
  readonly namespace: string;
  readonly name: string;
  readonly change: ObjectChange['kind'];
  /** Empty unless the object changed. */
  readonly fields: readonly FieldChange[];
}

/** What differs in one cluster. */
export interface ClusterDiff {
  readonly name: string;
  /** Whether the cluster itself is new, or gone. */
  readonly change: 'added' | 'removed' | 'changed';
  /** The worst first, workloads before the rest, then by kind, namespace and name; empty where nothing differs. */
  readonly objects: readonly ObjectDiff[];
}

/** The two sides of a cluster. */
export interface ClusterSides {
  readonly name: string;
  /** Without those that are certainly the same as in `next`, if the caller knows; absent where the cluster is new. */
  readonly old?: readonly KubernetesObject[];
  /** All objects that are rendered now; absent where the cluster is gone. */
  readonly next?: {
    readonly objects: readonly KubernetesObject[];
    /** Objects that are certainly the same as before. */
    readonly same?: ReadonlySet<KubernetesObject>;
    readonly config: Pick<Config, 'cluster' | 'instances'>;
  };
}

/** Compares what was with what is rendered now. Linear in the number of objects. */
export function diffCluster({ name, old, next }: ClusterSides): ClusterDiff {
  const objects = next?.objects ?? [];
  const context = {
    pools: next?.config.cluster.pools ?? [],
    upgrades: next ? automaticUpgrades(next.config) : new Map<string, boolean>(),
    drivers: objects.filter(isDriver),
    hasCompanion: objects.some(runsCompanion),
    hasCompanionJob: objects.some(isCompanionJob),
    findReferrers: lazily(objects),
  };
  const { same } = next ?? {};
  const changes = objectChanges(old ?? [], same ? objects.filter((object) => !same.has(object)) : objects);
  return {
    name,
    change: !old ? 'added' : !next ? 'removed' : 'changed',
    objects: changes.map((change) => objectDiff(change, impactOf(change, context))).sort(compareDiffs),
  };
}

/** How many objects each class has; classes without any are left out. */
export function countByImpact(objects: readonly ObjectDiff[]): ReadonlyMap<ImpactClass, number> {
  const counts = impactClasses.map(
    (impact) => [impact, objects.filter((one) => one.impact === impact).length] as const,
  );
  return new Map(counts.filter(([, count]) => count > 0));
}

/** Only what is removed asks who refers to it, so that the index is made for the first question. */
function lazily(objects: readonly KubernetesObject[]): FindReferrers {
  let find: FindReferrers | undefined;
  return (object) => (find ??= indexReferences(objects))(object);
}

/** Whether `autoUpgrade` is true, for each policy with an upgrade policy, by the label of its DaemonSets. */
function automaticUpgrades({ instances }: Pick<Config, 'instances'>): ReadonlyMap<string, boolean> {
  const upgrades = new Map<string, boolean>();
  for (const { id, upgradePolicy } of allComponents) {
    for (const { owner, spec } of instances.get(id) ?? []) {
      // The component's own schema has made the spec.
      const policy = upgradePolicy?.(spec as never);
      if (policy) upgrades.set(owner.label, policy.autoUpgrade);
    }
  }
  return upgrades;
}

function objectDiff(change: ObjectChange, impact: Impact): ObjectDiff {
  const { apiVersion, kind, metadata } = change.kind === 'removed' ? change.from : change.to;
  return {
    apiVersion,
    kind,
    namespace: metadata.namespace ?? '',
    name: metadata.name,
    change: change.kind,
    ...impact,
    fields: change.kind === 'changed' ? change.fields : [],
  };
}

/** What runs is what people look for first. */
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
