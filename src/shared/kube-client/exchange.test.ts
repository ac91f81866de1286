import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import type { Endpoint } from './endpoint.js';
import { send } from './exchange.js';

/** A server that has closed the connection on which the first request is sent, with this error. */
function closingServer(code: string): { readonly endpoint: Endpoint; readonly requests: () => number } {
  let requests = 0;
  const open = () => {
    requests += 1;
    const isFirst = requests === 1;
    const request = Object.assign(new EventEmitter(), {
      reusedSocket: isFirst,
      end: () => request,
      destroy: () => request,
    });
    setImmediate(() => {
      if (isFirst) return request.emit('error', Object.assign(new Error(`write ${code}`), { code }));
      const response = Object.assign(new PassThrough(), { statusCode: 200, headers: {} });
      request.emit('response', response);
      return response.end('{}');
    });
    return request;
  };
  return { endpoint: { open } as unknown as Endpoint, requests: () => requests };
}

describe('a request on a connection that the server has closed', () => {
  it.each(['ECONNRESET', 'EPIPE'])('is sent once more after %s if it changes nothing', async (code) => {
    const { endpoint, requests } = closingServer(code);
    expect(await send(endpoint, { method: 'GET', path: '/api' }, 1000)).toMatchObject({ status: 200 });
    expect(requests()).toBe(2);
  });

  it('is not sent once more if the server may have carried it out', async () => {
    const { endpoint, requests } = closingServer('EPIPE');
    expect(await send(endpoint, { method: 'PATCH', path: '/api', body: {} }, 1000)).toMatchObject({ kind: 'broken' });
    expect(requests()).toBe(1);
  });
});
