import { ANY_STATE_LABEL } from '../contract/labels.js';
import { hasPodsToMove, isSkipped, isUnavailable, type Budget } from './fleet.js';
import type { Guard } from './guards.js';
import type { GuardName } from './transition-row.js';
import { IN_PROGRESS } from './node-states.js';
import { annotation, type Hold, type Turn } from './turn.js';

/** What must hold before a node's upgrade begins. Without a fleet nobody begins. */
export const BEGIN_GUARDS = {
  notSkipped: (turn) => !isSkipped(turn) || { kind: 'skip', message: `label ${turn.world.keys.skip}` },
  notPaused: (turn) => turn.fleet?.paused !== true || { kind: 'pause', message: 'the companion is paused' },
  reachable: ({ view }) =>
    view.node.ready !== 'Unknown' || {
      kind: 'unreachable',
      message: 'its kubelet is silent: nothing could be ended there',
    },
  noOtherDriver: (turn) => {
    const other = otherDriver(turn);
    return other === undefined || { kind: 'other-driver', message: `the ${other} driver is being upgraded there` };
  },
  failureBudgetLeft: (turn) => turn.fleet?.failures ?? false,
  windowOpen: (turn) => turn.fleet?.window ?? false,
  canariesSoaked: (turn) => {
    if (turn.fleet === undefined) return false;
    const { isCanary, finished, begun, wanted, hold } = turn.fleet.canaries;
    if (hold === undefined || (isCanary(turn.view.node) && begun < wanted)) return true;
    // Nobody is at work on a canary: what they wait for comes from a person.
    return hold.kind === 'canary' && begun === finished ? { ...hold, kind: 'halt' } : hold;
  },
  topologyFree: ({ fleet, view }) => {
    if (fleet === undefined) return false;
    const key = fleet.rollout.topologyKey;
    if (key === undefined || fleet.domains.size === 0 || fleet.domains.has(view.node.labels[key] ?? '')) return true;
    return { kind: 'topology', message: `${key}=${[...fleet.domains].join(', ')} comes first` };
  },
  slotFree: (turn) => {
    if (turn.fleet === undefined) return false;
    if (hasForeignCordon(turn)) return true;
    for (const budget of turn.fleet.budgets.get(turn) ?? []) {
      const full = fullness(turn, budget);
      if (full !== undefined) return full;
    }
    return true;
  },
  roomLeft: (turn) => {
    const { fleet } = turn;
    if (fleet === undefined) return false;
    const [budget] = fleet.budgets.get(turn) ?? [];
    if (budget === undefined || fleet.begun === 0 || !isUnbounded(turn) || isUnavailable(turn)) return true;
    if (!hasPodsToMove(turn)) return true;
    if (fleet.homelessPods > 0) {
      return {
        kind: 'room',
        message: `${fleet.homelessPods} pods find no node: no more nodes are emptied until they do`,
      };
    }
    // Of what is emptied at a time, as much must be left to go to.
    if (budget.emptying + 1 <= budget.schedulable - 1) return true;
    return {
      kind: 'room',
      message: `${budget.emptying} nodes are being emptied, ${budget.schedulable} are left to go to`,
    };
  },
} satisfies Partial<Record<GuardName, Guard>>;

/** The cordon that is there is not ours: an admin emptied the node, so its upgrade takes nothing from anybody. */
export function hasForeignCordon(turn: Turn): boolean {
  return turn.view.node.unschedulable && annotation(turn, turn.world.keys.cordoned) !== 'true';
}

function fullness(turn: Turn, budget: Budget): Hold | undefined {
  const { name, inProgress, parallelLimit, unavailable, unavailableLimit } = budget;
  if (inProgress >= parallelLimit) {
    return { kind: 'slot', message: `${inProgress} nodes of ${name} are in progress, at most ${parallelLimit} may be` };
  }
  if (unavailable + (isUnavailable(turn) ? 0 : 1) <= unavailableLimit) return undefined;
  const message = `${unavailable} nodes of ${name} are cordoned or not ready, at most ${unavailableLimit} may be`;
  return { kind: inProgress > 0 ? 'slot' : 'unavailable', message };
}

/** No budget of the node's keeps any of its policy's nodes from beginning. */
function isUnbounded(turn: Turn): boolean {
  const budgets = turn.fleet?.budgets.get(turn) ?? [];
  return budgets.every(
    ({ parallelLimit, unavailableLimit, total }) => Math.min(parallelLimit, unavailableLimit) >= total,
  );
}

function otherDriver(turn: Turn): string | undefined {
  const { labels } = turn.view.node;
  // Without lists of entries: nodes have dozens of labels, and every node that could begin is asked.
  for (const key in labels) {
    if (key === turn.world.keys.state || !IN_PROGRESS.has(labels[key] ?? '')) continue;
    const prefix = ANY_STATE_LABEL.exec(key)?.[1];
    if (prefix !== undefined) return prefix;
  }
  return undefined;
}
