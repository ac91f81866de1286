import type { Budget, Canaries, Fleet } from '../maintenance/limits.js';
import { durationMs } from '../../../shared/contract/duration.js';
import { windowState } from '../../../shared/contract/maintenance-window.js';
import { phaseOf } from '../../../shared/contract/node-states.js';
import type { Rollout } from '../../../shared/contract/upgrade-settings.js';
import { hasEntries } from '../../../shared/lib/has-entries.js';
import { groupBy } from '../../../shared/lib/group-by.js';
import { listed } from '../../../shared/lib/listed.js';
import { once } from '../../../shared/lib/memo.js';
import { isoSecond } from '../../../shared/lib/time.js';
import type { Snapshot } from '../../model/snapshot.js';
import type { SnapshotNode, WaitReason } from '../../model/types.js';
import { isInMaintenance } from '../maintenance/node-facts.js';
import { type NodePart, type Part, type Participant, domainOf } from '../maintenance/plan.js';
import { doneMs } from './done.js';

/** What the fleet knows of each node. */
export interface NodeInFleet {
  readonly node: SnapshotNode;
  readonly parts: readonly Part[];
  /** It was taken out and is not back, in the snapshot. */
  readonly isActive: boolean;
  /** It failed, and is not tried again. What became due on it meanwhile waits. */
  readonly hasFailed: boolean;
  /** It is cordoned or not ready, or may be at any time. */
  readonly isDown: boolean;
  /** The companion leaves it as it is. */
  readonly isFrozen: boolean;
  /** The API server refuses its patches. */
  readonly isRefused: boolean;
}

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
  const canaries = new Map(participants.map((one) => [one.name, canariesOf(one, facts, rollout, nowMs)]));
  const failed = new Set(nodes.filter(isFailed).map(({ node }) => node.name));
  const managed = once(() => nodes.filter(({ parts }) => parts.some(({ isManaged }) => isManaged)).length);
  const open = once(() => snapshot.nodes.filter(({ unschedulable, ready }) => !unschedulable && ready === 'True'));
  return {
    budgetsOf: ({ node }) => limits.flatMap((one) => one.budgetsOf(node)),
    policyBudgets: (name) => byParticipant.get(name)?.policies ?? NO_BUDGETS,
    window: windowWait(rollout, nowMs),
    get failures() {
      return failureWait(failed, rollout, managed());
    },
    canariesOf: (name) => canaries.get(name) ?? withoutCanaries(),
    // Other domains do not wait for a frozen node in maintenance.
    domains: new Set(
      nodes.filter(({ isActive, isFrozen }) => isActive && !isFrozen).map(({ node }) => domainOf(rollout, node)),
    ),
    takesPodsOf: ({ name }) => open().some((node) => node.name !== name),
    noteFailed({ name }, isNow) {
      if (isNow) failed.add(name);
      else failed.delete(name);
    },
  };
}

/** Skipped nodes and nodes without a driver do not count against the failure budget. */
function isFailed({ node, parts, hasFailed, isFrozen }: NodeInFleet): boolean {
  if (isFrozen || !hasFailed) return false;
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
    if (part.policy === undefined || (!part.isManaged && !hasLostIt(part))) return false;
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
      if (part?.policy === undefined || (!part.policy.autoUpgrade && !part.isUninstalled)) return [];
      const own = policies.get(part.policy.name);
      const narrowed = pools.filter(({ pool }) => hasEntries(node.labels, pool.nodeSelector));
      return [...(own === undefined ? [] : [own]), ...narrowed.map(({ budget }) => budget)];
    },
  };
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

/** A number of nodes, or a percentage of them: rounded up, as upstream reads `maxUnavailable`, unless another rounding is given. */
function amountOf(amount: number | string | undefined, total: number, rounded = Math.ceil): number {
  if (amount === undefined) return Number.POSITIVE_INFINITY;
  return typeof amount === 'number' ? amount : rounded((total * Number.parseInt(amount, 10)) / 100);
}

/** The lower one of two limits: `maxParallelUpgrades` of a policy, and `maxUnavailable` of an SR-IOV pool, which is rounded down. */
function parallelLimit({ parallel, share }: Limits, total: number): number {
  return Math.min(parallel === 0 ? Number.POSITIVE_INFINITY : parallel, amountOf(share, total, Math.floor));
}

/** Counts without allocating a list. */
export function count<Item>(items: readonly Item[], isOne: (item: Item) => boolean): number {
  let found = 0;
  for (const item of items) if (isOne(item)) found += 1;
  return found;
}

