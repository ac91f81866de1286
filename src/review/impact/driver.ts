import { installDigest, type PodTemplateLike } from '../../contract/install-digest.js';
import { DS_OWNER_LABEL, NFD_LABELS, OFED_DRIVER_LABEL } from '../../contract/labels.js';
import { compareText, valueAt } from '../../lib/json.js';
import type { KubernetesObject } from '../../kubernetes/types.js';
import { fromStructured, matchesSelector } from '../../kubernetes/label-selector.js';
import { listAt, textAt, textsAt } from '../diff/data.js';
import { groupOf, isKept, type ObjectChange } from '../diff/objects.js';
import { POOL_FIELDS } from '../pools/fields.js';

/** A node pool of the new configuration; several with one name are the kernels of one. */
interface PoolLabels {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
}

/**
 * Who brings the driver of a changed DaemonSet to its nodes, which keep the old one until then: the companion, because
 * `autoUpgrade` is true; the companion, although the output has none; nobody, because `autoUpgrade` is false.
 */
export type Mover = 'companion' | 'missing-companion' | 'nobody';

/** What is known of the cluster that a driver is for. */
export interface DriverContext {
  /** Empty where the whole cluster goes. */
  readonly pools: readonly PoolLabels[];
  /** For each policy with a driver, by the value of the label `ds-owner`: whether `autoUpgrade` is on. */
  readonly upgrades: ReadonlyMap<string, boolean>;
  /** The driver DaemonSets of the new output. */
  readonly drivers: readonly KubernetesObject[];
  /** The new output has a Job or CronJob of the companion. */
  readonly hasCompanion: boolean;
}

/** What the change of a driver DaemonSet does to nodes. */
interface DriverImpact {
  readonly impact: 'drain' | 'add' | 'cosmetic';
  readonly pools: readonly string[];
  readonly poolsAtOnce?: readonly string[];
  readonly mover?: Mover;
  readonly notes: readonly string[];
}

/** Whether an object is a DaemonSet of the OFED driver, which is upgraded node by node. */
export function isDriver(object: KubernetesObject): boolean {
  if (object.kind !== 'DaemonSet' || groupOf(object) !== 'apps') return false;
  return (
    textsAt(object, 'metadata', 'labels').has(OFED_DRIVER_LABEL) ||
    textsAt(object, 'spec', 'template', 'metadata', 'labels').has(OFED_DRIVER_LABEL)
  );
}

/** The impact of a change of a driver DaemonSet; `undefined` where the rules of every other workload hold. */
export function driverImpact(change: ObjectChange, context: DriverContext): DriverImpact | undefined {
  switch (change.kind) {
    case 'added':
      return added(change.to, context);
    case 'removed':
      return retired(change.from, context);
    case 'changed':
      return changed(change.from, change.to, context);
  }
}

function added(to: KubernetesObject, { pools }: DriverContext): DriverImpact {
  const covered = poolsOf(to, pools);
  return { impact: 'add', pools: [], notes: covered.length === 0 ? [] : [`for the nodes of ${poolList(covered)}`] };
}

function retired(from: KubernetesObject, context: DriverContext): DriverImpact {
  const exact = poolsOf(from, context.pools);
  // Nodes of a kernel that left the input belong to the pools that differ from them in nothing else.
  const pools = exact.length > 0 ? exact : poolsOf(from, context.pools, [NFD_LABELS.kernel]);
  const successors = context.drivers.filter((driver) =>
    poolsOf(driver, context.pools).some((pool) => pools.includes(pool)),
  );
  const notes = retirementNotes(from, exact, successors, context);
  // A driver that nothing keeps goes with its pods as soon as it is pruned.
  if (!isKept(from)) return { impact: 'drain', pools, poolsAtOnce: pools, notes: [...notes, NOT_KEPT] };
  return { impact: 'drain', pools, mover: moverOf([from, ...successors], context), notes };
}

function moverOf(drivers: readonly KubernetesObject[], { upgrades, hasCompanion }: DriverContext): Mover {
  if (!drivers.some((driver) => upgrades.get(ownerOf(driver)) === true)) return 'nobody';
  return hasCompanion ? 'companion' : 'missing-companion';
}

function retirementNotes(
  from: KubernetesObject,
  exact: readonly string[],
  successors: readonly KubernetesObject[],
  { pools }: DriverContext,
): readonly string[] {
  const names = successors.map((driver) => `\`${driver.metadata.name}\`${elsewhere(driver, from)}`).sort(compareText);
  if (pools.length === 0) {
    const where = `on nodes with ${selectorText(from)}`;
    return isKept(from)
      ? [`the whole cluster leaves the output, and nothing retires this driver: it runs on, ${where}`]
      : [];
  }
  return [
    names.length > 0 ? `retired: ${names.join(' and ')} replaces it` : 'retired: no driver takes its place',
    ...(exact.length > 0 ? [] : [whyUncovered(from, pools)]),
  ];
}

