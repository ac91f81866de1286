import type { NodeState } from '../model/types.js';
import type { EFFECTS } from './effects.js';
import type { GUARDS } from './guards.js';

/** Questions about a node that rows ask. */
type GuardName = keyof typeof GUARDS;

/** What a row does beside changing the state. */
type EffectName = keyof typeof EFFECTS;

/** One row: in one of these states, when all of this holds, go there and do that. The first row that holds is taken. */
export interface TransitionRow {
  readonly id: string;
  readonly from: readonly NodeState[];
  readonly when: readonly GuardName[];
  /** The row is not taken where one of these holds; default: none. */
  readonly unless?: readonly GuardName[];
  /** `keep`: the state stays, and no other row is tried. */
  readonly to: NodeState | 'keep';
  readonly then: readonly EffectName[];
  /** For the node's event and the diagram. */
  readonly message: string;
}
