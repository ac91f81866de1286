import { recordEviction } from './evictions.js';
import type { Answer, Clock, Random } from './port.js';
import type { EvictionOutcome, EvictionRecord, ForeignDaemonSet, SnapshotNode, SnapshotPod } from './types.js';

/** What is known beside the caches: what our own requests came to, and what was asked one by one. Gone with the process. */
export interface Memory {
  /** A node as an answer to a write or a GET showed it; it counts until the cache has moved on from what it had. */
  readonly noteNode: (staleResourceVersion: string, node: SnapshotNode) => void;
  readonly withNoted: (nodes: readonly SnapshotNode[]) => readonly SnapshotNode[];
  readonly noteEviction: (podUid: string, outcome: EvictionOutcome) => void;
  /** Records of pods that still exist, in terms of the wall clock. */
  readonly evictions: (pods: readonly SnapshotPod[]) => ReadonlyMap<string, EvictionRecord>;
  readonly noteForeign: (daemonSet: ForeignDaemonSet, answer: Answer<undefined>) => void;
  readonly foreign: () => ReadonlyMap<string, 'present' | 'absent' | 'unknown'>;
}

interface NotedNode {
  /** What the cache may show while it lags: the versions that our writes replaced, one after the other. */
  readonly over: ReadonlySet<string>;
  readonly node: SnapshotNode;
}

/** A DaemonSet comes or goes rarely; a wrong answer costs a pod that comes back or stays, not the node. */
const FOREIGN_MS = 300_000;
/** A question that got no answer is asked again after this time. */
export const FOREIGN_UNKNOWN_MS = 5_000;

export function createMemory(clock: Clock, random: Random): Memory {
  const noted = new Map<string, NotedNode>();
  const evictions = new Map<string, EvictionRecord>();
  const foreign = new Map<string, { readonly known: 'present' | 'absent' | 'unknown'; readonly untilMs: number }>();
  return {
    noteNode(staleResourceVersion, node) {
      const over = new Set(noted.get(node.name)?.over);
      noted.set(node.name, { over: over.add(staleResourceVersion), node });
    },
    withNoted: (nodes) => withNoted(noted, nodes),
    noteEviction(podUid, outcome) {
      const record = recordEviction(podUid, evictions.get(podUid), outcome, clock.monotonicMs(), random);
      if (record === undefined) evictions.delete(podUid);
      else evictions.set(podUid, record);
    },
    evictions(pods) {
      if (evictions.size === 0) return evictions;
      // Kept by the monotonic clock: a wall clock that is set back must not put off what is due.
      const shiftMs = clock.now() - clock.monotonicMs();
      const current = new Map<string, EvictionRecord>();
      for (const { uid } of pods) {
        const record = evictions.get(uid);
        if (record !== undefined) current.set(uid, shifted(record, shiftMs));
      }
      for (const uid of evictions.keys()) if (!current.has(uid)) evictions.delete(uid);
      return current;
    },
    noteForeign({ namespace, name }, answer) {
      const known = answer.kind === 'ok' ? 'present' : answer.kind === 'gone' ? 'absent' : 'unknown';
      const untilMs = clock.monotonicMs() + (known === 'unknown' ? FOREIGN_UNKNOWN_MS : FOREIGN_MS);
      foreign.set(`${namespace}/${name}`, { known, untilMs });
    },
    foreign() {
      const nowMs = clock.monotonicMs();
      return new Map([...foreign].filter(([, { untilMs }]) => untilMs > nowMs).map(([key, { known }]) => [key, known]));
    },
  };
}

function withNoted(noted: Map<string, NotedNode>, nodes: readonly SnapshotNode[]): readonly SnapshotNode[] {
  if (noted.size === 0) return nodes;
  const seen = new Set<string>();
  const merged = nodes.map((cached) => {
    const known = noted.get(cached.name);
    if (known?.over.has(cached.resourceVersion) !== true || known.node.uid !== cached.uid) return cached;
    seen.add(cached.name);
    return known.node;
  });
  for (const name of noted.keys()) if (!seen.has(name)) noted.delete(name);
  return merged;
}

function shifted(record: EvictionRecord, shiftMs: number): EvictionRecord {
  return {
    ...record,
    nextAttemptMs: record.nextAttemptMs + shiftMs,
    firstAttemptMs: record.firstAttemptMs + shiftMs,
  };
}
