import { limitSource, limitSources, type LimitSource } from '../../../shared/contract/pool-limits.js';
import type { Rollout } from '../../../shared/contract/upgrade-settings.js';
import { count } from '../../../shared/lib/count.js';
import { groupBy } from '../../../shared/lib/group-by.js';
import { listed } from '../../../shared/lib/listed.js';
import { once } from '../../../shared/lib/memo.js';
import type { SnapshotNode } from '../../model/types.js';
import type { Halt } from '../maintenance/limits.js';
import { amountOf } from './amount.js';
import type { NodeInFleet } from './node-in-fleet.js';

type Source = LimitSource<'failureBudget'>;

/** Spent failure budgets of the cluster or of an upgrade pool: that of all its nodes, or those of some of its DaemonSets. */
interface SourceHalts {
  readonly all: Halt | undefined;
  readonly ofDaemonSet: ReadonlyMap<string, Halt>;
}

interface Halts {
  readonly of: (node: SnapshotNode) => Halt | undefined;
  readonly all: () => readonly Halt[];
}

/** The failure budgets that are spent while these nodes are failed. Thousands of nodes may ask before another one fails. */
type HaltsFor = (failed: Iterable<NodeInFleet>) => Halts;

/** @param nodes all nodes, by name */
export function haltsIn(rollout: Rollout, nodes: ReadonlyMap<string, NodeInFleet>): HaltsFor {
  const sourceOf = ({ labels }: SnapshotNode): Source => limitSource(rollout, labels, 'failureBudget');
  const managed = once(() => {
    const own = [...nodes.values()].filter(({ parts }) => parts.some(({ isManaged }) => isManaged));
    return groupBy(own, ({ node }) => sourceOf(node));
  });
  return (failed) => {
    const halts = once(() => {
      const bySource = groupBy([...failed], ({ node }) => sourceOf(node));
      return new Map(
        limitSources(rollout, 'failureBudget').map((source): [Source, SourceHalts] => {
          const members = managed().get(source) ?? [];
          return [source, sourceHalts(source, bySource.get(source) ?? [], members, reachOf(rollout, source))];
        }),
      );
    });
    return {
      of(node) {
        const found = halts().get(sourceOf(node));
        if (found === undefined || found.all !== undefined || found.ofDaemonSet.size === 0) return found?.all;
        return daemonSetsOf(nodes.get(node.name)).flatMap((name) => found.ofDaemonSet.get(name) ?? [])[0];
      },
      all: () => [...halts().values()].flatMap(({ all, ofDaemonSet }) => all ?? [...ofDaemonSet.values()]),
    };
  };
}

/** A budget in per cent is one of each DaemonSet, too: a number would be spent for all nodes at the same time. */
function sourceHalts(
  { failureBudget }: Source,
  failed: readonly NodeInFleet[],
  members: readonly NodeInFleet[],
  reach: string,
): SourceHalts {
  const all = haltOf(failureBudget, failed, members.length, reach);
  const isShare = typeof failureBudget === 'string' && all === undefined;
  const names = isShare ? new Set(failed.flatMap(daemonSetsOf)) : [];
  const ofDaemonSet = new Map<string, Halt>();
  for (const name of names) {
    const isOwn = (one: NodeInFleet): boolean => daemonSetsOf(one).includes(name);
    const halt = haltOf(failureBudget, failed.filter(isOwn), count(members, isOwn), ` of DaemonSet ${name}${reach}`);
    if (halt !== undefined) ofDaemonSet.set(name, halt);
  }
  return { all, ofDaemonSet };
}

function haltOf(
  failureBudget: Source['failureBudget'],
  failed: readonly NodeInFleet[],
  total: number,
  reach: string,
): Halt | undefined {
  const allowed = Math.max(1, amountOf(failureBudget, total));
  if (failed.length < allowed) return undefined;
  const names = failed.map(({ node }) => node.name);
  return { reach, message: `${failed.length} failed (${listed(names, 3)}) of at most ${allowed}` };
}

/** The DaemonSets of the drivers of a node. */
function daemonSetsOf(one: NodeInFleet | undefined): readonly string[] {
  return one?.parts.flatMap(({ daemonSet }) => daemonSet ?? []) ?? [];
}

/** The nodes that a failure budget holds for; empty: all. */
function reachOf(rollout: Rollout, { name }: Source): string {
  if (name !== undefined) return ` in upgrade pool ${name}`;
  const others = limitSources(rollout, 'failureBudget').flatMap((source) => source.name ?? []);
  return others.length === 0 ? '' : ` outside of upgrade pool ${listed(others, 3)}`;
}
