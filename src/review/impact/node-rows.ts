import { driverPlacement, type NoDriver } from '../../shared/contract/driver-placement.js';
import type { DriverCoverage } from '../../shared/contract/driver-coverage.js';
import { ARCH_LABEL, NFD_LABELS } from '../../shared/contract/labels.js';
import type { PlacementNode } from '../../shared/kubernetes/selection/node-placement.js';
import { taintFrom } from '../../shared/kubernetes/selection/taints.js';
import { compareText } from '../../shared/lib/json.js';
import { nearestRows } from '../../cluster/pools/count.js';
import type { ClusterNode } from '../../cluster/pools/nodes.js';
import type { DriverSet } from './driver-sets.js';
import {
  nodeOutcomes,
  type NewSide,
  type NodeEnd,
  type NodeOutcome,
  type NodeStep,
  type OutcomeReason,
} from './node-outcome.js';
import type { CoverageSides } from './pool-changes.js';

/** Where nodes are: a pool, and the kernel that they run. */
export interface NodePlace {
  readonly pool: string;
  /** Empty: every kernel that no DaemonSet names. */
  readonly kernel: string;
  /** Whose labels and taints the nodes have, where the sides of the pool differ. */
  readonly side: 'old' | 'new' | 'both';
}

/** A driver DaemonSet as a row names it. */
export interface RowDriver {
  /** `<namespace>/<name>`. */
  readonly daemonSet: string;
  readonly image: string;
  readonly version: string;
  readonly digest: string;
}

/** Nodes to which the same happens. */
export interface NodeRow {
  /** The driver that they have; absent if they have none. */
  readonly before?: RowDriver;
  /** The driver that they have at the end; absent if they have none. */
  readonly after?: RowDriver;
  readonly step: NodeStep;
  readonly end: NodeEnd;
  readonly reason?: OutcomeReason;
  /** For `no-driver`: what the nodes have that no DaemonSet is for, as a part of a sentence. */
  readonly misfit?: string;
  /** The driver starts by itself, and the companion drains the nodes before it is loaded: `safeLoad`. */
  readonly isDrainedToLoad?: true;
  /** Where the nodes are drained: only pods that this label selector matches are evicted. Absent: all. */
  readonly podSelector?: string;
  /** The companion does not begin if there are nodes of the same pool that get no new driver. */
  readonly mayKeepDaemonSet?: true;
  /** Sorted; empty for nodes that are in no pool. */
  readonly places: readonly NodePlace[];
  /** Names, sorted; absent if the nodes of the cluster are not known. */
  readonly nodes?: readonly string[];
}

interface Sides {
  readonly before: readonly DriverSet[];
  readonly next: NewSide;
  readonly coverage: Partial<CoverageSides>;
  readonly nodes?: readonly ClusterNode[];
  /** Why the policies give the nodes of a pool no driver, by its name. */
  readonly undriven?: ReadonlyMap<string, NoDriver>;
}

/** A kind of node, or a node. */
interface Member {
  readonly node: PlacementNode;
  readonly places: readonly NodePlace[];
  /** The DaemonSet that is known to be for it on the old side. */
  readonly old?: string;
}

/** What happens to the nodes of each pool and kernel of both sides, and to each node of the cluster where they are known. */
export function nodeFates(sides: Sides): readonly Fate[] {
  const placeOld = driverPlacement(sides.before);
  const byId = new Map(sides.before.map((one) => [one.id, one]));
  // Whether there are nodes with kernels that no pool names is not known without the nodes.
  const isSupposed = ({ name, labels }: PlacementNode): boolean =>
    sides.nodes === undefined ? labels[NFD_LABELS.kernel] === '' : name === undefined;
  const found = [...poolMembers(sides), ...liveMembers(sides)].map((member) => {
    const { node, old } = member;
    const before = (old === undefined ? undefined : byId.get(old)) ?? placeOld(node).daemonSet;
    return { member, node, before, isSupposed: isSupposed(node) };
  });
  const outcomes = nodeOutcomes(found, sides.next);
  return found.map(({ member, before }, at): Fate => {
    const outcome = withReason(outcomes[at], member, sides);
    return { member, ...(before && { before }), ...(outcome && { outcome }) };
  });
}

