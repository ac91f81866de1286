import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { buildSync } from 'esbuild';
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sendJson, startServer, statusBody, type Handler, type TestServer } from '../../../test/kube-server/server.js';

let folder: string;
let server: TestServer;
let child: ChildProcess;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'weft-main-'));
  const outfile = join(folder, 'companion.cjs');
  buildSync({ entryPoints: ['src/companion/runtime/main.ts'], bundle: true, platform: 'node', format: 'cjs', outfile });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeEach(async () => {
  server = await startServer();
});
afterEach(async () => {
  child.kill('SIGKILL');
  await server.stop();
});

interface Ended {
  readonly code: number | null;
  readonly logs: readonly Readonly<Record<string, unknown>>[];
}

/** Starts the program with the environment of a pod and `env`. */
function start(env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  const environment = {
    ...{ POD_NAME: 'weft-1-abc', POD_NAMESPACE: 'net', WEFT_MODE: 'job', WEFT_CREDENTIALS: server.folder },
    ...{ KUBERNETES_SERVICE_HOST: '127.0.0.1', KUBERNETES_SERVICE_PORT: String(server.port), ...env },
  };
  const started = spawn(process.execPath, [join(folder, 'companion.cjs')], { env: environment });
  child = started;
  let text = '';
  started.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  started.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()));
  return new Promise((resolve) => {
    started.once('close', (code) => {
      const lines = text.split('\n').filter((line) => line !== '');
      resolve({ code, logs: lines.map((line) => JSON.parse(line) as Record<string, unknown>) });
    });
  });
}

async function freePort(): Promise<number> {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, resolve));
  const { port } = taken.address() as AddressInfo;
  await new Promise((resolve) => taken.close(resolve));
  return port;
}

/** A cluster without nodes, and a policy without drivers. */
const emptyCluster: Handler = ({ path }, response) => {
  const policy = { apiVersion: 'weft.dev/v1alpha1', kind: 'UpgradePolicy', drivers: [] };
  if (path.endsWith('/weft-companion-policy'))
    sendJson(response, 200, { data: { 'policy.json': JSON.stringify(policy) } });
  else if (path.includes('/configmaps/')) sendJson(response, 404, statusBody(404, 'NotFound', 'none'));
  else sendJson(response, 200, { metadata: { resourceVersion: '1' }, items: [] });
};

describe('the program', () => {
  it('ends with 2 and names all missing variables', async () => {
    const { code, logs } = await start({ POD_NAME: '', WEFT_MODE: 'x' });
    expect(code).toBe(2);
    expect(logs).toMatchObject([{ level: 'error', message: expect.stringMatching(/^POD_NAME is not set; WEFT_MODE/) }]);
  });

  it('ends with 0 when there is nothing to do', async () => {
    server.handle = emptyCluster;
    const { code, logs } = await start();
    expect(logs.at(-1)).toMatchObject({ reason: 'done', exitCode: 0, message: 'every node is done or skipped' });
    expect(code).toBe(0);
    expect(server.requests.every(({ headers }) => headers.authorization === 'Bearer first')).toBe(true);
  });

  it('ends with 2 and names the right that is missing', async () => {
    const message = 'daemonsets is forbidden: User "sa" cannot list resource "daemonsets" in API group "apps"';
    server.handle = ({ path }, response) =>
      path === '/readyz' ? response.end('ok') : sendJson(response, 403, statusBody(403, 'Forbidden', message));
    const { code, logs } = await start();
    expect(code).toBe(2);
    expect(logs.at(-1)).toMatchObject({ reason: 'forbidden', message });
  });

  it('serves health and metrics while the API server is away, and ends with 143 at SIGTERM', async () => {
    server.handle = (_request, response) => sendJson(response, 503, statusBody(503, 'ServiceUnavailable', 'away'));
    const port = await freePort();
    const ended = start({ WEFT_METRICS_PORT: String(port) });
    const health = async (): Promise<string> => {
      for (;;) {
        const answer = await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => undefined);
        if (answer) return answer.text();
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    };
    expect(await health()).toBe('ok\n');
    expect((await fetch(`http://127.0.0.1:${port}/metrics`)).headers.get('content-type')).toContain('version=0.0.4');
    expect((await fetch(`http://127.0.0.1:${port}/else`)).status).toBe(404);
    child.kill('SIGTERM');
    const { code, logs } = await ended;
    expect(code).toBe(143);
    expect(logs.at(-1)).toMatchObject({ reason: 'stopped', exitCode: 143 });
  });
});
