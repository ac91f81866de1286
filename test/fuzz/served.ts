import type { ApiClient } from '../../src/shared/kube-client/api-client.js';
import type { Reply } from '../../src/shared/kube-client/exchange.js';
import { isObject } from '../../src/shared/lib/json.js';
import { bugReport } from '../../src/cli/bug-report.js';
import type { Session } from '../../src/cluster/client/session.js';
import { Refusal } from '../../src/cluster/reader/answers.js';
import type { Printed } from '../kit/run-weft.js';
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
    pause: () => Promise.resolve(),
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

export function fakeSession(served: Json): Session {
  return { client: fakeClient(served), lost: new Promise<string>(() => undefined), close: () => undefined };
}

/** What a command prints that reads a cluster, and its exit code. */
export async function printed(read: () => Promise<string>): Promise<Printed> {
  try {
    return { exit: 0, stdout: await read(), stderr: '' };
  } catch (error) {
    if (error instanceof Refusal) return { exit: 2, stdout: '', stderr: '' };
    return { exit: 3, stdout: '', stderr: bugReport(error) };
  }
}
