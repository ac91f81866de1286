import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { isObject } from '../lib/json.js';
import type { Endpoint } from './endpoint.js';
import { textBefore } from '../lib/text.js';

/** One request. */
export interface Exchange {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  /** Sent as JSON. */
  readonly body?: object;
  /** Default: `application/json`. */
  readonly contentType?: string;
  /** Takes the body of a 200 as it arrives; the reply's body is empty then. False: no more of it is wanted, and the reply is broken. */
  readonly onData?: (chunk: Buffer) => boolean;
}

/** The result of a request. */
export type Reply =
  | {
      readonly kind: 'reply';
      readonly status: number;
      readonly headers: IncomingHttpHeaders;
      readonly body: string;
    }
  /** No answer, or an incomplete one: the request may or may not have taken effect. */
  | {
      readonly kind: 'broken';
      readonly message: string;
      /** The time was over. Default: false. */
      readonly isLate?: true;
    };

const USER_AGENT = 'weft-companion';
/** Answers other than lists are smaller, and so are the items of lists: the API server accepts objects of at most 3 MiB. */
export const LARGEST_BODY_BYTES = 64 * 1024 * 1024;

/** Opens a request and sends it. Returns before the response. Throws if the credentials cannot be read. */
export function openRequest(endpoint: Endpoint, exchange: Exchange): ReturnType<Endpoint['open']> {
  const headers: OutgoingHttpHeaders = { accept: 'application/json', 'user-agent': USER_AGENT };
  const body = exchange.body === undefined ? undefined : Buffer.from(JSON.stringify(exchange.body));
  if (body !== undefined) {
    headers['content-type'] = exchange.contentType ?? 'application/json';
    // Without a length Node sends the body of a DELETE so that servers ignore it.
    headers['content-length'] = body.length;
  }
  return endpoint.open(exchange.method, exchange.path, headers).end(body);
}

/** Sends one request and waits for the whole answer, at most `timeoutMs`. Never rejects. */
export async function send(endpoint: Endpoint, exchange: Exchange, timeoutMs: number): Promise<Reply> {
  const endMs = performance.now() + timeoutMs;
  for (;;) {
    const sent = await sendOnce(endpoint, exchange, endMs - performance.now());
    // The server may close an idle connection just when a request is sent on it. A GET can be repeated.
    if (!('isReused' in sent) || exchange.method !== 'GET') return sent;
  }
}

/** The other side had closed the connection: before or after this side began to write. */
const CLOSED: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE']);

type Sent = Reply | (Extract<Reply, { kind: 'broken' }> & { readonly isReused: true });

function sendOnce(endpoint: Endpoint, exchange: Exchange, timeoutMs: number): Promise<Sent> {
  return new Promise((resolve) => {
    let request: ReturnType<Endpoint['open']>;
    let isAnswered = false;
    let isLate = false;
    const broken = (error: unknown): void => {
      clearTimeout(timer);
      const message = `${exchange.method} ${pathOnly(exchange.path)}: ${messageOf(error)}`;
      const isReused = !isAnswered && CLOSED.has(codeOf(error) ?? '') && request.reusedSocket;
      resolve({ kind: 'broken', message, ...(isLate && { isLate }), ...(isReused && { isReused }) });
    };
    const timer = setTimeout(() => {
      isLate = true;
      request.destroy(new Error(`no answer within ${Math.round(timeoutMs / 100) / 10} s`));
    }, timeoutMs);
    try {
      request = openRequest(endpoint, exchange);
    } catch (error) {
      clearTimeout(timer);
      resolve({ kind: 'broken', message: messageOf(error) });
      return;
    }
    request.on('error', broken);
    request.on('response', (response) => {
      isAnswered = true;
      collect(response, exchange.onData)
        .then((reply) => {
          clearTimeout(timer);
          resolve(reply);
        })
        .catch((error: unknown) => {
          request.destroy();
          broken(error);
        });
    });
  });
}

/** The answer with its whole body. */
export function collect(response: IncomingMessage, onData?: Exchange['onData']): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const status = response.statusCode ?? 0;
    const chunks: Buffer[] = [];
    let bytes = 0;
    const keep = (chunk: Buffer): boolean => {
      bytes += chunk.length;
      chunks.push(chunk);
      return bytes <= LARGEST_BODY_BYTES;
    };
    const take = status === 200 && onData !== undefined ? onData : keep;
    response.on('data', (chunk: Buffer) => {
      if (!take(chunk)) response.destroy(new Error('the answer has too many bytes'));
    });
    response.on('error', reject);
    response.on('end', () => {
      const { headers } = response;
      resolve({ kind: 'reply', status, headers, body: Buffer.concat(chunks).toString('utf8') });
    });
  });
}

function pathOnly(path: string): string {
  return textBefore(path, '?');
}

function codeOf(error: unknown): string | undefined {
  return isObject(error) && typeof error['code'] === 'string' ? error['code'] : undefined;
}

function messageOf(error: unknown): string {
  const message = isObject(error) && typeof error['message'] === 'string' ? error['message'] : '';
  // Node gives an error without a message when several addresses refuse.
  return message === '' ? (codeOf(error) ?? String(error)) : message;
}
