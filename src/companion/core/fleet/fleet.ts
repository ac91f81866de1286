import type { Budget, Fleet } from '../maintenance/limits.js';
import { windowState } from '../../../shared/contract/maintenance-window.js';
import { phaseOf } from '../../../shared/contract/node-states.js';
import { limitSource, limitSources, ofUpgradePool, type LimitSource } from '../../../shared/contract/pool-limits.js';
import type { Rollout } from '../../../shared/contract/upgrade-settings.js';
import { hasEntries } from '../../../shared/lib/has-entries.js';
import { groupBy } from '../../../shared/lib/group-by.js';
import { count } from '../../../shared/lib/count.js';
import { once } from '../../../shared/lib/memo.js';
import { isoSecond } from '../../../shared/lib/time.js';
import type { Snapshot } from '../../model/snapshot.js';
import type { SnapshotNode, WaitReason } from '../../model/types.js';
import { type NodePart, type Part, type Participant, domainOf } from '../maintenance/plan.js';
import { amountOf } from './amount.js';
import { canariesOf } from './canaries.js';
import { haltsIn } from './halts.js';
import type { NodeInFleet } from './node-in-fleet.js';

interface FleetInput {
  readonly participants: readonly Participant[];
  readonly nodes: readonly NodeInFleet[];
  readonly rollout: Rollout;
  readonly snapshot: Snapshot;
  readonly nowMs: number;
}

/** A node that is out of service for one participant counts in the limits of all. */
export function fleetOf({ participants, nodes, rollout, snapshot, nowMs }: FleetInput): Fleet {
  const facts = new Map(nodes.map((one) => [one.node.name, one]));
  const limits = participants.map((one) => limitsFor(one, facts, rollout, participants.length > 1));
  const byParticipant = new Map(participants.map(({ name }, at) => [name, limits[at] ?? NO_LIMITS]));
  const canaries = new Map(
    participants.map((participant) => [participant.name, canariesOf({ participant, facts, rollout, nowMs })]),
  );
  const failed = new Map(nodes.filter(isFailed).map((one) => [one.node.name, one]));
  const haltsFor = haltsIn(rollout, facts);
  let halts = haltsFor(failed.values());
  const windows = new Map(
    limitSources(rollout, 'maintenanceWindows').map((source) => [source, windowWait(source, nowMs)]),
  );
  const open = once(() => snapshot.nodes.filter(({ unschedulable, ready }) => !unschedulable && ready === 'True'));
  return {
    budgetsOf: ({ node }) => limits.flatMap((one) => one.budgetsOf(node)),
    policyBudgets: (name) => byParticipant.get(name)?.policies ?? NO_BUDGETS,
    windowOf: ({ labels }) => windows.get(limitSource(rollout, labels, 'maintenanceWindows')),
    haltOf(node) {
      const found = halts.of(node);
      return found && { kind: 'halt', message: `${found.message}${found.reach}` };
    },
    get halts() {
      return halts.all();
    },
    canariesOf: (name, node) => canaries.get(name)?.of(node),
    allCanariesOf: (name) => canaries.get(name)?.all ?? [],
    // Other domains do not wait for a suspended node in maintenance.
    domains: new Set(
      nodes.filter(({ isActive, isSuspended }) => isActive && !isSuspended).map(({ node }) => domainOf(rollout, node)),
    ),
    takesPodsOf: ({ name }) => open().some((node) => node.name !== name),
    noteFailed(node, isNow) {
      const fact = facts.get(node.name);
      if (fact === undefined || failed.has(node.name) === isNow) return;
      if (isNow) failed.set(node.name, fact);
      else failed.delete(node.name);
      halts = haltsFor(failed.values());
    },
  };
}

/** Skipped nodes and nodes without a driver do not count against the failure budget. */
function isFailed({ node, parts, hasFailed, isSuspended }: NodeInFleet): boolean {
  if (isSuspended || !hasFailed) return false;
  return parts.some(
    ({ state, isDriven, participant }) =>
      phaseOf(state) === 'failed' && isDriven && node.labels[participant.keys.skip] !== 'true',
  );
}

interface ParticipantLimits {
  readonly budgetsOf: (node: SnapshotNode) => readonly Budget[];
  readonly policies: ReadonlyMap<string, Budget>;
}

const NO_BUDGETS: ReadonlyMap<string, Budget> = new Map();
const NO_LIMITS: ParticipantLimits = { budgetsOf: () => [], policies: NO_BUDGETS };

