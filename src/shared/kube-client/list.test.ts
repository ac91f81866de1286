import { beforeEach, describe, expect, it } from '@jest/globals';
import type { ApiClient } from './api-client.js';
import { listAll } from './list.js';

/** A client whose pages all have this text, in chunks of so many characters. */
function clientOf(text: string, chunk = 1_000): { readonly client: ApiClient; readonly calls: () => number } {
  let calls = 0;
  const client: Pick<ApiClient, 'call'> = {
    call({ onData = () => true }) {
      calls += 1;
      for (let at = 0; at < text.length; at += chunk) if (!onData(Buffer.from(text.slice(at, at + chunk)))) break;
      return Promise.resolve({ kind: 'reply', status: 200, headers: {}, body: '' });
    },
  };
  return { client: client as ApiClient, calls: () => calls };
}

const NAMED = { metadata: { name: 'a' } };
const page = (token: string, ...items: readonly unknown[]) => JSON.stringify({ metadata: { continue: token }, items });
const list = (text: string, limits?: { pages: number; bytes: number }) =>
  listAll(clientOf(text).client, '/api/v1/pods?a=b', (item) => item, limits);

describe('a list that does not end', () => {
  const says = (limit: string) => ({ kind: 'endless', message: `GET /api/v1/pods: the list goes on after ${limit}` });
  it.each([
    { name: 'pages', text: page('again'), limits: { pages: 3, bytes: 1_000 }, expected: says('3 pages') },
    {
      name: 'items',
      text: page('', ...Array<object>(200).fill(NAMED)),
      limits: { pages: 3, bytes: 4_500 },
      expected: says('5000 bytes'),
    },
    {
      name: 'pages together',
      text: page('again', NAMED),
      limits: { pages: 100, bytes: 500 },
      expected: says('552 bytes'),
    },
  ])('of $name is cut off', async ({ text, limits, expected }) => {
    expect(await list(text, limits)).toEqual(expected);
  });

  it('by itself ends after as many pages as no cluster has', async () => {
    const { client, calls } = clientOf(page('again'));
    expect((await listAll(client, '/api/v1/pods', (item) => item)).kind).toBe('endless');
    expect(calls()).toBe(1_000);
  });

  it('is not kept in memory while one item of it goes on', async () => {
    const { client } = clientOf(`{"items": [{"a": "${'x'.repeat(70 * 1024 * 1024)}`, 1024 * 1024);
    expect((await listAll(client, '/api/v1/pods', (item) => item)).kind).toBe('endless');
  });
});

it('leaves out what has no name', async () => {
  const items = [null, 7, [], {}, { metadata: null }, { metadata: [] }, { metadata: { name: 3 } }, NAMED];
  expect(await list(page('', ...items))).toEqual({ kind: 'ok', value: { items: [NAMED], resourceVersion: '' } });
});

it('sends a token of any text', async () => {
  const limits = { pages: 2, bytes: 1_000 };
  expect(await list('{"metadata": {"continue": "\\ud800"}, "items": []}', limits)).toMatchObject({ kind: 'endless' });
});

describe('pages that take longer than a request may', () => {
  const LATE = { kind: 'broken', message: 'GET /api/v1/pods: no answer within 10 s', isLate: true } as const;
  const sizes: number[] = [];
  beforeEach(() => void sizes.splice(0));

  /** A server with so many items, of which an answer may have at most `most`. */
  function slow(items: number, most: number): ApiClient {
    const client: Pick<ApiClient, 'call' | 'pause'> = {
      pause: () => Promise.resolve(),
      call({ path, onData = () => true }) {
        const { searchParams } = new URL(path, 'https://localhost');
        const [from, limit] = [Number(searchParams.get('continue')), Number(searchParams.get('limit'))];
        sizes.push(limit);
        // Half of the answer arrives before the time is over.
        const named = Array.from({ length: Math.min(limit, items - from) }, (_, at) => ({
          metadata: { name: `p${from + at}` },
        }));
        const text = page(from + limit < items ? String(from + limit) : '', ...named);
        onData(Buffer.from(limit > most ? text.slice(0, text.length / 2) : text));
        return Promise.resolve(limit > most ? LATE : { kind: 'reply', status: 200, headers: {}, body: '' });
      },
    };
    return client as ApiClient;
  }

  it.each([
    { name: 'half as many arrive in time', most: 250, first: [500, 250, 250], calls: 5 },
    { name: 'few arrive in time', most: 60, first: [500, 250, 125, 62, 50, 50], calls: 24 },
  ])('are asked for with fewer items: $name', async ({ most, first, calls }) => {
    const answer = await listAll(slow(1_000, most), '/api/v1/pods', (item) => (item as typeof NAMED).metadata.name);
    expect(answer).toMatchObject({ kind: 'ok', value: { items: Array.from({ length: 1_000 }, (_, at) => `p${at}`) } });
    expect([sizes.slice(0, first.length), sizes.length]).toEqual([first, calls]);
  });

  it('with the fewest items end the list, and say why', async () => {
    const advice = 'not even with 50 items: the API server is overloaded, or the connection to it is slow';
    const message = `${LATE.message}, ${advice}`;
    expect(await listAll(slow(1_000, 49), '/api/v1/pods', (item) => item)).toEqual({ kind: 'retry', message });
    expect(sizes).toEqual([500, 250, 125, 62, 50]);
  });

  it('may be as many as hold the items of the largest list', async () => {
    const limits = { pages: 4, bytes: 1_000_000 };
    expect(await listAll(slow(2_000, 50), '/api/v1/pods', (item) => item, limits)).toMatchObject({ kind: 'ok' });
    expect(await listAll(slow(4_000, 50), '/api/v1/pods', (item) => item, limits)).toMatchObject({ kind: 'endless' });
  });
});
