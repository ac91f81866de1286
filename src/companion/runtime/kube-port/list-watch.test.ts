import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ServerResponse } from 'node:http';
import { sendJson, startServer, statusBody, type TestServer } from '../../../../test/kube-server/server.js';
import { podEndpoint, type Endpoint } from '../../../shared/kube-client/endpoint.js';
import { WITHOUT_PAUSES } from '../../../../test/kube-server/clock.js';
import { createApiClient } from '../../../shared/kube-client/api-client.js';
import { createKubePort } from './kube-port.js';
import type { ClusterPort } from '../ports.js';
import { createRateLimit } from '../../../shared/kube-client/rate-limit.js';
import type { WatchTimes } from '../../../shared/kube-client/watch.js';
import type { SnapshotNode } from '../../model/types.js';
import type { WatchEvent } from '../../../shared/kube-client/types.js';

let server: TestServer;
let port: ClusterPort;
const opened: Endpoint[] = [];
/** Longer than the delays of a busy machine. */
const LONG_MS = 60_000;

function connect(silentMs: number, clock = WITHOUT_PAUSES, callTimeoutMs = LONG_MS): ClusterPort {
  const endpoint = podEndpoint('127.0.0.1', server.port, server.folder);
  opened.push(endpoint);
  const client = createApiClient(endpoint, createRateLimit(1000, 1000), callTimeoutMs, clock);
  const watchTimes: WatchTimes = { startMs: LONG_MS, silentMs, lifetimeSeconds: () => 250 };
  return createKubePort(client, 'net', watchTimes);
}

beforeEach(async () => {
  server = await startServer();
  port = connect(LONG_MS);
});
afterEach(async () => {
  for (const endpoint of opened.splice(0)) endpoint.close();
  await server.stop();
});

const node = (name: string, resourceVersion = '1') => ({ metadata: { name, uid: `u-${name}`, resourceVersion } });

function page(response: ServerResponse, from: number, count: number, next: string): void {
  const items = Array.from({ length: count }, (_, index) => node(`n${from + index}`));
  sendJson(response, 200, { kind: 'NodeList', metadata: { resourceVersion: '77', continue: next }, items });
}

describe('lists', () => {
  it('follows pages of 500, each of which may fail', async () => {
    let failures = 0;
    server.handle = ({ query }, response) => {
      expect(query.get('limit')).toBe('500');
      expect(query.has('resourceVersion')).toBe(false);
      const token = query.get('continue');
      if (token === null) return page(response, 0, 500, 'a b');
      expect(token).toBe('a b');
      if (failures++ === 0) {
        // Half a page: its items are not counted twice.
        response.writeHead(200, { 'content-length': '10000' });
        response.write('{"items":[{"metadata":{"name":"twice"}},');
        return void setTimeout(() => response.destroy(), 20);
      }
      if (failures === 2)
        return sendJson(response, 429, statusBody(429, 'TooManyRequests', 'slow'), { 'retry-after': '1' });
      page(response, 500, 20, '');
    };
    const pauses: number[] = [];
    const pause = (ms: number) => Promise.resolve(pauses.push(ms));
    const answer = await connect(LONG_MS, { ...WITHOUT_PAUSES, pause }).list('nodes');
    expect(pauses.at(-1)).toBeGreaterThanOrEqual(1_000);
    if (answer.kind !== 'ok') throw new Error(answer.message);
    expect(answer.value.resourceVersion).toBe('77');
    expect(answer.value.items.map(({ name }) => name)).toEqual(Array.from({ length: 520 }, (_, index) => `n${index}`));
  });

  it('asks for half as many where a page takes longer than a request may', async () => {
    const sizes: number[] = [];
    server.handle = ({ query }, response) => {
      const limit = Number(query.get('limit'));
      const from = Number(query.get('continue') ?? 0);
      sizes.push(limit);
      // The first part of a large page arrives, and nothing after it.
      if (limit > 250) return void response.writeHead(200).write('{"items":[{"metadata":{"name":"twice"}},');
      page(response, from, Math.min(limit, 520 - from), from + limit < 520 ? String(from + limit) : '');
    };
    const answer = await connect(LONG_MS, WITHOUT_PAUSES, 2_000).list('pods');
    expect(answer).toMatchObject({ kind: 'ok', value: { items: { length: 520 } } });
    expect(sizes).toEqual([500, 250, 250, 250]);
  });

  it('starts again when the version of the list is too old', async () => {
    let tries = 0;
    server.handle = ({ query }, response) => {
      if (!query.has('continue')) page(response, 0, 2, 'x');
      else if (tries++ === 0) sendJson(response, 410, statusBody(410, 'Expired', 'too old'));
      else page(response, 2, 1, '');
    };
    const answer = await port.list('pods', 'net');
    expect(answer.kind === 'ok' && answer.value.items.map(({ name }) => name)).toEqual(['n0', 'n1', 'n2']);
    expect(server.requests[0]?.path).toBe('/api/v1/namespaces/net/pods');
  });

  it('does not start again for ever', async () => {
    server.handle = ({ query }, response) => {
      if (query.has('continue')) sendJson(response, 410, statusBody(410, 'Expired', 'too old'));
      else page(response, 0, 1, 'x');
    };
    expect(await port.list('nodes')).toEqual({ kind: 'retry', message: 'too old' });
  });

  it('lists budgets of all namespaces', async () => {
    const spec = { selector: { matchLabels: { app: 'a' } } };
    const item = { metadata: { namespace: 'd', name: 'b' }, spec, status: { disruptionsAllowed: 2 } };
    server.handle = (_request, response) => sendJson(response, 200, { metadata: {}, items: [item] });
    const value = [{ namespace: 'd', name: 'b', selector: spec.selector, disruptionsAllowed: 2 }];
    expect(await port.listBudgets()).toEqual({ kind: 'ok', value });
  });
});