/** The DaemonSets of the new side do not show why a policy that installs a driver has none for a pool. */
function withReason(
  outcome: NodeOutcome | undefined,
  { places: [first, ...others] }: Member,
  { undriven }: Sides,
): NodeOutcome | undefined {
  const why = first && undriven?.get(first.pool);
  if (outcome?.reason !== 'no-driver' || why === undefined) return outcome;
  const isOfAll = others.every(({ pool }) => undriven?.get(pool)?.message === why.message);
  return isOfAll ? { ...outcome, misfit: why } : outcome;
}

/** The nodes by what happens to them. Nodes that keep the driver that the new output installs are left out. */
export function nodeRows(fates: readonly Fate[], areNodesKnown: boolean): readonly NodeRow[] {
  const rows = new Map<string, { readonly outcome: NodeOutcome; readonly members: Member[] }>();
  for (const { outcome, member } of fates.filter(isChanged)) {
    const { before, after, step, end, reason, misfit, isDrainedToLoad, podSelector, mayKeepDaemonSet } = outcome;
    const about = [step, end, reason, misfit?.message, isDrainedToLoad, podSelector, mayKeepDaemonSet];
    const key = JSON.stringify([before?.id, after?.id, ...about]);
    const row = rows.get(key) ?? { outcome, members: [] };
    rows.set(key, row);
    row.members.push(member);
  }
  return [...rows.values()].map(({ outcome, members }) => ({
    ...dataOf(outcome, members),
    places: joined(members.flatMap(({ places }) => places)),
    ...(areNodesKnown && { nodes: members.flatMap(({ node }) => node.name ?? []).sort(compareText) }),
  }));
}

function dataOf(outcome: NodeOutcome, members: readonly Member[]): Omit<NodeRow, 'places'> {
  const { before, after, step, end, reason, misfit, isDrainedToLoad, podSelector, mayKeepDaemonSet } = outcome;
  return {
    ...(before && { before: driverOf(before) }),
    ...(after && { after: driverOf(after) }),
    step,
    end,
    ...(reason && { reason }),
    ...(misfit && { misfit: misfitText(misfit, members) }),
    ...(isDrainedToLoad && { isDrainedToLoad }),
    ...(podSelector !== undefined && { podSelector }),
    ...(mayKeepDaemonSet && { mayKeepDaemonSet }),
  };
}

function misfitText({ kind, message }: NoDriver, members: readonly Member[]): string {
  // A pool that names no kernel stands for nodes of any.
  const isOfAnyKernel = members.every(({ node }) => node.labels[NFD_LABELS.kernel] === '');
  return kind === 'kernel' && isOfAnyKernel ? 'no driver DaemonSet is for other kernels' : message;
}

function driverOf({ id, image, version, digest }: DriverSet): RowDriver {
  return { daemonSet: id, image, version, digest };
}

/** A node, or a kind of node, with its driver before the change and what happens to it; no outcome: it keeps that driver. */
export interface Fate {
  readonly member: Member;
  readonly before?: DriverSet;
  readonly outcome?: NodeOutcome;
}

type Found = Fate & Required<Pick<Fate, 'outcome'>>;

function isChanged(fate: Fate): fate is Found {
  return fate.outcome !== undefined;
}

/** Every place once; a pool whose sides agree is of both. */
function joined(places: readonly NodePlace[]): readonly NodePlace[] {
  const sides = new Map<string, NodePlace>();
  for (const place of places) {
    const key = JSON.stringify([place.pool, place.kernel]);
    const known = sides.get(key);
    sides.set(key, known && known.side !== place.side ? { ...place, side: 'both' } : place);
  }
  return [...sides.values()].sort((a, b) => compareText(a.pool, b.pool) || compareText(a.kernel, b.kernel));
}

