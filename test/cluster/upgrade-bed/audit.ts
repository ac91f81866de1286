import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { driverKeys } from '../../../src/shared/contract/labels.js';
import { groupBy } from '../../../src/shared/lib/group-by.js';
import type { ControlPlane } from '../bed/control-plane.js';

/** One request of the audit log. */
interface AuditEvent {
  readonly auditID: string;
  readonly verb: string;
  readonly user: { readonly username: string };
  readonly objectRef?: {
    readonly resource?: string;
    readonly subresource?: string;
    readonly namespace?: string;
    readonly name?: string;
    readonly apiGroup?: string;
  };
  readonly requestObject?: {
    readonly metadata?: { readonly labels?: Readonly<Record<string, string | null>> };
    readonly spec?: { readonly unschedulable?: boolean | null };
  };
  readonly responseStatus?: { readonly code?: number };
  /** When it arrived. A request that the companion sends because of this one arrives later, but maybe before the response to this one. */
  readonly requestReceivedTimestamp: string;
}

/** Where a pod was bound, and whether it may be evicted. */
export interface PodPlace {
  readonly node: string;
  readonly isDriver: boolean;
  /** Whether the drain of the policy may evict it. */
  readonly isMovable: boolean;
}

/** The time that a node was in the flow, from the patch that began it to the one that ended it. */
export interface Span {
  readonly node: string;
  readonly fromMs: number;
  /** Infinity: it is still in the flow. */
  readonly toMs: number;
}

/** What the companion did, according to the audit log. */
export interface Verdict {
  /** Requests of all kinds, evictions left out. */
  readonly requests: number;
  readonly evictions: number;
  /** The number of requests of each `<verb> <resource>[/<subresource>]`. */
  readonly byKind: Readonly<Record<string, number>>;
  /** Times in the flow, in the order in which they began. */
  readonly spans: readonly Span[];
  /** Evictions, and deletions of driver pods, on nodes that the companion had not cordoned, or the Maintenance Operator for it. */
  readonly uncordoned: readonly string[];
  /** Evictions of pods that the policy does not allow to evict. */
  readonly outsidePolicy: readonly string[];
  /** Answers of 401 and 403. */
  readonly refused: readonly string[];
  /** How often each node was cordoned. */
  readonly cordons: Readonly<Record<string, number>>;
  /** Nodes that it cordoned and has not uncordoned. */
  readonly leftCordoned: readonly string[];
  /** Rights that it used, each once. */
  readonly rights: readonly UsedRight[];
}

export interface AuditOptions {
  /** The position of the audit log from which on requests are checked, see `auditPosition`. */
  readonly from: number;
  /** Where a pod is or was, by `namespace/name`, as the test watched them. */
  readonly placeOf: (pod: string) => PodPlace | undefined;
  /** Times in which the API server may refuse any user, because it has just started. */
  readonly startsOfServer: readonly Pick<Span, 'fromMs' | 'toMs'>[];
  /** Times in which nodes were cordoned, as the test watched them. */
  readonly cordonSpans: readonly Span[];
  /** The Maintenance Operator cordons: any cordon that the test saw will do. */
  readonly isMaintained: boolean;
}

/** The test's watch may have seen a change just before the server was killed, and the audit log may lack it. */
const BEFORE_KILL_MS = 1_000;

const STATE = driverKeys('ofed').state;
const AT_REST = new Set(['', 'upgrade-required', 'upgrade-done', 'upgrade-failed']);
const CHUNK_BYTES = 8 * 1024 * 1024;

/** Where the audit log ends now. */
export function auditPosition({ folder }: ControlPlane): number {
  const file = openSync(join(folder, 'audit.log'), 'r');
  const { size } = fstatSync(file);
  closeSync(file);
  return size;
}

const COMPANION = ':weft-companion';
/** The user of the simulated kubelets. */
const KUBELET = 'admin';

