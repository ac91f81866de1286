import { inProgressStates, statesIn, type NodeState } from '../../shared/contract/node-states.js';

/** States of a node at rest: no state, or done. */
const AT_REST = statesIn('rest');

/** Whether a value of the state label is one of those. */
export function isAtRest(state: string): boolean {
  return (AT_REST as readonly string[]).includes(state);
}

/** States of a node whose upgrade has begun and not ended, whoever upgrades it. */
export const IN_PROGRESS: ReadonlySet<string> = new Set(inProgressStates(true));

/** States of a node that the Maintenance Operator takes out or gives back. */
const MAINTENANCE_STATES = statesIn('maintenance', 'return');

export const IN_MAINTENANCE: ReadonlySet<string> = new Set(MAINTENANCE_STATES);

interface Move {
  readonly from: NodeState;
  readonly to: NodeState;
}

/** Whether a patch begins the upgrade of its node. */
export function beginsUpgrade({ steps }: { readonly steps: readonly Move[] }): boolean {
  return steps.some(({ from }) => from === 'upgrade-required') && IN_PROGRESS.has(steps.at(-1)?.to ?? '');
}