/** Nodes that have a participant or get it; another one only while it is unavailable or in maintenance, so it makes no percentage larger. */
function limitsFor(
  participant: Participant,
  facts: ReadonlyMap<string, NodeInFleet>,
  rollout: Rollout,
  isNamed: boolean,
): ParticipantLimits {
  const factOf = ({ node }: NodePart): NodeInFleet | undefined => facts.get(node.name);
  const members = participant.parts().filter((one) => {
    const { part } = one;
    if (part.policy === undefined || !isLimited(part)) return false;
    const fact = factOf(one);
    return part.isCounted || fact?.isDown === true || fact?.isActive === true;
  });
  const budgetOf = (name: string, own: readonly NodePart[], limits: Limits): Budget => ({
    name: isNamed ? `${name} of ${participant.title}` : name,
    parallelLimit: parallelLimit(limits, own.length),
    unavailableLimit: amountOf(limits.unavailable, own.length),
    inProgress: count(own, (one) => factOf(one)?.isActive === true),
    unavailable: count(own, (one) => factOf(one)?.isDown === true),
  });
  const policies = new Map(
    // By name: an SR-IOV pool has one policy for a reboot, and one for other changes.
    [...groupBy(members, ({ part }) => part.policy?.name ?? '')].map(([name, own]) => {
      const { maxParallelUpgrades = 0, maxUnavailable, maxInProgress } = own[0]?.part.policy ?? {};
      return [
        name,
        budgetOf(`policy ${name}`, own, {
          parallel: maxParallelUpgrades,
          unavailable: maxUnavailable,
          share: maxInProgress,
        }),
      ] as const;
    }),
  );
  const pools = rollout.pools.map((pool) => {
    const own = members.filter(({ node }) => hasEntries(node.labels, pool.nodeSelector));
    return {
      pool,
      budget: budgetOf(`pool ${pool.name}`, own, {
        parallel: pool.maxParallelUpgrades ?? 0,
        unavailable: pool.maxUnavailable,
      }),
    };
  });
  return {
    policies,
    budgetsOf(node) {
      const part = participant.on(node);
      if (part?.policy === undefined || !isLimited(part)) return [];
      if (!part.policy.autoUpgrade && !part.isUninstalled) return [];
      const own = policies.get(part.policy.name);
      const narrowed = pools.filter(({ pool }) => hasEntries(node.labels, pool.nodeSelector));
      return [...(own === undefined ? [] : [own]), ...narrowed.map(({ budget }) => budget)];
    },
  };
}

/** Otherwise it has nothing of the participant, so a share of the nodes that do, perhaps of none, is no limit for it. */
function isLimited(part: Part): boolean {
  return part.isManaged || hasLostIt(part);
}

/** Its driver was uninstalled. One that does not become ready again is unavailable. */
function hasLostIt({ isUninstalled, isManaged, state }: Part): boolean {
  return isUninstalled && !isManaged && state === 'upgrade-done';
}

interface Limits {
  /** 0: no limit. */
  readonly parallel: number;
  readonly unavailable: number | string | undefined;
  /** A number, or a percentage that is rounded down; undefined: no limit. */
  readonly share?: number | string | undefined;
}

/** The lower one of two limits: `maxParallelUpgrades` of a policy, and `maxUnavailable` of an SR-IOV pool, which is rounded down. */
function parallelLimit({ parallel, share }: Limits, total: number): number {
  return Math.min(parallel === 0 ? Number.POSITIVE_INFINITY : parallel, amountOf(share, total, Math.floor));
}

function windowWait(source: LimitSource<'maintenanceWindows'>, nowMs: number): WaitReason | undefined {
  const { maintenanceWindows } = source;
  if (maintenanceWindows.length === 0) return undefined;
  const states = maintenanceWindows.map((window) => windowState(window, nowMs));
  if (states.some(({ open }) => open)) return undefined;
  const window = `maintenance window${ofUpgradePool(source)}`;
  const opens = states.flatMap(({ nextChangeMs }) => (nextChangeMs === undefined ? [] : [nextChangeMs]));
  if (opens.length === 0) return { kind: 'window', message: `no ${window} ever opens` };
  const untilMs = Math.min(...opens);
  return { kind: 'window', message: `the next ${window} opens at ${isoSecond(untilMs)}`, untilMs };
}