/** Requests of a user since a position, in the order of their arrival. */
function eventsOf(user: string, { folder }: ControlPlane, from: number): readonly AuditEvent[] {
  const file = openSync(join(folder, 'audit.log'), 'r');
  const chunk = Buffer.alloc(CHUNK_BYTES);
  const events: AuditEvent[] = [];
  let rest = Buffer.alloc(0);
  let position = from;
  const take = (line: string): void => {
    // The text is searched first, because most lines are of other users.
    if (!line.includes(`${user}"`)) return;
    const event = JSON.parse(line) as AuditEvent;
    if (event.user.username.endsWith(user)) events.push(event);
  };
  for (let read = readSync(file, chunk, 0, CHUNK_BYTES, position); read > 0;) {
    const all = Buffer.concat([rest, chunk.subarray(0, read)]);
    const end = all.lastIndexOf(10) + 1;
    for (const line of all.subarray(0, end).toString().split('\n')) take(line);
    rest = Buffer.from(all.subarray(end));
    position += read;
    read = readSync(file, chunk, 0, CHUNK_BYTES, position);
  }
  closeSync(file);
  return events.sort((a, b) => (a.requestReceivedTimestamp < b.requestReceivedTimestamp ? -1 : 1));
}

/** A request as a rule of a role would have to allow it. */
export interface UsedRight {
  readonly verb: string;
  readonly apiGroup: string;
  /** With the subresource: `pods/eviction`. */
  readonly resource: string;
  /** Empty: all namespaces, or the kind has none. */
  readonly namespace: string;
  readonly name: string;
}

function rightOf({ verb, objectRef = {} }: AuditEvent): UsedRight | undefined {
  const { apiGroup = '', resource, subresource, namespace = '', name = '' } = objectRef;
  if (resource === undefined) return undefined;
  return {
    verb,
    apiGroup,
    resource: subresource === undefined ? resource : `${resource}/${subresource}`,
    namespace,
    name,
  };
}

interface Course {
  readonly cordons: Record<string, number>;
  readonly cordoned: Set<string>;
  readonly spans: Span[];
  readonly inProgress: Map<string, number>;
}

function followPatch(course: Course, { objectRef, requestObject, requestReceivedTimestamp }: AuditEvent): void {
  const { cordons, cordoned, spans, inProgress } = course;
  const node = objectRef?.name ?? '';
  const atMs = Date.parse(requestReceivedTimestamp);
  const { unschedulable } = requestObject?.spec ?? {};
  if (unschedulable === true) cordons[node] = (cordons[node] ?? 0) + 1;
  if (unschedulable === true) cordoned.add(node);
  if (unschedulable === false || unschedulable === null) cordoned.delete(node);
  const state = requestObject?.metadata?.labels?.[STATE];
  if (state === undefined) return;
  const begunMs = inProgress.get(node);
  if (!AT_REST.has(state ?? '')) {
    if (begunMs === undefined) inProgress.set(node, atMs);
  } else if (begunMs !== undefined) {
    inProgress.delete(node);
    spans.push({ node, fromMs: begunMs, toMs: atMs });
  }
}

/** The code in the log for a request whose client was gone before its answer. */
const CLIENT_GONE = 504;
/** The test's watch shows a cordon so soon. */
const SEEN_MS = 2_000;

/** Whether a killed companion sent a cordon that took effect: the test saw it. */
function isCordonOfKilled(
  { verb, objectRef, requestObject, responseStatus, requestReceivedTimestamp }: AuditEvent,
  cordonSpans: readonly Span[],
): boolean {
  if (verb !== 'patch' || responseStatus?.code !== CLIENT_GONE || requestObject?.spec?.unschedulable !== true)
    return false;
  const atMs = Date.parse(requestReceivedTimestamp);
  return cordonSpans.some(({ node, fromMs }) => node === objectRef?.name && fromMs >= atMs && fromMs <= atMs + SEEN_MS);
}

