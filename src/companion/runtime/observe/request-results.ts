import { recordEviction, withEviction } from '../../core/drain/evictions.js';
import { beginsUpgrade, IN_PROGRESS } from '../../model/node-states.js';
import type { PodIndex } from '../../model/pod-index.js';
import type { Clock, Random } from '../ports.js';
import type { Answer } from '../../../shared/kube-client/types.js';
import type {
  EvictedControllers,
  EvictedOfNode,
  EvictionOutcome,
  EvictionRecord,
  EvictionRecords,
  EvictPod,
  ForeignDaemonSet,
  PatchNode,
  RefusedPatch,
  SnapshotNode,
  SnapshotPod,
} from '../../model/types.js';

/** Results of the companion's own requests that the watch caches do not have yet, or never get. In memory only. */
export interface RequestResults {
  /** A node from the response to a write or a GET. It replaces the cached node until the cache has a later version. */
  readonly noteNode: (node: SnapshotNode) => void;
  /**
   * A patch was sent whose result is not known yet. If it begins the upgrade of a node, the node counts as in progress, so that
   * other nodes can be planned meanwhile. Other patches need no entry: decisions count a node by its state and by that of its next
   * patch.
   */
  readonly notePending: (patch: PatchNode) => void;
  readonly noteResolved: (patch: PatchNode) => void;
  readonly withOwnWrites: (nodes: readonly SnapshotNode[]) => readonly SnapshotNode[];
  readonly noteEviction: (eviction: Omit<EvictPod, 'kind' | 'namespace' | 'name'>, outcome: EvictionOutcome) => void;
  readonly evicted: () => EvictedControllers;
  /** A patch was refused. It is sent again at this monotonic time. */
  readonly notePatchRefused: (patch: PatchNode, message: string, untilMonotonicMs: number) => void;
  readonly notePatchAccepted: (patch: PatchNode) => void;
  readonly refusedPatches: () => ReadonlyMap<string, RefusedPatch>;
  /** Records of existing pods. Later changes are not in the returned maps. */
  readonly evictions: (pods: PodIndex) => EvictionRecords;
  readonly noteForeignDaemonSet: (daemonSet: ForeignDaemonSet, answer: Answer<undefined>) => void;
  /** The same map as long as the answers are the same. */
  readonly foreignDaemonSets: () => ReadonlyMap<string, 'present' | 'absent' | 'unknown'>;
}

/** DaemonSets are rarely created or deleted. An outdated answer affects one pod, not the node. */
const FOREIGN_MS = 300_000;
/** A lookup that failed is repeated after this time, by the next decision, which the renewal of the Lease causes. */
const FOREIGN_UNKNOWN_MS = 5_000;

const NO_EVICTED: EvictedOfNode = new Map();

export function createRequestResults(clock: Clock, random: Random): RequestResults {
  const noted = new Map<string, SnapshotNode>();
  const beginning = new Map<string, PatchNode>();
  const evictions = createEvictionStore();
  const evicted = sharedMap<EvictedOfNode>();
  /** With monotonic times. */
  const refused = new Map<string, RefusedPatch>();
  const foreign = new Map<string, { readonly known: 'present' | 'absent' | 'unknown'; readonly untilMs: number }>();
  let current: ReadonlyMap<string, 'present' | 'absent' | 'unknown'> = new Map();
  return {
    noteNode: (node) => void noted.set(node.name, node),
    notePending(patch) {
      if (beginsUpgrade(patch)) beginning.set(patch.node, patch);
    },
    noteResolved: (patch) => void beginning.delete(patch.node),
    withOwnWrites: (nodes) => withBeginning(beginning, withOwnWrites(noted, nodes)),
    noteEviction(eviction, outcome) {
      const { node, uid } = eviction;
      const before = evicted.get(node) ?? NO_EVICTED;
      const after = outcome.kind === 'accepted' ? withEviction(before, eviction, clock.now()) : before;
      if (after !== before) evicted.set(node, after);
      evictions.note(node, uid, recordEviction(uid, evictions.get(node, uid), outcome, clock.monotonicMs(), random));
    },
    evicted: evicted.share,
    notePatchRefused({ node }, message, untilMonotonicMs) {
      const failures = (refused.get(node)?.failures ?? 0) + 1;
      refused.set(node, { message, failures, untilMs: untilMonotonicMs });
    },
    notePatchAccepted: ({ node }) => void refused.delete(node),
    refusedPatches() {
      const shiftMs = clock.now() - clock.monotonicMs();
      return new Map([...refused].map(([key, one]) => [key, { ...one, untilMs: one.untilMs + shiftMs }]));
    },
    // By the monotonic clock, because a wall clock that is set back must not delay evictions.
    evictions: (pods) => ({ byNode: evictions.current(pods), shiftMs: clock.now() - clock.monotonicMs() }),
    noteForeignDaemonSet({ namespace, name }, answer) {
      const known = answer.kind === 'ok' ? 'present' : answer.kind === 'gone' ? 'absent' : 'unknown';
      const untilMs = clock.monotonicMs() + (known === 'unknown' ? FOREIGN_UNKNOWN_MS : FOREIGN_MS);
      foreign.set(`${namespace}/${name}`, { known, untilMs });
    },
    foreignDaemonSets() {
      const nowMs = clock.monotonicMs();
      const next = new Map(
        [...foreign].filter(([, { untilMs }]) => untilMs > nowMs).map(([key, { known }]) => [key, known]),
      );
      const isSame = next.size === current.size && [...next].every(([key, known]) => current.get(key) === known);
      if (!isSame) current = next;
      return current;
    },
  };
}

