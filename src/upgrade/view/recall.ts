import type { TransitionRow } from '../flow/transition-row.js';
import { nodeUpgradePolicies, type DriverPolicy, type NodeUpgradePolicy } from '../../contract/upgrade-policy.js';
import type { NodePods } from '../model/pod-index.js';
import type { Snapshot } from '../model/snapshot.js';
import type { SnapshotNode } from '../model/types.js';
import type { PlanContext } from '../flow/node-plan.js';
import type { NodeView } from './driver-view.js';

/**
 * What decisions leave for those after them, by driver: what was made of a node stands as long as nothing that it was made of
 * has changed. It is a shortcut and nothing else: the answers are the same without it. For one run of decisions, on snapshots
 * that follow each other.
 */
export interface Recall {
  readonly drivers: Map<string, DriverRecall>;
}

interface DriverRecall {
  /** What the view of every node depends on. */
  readonly basis: readonly unknown[];
  /** Views waitReason them, and nodes are counted by them. */
  readonly policies: readonly NodeUpgradePolicy[];
  /** Of the last decision; plans that came to rest refer to it. */
  context: PlanContext | undefined;
  readonly seen: readonly Seen[];
}

/** How a driver saw a node: undefined where it is none of its business. */
export interface Seen {
  readonly node: SnapshotNode;
  /** Undefined: it may look different later although nothing changed. */
  readonly here: NodePods | undefined;
  readonly view: NodeView | undefined;
}

/** What is recalled of the nodes of one driver, and what is to be. Nodes come in the order of their snapshot. */
export interface SeenNodes {
  /** The policies of the driver: the same objects as those in what is recalled. */
  readonly policies: readonly NodeUpgradePolicy[];
  /** How the next node was seen, unless it or its pods changed since. */
  readonly find: (node: SnapshotNode, here: NodePods) => Seen | undefined;
  /** Goes on to the node after it. */
  readonly keep: (seen: Seen) => void;
  /** The context of this decision, as the object to which recalled plans refer already. */
  readonly contextOf: (context: PlanContext) => PlanContext;
}

export function createRecall(): Recall {
  return { drivers: new Map() };
}

/** Nodes that went away together are looked for no further than this: those behind them are then seen anew. */
const MOST_GONE = 100;

/** Recalls the nodes of a driver; nothing where the table, its policy, its DaemonSets or their revisions are others. */
export function recallNodes(
  recall: Recall | undefined,
  driver: DriverPolicy,
  { daemonSets, revisions }: Snapshot,
  table: readonly TransitionRow[],
): SeenNodes {
  if (recall === undefined) return nothingSeen(driver);
  const { drivers } = recall;
  // Their status changes with every pod, and no node is seen by their resourceVersion.
  const sets = JSON.stringify(daemonSets, (key, value: unknown) => (key === 'resourceVersion' ? undefined : value));
  const basis = [table, driver, sets, revisions];
  const known = drivers.get(driver.labelPrefix);
  const isSame = known?.basis.every((one, index) => one === basis[index]) === true;
  const before = isSame ? known.seen : [];
  const policies = isSame ? known.policies : nodeUpgradePolicies(driver);
  const seen: Seen[] = [];
  const recalled: DriverRecall = { basis, policies, seen, context: isSame ? known.context : undefined };
  drivers.set(driver.labelPrefix, recalled);
  let gone = 0;
  return {
    policies,
    find(node, here) {
      let one = before[seen.length + gone];
      if (one !== undefined && one.node !== node && one.node.name !== node.name) {
        const next = indexFrom(before, seen.length + gone, node.name);
        if (next === undefined) return undefined;
        gone = next - seen.length;
        one = before[next];
      }
      return one?.node === node && one.here === here ? one : undefined;
    },
    keep: (one) => void seen.push(one),
    contextOf: (context) =>
      (recalled.context = recalled.context === undefined ? context : Object.assign(recalled.context, context)),
  };
}

/** For a decision that stands alone. */
function nothingSeen(driver: DriverPolicy): SeenNodes {
  return {
    policies: nodeUpgradePolicies(driver),
    find: () => undefined,
    keep: () => undefined,
    contextOf: (context) => context,
  };
}

function indexFrom(before: readonly Seen[], start: number, name: string): number | undefined {
  for (let index = start; index < Math.min(before.length, start + MOST_GONE); index += 1) {
    if (before[index]?.node.name === name) return index;
  }
  return undefined;
}