/** One for the nodes of each pool at each kernel, as each side describes them; and one for each DaemonSet without a pool. */
function poolMembers({ before, next, coverage }: Sides): readonly Member[] {
  const members = new Map<string, { readonly member: Member; readonly sides: Set<'old' | 'new'> }>();
  for (const [side, rows] of [
    ['old', coverage.before ?? []],
    ['new', coverage.after ?? []],
  ] as const) {
    for (const row of rows) {
      const node = nodeOf(row);
      const place = { pool: row.pool, kernel: row.kernel, side };
      const old = side === 'old' ? { old: row.daemonSet } : {};
      const key = JSON.stringify([place.pool, node, side === 'old' ? row.daemonSet : '']);
      const twin =
        side === 'new' ? [...members.values()].find(({ member }) => sameNode(member, place, node)) : undefined;
      if (twin) twin.sides.add(side);
      else if (!members.has(key))
        members.set(key, { member: { node, places: [place], ...old }, sides: new Set([side]) });
    }
  }
  const known = new Set([...(coverage.before ?? []), ...(coverage.after ?? [])].map(({ daemonSet }) => daemonSet));
  const others = [...before, ...next.sets.values()].filter(({ id }) => !known.has(id));
  return [
    ...[...members.values()].map(({ member, sides }) => ({
      ...member,
      places: member.places.map((place) => ({ ...place, side: sides.size === 2 ? ('both' as const) : place.side })),
    })),
    ...others.map(({ nodeSelector }) => ({ node: anyNode(nodeSelector), places: [] })),
  ];
}

function sameNode({ node, places }: Member, { pool, kernel }: NodePlace, other: PlacementNode): boolean {
  const [place] = places;
  return place?.pool === pool && place.kernel === kernel && JSON.stringify(node) === JSON.stringify(other);
}

/** The nodes of a pool at a kernel. Other labels than those of the pool may have any value. */
export function nodeOf(row: DriverCoverage): PlacementNode {
  const { osName, osVersion, rhcosVersion, arch, kernel, labels, taints } = row;
  const own = labels.map((label) => [label.slice(0, label.indexOf('=')), label.slice(label.indexOf('=') + 1)]);
  return {
    labels: {
      ...(Object.fromEntries(own) as Record<string, string>),
      [NFD_LABELS.nicPresent]: 'true',
      [NFD_LABELS.osName]: osName,
      [NFD_LABELS.osVersion]: osVersion,
      // A pool without kernels has nodes with kernels that no DaemonSet names, too.
      [NFD_LABELS.kernel]: kernel,
      ...(rhcosVersion === '' ? {} : { [NFD_LABELS.rhcosVersion]: rhcosVersion }),
      [ARCH_LABEL]: arch,
    },
    taints: taints.map(taintFrom),
    otherLabels: 'any',
  };
}

function anyNode(nodeSelector: DriverSet['nodeSelector']): PlacementNode {
  return { labels: { [NFD_LABELS.kernel]: '', ...nodeSelector }, taints: [], otherLabels: 'any' };
}

function liveMembers({ nodes = [], coverage }: Sides): readonly Member[] {
  const { before = [], after = [] } = coverage;
  const rowsOf = nearestRows([
    ...before.map((row) => ({ ...row, side: 'old' as const })),
    ...after.map((row) => ({ ...row, side: 'new' as const })),
  ]);
  return nodes.map((node) => {
    const { name, taints } = node;
    const own = node.labels.get(NFD_LABELS.kernel) ?? '';
    const places = rowsOf(node).map(({ pool, side, kernel }): NodePlace => {
      return { pool, side, kernel: kernel === '' ? '' : own };
    });
    return { node: { name, labels: Object.fromEntries(node.labels), taints }, places: joined(places) };
  });
}
