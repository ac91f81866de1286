import type { NodeState } from '../contract/node-states.js';
import type { NodePlan, UpgradePlan } from '../plan/types.js';
import type { GivenPlan } from './read-plan.js';

/** What is known of the upgrade of one node, in the order in which it happened. */
export interface NodeHistory extends Pick<NodePlan, 'node' | 'driver' | 'pool' | 'topologyDomain' | 'evicted'> {
  readonly events: readonly HistoryEvent[];
}

export interface HistoryEvent {
  readonly atMs: number;
  /** The state of the node after it; undefined: not known, or the same. */
  readonly state: NodeState | undefined;
  readonly message: string;
  /** It says what the node waits for. Default: false. */
  readonly isWait?: boolean;
}

/** What a log, or a cluster, has of an upgrade. */
export interface UpgradeRecord {
  /** Where it is from, for people. */
  readonly source: string;
  readonly histories: readonly NodeHistory[];
  /** When the canaries soaked. */
  readonly soaks: readonly { readonly fromMs: number; readonly toMs: number }[];
  /** Warnings and errors that are about no node, in order, each once. */
  readonly problems: readonly string[];
}

/** An upgrade that has happened, as `weft upgrade report --format json` prints it. Times are in ISO 8601, durations in seconds. */
export interface UpgradeReport {
  readonly source: string;
  /** When the first node began; null: none did. */
  readonly startsAt: string | null;
  /** When the last node was through, or failed; null: none was. */
  readonly endsAt: string | null;
  readonly duration: number;
  readonly nodes: number;
  /** Nodes that all their drivers are through with. */
  readonly upgraded: number;
  /** Nodes that failed for a driver. */
  readonly failed: number;
  readonly waves: number;
  readonly podsEvicted: number;
  /** In the order of their begin. */
  readonly nodeReports: readonly NodeReport[];
  readonly soaks: UpgradePlan['soaks'];
  readonly problems: readonly string[];
  /** How it was planned; null: no plan was given. */
  readonly planned: PlannedUpgrade | null;
}

export interface PlannedUpgrade extends Pick<GivenPlan, 'duration' | 'nodes' | 'upgraded' | 'podsEvicted'> {
  /** How much later than planned the first node began; the plan of each node is shown so much later. */
  readonly lateSeconds: number;
  /** Nodes whose outcome is another one. */
  readonly otherOutcome: readonly string[];
}

/** The upgrade of one node by one driver. A state in its history is empty where it is not known, or the same. */
export interface NodeReport extends Omit<NodePlan, 'after'> {
  /** Why it failed, or what it waits for; empty: nothing. */
  readonly reason: string;
  /** How it was planned; null: no plan has it. */
  readonly planned: Pick<GivenPlan['nodePlans'][number], 'outcome' | 'wave' | 'beginsAt' | 'endsAt'> | null;
}
