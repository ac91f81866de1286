/** Where a state is in the flow of a node. */
type Phase =
  /** No upgrade is due. */
  | 'rest'
  /** Its upgrade is due, and has not begun. */
  | 'pending'
  /** From the cordon to the last evicted pod. */
  | 'drain'
  /** Its driver is restarted and validated; the node is still cordoned. */
  | 'restart'
  /** Only the uncordon is left. */
  | 'uncordon'
  | 'failed'
  /** The Maintenance Operator cordons and drains the node. */
  | 'maintenance'
  /** The Maintenance Operator gives the node back. */
  | 'return';

/** Values of the state label, verbatim from k8s-operator-libs `pkg/upgrade/consts.go`; the empty one is an absent label. */
const STATES = {
  '': 'rest',
  'upgrade-required': 'pending',
  'cordon-required': 'drain',
  'wait-for-jobs-required': 'drain',
  'pod-deletion-required': 'drain',
  'drain-required': 'drain',
  'pod-restart-required': 'restart',
  'validation-required': 'restart',
  'uncordon-required': 'uncordon',
  'upgrade-done': 'rest',
  'upgrade-failed': 'failed',
  'node-maintenance-required': 'maintenance',
  'post-maintenance-required': 'return',
} as const satisfies Readonly<Record<string, Phase>>;

export type NodeState = keyof typeof STATES;

const ALL = Object.keys(STATES) as NodeState[];

export const NODE_STATES: ReadonlySet<string> = new Set(ALL);

/** The states of these phases, in the order of the flow. */
export function statesIn(...phases: readonly Phase[]): readonly NodeState[] {
  return ALL.filter((state) => phases.includes(STATES[state]));
}

/**
 * States of a node whose maintenance the companion or an operator has begun and not ended: from cordon to uncordon. With those of nodes that the
 * Maintenance Operator takes out or gives back, where it drains.
 */
export function inProgressStates(asksOperator: boolean): readonly NodeState[] {
  const states = ['drain', 'restart', 'uncordon'] as const;
  return asksOperator ? statesIn(...states, 'maintenance', 'return') : statesIn(...states);
}

/** The phase of a maintenance, which all participants of a node share. */
export type MaintenancePhase =
  'rest' | 'due' | 'cordon' | 'jobs' | 'drain' | 'restart' | 'validate' | 'uncordon' | 'failed';

const PHASES = {
  '': 'rest',
  'upgrade-done': 'rest',
  'upgrade-required': 'due',
  'cordon-required': 'cordon',
  'node-maintenance-required': 'cordon',
  'wait-for-jobs-required': 'jobs',
  'pod-deletion-required': 'drain',
  'drain-required': 'drain',
  'pod-restart-required': 'restart',
  'validation-required': 'validate',
  'uncordon-required': 'uncordon',
  'post-maintenance-required': 'uncordon',
  'upgrade-failed': 'failed',
} as const satisfies Readonly<Record<NodeState, MaintenancePhase>>;

/** The phase of a state; undefined: the state is unknown. */
export function phaseOf(state: string): MaintenancePhase | undefined {
  return (PHASES as Readonly<Record<string, MaintenancePhase>>)[state];
}
