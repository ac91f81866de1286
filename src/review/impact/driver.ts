import { groupOf } from '../../shared/kubernetes/identity.js';
import { installDigest, type PodTemplateLike } from '../../shared/contract/install-digest.js';
import {
  ARCH_LABEL,
  DAEMON_SET_LABELS,
  MIRROR_ANNOTATION_PREFIX,
  NFD_LABELS,
  OFED_DRIVER_LABEL,
  OFED_DRIVER_CONTAINER,
} from '../../shared/contract/labels.js';
import type { KubernetesObject } from '../../shared/kubernetes/types.js';
import { namespacedName } from '../../shared/kubernetes/identity.js';
import { shellWord } from '../../shared/lib/escape.js';
import { compareText, listAt, textAt, valueAt } from '../../shared/lib/json.js';
import { textsAt } from '../../cluster/changes/data.js';
import { isDerivedField } from '../../cluster/changes/derived.js';
import type { FieldChange } from '../../cluster/changes/fields.js';
import { isKept, type ObjectChange } from '../../cluster/changes/objects.js';
import type { NodeRow } from './node-rows.js';
import { byRank, countText, isDangerous, nodeText, placesText } from './node-text.js';

/**
 * What upgrades the nodes of a changed driver DaemonSet, which keep the old driver until then. `companion`: the companion.
 * `missing-companion`: `autoUpgrade` is true, and the output has no companion. `none`: nothing does.
 */
export type Mover = 'companion' | 'missing-companion' | 'none';

/** The effect of a driver DaemonSet's change on nodes. */
interface DriverImpact {
  readonly impact: 'driver-loss' | 'drain' | 'restart' | 'remove' | 'add' | 'metadata';
  readonly pools: readonly string[];
  readonly poolsAtOnce?: readonly string[];
  readonly mover?: Mover;
  readonly notes: readonly string[];
  readonly isKept?: boolean;
  readonly hasLaterPods?: boolean;
}

/** Whether an object is a DaemonSet of the OFED driver, which is upgraded node by node. */
export function isDriver(object: KubernetesObject): boolean {
  if (object.kind !== 'DaemonSet' || groupOf(object) !== 'apps') return false;
  return DAEMON_SET_LABELS.some((path) => textsAt(object, ...path).has(OFED_DRIVER_LABEL));
}

/** What is known of the nodes. */
interface Nodes {
  readonly rows: readonly NodeRow[];
  /** Else the pools of the Cluster document stand for them. */
  readonly areNodesKnown: boolean;
  /** Names of all pools that have a driver. */
  readonly driverPools: readonly string[];
}

/** The rows of nodes that have pods of a driver DaemonSet, or get them. */
export function rowsOfDriver(change: ObjectChange, rows: readonly NodeRow[]): NodeRow[] {
  const id = namespacedName(change.kind === 'added' ? change.to : change.from);
  return rows.filter(({ before, after }) => (before ?? after)?.daemonSet === id);
}

/** The impact of a change of a driver DaemonSet: the worst that happens to the nodes that have its pods or get them. */
export function driverImpact(change: ObjectChange, nodes: Nodes): DriverImpact {
  const { rows } = nodes;
  const own = rowsOfDriver(change, rows);
  const changed = own.filter(({ before }) => before !== undefined);
  const isRemoved = change.kind === 'removed';
  const pools = poolNames(own);
  const notes = [
    ...own
      .sort(byRank)
      .map(
        (row) => `${placesText(row, rows, quoted)}${countText(row.nodes?.length)}: ${nodeText(row, driverName(row))}`,
      ),
    ...(change.kind === 'changed' ? installNotes(change) : []),
    ...(isRemoved ? removalNotes(change.from, changed) : []),
  ];
  const kept = isRemoved ? { isKept: isKept(change.from) } : {};
  if (changed.some((row) => isDangerous(row) || row.step === 'drained')) {
    const impact = changed.some(isDangerous) ? 'driver-loss' : 'drain';
    const mover = moverOf(changed);
    const poolsAtOnce = poolNames(changed.filter(({ step }) => step === 'at-once'));
    return { impact, pools, poolsAtOnce, ...(mover && { mover }), notes, ...kept };
  }
  const gains = own.length > 0 || change.kind === 'added';
  if (change.kind === 'changed' && !gains) return { pools, notes, ...unseenImpact(change.fields, nodes, notes) };
  return { impact: isRemoved ? 'remove' : 'add', pools, notes, ...kept };
}

const ON_NODES = 'spec.template.spec.';
/** Labels of nodes that each pool of the Cluster document describes. */
const OF_POOLS = [ARCH_LABEL, ...Object.values(NFD_LABELS)];

/**
 * Of a change that the rows do not show. Pools of the Cluster document stand for nodes whose other labels, taints and names are not known, so a driver
 * that is for other nodes may leave some.
 */
function unseenImpact(
  fields: readonly FieldChange[],
  { areNodesKnown, driverPools }: Nodes,
  notes: readonly string[],
): Pick<DriverImpact, 'impact'> & Partial<DriverImpact> {
  if (!areNodesKnown && fields.some(mayLeaveNodes))
    return { impact: 'driver-loss', pools: driverPools, notes: [OTHER_NODES, ...notes] };
  const isOther = fields.some(
    ({ path }) =>
      path.startsWith('spec.template') && !isDerivedField(path) && !(areNodesKnown && PLACEMENT.test(onNodes(path))),
  );
  return isOther ? { impact: 'restart', hasLaterPods: true, notes: [SHOWS_LATER, ...notes] } : { impact: 'metadata' };
}

/** Fields by which a pod is for nodes: rows show what they do where the nodes are known. */
const PLACEMENT = /^(?:nodeSelector|tolerations|affinity)\b/;

