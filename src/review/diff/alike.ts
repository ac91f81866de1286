import { compareText } from '../../shared/lib/json.js';
import { counted } from '../../shared/lib/listed.js';
import { groupBy } from '../../shared/lib/group-by.js';
import { escapeForRegExp } from '../../shared/lib/text.js';
import { RUN_NAME } from '../impact/rights.js';
import { isComputed, isComputedField } from './computed.js';
import type { ObjectDiff } from './diff.js';
import type { DiffGroup } from './groups.js';

/** Groups of clusters whose differences do the same, and differ only in names of pools, kernels, drivers, runs and nodes. */
export interface AlikeGroups {
  /** The group that is shown for all of them. */
  readonly shown: DiffGroup;
  /** The clusters of all groups, sorted. */
  readonly names: readonly string[];
  /** The clusters that the first one of the shown group stands for, sorted; empty if all of them are exactly alike. */
  readonly others: readonly string[];
  /** The nodes to which something happens, in all clusters; absent where they are not known. */
  readonly nodeCount?: number;
}

/** Puts groups together that do the same. Keeps the order of the first of each. */
export function alikeGroups(groups: readonly DiffGroup[]): readonly AlikeGroups[] {
  return [...groupBy(groups, effectOf).values()].flatMap((alike) => alike.slice(0, 1).map((shown) => of(shown, alike)));
}

/** Each group by itself. */
export function separateGroups(groups: readonly DiffGroup[]): readonly AlikeGroups[] {
  return groups.map((group) => of(group, [group]));
}

function of(shown: DiffGroup, groups: readonly DiffGroup[]): AlikeGroups {
  const names = groups.flatMap((group) => group.names).sort(compareText);
  const counts = groups.map(countOfNodes);
  const isKnown = counts.every((count) => count !== undefined);
  return {
    shown,
    names,
    others: groups.length === 1 ? [] : names.filter((name) => name !== shown.names[0]),
    ...(isKnown && { nodeCount: counts.reduce((sum, count) => sum + count, 0) }),
  };
}

function countOfNodes({ names, nodes }: DiffGroup): number | undefined {
  if (nodes.length === 0 || nodes.some((row) => row.nodes === undefined)) return undefined;
  return names.length * new Set(nodes.flatMap((row) => row.nodes ?? [])).size;
}

/** `3 clusters, 40 nodes, shown: bergen`, where a cluster stands for others. */
export function shownFor({ names, nodeCount, shown }: AlikeGroups, quote: (name: string) => string): string {
  const nodes = nodeCount === undefined ? '' : `, ${counted(nodeCount, 'node')}`;
  return `${counted(names.length, 'cluster')}${nodes}, shown: ${quote(shown.names[0] ?? '')}`;
}

/**
 * What the differences of a group do, as text that is equal for groups that do the same. Names that a cluster has for itself are left
 * out only where Weft wrote them: names of objects that it computes, and drivers with its own sentences about them. Pools are left out of
 * these sentences alone. All about other objects is compared as it is, so that no name hides another change.
 */
function effectOf(group: DiffGroup): string {
  const withoutNames = nameRemover(group);
  const own = (value: unknown) => withoutNames(JSON.stringify(value));
  return JSON.stringify([
    group.change,
    distinct(group.objects.map((object) => objectKey(object, own))),
    distinct(
      group.nodes.map(({ before, after, places, nodes, ...row }) =>
        own([row, before && versionOf(before), after && versionOf(after), places.length === 0, nodes === undefined]),
      ),
    ),
    distinct(group.pools.map(({ before, after }) => own([before, after].map((side) => side.map(versionOf))))),
    distinct(group.restarts.map(({ nodes, ...restart }) => own([restart, nodes === undefined]))),
    distinct(group.coverage.map(({ pool, ...change }) => own([change, pool === '']))),
    group.notes.map(own),
  ]);
}

const distinct = (keys: readonly string[]): readonly string[] => [...new Set(keys)].sort(compareText);

type Driver = Pick<DiffGroup['pools'][number]['before'][number], 'daemonSet' | 'image' | 'version'>;

function versionOf({ daemonSet, image, version }: Driver): readonly string[] {
  return [daemonSet.split('/')[0] ?? '', image, version];
}

function objectKey(object: ObjectDiff, own: (value: unknown) => string): string {
  const { apiVersion, kind, namespace, name, change, impact, notes, fields, pools, poolsAtOnce } = object;
  const { mover, startsRun, hasLaterPods, isKept, refusedFields, referrers, digest } = object;
  const isDriver = pools.length > 0;
  const hasComputedName = isDriver || (kind === 'Job' && RUN_NAME.test(name));
  const effect = [poolsAtOnce?.length === 0, mover, startsRun, hasLaterPods, isKept, refusedFields, referrers, digest];
  const identity = [apiVersion, kind, namespace, hasComputedName ? own(name) : name, change, impact, effect];
  if (isComputed(object)) return JSON.stringify(identity);
  const shown = fields.filter((field) => !isComputedField(field));
  return JSON.stringify([identity, ...(isDriver ? [notes.map(own), shown.map(own)] : [notes, shown])]);
}

/** Stands for names. */
const PLACE = '…';

/** Replaces the names that only this cluster has. */
function nameRemover(group: DiffGroup): (text: string) => string {
  const { nodes, pools, objects, coverage } = group;
  const drivers = pools.flatMap(({ before, after }) => [...before, ...after]);
  const sides = nodes.flatMap(({ before, after }) => [before, after]);
  const poolNames = [
    ...nodes.flatMap(({ places }) => places.map(({ pool }) => pool)),
    ...[...pools, ...coverage].map(({ pool }) => pool),
    ...objects.flatMap((object) => object.pools),
  ].map((name) => `\`${name}\``);
  const kernels = [...nodes.flatMap(({ places }) => places), ...drivers].map(({ kernel }) => kernel);
  const daemonSets = [...drivers, ...sides].flatMap((one) => one?.daemonSet.split('/').slice(1) ?? []);
  const names = [...poolNames, ...kernels.filter((kernel) => KERNEL.test(kernel)), ...daemonSets];
  const words = [...new Set(names)]
    .filter((name) => name !== '' && name.length <= NAME_CHARACTERS)
    .sort((a, b) => b.length - a.length);
  const any = words.map(escapeForRegExp).join('|');
  const own = any === '' ? undefined : new RegExp(`(?<!\\w)(?:${any})(?!\\w)`, 'g');
  return (text) => (own ? text.replace(own, PLACE) : text).replace(RUNS, PLACE).replace(SEVERAL, PLACE);
}

/** A longer text is no name of Kubernetes, and a pattern has a limit. */
const NAME_CHARACTERS = 253;
const KERNEL = /^\d+\.\d+\.\d+-/;
const RUNS = new RegExp(RUN_NAME.source.replace(/^\^|\$$/g, ''), 'g');
const SEVERAL = /(?:\bpools? )?\u2026(?:(?:, | and )\u2026)*/g;
