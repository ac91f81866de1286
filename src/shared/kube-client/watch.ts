import type { IncomingMessage } from 'node:http';
import { failureOf, failureOfStatus, isRefused, statusFrom } from './answer.js';
import { isObject } from '../lib/json.js';
import { parsedShallow } from '../lib/nesting.js';
import { thrownTexts } from '../lib/thrown.js';
import { collect, openRequest } from './exchange.js';
import { createLineSplitter } from './lines.js';
import type { Answer, Stop, WatchEvent } from './types.js';
import type { ApiClient } from './api-client.js';

/** How long a watch may send no event or bookmark, and how long it lasts. */
export interface WatchTimes {
  /** Until the answer begins. */
  readonly startMs: number;
  /** Without a byte: the API server sends a bookmark about every minute. */
  readonly silentMs: number;
  /** Asked of the server; the watches of a run end at different times. */
  readonly lifetimeSeconds: () => number;
}

export const WATCH_TIMES: WatchTimes = {
  startMs: 20_000,
  silentMs: 90_000,
  lifetimeSeconds: () => 240 + Math.floor(Math.random() * 50),
};

interface Versioned {
  readonly metadata?: { readonly resourceVersion?: string };
}

interface RawEvent {
  readonly type: string;
  readonly object: Versioned & Readonly<Record<string, unknown>>;
}

/** Watches a collection from just after a version. `onEvent` is never called within this call, nor after the stop. */
export function watchCollection<Item>(
  client: ApiClient,
  path: string,
  resourceVersion: string,
  reduce: (object: object) => Item,
  onEvent: (event: WatchEvent<Item>) => void,
  times: WatchTimes,
): Stop {
  const query = `watch=true&allowWatchBookmarks=true&timeoutSeconds=${times.lifetimeSeconds()}`;
  const stream: LineStream = {
    client,
    times,
    path: `${path}?${query}&resourceVersion=${encodeURIComponent(resourceVersion)}`,
    onLine(line) {
      const { type, object } = eventOf(line);
      const version = { resourceVersion: resourceVersionOf(object) };
      if (type === 'BOOKMARK') onEvent({ kind: 'bookmark', ...version });
      else if (type === 'ADDED' || type === 'MODIFIED') onEvent({ kind: 'put', item: reduce(object), ...version });
      else if (type === 'DELETED') onEvent({ kind: 'removed', item: reduce(object), ...version });
      else endStream(stream, failureOfEvent(object));
    },
    onEnd: (answer) => onEvent({ kind: 'end', answer }),
    isOver: false,
    destroy: () => undefined,
    timer: undefined,
  };
  setImmediate(startStream, stream, false);
  return () => stopStream(stream);
}

/** Throws for a line that is no event of an object. */
function eventOf(line: string): RawEvent {
  const event = parsedShallow(line);
  if (isObject(event) && typeof event['type'] === 'string' && isObject(event['object']))
    return event as unknown as RawEvent;
  throw new Error('a line is no event');
}

/** An ERROR event carries a Status: the version is too old, or the server is in trouble. */
function failureOfEvent(object: RawEvent['object']): Answer<undefined> {
  const { code, message, retryAfterSeconds } = statusFrom(object);
  const text = message === '' ? 'the watch ended with an error' : message;
  return failureOfStatus(code ?? 500, text, true, retryAfterSeconds);
}

/** A response that is read line by line until its end. */
interface LineStream {
  readonly client: ApiClient;
  readonly path: string;
  readonly times: WatchTimes;
  /** If it throws, the stream ends. */
  readonly onLine: (line: string) => void;
  readonly onEnd: (answer: Answer<undefined>) => void;
  isOver: boolean;
  destroy: () => void;
  timer: ReturnType<typeof setTimeout> | undefined;
}

function stopStream(stream: LineStream): void {
  stream.isOver = true;
  clearTimeout(stream.timer);
  stream.destroy();
}

function endStream(stream: LineStream, answer: Answer<undefined>): void {
  if (stream.isOver) return;
  stopStream(stream);
  stream.onEnd(answer);
}

/** Ends the stream if `within` is not called again within this time. */
function within(stream: LineStream, ms: number, message: string): void {
  clearTimeout(stream.timer);
  if (stream.isOver) return;
  stream.timer = setTimeout(() => endStream(stream, { kind: 'retry', message }), ms);
}

function startStream(stream: LineStream, isSecond: boolean): void {
  if (stream.isOver) return;
  const broke = (error: Error): void =>
    endStream(stream, { kind: 'retry', message: `the watch broke: ${error.message}` });
  within(stream, stream.times.startMs, 'the watch did not begin');
  try {
    const request = openRequest(stream.client.endpoint, { method: 'GET', path: stream.path });
    stream.destroy = () => request.destroy();
    request.on('error', broke);
    request.on('response', (response) => {
      response.on('error', broke);
      if (stream.isOver) response.destroy();
      else if (response.statusCode === 200) readLines(stream, response);
      else refused(stream, response, isSecond).catch(broke);
    });
  } catch (error) {
    endStream(stream, { kind: 'retry', message: `the watch did not begin: ${thrownTexts(error).message}` });
  }
}

function readLines(stream: LineStream, response: IncomingMessage): void {
  const { silentMs } = stream.times;
  const silent = `the watch sent nothing for ${silentMs / 1000} s`;
  const lines = createLineSplitter((line) => {
    if (line !== '' && !stream.isOver) stream.onLine(line);
  });
  within(stream, silentMs, silent);
  response.on('data', (chunk: Buffer) => {
    within(stream, silentMs, silent);
    try {
      lines.write(chunk);
    } catch (error) {
      endStream(stream, { kind: 'retry', message: `the watch broke: ${thrownTexts(error).message}` });
    }
  });
  response.on('end', () => endStream(stream, { kind: 'ok', value: undefined }));
}

/** Handles a response that is no stream. A server that has just started refuses every user, see `api-client.ts`. */
async function refused(stream: LineStream, response: IncomingMessage, isSecond: boolean): Promise<void> {
  const reply = await collect(response);
  if (!isRefused(reply) || isSecond) return endStream(stream, failureOf(reply));
  const unready = await stream.client.untilServerReady();
  if (unready !== undefined) endStream(stream, failureOf(unready));
  else startStream(stream, true);
}

export function resourceVersionOf({ metadata }: Versioned): string {
  return metadata?.resourceVersion ?? '';
}
