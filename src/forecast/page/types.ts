import type { PHASES } from './phases.js';

/** What the page of a planned upgrade shows. Times are in Unix milliseconds. */
export interface Timeline {
  readonly title: string;
  /** The first lines: how long, how many nodes, what does not come through. */
  readonly summary: readonly string[];
  readonly fromMs: number;
  readonly toMs: number;
  readonly rows: readonly TimelineRow[];
  /** What happens to nodes, each text once: many nodes have the same. */
  readonly texts: readonly string[];
  /** When nodes may begin. Empty: always. */
  readonly windows: readonly TimelineSpan[];
  /** When the canaries run before other nodes follow. */
  readonly soaks: readonly TimelineSpan[];
  /** How many nodes may be in progress at once; null: no limit, or not known. */
  readonly nodesAtOnce: number | null;
  /** How many pods find no node, at each change. Empty: not known. */
  readonly podsWithoutNode: readonly { readonly atMs: number; readonly count: number }[];
  readonly obstacles: readonly TimelineObstacle[];
  /** What else the reader should know, by heading. */
  readonly notes: readonly { readonly heading: string; readonly lines: readonly string[] }[];
}

export interface TimelineSpan {
  readonly fromMs: number;
  readonly toMs: number;
}

export type Phase = keyof typeof PHASES;

export interface TimelineSegment extends TimelineSpan {
  readonly phase: Phase;
}

/** One node of one driver. */
export interface TimelineRow {
  readonly node: string;
  readonly driver: string;
  readonly pool: string;
  /** A rack, for instance; empty: the nodes have no topology. */
  readonly topologyDomain: string;
  readonly outcome: 'upgraded' | 'failed' | 'in-progress' | 'waiting';
  readonly wave: number | null;
  readonly segments: readonly TimelineSegment[];
  /** Why it begins when it does, or what it waits for. */
  readonly reason: string;
  readonly evicted: readonly string[];
  /** What happens to it, in order: how long after the start, and the index of its text. */
  readonly history: readonly (readonly [afterMs: number, text: number])[];
}

/** Something in the way. */
export interface TimelineObstacle {
  readonly kind: string;
  /** How bad it is, in words. */
  readonly rank: string;
  /** Whether it keeps nodes from coming through now; what would be next does not. */
  readonly isStuck: boolean;
  readonly nodes: readonly string[];
  readonly text: string;
  readonly help: string;
}
