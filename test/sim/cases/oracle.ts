import { IN_PROGRESS } from '../rules/rules.js';
import type { NodeState } from '../../../src/shared/contract/node-states.js';
/** The state of one node, reduced to what the transition table depends on. */
export interface Situation {
  readonly state: NodeState;
  /** `foreign`: from before the upgrade, or on a node at rest; `ours`: with the companion's annotation. */
  readonly cordon: 'none' | 'ours' | 'foreign';
  /** In sync and ready, loading or failing; outdated, or outdated and terminating. */
  readonly driver: 'none' | 'ready' | 'loading' | 'failing' | 'outdated' | 'ending';
  /** A workload pod: one that can be evicted, one that the policy does not allow to evict, or one of a job. */
  readonly pods: 'none' | 'evictable' | 'forbidden' | 'job';
  readonly flag: 'none' | 'skip' | 'requested' | 'safe-load' | 'outdated-mark' | 'paused';
}

/** The settings of a policy that affect one node. */
export interface Rules {
  readonly autoUpgrade: boolean;
  readonly drain: boolean;
  /** Whether pods that use the driver's resource are deleted first; evictable and forbidden pods use it. */
  readonly podDeletion: boolean;
  readonly waitsForJobs: boolean;
  readonly validation: 'off' | 'passes' | 'waits';
}

export interface Outcome {
  readonly state: NodeState;
  readonly unschedulable: boolean;
  /** The workload pod is evicted. */
  readonly evicts: boolean;
  /** The driver pod is deleted. */
  readonly restarts: boolean;
  /** The annotation that requests a safe load is removed. */
  readonly letsLoad: boolean;
}

/**
 * The final state of a node in an otherwise idle cluster, by the table of docs/reference/companion-states.md. `slot`: the node gets a
 * slot; `halt`: no upgrade begins. It shares no code with the program that it checks, and is as simple as possible.
 */
export function oracle(situation: Situation, rules: Rules, slot: boolean, halt = false): Outcome {
  // The annotation of a node that is done is older than its cordon.
  const isOlder = situation.state === 'upgrade-done' && situation.cordon === 'ours';
  const cordonHere = isOlder ? 'foreign' : situation.cordon;
  let here: Here = { ...situation, cordon: cordonHere, evicts: false, restarts: false, letsLoad: false };
  if (rules.autoUpgrade) {
    for (let steps = 0; steps < 20; steps += 1) {
      const next = step(here, rules, slot, halt);
      if (next === undefined) break;
      here = next;
    }
  }
  const { state, cordon, evicts, restarts, letsLoad } = here;
  return { state, unschedulable: cordon !== 'none', evicts, restarts, letsLoad };
}

interface Here extends Situation {
  readonly evicts: boolean;
  readonly restarts: boolean;
  readonly letsLoad: boolean;
}

const inSync = ({ driver }: Here): boolean => driver === 'ready' || driver === 'loading' || driver === 'failing';
/** A terminating driver pod needs no deletion: the pod that replaces it is in sync. */
const outdated = ({ driver }: Here): boolean => driver === 'outdated';

function step(here: Here, rules: Rules, slot: boolean, halt: boolean): Here | undefined {
  const to = (state: NodeState, change: Partial<Here> = {}): Here => ({ ...here, state, ...change });
  switch (here.state) {
    case '':
    case 'upgrade-done':
      // Its label was removed in the middle of its maintenance, which goes on.
      if (here.state === '' && here.cordon === 'ours') return to('pod-restart-required');
      if (outdated(here) || here.flag === 'requested' || here.flag === 'safe-load') return to('upgrade-required');
      if (here.state === '' && inSync(here)) return to(finish(here));
      return undefined;
    case 'upgrade-required':
      if (here.flag === 'outdated-mark' && inSync(here)) {
        return to(finish(here), { flag: 'none' });
      }
      if (here.flag === 'skip' || here.flag === 'paused' || halt) return undefined;
      // Its pods could not leave.
      if (here.pods === 'forbidden' && here.cordon !== 'ours' && (rules.drain || rules.podDeletion)) return undefined;
      if (here.cordon === 'foreign' || slot) {
        // Restarts before the upgrade do not count.
        const driver = here.driver === 'failing' ? 'loading' : here.driver;
        return to('cordon-required', { ...dropRequest(here), driver });
      }
      return undefined;
    case 'cordon-required':
      return to('wait-for-jobs-required', { cordon: here.cordon === 'none' ? 'ours' : here.cordon });
    case 'wait-for-jobs-required':
      if (isUncordoned(here)) return cordonAgain(here);
      if (rules.waitsForJobs && here.pods === 'job') return undefined;
      return rules.podDeletion ? to('pod-deletion-required') : to('drain-required');
    case 'pod-deletion-required':
      if (isUncordoned(here)) return cordonAgain(here);
      // The policy deletes no pods any more.
      if (!rules.podDeletion) return rules.drain ? to('drain-required') : drain(here, rules);
      if (here.pods === 'evictable') return here.evicts ? undefined : { ...here, evicts: true };
      if (here.pods === 'forbidden') return rules.drain ? to('drain-required') : giveUp(here);
      return to('pod-restart-required');
    case 'drain-required':
      return isUncordoned(here) ? cordonAgain(here) : drain(here, rules);
    case 'pod-restart-required':
      return restart(here, rules);
    case 'validation-required':
      return validate(here, rules);
    case 'uncordon-required':
      if (here.driver !== 'ready') return to('pod-restart-required');
      return to('upgrade-done', { cordon: here.cordon === 'ours' ? 'none' : here.cordon });
    case 'upgrade-failed':
      // A node that failed its validation is not repaired before it passes, and a safe load would start its drain again.
      return here.driver === 'ready' && rules.validation !== 'waits' && here.flag !== 'safe-load'
        ? to(...leave(here))
        : undefined;
    case 'node-maintenance-required':
    case 'post-maintenance-required':
      return undefined;
  }
}

