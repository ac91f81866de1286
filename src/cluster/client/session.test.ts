import { afterEach, expect, it } from '@jest/globals';
import { join } from 'node:path';
import type { Exchange } from '../../shared/kube-client/exchange.js';
import type { SessionUse } from './proxy.js';
import { openSession, type Session } from './session.js';

let opened: Session | undefined;
afterEach(() => opened?.close());

const PATH = '/api/v1/namespaces/kube-system';
const EXCHANGES: Readonly<Record<string, Exchange>> = {
  read: { method: 'GET', path: PATH },
  'dry run': { method: 'PATCH', path: `${PATH}?dryRun=All&force=true`, body: {} },
  right: { method: 'POST', path: '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', body: { metadata: {} } },
  'no dry run': { method: 'PATCH', path: `${PATH}?dryRun=Al`, body: {} },
  creation: { method: 'POST', path: PATH, body: { metadata: {} } },
};

it.each<{ use: SessionUse; answered: readonly string[] }>([
  { use: 'read', answered: ['read'] },
  { use: 'dry-run', answered: ['read', 'dry run', 'right'] },
  { use: 'write', answered: Object.keys(EXCHANGES) },
])('a session to $use sends: $answered', async ({ use, answered }) => {
  const command = join(process.cwd(), 'test/kube-server/bin/kubectl');
  const session = await openSession({ command, env: { PATH: process.env['PATH'] }, onOutput: () => undefined, use });
  if ('kind' in session) throw new Error(session.message);
  opened = session;
  const found: string[] = [];
  for (const [name, exchange] of Object.entries(EXCHANGES)) {
    try {
      const reply = await session.client.call(exchange);
      if (reply.kind === 'reply' && reply.status === 200) found.push(name);
    } catch {
      // It is a bug to send it, so it is thrown.
    }
  }
  expect(found).toEqual(answered);
});
