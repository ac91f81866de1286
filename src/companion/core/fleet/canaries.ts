import type { Canaries } from '../maintenance/limits.js';
import { durationMs } from '../../../shared/contract/duration.js';
import { phaseOf } from '../../../shared/contract/node-states.js';
import { limitSource, limitSources, type LimitSource } from '../../../shared/contract/pool-limits.js';
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

/** A canary setting holds for the nodes of its upgrade pool, or for those of no pool with its own, and has its canaries among them. */
export function canariesOf(input: CanaryInput): CanariesOfNodes {
  const { participant, rollout } = input;
  const sources = limitSources(rollout, 'canary');
  if (sources.every(({ canary }) => canary === undefined)) return { of: () => undefined, all: [] };
  const partsOf = groupBy(participant.parts(), ({ node }) => limitSource(rollout, node.labels, 'canary'));
  const groups = new Map<LimitSource<'canary'>, Canaries>();
  for (const source of sources) {
    const { canary, name } = source;
    const ofPool = name === undefined ? '' : ` of upgrade pool ${name}`;
    if (canary !== undefined) groups.set(source, canariesAmong(input, canary, partsOf.get(source) ?? [], ofPool));
  }
  return {
    of: (node) => groups.get(limitSource(rollout, node.labels, 'canary')),
    all: [...groups.values()],
  };
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
  // Without others that follow nobody asks how many there are.
  const hasOthers = members.some(({ node, part }) => part.isCandidate && !isCanary(node));
  const isProven = wanted === 0 && participant.isProven(all.map(({ node }) => node));
  return {
    isCanary,
    isChosen: nodeSelector !== undefined,
    wanted,
    missing: hasOthers ? asked - wanted : 0,
    finished: finished.length,
    begun: finished.length + active,
    wait: isProven ? undefined : canaryWait(finished, wanted, durationMs(soak), nowMs, of),
    of,
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
  of: string,
): WaitReason | undefined {
  if (wanted === 0)
    return { kind: 'canary-missing', message: `no node that is upgraded matches the selector of the canaries${of}` };
  if (finished.length < wanted)
    return { kind: 'canary', message: `${finished.length} of ${wanted} canaries${of} are done` };
  const sick = finished.find(({ part }) => part.isSick);
  if (sick !== undefined) return { kind: 'canary', message: `the driver of canary ${sick.node.name} is not ready` };
  const untilMs = Math.max(...finished.map((one) => one.doneMs)) + soakMs;
  if (nowMs >= untilMs) return undefined;
  return { kind: 'soak', message: `the canaries${of} soak until ${isoSecond(untilMs)}`, untilMs };
}
