import type { Canaries } from '../maintenance/limits.js';
import { durationMs } from '../../../shared/contract/duration.js';
import { phaseOf } from '../../../shared/contract/node-states.js';
import { limitSource, limitSources, ofUpgradePool, type LimitSource } from '../../../shared/contract/pool-limits.js';
import type { Rollout } from '../../../shared/contract/upgrade-settings.js';
import { count } from '../../../shared/lib/count.js';
import { groupBy } from '../../../shared/lib/group-by.js';
import { hasEntries } from '../../../shared/lib/has-entries.js';
import { isoSecond } from '../../../shared/lib/time.js';
import type { SnapshotNode, WaitReason } from '../../model/types.js';
import { isInMaintenance } from '../maintenance/node-facts.js';
import type { NodePart, Part, Participant } from '../maintenance/plan.js';
import { doneMs } from './done.js';
import type { NodeInFleet } from './node-in-fleet.js';

interface CanaryInput {
  readonly participant: Participant;
  readonly facts: ReadonlyMap<string, NodeInFleet>;
  readonly rollout: Rollout;
  readonly nowMs: number;
}

type CanarySetting = NonNullable<Rollout['canary']>;

/** The canaries of a participant: those that a node waits for, and all. */
interface CanariesOfNodes {
  readonly of: (node: SnapshotNode) => Canaries | undefined;
  readonly all: readonly Canaries[];
}

/**
 * Each DaemonSet has canaries of its own among the nodes that a setting holds for: a canary proves what is installed. Where the setting selects
 * nodes, but none of a DaemonSet, any nodes of that DaemonSet are its canaries, and follow those of the others.
 */
export function canariesOf(input: CanaryInput): CanariesOfNodes {
  const { participant, rollout } = input;
  const sources = limitSources(rollout, 'canary');
  if (sources.every(({ canary }) => canary === undefined)) return { of: () => undefined, all: [] };
  const partsOf = groupBy(participant.parts(), ({ node }) => limitSource(rollout, node.labels, 'canary'));
  const groups = new Map(sources.map((source) => [source, ofSource(input, source, partsOf.get(source) ?? [])]));
  return {
    of(node) {
      const own = groups.get(limitSource(rollout, node.labels, 'canary'));
      return own?.get(participant.on(node)?.daemonSet ?? '');
    },
    all: [...new Set([...groups.values()].flatMap((own) => [...own.values()]))],
  };
}

/** The canaries that the nodes of each DaemonSet wait for. */
function ofSource(
  input: CanaryInput,
  source: LimitSource<'canary'>,
  parts: readonly NodePart[],
): ReadonlyMap<string, Canaries> {
  const { canary } = source;
  if (canary === undefined) return new Map();
  const byDaemonSet = groupBy(parts, ({ part }) => part.daemonSet ?? '');
  const ofPool = ofUpgradePool(source);
  const groups = [...byDaemonSet].map(([daemonSet, members]) => {
    const of = byDaemonSet.size > 1 && daemonSet !== '' ? `${ofPool} for DaemonSet ${daemonSet}` : ofPool;
    return { daemonSet, members, of, own: canariesAmong(input, canary, members, of) };
  });
  const selected = groups.filter(({ own }) => !isMissing(own));
  const first = selected.find(({ own }) => own.wait !== undefined);
  const any = { ...canary, nodeSelector: undefined };
  return new Map(
    groups.map(({ daemonSet, members, of, own }) => {
      const follows = canary.nodeSelector !== undefined && isMissing(own) && selected.length > 0;
      return [daemonSet, follows ? (first?.own ?? canariesAmong(input, any, members, of)) : own] as const;
    }),
  );
}

/** No node can be a canary, and none is proven otherwise. */
function isMissing({ desired, wait }: Canaries): boolean {
  return desired === 0 && wait !== undefined;
}

function canariesAmong(
  { participant, facts, nowMs }: CanaryInput,
  { nodes, nodeSelector, soak }: CanarySetting,
  members: readonly NodePart[],
  of: string,
): Canaries {
  const isCanary = (node: SnapshotNode) => nodeSelector === undefined || hasEntries(node.labels, nodeSelector);
  const countsInSync = nodeSelector !== undefined;
  const all = members.filter(({ node }) => isCanary(node));
  const able = all.filter(({ node, part }) => {
    if (node.labels[participant.keys.skip] === 'true') return false;
    return part.isCandidate || doneMs(node, part, nowMs, false) !== undefined;
  });
  const begins = able.filter(({ node, part }) => !cannotBegin(part, facts.get(node.name)));
  // Otherwise the only node of a DaemonSet would wait for itself.
  const pool = nodeSelector === undefined && begins.length === 0 ? able : begins;
  const asked = nodes ?? (nodeSelector === undefined ? 1 : pool.length);
  const desired = Math.min(asked, pool.length);
  const finished = pool
    .filter(({ node, part }) => part.state === 'upgrade-done' && facts.get(node.name)?.isActive !== true)
    .flatMap(({ node, part }) => {
      const ms = doneMs(node, part, nowMs, countsInSync);
      return ms === undefined ? [] : [{ node, part, doneMs: ms }];
    })
    .sort((a, b) => a.doneMs - b.doneMs)
    .slice(0, desired);
  // A node that is out for another participant gets this one before it returns, or has it already; its label may have been lost meanwhile.
  const isOut = ({ node }: NodePart) => facts.get(node.name)?.isActive === true;
  const reserved = pool.filter((one) => isOut(one) && phaseOf(one.part.state) === 'due');
  const active = count(pool, (one) => {
    const { node, part } = one;
    if (isInMaintenance(phaseOf(part.state))) return true;
    return isOut(one) && (part.state === '' || doneMs(node, part, nowMs, countsInSync) !== undefined);
  });
  // Without others that follow nobody asks how many there are.
  const hasOthers = members.some(({ node, part }) => part.isCandidate && !isCanary(node));
  const isProven = desired === 0 && participant.isProven(all.map(({ node }) => node));
  return {
    isCanary,
    isChosen: nodeSelector !== undefined,
    desired,
    missing: hasOthers ? asked - desired : 0,
    finished: finished.length,
    begun: finished.length + active + reserved.length,
    reserved: new Set(reserved.map(({ node }) => node.name)),
    wait: isProven ? undefined : canaryWait(finished, desired, durationMs(soak), nowMs, of),
    of,
  };
}

/** The API server refuses to begin its maintenance, so it takes no place of a canary. */
function cannotBegin({ state }: Part, fact: NodeInFleet | undefined): boolean {
  return fact?.isRefused === true && !fact.isActive && state !== 'upgrade-done';
}

function canaryWait(
  finished: readonly { readonly node: SnapshotNode; readonly part: Part; readonly doneMs: number }[],
  desired: number,
  soakMs: number,
  nowMs: number,
  of: string,
): WaitReason | undefined {
  if (desired === 0)
    return { kind: 'canary-missing', message: `no node that is upgraded matches the selector of the canaries${of}` };
  if (finished.length < desired)
    return { kind: 'canary', message: `${finished.length} of ${desired} canaries${of} are done` };
  const sick = finished.find(({ part }) => part.isSick);
  if (sick !== undefined) return { kind: 'canary', message: `the driver of canary ${sick.node.name} is not ready` };
  const untilMs = Math.max(...finished.map((one) => one.doneMs)) + soakMs;
  if (nowMs >= untilMs) return undefined;
  return { kind: 'soak', message: `the canaries${of} soak until ${isoSecond(untilMs)}`, untilMs };
}
