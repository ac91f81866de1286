import { groupOf } from '../../kubernetes/identity.js';
import { installDigest, type PodTemplateLike } from '../../contract/install-digest.js';
import { OFED_DRIVER_LABEL } from '../../contract/labels.js';
import type { DriverCoverage } from '../../contract/driver-coverage.js';
import type { KubernetesObject } from '../../kubernetes/types.js';
import { compareText, valueAt } from '../../lib/json.js';
import { textAt, textsAt } from '../diff/data.js';
import { isKept, type ObjectChange } from '../diff/objects.js';
import { moverOf, poolList, poolNames, rowsOf, type DriverContext, type DriverImpact } from './driver-context.js';
import { touches } from './refused.js';
import { retiredDriver } from './retired-driver.js';

/** Whether an object is a DaemonSet of the OFED driver, which is upgraded node by node. */
export function isDriver(object: KubernetesObject): boolean {
  if (object.kind !== 'DaemonSet' || groupOf(object) !== 'apps') return false;
  return (
    textsAt(object, 'metadata', 'labels').has(OFED_DRIVER_LABEL) ||
    textsAt(object, 'spec', 'template', 'metadata', 'labels').has(OFED_DRIVER_LABEL)
  );
}

/** The impact of a change of a driver DaemonSet; `undefined` if the rules for other workloads apply. */
export function driverImpact(change: ObjectChange, context: DriverContext): DriverImpact | undefined {
  switch (change.kind) {
    case 'added':
      return added(change.to, context);
    case 'removed':
      return isKept(change.from) ? retiredDriver(change.from, context) : pruned(change.from, context);
    case 'changed':
      return changed(change, context);
  }
}

function added(to: KubernetesObject, { after }: DriverContext): DriverImpact {
  const pools = poolsOf(after, to);
  return { impact: 'add', pools, notes: pools.length === 0 ? [] : [`for the nodes of ${poolList(pools)}`] };
}

/** Without the keep annotations, pruning deletes the DaemonSet and its pods. */
function pruned(from: KubernetesObject, { coverage }: DriverContext): DriverImpact {
  const pools = poolsOf(coverage?.before ?? [], from);
  const note = 'lacks the annotations that keep it: pruning deletes it and its pods at once, without a drain';
  return { impact: 'drain', pools, poolsAtOnce: pools, notes: [note], isKept: false };
}

type Changed = Extract<ObjectChange, { readonly kind: 'changed' }>;

function changed(change: Changed, context: DriverContext): DriverImpact | undefined {
  const { from, to, fields } = change;
  if (textAt(to, 'spec', 'updateStrategy', 'type') !== 'OnDelete') return undefined;
  const after = poolsOf(context.after, to);
  const before = context.coverage ? poolsOf(context.coverage.before, from) : after;
  const lost = before.filter((pool) => !after.includes(pool));
  const gained = after.filter((pool) => !before.includes(pool));
  // The DaemonSet controller deletes pods on nodes that are no longer selected, also with the update strategy
  // `OnDelete`.
  const isReselected = SELECTING.some((field) => touches(fields, field));
  const poolsAtOnce = isReselected ? lost : [];
  const notes = [...selectionNotes(lost, gained, isReselected), ...installNotes(from, to)];
  const isMadeAnew = digestOf(from) !== digestOf(to) || touches(fields, 'spec.selector');
  if (isMadeAnew) {
    const pools = union(before, after);
    return { impact: 'drain', pools, poolsAtOnce, mover: moverOf(rowsOf(context.after, to), context), notes };
  }
  if (poolsAtOnce.length > 0) return { impact: 'drain', pools: union(lost, gained), poolsAtOnce, notes };
  return { impact: gained.length > 0 ? 'add' : 'metadata', pools: union(lost, gained), notes };
}

/** The fields that select the nodes of a DaemonSet. */
const SELECTING = ['spec.template.spec.nodeSelector', 'spec.template.spec.affinity'];

function selectionNotes(lost: readonly string[], gained: readonly string[], isReselected: boolean): readonly string[] {
  const left = isReselected
    ? `no longer selects ${poolList(lost)}: its pods there are deleted at once, without a drain`
    : `${poolList(lost)} left the configuration: nodes that are still there keep their driver pods`;
  return [...(lost.length > 0 ? [left] : []), ...(gained.length > 0 ? [`covers ${poolList(gained)} now, too`] : [])];
}

function installNotes(from: KubernetesObject, to: KubernetesObject): readonly string[] {
  if (digestOf(from) === digestOf(to)) return ['installs the same: no node is drained for it'];
  return digestOf(withoutInit(from)) === digestOf(withoutInit(to))
    ? ['only the init container changes: the driver stays the same, and its nodes are drained all the same']
    : [];
}

/** The digest of a template; `undefined` if the template in an old tree is not an object. */
function digestOf(daemonSet: unknown): string | undefined {
  try {
    return installDigest(valueAt(daemonSet, ['spec', 'template']) as PodTemplateLike);
  } catch {
    return undefined;
  }
}

function withoutInit(daemonSet: KubernetesObject): unknown {
  const spec = valueAt(daemonSet, ['spec', 'template', 'spec']);
  return { spec: { template: { spec: { ...(spec as object), initContainers: [] } } } };
}

function poolsOf(side: readonly DriverCoverage[], daemonSet: KubernetesObject): readonly string[] {
  return poolNames(rowsOf(side, daemonSet));
}

function union(...lists: readonly (readonly string[])[]): readonly string[] {
  return [...new Set(lists.flat())].sort(compareText);
}