function onNodes(path: string): string {
  return path.startsWith(ON_NODES) ? path.slice(ON_NODES.length) : '';
}

function mayLeaveNodes({ path, kind }: FieldChange): boolean {
  const field = onNodes(path);
  if (field.startsWith('nodeSelector')) return kind !== 'removed' && !OF_POOLS.some((key) => field.includes(key));
  if (field.startsWith('tolerations')) return kind !== 'added';
  return field.startsWith('affinity.nodeAffinity') || field === 'affinity';
}

const OTHER_NODES =
  'it is for other nodes: on nodes that it leaves, driver pods end at once, without a drain; compare with the nodes (`--live` or `--nodes`)';
/** Of a changed template with the update strategy `OnDelete`. */
export const SHOWS_LATER = 'its pods stay as they are (`OnDelete`); the change shows when one is made anew';

/** Absent if nothing is left to upgrade after the change was applied. */
function moverOf(rows: readonly NodeRow[]): Mover | undefined {
  const later = rows.filter(({ step }) => step !== 'at-once');
  if (later.length === 0) return undefined;
  if (later.some(({ step }) => step === 'drained' || step === 'undrained')) return 'companion';
  return later.some(({ reason }) => reason === 'no-companion') ? 'missing-companion' : 'none';
}

/** Names of the pools, sorted, each once. */
function poolNames(rows: readonly NodeRow[]): readonly string[] {
  return [...new Set(rows.flatMap(({ places }) => places.map(({ pool }) => pool)))].sort(compareText);
}

function quoted(name: string): string {
  return `\`${name}\``;
}

/** Names a driver by its DaemonSet where that differs. */
function driverName({ before, after }: NodeRow) {
  return ({ daemonSet, version }: { readonly daemonSet: string; readonly version: string }): string => {
    const isMoved = before && after && before.daemonSet.split('/')[0] !== after.daemonSet.split('/')[0];
    const name = isMoved ? daemonSet : shortName(daemonSet);
    const isSame = before?.daemonSet === after?.daemonSet;
    return isSame ? `driver ${quoted(version)}` : `driver ${quoted(version)} of ${quoted(name)}`;
  };
}

function shortName(daemonSet: string): string {
  return daemonSet.slice(daemonSet.indexOf('/') + 1);
}

/** How a driver that no pod of the new output replaces can be removed, or kept up to date. */
function removalNotes(from: KubernetesObject, rows: readonly NodeRow[]): readonly string[] {
  const left = rows.filter(({ end, reason }) => end === 'old' && (reason === 'no-driver' || reason === 'cluster-gone'));
  if (!isKept(from))
    return ['lacks the annotations that keep it: pruning deletes it and its pods at once, without a drain'];
  if (left.length === 0) return [];
  const { namespace = '', name } = from.metadata;
  const kernels = left.flatMap(({ places }) => places.map(({ kernel }) => kernel)).filter((kernel) => kernel !== '');
  return [
    'stays in the cluster with its pods, because its annotations keep it',
    'its ServiceAccount, roles and ConfigMaps are kept as well: its pods need them when they start again',
    ...(kernels.length > 0 ? ['a kernel that nodes still run stays in `kernels` until they have moved on'] : []),
    `to take the driver off these nodes: put the pool or the policy back, and name it in \`driver.uninstall\` of the Cluster document until the companion is done; or delete the DaemonSet by hand with \`kubectl delete daemonset -n ${shellWord(namespace)} ${shellWord(name)}\`, which ends all its pods at once, without a drain`,
  ];
}

function installNotes({ from, to }: Extract<ObjectChange, { readonly kind: 'changed' }>): readonly string[] {
  if (digestOf(from) === digestOf(to)) return ['installs the same: no node is drained for it'];
  const [before, after] = [from, to].map(imageOf);
  const isSameTag = lastPart(before) === lastPart(after);
  if (isSameTag && isMirrored(to) && !isMirrored(from)) return [OF_MIRROR];
  if (isSameTag && before !== after) return [OTHER_REGISTRY];
  return after?.startsWith(`${before ?? ''}@`) ? [FIRST_PIN] : [];
}

const FIRST_PIN =
  'no release that Weft knows has this digest for the image, so it counts as another driver: nobody knows whether the nodes have its content';

const OF_MIRROR =
  'before, `repository` named the registry of the image, which counts as another driver than the image that `spec.mirrors` moves there, because its content is not known; keep `repository` until the nodes are drained anyway';

const OTHER_REGISTRY =
  'the same tag in another registry counts as another driver, because its content is not known; `spec.mirrors` of the Cluster moves images without a drain';

/** Whether the image of the driver counts as the one that a mirror of the Cluster stands for. */
const isMirrored = (daemonSet: unknown): boolean =>
  textAt(
    daemonSet,
    'spec',
    'template',
    'metadata',
    'annotations',
    `${MIRROR_ANNOTATION_PREFIX}${OFED_DRIVER_CONTAINER}`,
  ) !== undefined;

function imageOf(daemonSet: unknown): string {
  const containers = listAt(daemonSet, 'spec', 'template', 'spec', 'containers');
  return (
    textAt(
      containers.find((one) => textAt(one, 'name') === OFED_DRIVER_CONTAINER),
      'image',
    ) ?? ''
  );
}

const lastPart = (image = ''): string => image.slice(image.lastIndexOf('/') + 1);

/** The digest of a template; `undefined` if the template in an old tree is not an object. */
function digestOf(daemonSet: unknown): string | undefined {
  try {
    return installDigest(valueAt(daemonSet, ['spec', 'template']) as PodTemplateLike);
  } catch {
    return undefined;
  }
}