/** Checks a companion by the audit log. */
export function auditCompanion(
  controlPlane: ControlPlane,
  { from, placeOf, startsOfServer, cordonSpans, isMaintained }: AuditOptions,
): Verdict {
  // A killed API server may have persisted requests that the audit log lacks.
  const lostCordons = cordonSpans.filter(({ fromMs }) =>
    startsOfServer.some((start) => start.fromMs - BEFORE_KILL_MS <= fromMs && fromMs <= start.toMs),
  );
  const hasOtherCordon = (name: string, atMs: number): boolean =>
    lostCordons.some(({ node, toMs }) => node === name && atMs <= toMs) ||
    (isMaintained &&
      cordonSpans.some(({ node, fromMs, toMs }) => node === name && fromMs <= atMs + SEEN_MS && atMs <= toMs));
  const byKind: Record<string, number> = {};
  const course: Course = { cordons: {}, cordoned: new Set(), spans: [], inProgress: new Map() };
  const [uncordoned, outsidePolicy, refused]: string[][] = [[], [], []];
  const seen = new Set<string>();
  const rights = new Map<string, UsedRight>();
  for (const event of eventsOf(COMPANION, controlPlane, from)) {
    const { objectRef = {}, responseStatus: { code = 0 } = {} } = event;
    const kind = `${event.verb} ${objectRef.resource ?? ''}${objectRef.subresource === undefined ? '' : `/${objectRef.subresource}`}`;
    // The log has a watch twice: when it begins and when it ends.
    if (!seen.has(event.auditID)) byKind[kind] = (byKind[kind] ?? 0) + 1;
    seen.add(event.auditID);
    const atMs = Date.parse(event.requestReceivedTimestamp);
    const isStarting = startsOfServer.some(({ fromMs, toMs }) => fromMs <= atMs && atMs <= toMs);
    if ((code === 401 || code === 403) && !isStarting) refused?.push(`${kind} ${objectRef.name ?? ''}`);
    if (code >= 300 && !isCordonOfKilled(event, cordonSpans)) continue;
    const right = rightOf(event);
    if (right !== undefined) rights.set(JSON.stringify(right), right);
    if (kind === 'patch nodes') {
      followPatch(course, event);
    } else if (kind === 'create pods/eviction' || kind === 'delete pods') {
      const pod = `${objectRef.namespace ?? ''}/${objectRef.name ?? ''}`;
      const place = placeOf(pod);
      // A pod that waits for its node's driver is replaced when the driver is ready, which is after the node was uncordoned.
      const mayBeOpen = kind === 'delete pods' && place?.isDriver === false;
      const line = `${kind} ${pod} on ${String(place?.node)}`;
      const node = place?.node ?? '';
      if (!mayBeOpen && !course.cordoned.has(node) && !hasOtherCordon(node, atMs)) uncordoned?.push(line);
      if (kind === 'create pods/eviction' && place?.isMovable !== true) outsidePolicy?.push(line);
    }
  }
  const { cordons, cordoned, spans, inProgress } = course;
  const open = [...inProgress].map(([node, fromMs]): Span => ({ node, fromMs, toMs: Infinity }));
  const evictions = byKind['create pods/eviction'] ?? 0;
  const requests = Object.values(byKind).reduce((sum, count) => sum + count, 0) - evictions;
  return {
    ...{ requests, evictions, byKind, rights: [...rights.values()], cordons, leftCordoned: [...cordoned] },
    spans: [...spans, ...open].sort((a, b) => a.fromMs - b.fromMs),
    ...{ uncordoned: uncordoned ?? [], outsidePolicy: outsidePolicy ?? [], refused: refused ?? [] },
  };
}

/**
 * How long it took from each status that a kubelet wrote of a driver pod to the companion's next patch of its node, in
 * milliseconds.
 */
export function reactionsMs(
  controlPlane: ControlPlane,
  { from, placeOf }: Pick<AuditOptions, 'from' | 'placeOf'>,
): readonly number[] {
  const patches = groupBy(
    eventsOf(COMPANION, controlPlane, from).filter(
      ({ verb, objectRef }) => verb === 'patch' && objectRef?.resource === 'nodes',
    ),
    ({ objectRef }) => objectRef?.name ?? '',
  );
  return eventsOf(KUBELET, controlPlane, from).flatMap(({ objectRef = {}, requestReceivedTimestamp }) => {
    if (objectRef.resource !== 'pods' || objectRef.subresource !== 'status') return [];
    const place = placeOf(`${objectRef.namespace ?? ''}/${objectRef.name ?? ''}`);
    if (place?.isDriver !== true) return [];
    const ofNode = patches.get(place.node) ?? [];
    const next = ofNode.find((patch) => patch.requestReceivedTimestamp > requestReceivedTimestamp);
    return next === undefined ? [] : [Date.parse(next.requestReceivedTimestamp) - Date.parse(requestReceivedTimestamp)];
  });
}

/** The most groups (nodes, or racks) of spans that overlap. */
export function mostAtOnce(spans: readonly Span[], groupOf: (node: string) => string = (node) => node): number {
  const counts = spans.map(({ fromMs }) => {
    const now = spans.filter((span) => span.fromMs <= fromMs && fromMs < span.toMs);
    return new Set(now.map(({ node }) => groupOf(node))).size;
  });
  return Math.max(0, ...counts);
}

/** Median length of the spans in milliseconds. */
export function medianMs(spans: readonly Span[]): number {
  const lengths = spans.map(({ fromMs, toMs }) => toMs - fromMs).sort((a, b) => a - b);
  return lengths[Math.floor(lengths.length / 2)] ?? 0;
}
