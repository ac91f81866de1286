import type { NodeState } from '../../../shared/contract/node-states.js';
import type { EFFECTS } from './effects.js';
import type { GUARDS } from './guards.js';

/** A condition on a node. */
type GuardName = keyof typeof GUARDS;

/** A change of the node's plan besides its state. */
type EffectName = keyof typeof EFFECTS;

/**
 * One row: if the node is in a state of `from`, all guards of `when` are true and none of `unless` is, it gets the state `to` and the
 * effects `then`. The first such row is taken.
 */
export interface TransitionRow {
  readonly id: string;
  /** k8s-operator-libs has no such row. */
  readonly upstream?: false;
  readonly from: readonly NodeState[];
  readonly when: readonly GuardName[];
  /** Default: none. */
  readonly unless?: readonly GuardName[];
  /** `keep`: the node keeps its state, and no other row is tried. */
  readonly to: NodeState | 'keep';
  readonly then: readonly EffectName[];
  /** For the node's event and the diagram. */
  readonly message: string;
}
