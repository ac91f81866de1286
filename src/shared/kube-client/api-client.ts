import { isRefused } from './answer.js';
import { REAL_CLOCK, type Clock } from './clock.js';
import { send, type Exchange, type Reply } from './exchange.js';
import type { Endpoint } from './endpoint.js';
import type { RateLimit } from './rate-limit.js';

/** Requests to one API server within a rate, each with a time-out. */
export interface ApiClient {
  readonly endpoint: Endpoint;
  readonly pause: Clock['pause'];
  /** Never rejects. `unlimited`: without waiting for the rate limit, for the Lease. */
  readonly call: (exchange: Exchange, unlimited?: 'unlimited') => Promise<Reply>;
  /** After a watch was refused: undefined if it should be repeated, otherwise the reply that is the reason not to. */
  readonly untilServerReady: () => Promise<Reply | undefined>;
}

/** Maximum duration of a call with its wait for the rate limit: below `LEASE_MARGIN_MS` of `lease.ts`. */
const CALL_TIMEOUT_MS = 10_000;
/** A new right reaches the authorizer's cache within this time. */
const REFUSED_DELAY_MS = 1_000;

/**
 * A server that has just started refuses every user until it has read the roles, and a new right takes effect with a delay. A refused
 * request has changed nothing, so it is sent again when `/readyz`, which every user may read, reports that the server is ready.
 */
export function createApiClient(
  endpoint: Endpoint,
  limit: RateLimit,
  timeoutMs = CALL_TIMEOUT_MS,
  { nowMs, pause }: Clock = REAL_CLOCK,
): ApiClient {
  async function limited(exchange: Exchange, isUnlimited: boolean, endMs: number): Promise<Reply> {
    const isLate = !isUnlimited && !(await limit.take(endMs - nowMs()));
    const leftMs = endMs - nowMs();
    if (isLate || leftMs <= 0) return { kind: 'broken', message: 'not sent: the client limit is reached' };
    return send(endpoint, exchange, leftMs);
  }
  async function untilReady(endMs: number): Promise<Reply | undefined> {
    endpoint.refresh();
    await pause(REFUSED_DELAY_MS);
    const ready = await limited({ method: 'GET', path: '/readyz' }, true, endMs);
    if (ready.kind === 'broken') return ready;
    return ready.status >= 500 ? { kind: 'broken', message: 'the API server is not ready' } : undefined;
  }
  return {
    endpoint,
    pause,
    untilServerReady: () => untilReady(nowMs() + timeoutMs),
    async call(exchange, unlimited) {
      const endMs = nowMs() + timeoutMs;
      const isUnlimited = unlimited !== undefined;
      const reply = await limited(exchange, isUnlimited, endMs);
      if (!isRefused(reply)) return reply;
      const unready = await untilReady(endMs);
      return unready ?? limited(exchange, isUnlimited, endMs);
    },
  };
}