function windowWait({ maintenanceWindows }: Rollout, nowMs: number): WaitReason | undefined {
  if (maintenanceWindows.length === 0) return undefined;
  const states = maintenanceWindows.map((window) => windowState(window, nowMs));
  if (states.some(({ open }) => open)) return undefined;
  const opens = states.flatMap(({ nextChangeMs }) => (nextChangeMs === undefined ? [] : [nextChangeMs]));
  if (opens.length === 0) return { kind: 'window', message: 'no maintenance window ever opens' };
  const untilMs = Math.min(...opens);
  return { kind: 'window', message: `the next maintenance window opens at ${isoSecond(untilMs)}`, untilMs };
}

function failureWait(failed: ReadonlySet<string>, { failureBudget }: Rollout, total: number): WaitReason | undefined {
  const allowed = Math.max(1, amountOf(failureBudget, total));
  if (failed.size < allowed) return undefined;
  return { kind: 'halt', message: `${failed.size} failed (${listed([...failed], 3)}) of at most ${allowed}` };
}

const withoutCanaries = (): Canaries => ({
  isCanary: () => true,
  wanted: Infinity,
  missing: 0,
  finished: 0,
  begun: 0,
  wait: undefined,
});

function canariesOf(
  participant: Participant,
  facts: ReadonlyMap<string, NodeInFleet>,
  rollout: Rollout,
  nowMs: number,
): Canaries {
  const { canary } = rollout;
  if (canary === undefined) return withoutCanaries();
  const { nodes, nodeSelector, soak } = canary;
  const isCanary = (node: SnapshotNode) => nodeSelector === undefined || hasEntries(node.labels, nodeSelector);
  const countsInSync = nodeSelector !== undefined;
  const all = participant.parts().filter(({ node }) => isCanary(node));
  const pool = all.filter(({ node, part }) => {
    if (node.labels[participant.keys.skip] === 'true' || cannotBegin(part, facts.get(node.name))) return false;
    return part.isCandidate || doneMs(node, part, nowMs, false) !== undefined;
  });
  const asked = nodes ?? (nodeSelector === undefined ? 1 : pool.length);
  const wanted = Math.min(asked, pool.length);
  const finished = pool
    .filter(({ node, part }) => part.state === 'upgrade-done' && facts.get(node.name)?.isActive !== true)
    .flatMap(({ node, part }) => {
      const ms = doneMs(node, part, nowMs, countsInSync);
      return ms === undefined ? [] : [{ node, part, doneMs: ms }];
    })
    .sort((a, b) => a.doneMs - b.doneMs)
    .slice(0, wanted);
  // A node that is out for another participant gets this one before it returns, or has it already.
  const active = count(pool, ({ node, part }) => {
    const phase = phaseOf(part.state);
    if (isInMaintenance(phase)) return true;
    const isOut = facts.get(node.name)?.isActive === true;
    return isOut && (phase === 'due' || doneMs(node, part, nowMs, countsInSync) !== undefined);
  });
  const isProven = wanted === 0 && participant.isProven(all.map(({ node }) => node));
  return {
    isCanary,
    wanted,
    missing: asked - wanted,
    finished: finished.length,
    begun: finished.length + active,
    wait: isProven ? undefined : canaryWait(finished, wanted, durationMs(soak), nowMs),
  };
}

/** The API server refuses to begin its maintenance, so it takes no place of a canary. */
function cannotBegin({ state }: Part, fact: NodeInFleet | undefined): boolean {
  return fact?.isRefused === true && !fact.isActive && state !== 'upgrade-done';
}

function canaryWait(
  finished: readonly { readonly node: SnapshotNode; readonly part: Part; readonly doneMs: number }[],
  wanted: number,
  soakMs: number,
  nowMs: number,
): WaitReason | undefined {
  if (wanted === 0)
    return { kind: 'canary-missing', message: 'no node that is upgraded matches the selector of the canaries' };
  if (finished.length < wanted) return { kind: 'canary', message: `${finished.length} of ${wanted} canaries are done` };
  const sick = finished.find(({ part }) => part.isSick);
  if (sick !== undefined) return { kind: 'canary', message: `the driver of canary ${sick.node.name} is not ready` };
  const untilMs = Math.max(...finished.map((one) => one.doneMs)) + soakMs;
  if (nowMs >= untilMs) return undefined;
  return { kind: 'soak', message: `the canaries soak until ${isoSecond(untilMs)}`, untilMs };
}