/** What no pool has of that by which a driver selected its nodes, and what would keep them covered. */
function whyUncovered(from: KubernetesObject, pools: readonly PoolLabels[]): string {
  const lost = [...selectorOf(from)].filter(([key, value]) => !pools.some(({ labels }) => labels[key] === value));
  if (poolsOf(from, pools, [NFD_LABELS.kernel]).length > 0) {
    const which = lost.length > 0 ? 'no pool' : 'no pool that fits otherwise';
    const kernel = selectorOf(from).get(NFD_LABELS.kernel) ?? '';
    return `${which} has kernel \`${kernel}\` any more: list it in \`kernels\` until its nodes have moved on`;
  }
  if (lost.length === 0) {
    return `no pool covers its nodes any more (${selectorText(from)}): keep one until they have moved on`;
  }
  const words = lost.map(([key, value]) => {
    const word = POOL_FIELDS.get(key);
    return word === undefined ? `label \`${key}=${value}\`` : `${word} \`${value}\``;
  });
  const kept = lost.length === 1 ? 'it' : 'them';
  return `no pool has ${words.join(' or ')} any more: keep a pool with ${kept} until its nodes have moved on`;
}

/** Tells a driver of another namespace from the one that it replaces: they may have one name. */
function elsewhere({ metadata }: KubernetesObject, from: KubernetesObject): string {
  const { namespace } = metadata;
  return namespace === undefined || namespace === from.metadata.namespace ? '' : ` in namespace \`${namespace}\``;
}

const NOT_KEPT = 'lacks the annotations that keep it: pruning deletes it and its pods at once, without a drain';

function changed(from: KubernetesObject, to: KubernetesObject, context: DriverContext): DriverImpact | undefined {
  if (textAt(to, 'spec', 'updateStrategy', 'type') !== 'OnDelete') return undefined;
  const isInstalledAnew = digestOf(from) !== digestOf(to);
  const isSelectorChanged = !hasSameTexts(from, to, 'spec', 'selector', 'matchLabels');
  const [before, after] = [poolsOf(from, context.pools), poolsOf(to, context.pools)];
  // The DaemonSet controller ends pods on nodes that are selected no more, whatever the update strategy.
  const lost = before.filter((pool) => !after.includes(pool));
  const gained = after.filter((pool) => !before.includes(pool));
  const notes = [
    ...(lost.length > 0
      ? [`no longer selects ${poolList(lost)}: its pods there are deleted at once, without a drain`]
      : []),
    ...(gained.length > 0 ? [`also selects ${poolList(gained)} now`] : []),
  ];
  if (isInstalledAnew || isSelectorChanged) {
    const pools = [...new Set([...lost, ...after])].sort(compareText);
    return { impact: 'drain', pools, poolsAtOnce: lost, mover: moverOf([to], context), notes };
  }
  if (lost.length > 0) return { impact: 'drain', pools: lost, poolsAtOnce: lost, notes };
  return { impact: 'cosmetic', pools: [], notes: [...notes, 'installs the same: no node is drained for it'] };
}

/** The digest of a template; `undefined` where an old tree holds something else in its place. */
function digestOf(daemonSet: KubernetesObject): string | undefined {
  try {
    return installDigest(valueAt(daemonSet, ['spec', 'template']) as PodTemplateLike);
  } catch {
    return undefined;
  }
}

function hasSameTexts(a: KubernetesObject, b: KubernetesObject, ...path: readonly string[]): boolean {
  const [first, second] = [textsAt(a, ...path), textsAt(b, ...path)];
  return first.size === second.size && [...first].every(([key, value]) => second.get(key) === value);
}

function ownerOf(daemonSet: KubernetesObject): string {
  return textsAt(daemonSet, 'metadata', 'labels').get(DS_OWNER_LABEL) ?? '';
}

/** Names of the pools whose nodes a DaemonSet selects, sorted; `ignored` labels of its selector don't count. */
function poolsOf(
  daemonSet: KubernetesObject,
  pools: readonly PoolLabels[],
  ignored: readonly string[] = [],
): readonly string[] {
  const spec = valueAt(daemonSet, ['spec', 'template', 'spec']);
  const wanted = [...textsAt(spec, 'nodeSelector')].filter(([key]) => !ignored.includes(key));
  const terms = nodeTerms(spec);
  const names = pools
    .filter(({ labels }) => wanted.every(([key, value]) => labels[key] === value))
    .filter(({ labels }) => terms === undefined || terms.some((term) => matchesSelector(term, labels)))
    .map(({ name }) => name);
  return [...new Set(names)].sort(compareText);
}

/** The alternatives of the required node affinity, as far as they speak of labels. */
function nodeTerms(spec: unknown): readonly ReturnType<typeof fromStructured>[] | undefined {
  const required = valueAt(spec, ['affinity', 'nodeAffinity', 'requiredDuringSchedulingIgnoredDuringExecution']);
  if (required === undefined) return undefined;
  return listAt(required, 'nodeSelectorTerms').map((term) =>
    fromStructured({
      matchExpressions: listAt(term, 'matchExpressions').map((expression) => ({
        key: textAt(expression, 'key') ?? '',
        operator: textAt(expression, 'operator') ?? '',
        values: listAt(expression, 'values').filter((value) => typeof value === 'string'),
      })),
    }),
  );
}

function selectorOf(daemonSet: KubernetesObject): ReadonlyMap<string, string> {
  return textsAt(daemonSet, 'spec', 'template', 'spec', 'nodeSelector');
}

function selectorText(daemonSet: KubernetesObject): string {
  const labels = [...selectorOf(daemonSet)];
  return labels.length === 0 ? 'any label' : labels.map(([key, value]) => `\`${key}=${value}\``).join(', ');
}

function poolList(names: readonly string[]): string {
  return `${names.length === 1 ? 'pool' : 'pools'} ${names.map((name) => `\`${name}\``).join(', ')}`;
}
