import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { driverKeys } from '../../src/contract/labels.js';
import type { ControlPlane } from './control-plane.js';

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
  readonly stageTimestamp: string;
}

/** Where a pod was bound. */
export interface PodPlace {
  readonly node: string;
  readonly isDriver: boolean;
}

/** What the companion did, by the API server's words. */
export interface Verdict {
  /** Requests of all kinds, evictions left out. */
  readonly requests: number;
  readonly evictions: number;
  /** `<verb> <resource>[/<subresource>]`, each with how often. */
  readonly byKind: Readonly<Record<string, number>>;
  /** The most nodes that were in the flow at one time. */
  readonly mostInProgress: number;
  /** Evictions, and deletions of driver pods, on nodes that the companion had not cordoned. */
  readonly uncordoned: readonly string[];
  /** Answers of 401 and 403. */
  readonly refused: readonly string[];
  /** Nodes by how often they were cordoned. */
  readonly cordons: Readonly<Record<string, number>>;
}

const STATE = driverKeys('ofed').state;
const AT_REST = new Set(['', 'upgrade-required', 'upgrade-done', 'upgrade-failed']);

/**
 * Judges a companion by the audit log.
 *
 * @param placeOf where a pod is or was, by `namespace/name`, as the test watched them
 */
export function judge({ folder }: ControlPlane, placeOf: (pod: string) => PodPlace | undefined): Verdict {
  const lines = readFileSync(join(folder, 'audit.log'), 'utf8').split('\n');
  const all = lines.filter((line) => line !== '').map((line) => JSON.parse(line) as AuditEvent);
  const own = all
    .filter(({ user }) => user.username.endsWith(':weft-companion'))
    .sort((a, b) => (a.stageTimestamp < b.stageTimestamp ? -1 : 1));
  const byKind: Record<string, number> = {};
  const cordons: Record<string, number> = {};
  const cordoned = new Set<string>();
  const inProgress = new Set<string>();
  const uncordoned: string[] = [];
  const refused: string[] = [];
  const seen = new Set<string>();
  let mostInProgress = 0;
  for (const event of own) {
    const { objectRef = {}, responseStatus: { code = 0 } = {} } = event;
    const kind = `${event.verb} ${objectRef.resource ?? ''}${objectRef.subresource === undefined ? '' : `/${objectRef.subresource}`}`;
    // A watch is there twice: when it begins and when it ends.
    if (!seen.has(event.auditID)) byKind[kind] = (byKind[kind] ?? 0) + 1;
    seen.add(event.auditID);
    if (code === 401 || code === 403) refused.push(`${kind} ${objectRef.name ?? ''}`);
    if (code >= 300) continue;
    if (kind === 'patch nodes') {
      const node = objectRef.name ?? '';
      const { unschedulable } = event.requestObject?.spec ?? {};
      if (unschedulable === true) cordons[node] = (cordons[node] ?? 0) + 1;
      if (unschedulable === true) cordoned.add(node);
      if (unschedulable === false || unschedulable === null) cordoned.delete(node);
      const state = event.requestObject?.metadata?.labels?.[STATE];
      if (state !== undefined && AT_REST.has(state ?? '')) inProgress.delete(node);
      else if (state !== undefined) inProgress.add(node);
      mostInProgress = Math.max(mostInProgress, inProgress.size);
    } else if (kind === 'create pods/eviction' || kind === 'delete pods') {
      const pod = `${objectRef.namespace ?? ''}/${objectRef.name ?? ''}`;
      const place = placeOf(pod);
      // A pod that waits for its node's driver is made anew when that is there, which is after the cordon.
      const mayBeOpen = kind === 'delete pods' && place?.isDriver === false;
      if (!mayBeOpen && !cordoned.has(place?.node ?? '')) uncordoned.push(`${kind} ${pod} on ${String(place?.node)}`);
    }
  }
  const evictions = byKind['create pods/eviction'] ?? 0;
  const requests = Object.values(byKind).reduce((sum, count) => sum + count, 0) - evictions;
  return { requests, evictions, byKind, mostInProgress, uncordoned, refused, cordons };
}