function withOwnWrites(noted: Map<string, SnapshotNode>, nodes: readonly SnapshotNode[]): readonly SnapshotNode[] {
  if (noted.size === 0) return nodes;
  const seen = new Set<string>();
  const merged = nodes.map((cached) => {
    const known = noted.get(cached.name);
    if (known?.uid !== cached.uid || !isLater(known, cached)) return cached;
    seen.add(cached.name);
    return known;
  });
  for (const name of noted.keys()) if (!seen.has(name)) noted.delete(name);
  return merged;
}

/** resourceVersions are decimal numbers that grow with each write: as client-go's `CompareResourceVersion` reads them. */
function isLater(
  { resourceVersion: one }: Pick<SnapshotNode, 'resourceVersion'>,
  { resourceVersion: other }: Pick<SnapshotNode, 'resourceVersion'>,
): boolean {
  return one.length === other.length ? one > other : one.length > other.length;
}

/** Shows nodes whose upgrade a patch may have begun as in progress, with the start times of the patch, but not cordoned. */
function withBeginning(
  beginning: ReadonlyMap<string, PatchNode>,
  nodes: readonly SnapshotNode[],
): readonly SnapshotNode[] {
  if (beginning.size === 0) return nodes;
  return nodes.map((node) => {
    const patch = beginning.get(node.name);
    if (patch?.uid !== node.uid) return node;
    const begun = Object.entries(patch.labels).filter(([, value]) => IN_PROGRESS.has(value ?? ''));
    // A node that others have changed since the version of the patch counts too: the patch may be sent again for the version that it has now.
    if (begun.some(([state]) => IN_PROGRESS.has(node.labels[state] ?? ''))) return node;
    const stateOf = (value: string | null): string =>
      value === 'node-maintenance-required' ? value : 'cordon-required';
    const labels = { ...node.labels, ...Object.fromEntries(begun.map(([state, value]) => [state, stateOf(value)])) };
    const added = Object.entries(patch.annotations).filter((entry): entry is [string, string] => entry[1] !== null);
    return { ...node, labels, annotations: { ...node.annotations, ...Object.fromEntries(added) } };
  });
}

type RecordsByUid = ReadonlyMap<string, EvictionRecord>;

/** Records by node. A change copies one node's records, because there may be tens of thousands. */
interface EvictionStore {
  readonly get: (node: string, uid: string) => EvictionRecord | undefined;
  /** Without a record the pod is removed. */
  readonly note: (node: string, uid: string, record: EvictionRecord | undefined) => void;
  /** All records, without those of pods that are gone. */
  readonly current: (pods: PodIndex) => ReadonlyMap<string, RecordsByUid>;
}

function createEvictionStore(): EvictionStore {
  const byNode = sharedMap<RecordsByUid>();
  /** The pods of a node when its records were last checked. */
  const checkedAgainst = new Map<string, readonly SnapshotPod[]>();
  return {
    get: (node, uid) => byNode.get(node)?.get(uid),
    note(node, uid, record) {
      const records = new Map(byNode.get(node));
      if (record === undefined) records.delete(uid);
      else records.set(uid, record);
      byNode.set(node, records.size === 0 ? undefined : records);
      checkedAgainst.delete(node);
    },
    current(pods) {
      for (const [node, records] of byNode.share()) {
        const here = pods.onNode(node);
        if (checkedAgainst.get(node) === here) continue;
        const uids = new Set(here.map(({ uid }) => uid));
        const left = new Map([...records].filter(([uid]) => uids.has(uid)));
        if (left.size < records.size) byNode.set(node, left.size === 0 ? undefined : left);
        if (left.size === 0) checkedAgainst.delete(node);
        else checkedAgainst.set(node, here);
      }
      return byNode.share();
    },
  };
}

/** A map that is copied before the first change after it was shared, so that those who have it see no change. */
interface SharedMap<Value> {
  readonly get: (key: string) => Value | undefined;
  /** `undefined` deletes the entry. */
  readonly set: (key: string, value: Value | undefined) => void;
  readonly share: () => ReadonlyMap<string, Value>;
}

function sharedMap<Value>(): SharedMap<Value> {
  let map = new Map<string, Value>();
  let isShared = false;
  return {
    get: (key) => map.get(key),
    set(key, value) {
      if (isShared) map = new Map(map);
      isShared = false;
      if (value === undefined) map.delete(key);
      else map.set(key, value);
    },
    share() {
      isShared = true;
      return map;
    },
  };
}
