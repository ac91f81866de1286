import { isObject, listAt, parsedJson, textAt, valueAt } from '../lib/json.js';
import type { Answer } from './types.js';
import type { Reply } from './exchange.js';

/** An answer that is not `ok`. */
export type Failure = Exclude<Answer<never>, { readonly kind: 'ok' }>;

/** The fields of `meta/v1` Status, the body of an error, that are read. */
interface Status {
  readonly reason: string;
  readonly message: string;
  readonly retryAfterSeconds?: number;
  /** `details.causes[].reason`. */
  readonly causes: readonly string[];
}

const LONGEST_MESSAGE = 500;
/** The longest time that a server's `Retry-After` is followed. One of weeks, from a proxy or a server that is wrong, would stop an upgrade. */
const MOST_RETRY_AFTER_SECONDS = 300;

const limited = (seconds: number): number => Math.min(seconds, MOST_RETRY_AFTER_SECONDS);

/** The Status of an error; undefined for another body, such as the page of a proxy. */
export function statusOf(body: string): Status | undefined {
  const parsed = parsedJson(body);
  if (!isObject(parsed) || parsed['kind'] !== 'Status') return undefined;
  return statusFrom(parsed);
}

/** The Status from its object, such as that of an ERROR event of a watch. */
export function statusFrom(object: Readonly<Record<string, unknown>>): Status & { readonly code?: number } {
  const retryAfterSeconds = valueAt(object, ['details', 'retryAfterSeconds']);
  return {
    reason: textAt(object, 'reason') ?? '',
    message: textAt(object, 'message') ?? '',
    causes: listAt(object, 'details', 'causes').map((cause) => textAt(cause, 'reason') ?? ''),
    ...(typeof retryAfterSeconds === 'number' &&
      retryAfterSeconds > 0 && { retryAfterSeconds: limited(retryAfterSeconds) }),
    ...(typeof object['code'] === 'number' && { code: object['code'] }),
  };
}

/** Whether the server refused the credentials or a right: 401, or 403 of an authorizer. */
export function isRefused(reply: Reply): boolean {
  if (reply.kind === 'broken') return false;
  return reply.status === 401 || (reply.status === 403 && isAuthorizer(messageOf(reply)));
}

/** `… is forbidden: User "x" cannot patch resource "nodes" …`: apiserver `pkg/endpoints/handlers/responsewriters/errors.go`. */
function isAuthorizer(message: string): boolean {
  return /\bUser "[^"]*" cannot \S+ (?:resource|path)\b/.test(message);
}

/** The message of the Status, or else the text of the body, in one line of at most 500 characters. */
function messageOf(reply: Extract<Reply, { kind: 'reply' }>): string {
  const text = statusOf(reply.body)?.message ?? reply.body.replace(/<[^<>]*>/g, ' ');
  const line = text.replace(/[\s\u0000-\u001f\u007f]+/g, ' ').trim();
  const cut = line.length > LONGEST_MESSAGE ? `${line.slice(0, LONGEST_MESSAGE - 1)}…` : line;
  return cut === '' ? `the server answered ${reply.status}` : cut;
}

/** The failure of an unsuccessful reply. */
export function failureOf(reply: Reply): Failure {
  if (reply.kind === 'broken') {
    const { message, isLate } = reply;
    return { kind: 'retry', message, ...(isLate && { isLate }) };
  }
  return failureOfStatus(reply.status, messageOf(reply), statusOf(reply.body) !== undefined, retryAfterOf(reply));
}

/** The failure of a status code. */
export function failureOfStatus(
  code: number,
  message: string,
  isStatus: boolean,
  retryAfterSeconds: number | undefined,
): Failure {
  const retry = { kind: 'retry', message, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) } as const;
  if (code >= 500 || code === 429 || code === 408) return retry;
  switch (code) {
    case 401:
      return { kind: 'forbidden', message: `the API server refused the credentials: ${message}` };
    case 403:
      return isAuthorizer(message) ? { kind: 'forbidden', message } : { kind: 'error', status: code, message };
    case 404:
      // A 404 without a Status is from a proxy, so the object may exist.
      return isStatus ? { kind: 'gone', message } : retry;
    case 409:
      return { kind: 'conflict', message };
    case 410:
      return { kind: 'expired', message };
    default:
      return { kind: 'error', status: code, message: `${code}: ${message}` };
  }
}

/** `Retry-After` in seconds, from the header or the Status. At most {@link MOST_RETRY_AFTER_SECONDS}. */
function retryAfterOf(reply: Extract<Reply, { kind: 'reply' }>): number | undefined {
  const header = reply.headers['retry-after'];
  if (header !== undefined && /^\d+$/.test(header)) return limited(Number(header));
  if (header !== undefined && !Number.isNaN(Date.parse(header))) {
    return limited(Math.max(0, Math.ceil((Date.parse(header) - Date.now()) / 1000)));
  }
  return statusOf(reply.body)?.retryAfterSeconds;
}