describe('watches', () => {
  /** Watches nodes from version 5 until the end, and returns the events. */
  function watch(): {
    readonly events: string[];
    readonly end: Promise<WatchEvent<SnapshotNode>>;
    readonly stop: () => void;
  } {
    const events: string[] = [];
    let stop = (): void => undefined;
    const end = new Promise<WatchEvent<SnapshotNode>>((resolve) => {
      stop = port.watch('nodes', undefined, '5', (event) => {
        if (event.kind === 'end') resolve(event);
        else events.push(`${event.kind} ${event.kind === 'bookmark' ? '' : event.item.name} ${event.resourceVersion}`);
      });
    });
    return { events, end, stop: () => stop() };
  }
  const line = (type: string, object: object): string => `${JSON.stringify({ type, object })}\n`;

  it('reports events in their order, whatever the chunks', async () => {
    server.handle = ({ query }, response) => {
      expect(Object.fromEntries(query)).toEqual({
        ...{ watch: 'true', allowWatchBookmarks: 'true', timeoutSeconds: '250', resourceVersion: '5' },
      });
      const all = Buffer.from(
        line('ADDED', node('ä', '6')) +
          line('MODIFIED', node('ä', '7')) +
          line('BOOKMARK', node('', '8')) +
          line('DELETED', node('ä', '9')),
      );
      response.writeHead(200);
      const cut = all.indexOf(0xa4);
      response.write(all.subarray(0, cut));
      setTimeout(() => response.end(all.subarray(cut)), 30);
    };
    const { events, end } = watch();
    expect(events).toEqual([]);
    expect(await end).toEqual({ kind: 'end', answer: { kind: 'ok' } });
    expect(events).toEqual(['put ä 6', 'put ä 7', 'bookmark  8', 'removed ä 9']);
  });

  it.each<{ name: string; answer: (response: ServerResponse) => void; expected: object }>([
    {
      name: 'a version that is too old, as an event',
      answer: (response) => {
        response.end(line('ERROR', statusBody(410, 'Expired', 'too old resource version')));
      },
      expected: { kind: 'expired', message: 'too old resource version' },
    },
    {
      name: 'a version that is too old, as an answer',
      answer: (response) => sendJson(response, 410, statusBody(410, 'Gone', 'old')),
      expected: { kind: 'expired', message: 'old' },
    },
    {
      name: 'an error of the server',
      answer: (response) => {
        response.end(line('ERROR', statusBody(500, 'InternalError', 'etcd')));
      },
      expected: { kind: 'retry', message: 'etcd' },
    },
    {
      name: 'priority and fairness',
      answer: (response) => sendJson(response, 429, statusBody(429, 'TooManyRequests', 'slow'), { 'retry-after': '4' }),
      expected: { kind: 'retry', retryAfterSeconds: 4 },
    },
    {
      name: 'a connection that breaks',
      answer: (response) => {
        response.writeHead(200).write(line('ADDED', node('n1', '6')));
        setTimeout(() => server.dropConnections(), 30);
      },
      expected: { kind: 'retry', message: expect.stringContaining('the watch broke') },
    },
    {
      name: 'a line that is no JSON',
      answer: (response) => {
        response.end('<html>\n');
      },
      expected: { kind: 'retry', message: expect.stringContaining('a line is no event') },
    },
  ])('ends with $name', async ({ answer, expected }) => {
    server.handle = (_request, response) => answer(response);
    expect(await watch().end).toMatchObject({ kind: 'end', answer: expected });
  });

  it('ends with silence', async () => {
    port = connect(300);
    server.handle = (_request, response) => void response.writeHead(200).write(line('ADDED', node('n1', '6')));
    const answer = { kind: 'retry', message: 'the watch sent nothing for 0.3 s' };
    expect(await watch().end).toMatchObject({ kind: 'end', answer });
  });

  it('ends when a right is missing, but not because the server has just started', async () => {
    const no = statusBody(
      403,
      'Forbidden',
      'nodes is forbidden: User "sa" cannot watch resource "nodes" in API group ""',
    );
    let refusals = 1;
    server.handle = ({ path }, response) => {
      if (path === '/readyz') sendJson(response, 200, {});
      else if (refusals-- > 0) sendJson(response, 403, no);
      else response.end(line('ADDED', node('n1', '6')));
    };
    const first = watch();
    expect(await first.end).toMatchObject({ answer: { kind: 'ok' } });
    expect(first.events).toEqual(['put n1 6']);
    refusals = 2;
    expect(await watch().end).toMatchObject({ answer: { kind: 'forbidden' } });
  });

  it('reports nothing after it was stopped', async () => {
    server.handle = (_request, response) => void response.writeHead(200).write(line('ADDED', node('n1', '6')));
    const { events, stop, end } = watch();
    while (events.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    stop();
    server.dropConnections();
    const raced = Promise.race([end, new Promise((resolve) => setTimeout(resolve, 300, 'nothing'))]);
    expect(await raced).toBe('nothing');
    expect(events).toEqual(['put n1 6']);
  });
});
