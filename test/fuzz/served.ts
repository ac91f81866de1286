import type { ApiClient } from '../../src/shared/kube-client/api-client.js';
import type { Reply } from '../../src/shared/kube-client/exchange.js';
import { isObject } from '../../src/shared/lib/json.js';
import type { Json } from './mutate.js';
import { jsonOf } from './objects.js';

/** A client of an API server that serves the values of a mapping from paths. */
export function fakeClient(served: Json): ApiClient {
  const reply = (status: number, body: string): Reply => ({ kind: 'reply', status, headers: {}, body });
  const find = (path: string): Json | undefined => {
    const [name = ''] = path.split('?');
    return isObject(served) && Object.hasOwn(served, name) ? served[name] : undefined;
  };
  return {
    endpoint: {
      open: () => {
        throw new Error('there is no connection');
      },
      refresh: () => undefined,
      close: () => undefined,
    },
    untilServerReady: () => Promise.resolve(undefined),
    call({ path, onData }) {
      const value = find(path);
      if (value === undefined && onData !== undefined) {
        onData(Buffer.from('{"metadata":{"resourceVersion":"1"},"items":[]}'));
        return Promise.resolve(reply(200, ''));
      }
      if (value === undefined) return Promise.resolve(reply(404, '{"kind":"Status","code":404}'));
      if (onData === undefined) return Promise.resolve(reply(200, jsonOf(value)));
      onData(Buffer.from(jsonOf(value)));
      return Promise.resolve(reply(200, ''));
    },
  };
}
