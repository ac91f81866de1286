import type { NodeState } from '../../shared/contract/node-states.js';
import type { WaitKind } from '../../companion/model/wait-kinds.js';

/** What an upgrade will do, as `weft plan --format json` prints it. Times are in ISO 8601, durations in seconds. */
export interface UpgradePlan {
  /** When the change is applied. */
  readonly startsAt: string;
  /** When the last node is through; null: no run comes to an end. */
  readonly endsAt: string | null;
  /** How long it takes until the last node that comes through is through. */
  readonly duration: {
    /** Half of the runs take no longer. */
    readonly half: number;
    /** Nine of ten runs take no longer. */
    readonly nineOfTen: number;
  };
  /** What that time is in the run of median length, in seconds. */
  readonly time: TimeSpent;
  /** How often the upgrade was simulated, and the seed of the first run. */
  readonly runs: number;
  readonly seed: number;
  /** Nodes of which a driver is upgraded, or is to be. */
  readonly nodes: number;
  /** Nodes that begin. */
  readonly begun: number;
  /** Nodes that come through for all their drivers. */
  readonly upgraded: number;
  readonly waves: number;
  readonly podsEvicted: number;
  readonly cost: PlannedCost;
  /** The starts that were compared, in order; the plan is that of the cheapest. Absent: its start was given. */
  readonly starts?: readonly PlannedStart[];
  /** The nodes in the order of their begin, once for each driver; those that never begin come last. */
  readonly nodePlans: readonly NodePlan[];
  /** When nodes may begin: the windows from the start to the end of the upgrade. Empty: always. */
  readonly windows: readonly PlannedSpan[];
  /** When the canaries run before other nodes follow. */
  readonly soaks: readonly PlannedSpan[];
  /** How many nodes may be in progress at once; null: the policy has no limit. */
  readonly nodesAtOnce: number | null;
  /** How many pods the scheduler finds no node for, whenever that changes. */
  readonly podsWithoutNode: readonly { readonly at: string; readonly pods: number }[];
  /** Why the plan upgrades no node; empty: it upgrades some. */
  readonly idle: readonly string[];
  /** What is in the way of nodes: of those that do not come through first, and what would be next last. */
  readonly obstacles: readonly Obstacle[];
  /** How long things take, and how that is known. */
  readonly durations: readonly PlannedDuration[];
  /** What the cluster has that is not simulated. */
  readonly notes: readonly string[];
}

/** What an upgrade costs, in the run of median length. */
export interface PlannedCost {
  /** For how long nodes are cordoned, in all. One that stays cordoned counts until the end of the plan. */
  readonly nodeHours: number;
  /** The same with the GPUs that each node offers. Null: no node of the cluster offers any. */
  readonly gpuHours: number | null;
  /** Running pods of Jobs, and without a controller, that are evicted or deleted; those that have run longest first. */
  readonly endedPods: readonly EndedPod[];
  /** Other running pods of their groups: a PodGroup, a JobSet or a job of Kubeflow, which usually starts again as a whole. */
  readonly groupPods: number;
}

/** What an upgrade costs that starts at a time, as its own plan says. */
export interface PlannedStart {
  readonly startsAt: string;
  readonly endsAt: string | null;
  readonly nodes: number;
  readonly upgraded: number;
  /** How many pods end before they are done. */
  readonly endedPods: number;
  readonly nodeHours: number;
  readonly gpuHours: number | null;
}

/** A pod that ends before it is done. */
export interface EndedPod {
  /** As `namespace/name`. */
  readonly pod: string;
  readonly node: string;
  /** Its Job, as `namespace/name`; null: it has no controller, so nothing starts it again. */
  readonly job: string | null;
  readonly at: string;
  /** How long it has run then; null: the snapshot has no `startTime` of it. */
  readonly ranSeconds: number | null;
}

/** How a time is spent: the sum of these is the whole time. */
export interface TimeSpent {
  /** A node is in progress. */
  readonly work: number;
  /** No node is in progress, and no maintenance window is open. */
  readonly window: number;
  /** No node is in progress in a window, and canaries soak. */
  readonly soak: number;
  /** No node is in progress for another reason, such as the schedule of the CronJob. */
  readonly other: number;
}

/** The upgrade of one node by one driver, in the run of median length. */
export interface NodePlan {
  readonly node: string;
  readonly driver: string;
  /** Its upgrade pool, or else its policy. Empty: no policy has the node. */
  readonly pool: string;
  /** The value of the label that `upgrade.topologyKey` names; null: there is none. */
  readonly topologyDomain: string | null;
  /** `upgraded`, `failed`, or the state in which it stays. */
  readonly outcome: 'upgraded' | 'failed' | 'in-progress' | 'waiting';
  /** A node that begins after a node of the wave is through begins the next wave. Null: it never begins. */
  readonly wave: number | null;
  /** The start of the plan for a node that is in progress then. */
  readonly beginsAt: string | null;
  readonly endsAt: string | null;
  /** What it waited for last before it began. Of kind `nothing`, the message says whether it is in progress at the start. */
  readonly after: { readonly kind: WaitKind | 'nothing'; readonly message: string };
  /** Pods that are evicted, as `namespace/name`. */
  readonly evicted: readonly string[];
  /** What happens to it, in order. */
  readonly history: readonly PlannedEvent[];
}

/** Something that happens to a node. */
interface PlannedEvent {
  readonly at: string;
  /** The state of the node after it. */
  readonly state: NodeState;
  readonly message: string;
}

interface PlannedSpan {
  readonly from: string;
  readonly to: string;
}

/** Something that keeps nodes from coming through, or delays them to another window. */
export interface Obstacle {
  readonly kind:
    | 'budget'
    | 'finalizer'
    | 'termination'
    | 'no-controller'
    | 'empty-dir'
    | 'unschedulable-pods'
    | 'window'
    | 'horizon'
    | 'eviction'
    | WaitKind;
  /** Whether nodes do not come through because of it. */
  readonly isStuck: boolean;
  /** It would be in the way if all others were solved: the plan goes on without their nodes. Default: false. */
  readonly isNext?: true;
  readonly nodes: readonly string[];
  /** As `namespace/name`. */
  readonly pod?: string;
  /** As `namespace/name`. */
  readonly budget?: string;
  readonly message: string;
  readonly help: string;
}

/** The names of the durations. */
export const DURATION_NAMES = ['driver', 'workload', 'termination', 'job'] as const;
export type DurationName = (typeof DURATION_NAMES)[number];

/** How long something takes. */
export interface PlannedDuration {
  readonly name: DurationName;
  readonly from: number;
  readonly to: number;
  /** Where the numbers are from. */
  readonly source: string;
}

/** How often an upgrade is simulated where nobody says how often. */
export const DEFAULT_RUNS = 10;

export interface PlanOptions {
  /** When the change is applied. */
  readonly at: Date;
  /** How long things take, in seconds. Default: as measured in the cluster, else stated defaults. */
  readonly durations?: Readonly<Partial<Record<DurationName, { readonly from: number; readonly to: number }>>>;
  /** How often the upgrade is simulated, each time with other durations out of the ranges. Default: 10. */
  readonly runs?: number;
  /** The seed of the first run. Default: 1. */
  readonly seed?: number;
  /** Called after each run, of so many. */
  readonly onRun?: (done: number, total: number) => void;
}
