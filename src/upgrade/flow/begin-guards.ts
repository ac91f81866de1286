import { hasPodsToMove, isSkipped, isUnavailable } from '../fleet/fleet.js';
import type { GuardName } from './transition-row.js';
import { annotation, type Budget, type Guard, type Hold, type Turn } from './node-plan.js';

/** What must hold before a node's upgrade begins. Without a fleet nobody begins. */
export const BEGIN_GUARDS = {
  notSkipped: (turn) => !isSkipped(turn) || { kind: 'skip', message: `label ${turn.context.world.keys.skip}` },
  notPaused: (turn) => turn.context.fleet?.paused !== true || { kind: 'pause', message: 'the companion is paused' },
  reachable: ({ view }) =>
    view.node.ready !== 'Unknown' || {
      kind: 'unreachable',
      message: 'its kubelet is silent: nothing could be ended there',
    },
  noOtherDriver: (turn) => {
    const other = turn.view.otherDriver;
    return other === undefined || { kind: 'other-driver', message: `the ${other} driver is being upgraded there` };
  },
  failureBudgetLeft: (turn) => turn.context.fleet?.failures ?? false,
  windowOpen: (turn) => turn.context.fleet?.window ?? false,
  canariesSoaked: (turn) => {
    if (turn.context.fleet === undefined) return false;
    const { isCanary, finished, begun, wanted, hold } = turn.context.fleet.canaries;
    if (hold === undefined || (isCanary(turn.view.node) && begun < wanted)) return true;
    if (isOutAlready(turn)) return true;
    // Nobody is at work on a canary: what they wait for comes from a person.
    return hold.kind === 'canary' && begun === finished ? { ...hold, kind: 'halt' } : hold;
  },
  topologyFree: ({ context: { fleet }, view }) => {
    if (fleet === undefined) return false;
    const key = fleet.rollout.topologyKey;
    if (key === undefined || fleet.domains.size === 0 || fleet.domains.has(view.node.labels[key] ?? '')) return true;
    return { kind: 'topology', message: `${key}=${[...fleet.domains].join(', ')} comes first` };
  },
  slotFree: (turn) => {
    if (turn.context.fleet === undefined) return false;
    if (hasForeignCordon(turn)) return true;
    for (const budget of turn.context.fleet.budgetsOf(turn)) {
      const full = fullness(turn, budget);
      if (full !== undefined) return full;
    }
    return true;
  },
  roomLeft: (turn) => {
    const { fleet } = turn.context;
    if (fleet === undefined) return false;
    const [budget] = fleet.budgetsOf(turn);
    if (budget === undefined || fleet.begun === 0 || !isUnbounded(turn) || isUnavailable(turn)) return true;
    const homeless = fleet.homelessPods();
    // Of what is emptied at a time, as much must be left to go to.
    if (homeless === 0 && budget.emptying + 1 <= budget.schedulable - 1) return true;
    if (!hasPodsToMove(turn)) return true;
    if (homeless > 0) {
      return { kind: 'room', message: `${homeless} pods find no node: no more nodes are emptied until they do` };
    }
    return {
      kind: 'room',
      message: `${budget.emptying} nodes are being emptied, ${budget.schedulable} are left to go to`,
    };
  },
} satisfies Partial<Record<GuardName, Guard>>;

/** The cordon that is there is not ours: an admin emptied the node, so its upgrade takes nothing from anybody. */
export function hasForeignCordon(turn: Turn): boolean {
  return turn.view.node.unschedulable && annotation(turn, turn.context.world.keys.cordoned) !== 'true';
}

/**
 * A cordon of ours is there before the upgrade begins: only a person brings a node back to the beginning from half-way or from
 * failure. It is out of service already, so what is there to keep nodes in service does not hold it back. Otherwise nodes
 * wait for each other: canaries for a place in `maxUnavailable` that this node takes up, and this node for the canaries; or two
 * such nodes, each for the other's place.
 */
function isOutAlready(turn: Turn): boolean {
  return turn.view.node.unschedulable && annotation(turn, turn.context.world.keys.cordoned) === 'true';
}

function fullness(turn: Turn, budget: Budget): Hold | undefined {
  const { name, inProgress, parallelLimit, unavailable, unavailableLimit } = budget;
  if (inProgress >= parallelLimit) {
    return { kind: 'slot', message: `${inProgress} nodes of ${name} are in progress, at most ${parallelLimit} may be` };
  }
  if (isOutAlready(turn) || unavailable + (isUnavailable(turn) ? 0 : 1) <= unavailableLimit) return undefined;
  const message = `${unavailable} nodes of ${name} are cordoned or not ready, at most ${unavailableLimit} may be`;
  return { kind: inProgress > 0 ? 'slot' : 'unavailable', message };
}

/** No budget of the node's keeps any of its policy's nodes from beginning. */
function isUnbounded(turn: Turn): boolean {
  const budgets = turn.context.fleet?.budgetsOf(turn) ?? [];
  return budgets.every(
    ({ parallelLimit, unavailableLimit, total }) => Math.min(parallelLimit, unavailableLimit) >= total,
  );
}
