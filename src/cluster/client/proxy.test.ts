import { afterEach, describe, expect, it } from '@jest/globals';
import { spawn, spawnSync } from 'node:child_process';
import { request } from 'node:http';
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buildSync } from 'esbuild';
import { startKubectlProxy, type KubectlOptions, type KubectlProxy } from './proxy.js';

const command = join(process.cwd(), 'test/kube-server/bin/kubectl');
const env = { PATH: process.env['PATH'] };
const said: string[] = [];
const onOutput = (text: string) => void said.push(text);

let started: KubectlProxy | undefined;
afterEach(() => {
  started?.stop();
  started = undefined;
  said.length = 0;
});

async function start(options: Partial<KubectlOptions> = {}): Promise<KubectlProxy> {
  const proxy = await startKubectlProxy({ command, env, onOutput, ...options });
  if ('kind' in proxy) throw new Error(proxy.message);
  started = proxy;
  return proxy;
}

describe('startKubectlProxy', () => {
  it('serves on a socket in a folder of its own, and leaves nothing behind', async () => {
    const { socketPath, stop, ended } = await start();
    const folder = dirname(socketPath);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    stop();
    await ended;
    expect(existsSync(folder)).toBe(false);
  });

  it.each<{ use: KubectlOptions['use']; refused: readonly string[] }>([
    { use: undefined, refused: ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] },
    { use: 'read', refused: ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] },
    { use: 'dry-run', refused: ['PUT', 'DELETE', 'OPTIONS'] },
    { use: 'write', refused: [] },
  ])('lets kubectl refuse the methods that a session does not need: $use', async ({ use, refused }) => {
    const { socketPath } = await start(use === undefined ? {} : { use });
    const statusOf = (method: string) =>
      new Promise<number | undefined>((resolve, reject) => {
        const path = '/api/v1/namespaces/x/secrets';
        const sent = request({ socketPath, method, path, headers: { host: 'localhost' } }, (response) => {
          response.resume();
          resolve(response.statusCode);
        });
        sent.on('error', reject);
        sent.end(method.startsWith('P') ? '{"metadata": {"name": "x"}}' : undefined);
      });
    const found: string[] = [];
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
      if ((await statusOf(method)) === 403) found.push(method);
    expect(found).toEqual(refused);
  });

  it.each([
    { name: 'a command that there is not', options: { command: './nokube' }, kind: 'not-started', words: './nokube' },
    {
      name: 'a context that there is not',
      options: { context: 'nowhere' },
      kind: 'no-answer',
      words: 'does not exist',
    },
    {
      name: 'a server that cannot be reached',
      options: { context: 'down' },
      kind: 'no-answer',
      words: 'refuses the login: dial tcp 10.0.0.1:6443: connect: connection refused',
    },
  ])('says of $name what it is', async ({ options, kind, words }) => {
    const failure = await startKubectlProxy({ command, env, onOutput, ...options });
    expect(failure).toMatchObject({ kind, message: expect.stringContaining(words) });
  });

  it('shows what login programs say, and not what kubectl logs of each request', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'weft-kubectl-'));
    const noisy = join(folder, 'kubectl');
    const log =
      'E1128 09:30:00.000000       1 proxy_server.go:147] "Error while proxying request" err="context canceled"';
    writeFileSync(noisy, `#!/bin/sh\nprintf '%s\\n' '${log}' 'open https://login.example' >&2\nexit 1\n`, {
      mode: 0o755,
    });
    const failure = await startKubectlProxy({ command: noisy, env, onOutput });
    rmSync(folder, { recursive: true });
    expect(said.join('')).toBe('open https://login.example\n');
    expect(failure).toMatchObject({ message: '`kubectl proxy` ended: open https://login.example' });
  });

  it.each([
    { name: 'kubectl that never says that it serves', lines: ['exec sleep 600'] },
    {
      name: 'a server that never answers',
      lines: [
        'for one; do case $one in --unix-socket=*) socket=${one#*=};; esac; done',
        `exec ${process.execPath} -e 'require("net").createServer().listen(process.argv[1], () => console.log("Starting to serve on"))' "$socket"`,
      ],
    },
  ])('does not wait without end for $name', async ({ lines }) => {
    const folder = mkdtempSync(join(tmpdir(), 'weft-kubectl-'));
    const silent = join(folder, 'kubectl');
    writeFileSync(silent, ['#!/bin/sh', ...lines, ''].join('\n'), { mode: 0o755 });
    const failure = await startKubectlProxy({ command: silent, env, onOutput, loginMs: 1_500 });
    rmSync(folder, { recursive: true });
    expect(failure).toEqual({
      kind: 'no-answer',
      message: `\`kubectl proxy\` has no answer of the cluster after 2 seconds: see what \`${silent} version\` says, and log in with it first if it asks for that`,
    });
  });

  it('tells when kubectl ends', async () => {
    const { socketPath, ended } = await start();
    spawnSync('sh', ['-c', `kill $(pgrep -f "unix-socket=${socketPath}" | head -2)`]);
    expect(await ended).toEqual(expect.any(String));
  });

  it('ends with us, even by SIGKILL, and not by Ctrl-C', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'weft-proxy-'));
    const program = join(folder, 'program.mjs');
    const source = `import { startKubectlProxy } from ${JSON.stringify(join(process.cwd(), 'src/cluster/client/proxy.ts'))};
      const options = { command: ${JSON.stringify(command)}, env: process.env, onOutput: () => undefined };
      process.on('SIGINT', () => process.stdout.write('interrupted'));
      process.stdout.write((await startKubectlProxy(options)).socketPath + ' ');
      setInterval(() => undefined, 1000);`;
    writeFileSync(join(folder, 'source.mjs'), source);
    const entryPoints = [join(folder, 'source.mjs')];
    buildSync({ entryPoints, bundle: true, platform: 'node', format: 'esm', outfile: program });
    const child = spawn(process.execPath, [program], { detached: true, stdio: ['ignore', 'pipe', 'inherit'] });
    let printed = '';
    child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    const until = async (isThere: () => boolean) => {
      while (!isThere()) await new Promise((resolve) => setTimeout(resolve, 20));
    };
    const processes = () => spawnSync('pgrep', ['-f', `unix-socket=${printed.split(' ')[0] ?? ''}`]).stdout.toString();
    try {
      await until(() => printed.includes(' '));
      expect(processes()).not.toBe('');
      // As a terminal does it: the whole process group.
      process.kill(-(child.pid ?? 0), 'SIGINT');
      await until(() => printed.includes('interrupted'));
      await new Promise((resolve) => setTimeout(resolve, 100));
      expect(processes()).not.toBe('');
      child.kill('SIGKILL');
      await until(() => processes() === '');
    } finally {
      child.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