function drain(here: Here, rules: Rules): Here | undefined {
  if (!rules.drain) return { ...here, state: 'pod-restart-required' };
  if (here.pods === 'forbidden') return giveUp(here);
  if (here.pods === 'evictable' || here.pods === 'job') return here.evicts ? undefined : { ...here, evicts: true };
  return { ...here, state: 'pod-restart-required' };
}

/** The old driver still runs, so the companion lifts its cordon. */
const giveUp = (here: Here): Here => ({
  ...here,
  state: 'upgrade-failed',
  cordon: here.cordon === 'ours' && here.driver !== 'ending' ? 'none' : here.cordon,
});

const dropRequest = (here: Here): Partial<Here> => (here.flag === 'requested' ? { flag: 'none' } : {});

/** An administrator uncordoned the node before its old driver was gone. */
const isUncordoned = (here: Here): boolean => here.cordon === 'none';
/** Pods may have been bound meanwhile, so the node is drained again from the beginning. */
const cordonAgain = (here: Here): Here => ({ ...here, state: 'wait-for-jobs-required', cordon: 'ours' });

/** Pods that must leave before the driver is unloaded were bound after the drain. */
function hasPodsToMove({ pods }: Here, { podDeletion, drain }: Rules): boolean {
  if (podDeletion) return pods === 'evictable';
  return drain && (pods === 'evictable' || pods === 'job');
}

function restart(here: Here, rules: Rules): Here | undefined {
  const isPending = outdated(here) || here.driver === 'ending' || here.flag === 'safe-load';
  if (isPending && isUncordoned(here)) return cordonAgain(here);
  if (isPending && hasPodsToMove(here, rules))
    return { ...here, state: rules.podDeletion ? 'pod-deletion-required' : 'drain-required' };
  if (here.driver !== 'ready' && isUncordoned(here)) return { ...here, cordon: 'ours' };
  switch (here.driver) {
    case 'outdated':
      return here.restarts ? undefined : { ...here, restarts: true };
    case 'ending':
    case 'none':
      return undefined;
    case 'loading':
      return here.flag === 'safe-load' ? { ...here, flag: 'none', letsLoad: true } : undefined;
    case 'failing':
      return { ...here, state: 'upgrade-failed' };
    case 'ready': {
      if (rules.validation !== 'off') return { ...here, state: 'validation-required' };
      const [state, change] = leave(here);
      return { ...here, state, ...change };
    }
  }
}

/** The driver is not ready any more, so it is restarted first. */
function validate(here: Here, rules: Rules): Here | undefined {
  if (here.driver !== 'ready') return { ...here, state: 'pod-restart-required' };
  const [state, change] = leave(here);
  return rules.validation === 'waits' ? undefined : { ...here, state, ...change };
}

/** A node without an upgrade is done; one that the companion has out of service comes back as from any maintenance. */
function finish(here: Here): NodeState {
  return here.cordon === 'ours' ? 'pod-restart-required' : 'upgrade-done';
}

/** A node that was cordoned before its upgrade is not uncordoned. */
function leave(here: Here): [NodeState, Partial<Here>] {
  return here.cordon === 'foreign' ? ['upgrade-done', {}] : ['uncordon-required', {}];
}

// --- Several nodes ----------------------------------------------------------------------------------------------------

export interface Budgets {
  /** 0: no limit. */
  readonly maxParallelUpgrades: number;
  /** Absent: no limit. */
  readonly maxUnavailable?: number;
  readonly failureBudget: number;
}

/** Whether the failure budget is spent, so that no node begins, not even one that needs no slot. */
export function isHalted(outcomes: readonly Outcome[], budgets: Budgets): boolean {
  return outcomes.filter(({ state }) => state === 'upgrade-failed').length >= budgets.failureBudget;
}

/**
 * The number of candidates that may begin when all other nodes have the final states of `outcomes`. A candidate is a node that no
 * administrator cordoned. One with the companion's cordon is already unavailable, so only the limit on nodes in progress applies.
 */
export function beginners(candidates: readonly Situation[], outcomes: readonly Outcome[], budgets: Budgets): number {
  if (isHalted(outcomes, budgets)) return 0;
  const down = outcomes.filter(({ unschedulable }) => unschedulable).length;
  const available = Math.max(0, (budgets.maxUnavailable ?? Infinity) - down);
  const alreadyUnavailable = candidates.filter(({ cordon }) => cordon === 'ours').length;
  const willing = alreadyUnavailable + Math.min(available, candidates.length - alreadyUnavailable);
  const busy = outcomes.filter(({ state }) => IN_PROGRESS.has(state)).length;
  const parallel = budgets.maxParallelUpgrades === 0 ? Infinity : budgets.maxParallelUpgrades - busy;
  return Math.max(0, Math.min(parallel, willing));
}
