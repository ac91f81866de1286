import { spawn, spawnSync } from 'node:child_process';
import { existsSync, openSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { cwd, program, put, expectRefused, CLUSTER, network, spawnWeft, setUpFolder, setUpCommand } from './kit.js';

setUpFolder();
setUpCommand();

/** Some hundred clusters give more output than a pipe holds, and take a while to write. */
const manyNetworks = (count: number) => ({
  'clusters/east/n.yaml': Array.from({ length: count }, (_, at) => `---\n${network(`n${at}`)}`).join(''),
});

describe('the process', () => {
  it.each([
    ['synth', ['-o', 'json'], 0],
    ['diff', ['dist', '--format', 'json'], 1],
  ] as const)(
    'prints no error when the reader closes the pipe, and %s keeps its exit code',
    async (command, args, exit) => {
      put(CLUSTER);
      expect(spawnWeft('synth').exit).toBe(0);
      put(manyNetworks(400));
      const child = spawn(process.execPath, [program, command, ...args], { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
      let stderr = '';
      child.stderr.on('data', (data: Buffer) => (stderr += data.toString()));
      child.stdout.once('data', () => child.stdout.destroy());
      const code = await new Promise((resolve) => child.on('exit', resolve));
      expect({ code, stderr: stderr.replace(/^\[?\s*\{[^]*|^warning[^]*/, '') }).toEqual({ code: exit, stderr: '' });
    },
  );

  /** Each write to it fails as on a full disk; only Linux has it. */
  const FULL = '/dev/full';
  (existsSync(FULL) ? it : it.skip)('says that standard output cannot be written, and exits with 2', () => {
    put(CLUSTER);
    const { status, stderr } = spawnSync(process.execPath, [program, 'synth', '-o', 'json'], {
      cwd,
      encoding: 'utf8',
      stdio: ['ignore', openSync(FULL, 'w'), 'pipe'],
    });
    expect(stderr).toContain('error: standard output cannot be written: ENOSPC');
    expect(status).toBe(2);
  });

  /** More than a pipe holds: Node discards the output that a process left in a pipe without a reader. */
  it('prints everything to a reader that is late', async () => {
    put({ ...CLUSTER, ...manyNetworks(1_400) });
    const child = spawn(process.execPath, [program, 'synth', '-o', 'json'], {
      cwd,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const closed = new Promise((resolve) => child.on('close', resolve));
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    let stdout = '';
    child.stdout.on('data', (data: Buffer) => (stdout += data.toString()));
    expect(await closed).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ kind: 'List' });
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('ends on %s with %i, without a lock and with one of two trees', async (signal, exit) => {
    put({ ...CLUSTER, ...manyNetworks(700) });
    const child = spawn(process.execPath, [program, 'synth'], { cwd, stdio: ['ignore', 'ignore', 'pipe'] });
    let stderr = '';
    child.stderr.on('data', (data: Buffer) => (stderr += data.toString()));
    const ended = new Promise((resolve) => child.on('exit', (code, by) => resolve(code ?? by)));
    const tree = join(cwd, 'dist/east');
    while (!existsSync(tree) && child.exitCode === null) await new Promise((resolve) => setTimeout(resolve, 1));
    child.kill(signal);
    const code = await ended;
    // The signal may arrive when only the summary is left to print.
    expect([exit, 0]).toContain(code);
    expect(stderr).not.toMatch(/^ +at |error/m);
    const found = existsSync(tree) ? readdirSync(tree) : [];
    expect(found.filter((name) => name.startsWith('.weft'))).toEqual([]);
    const networks = join(tree, 'macvlan-network');
    expect([0, 700]).toContain(existsSync(networks) ? readdirSync(networks).length : 0);
    expect(statSync(cwd).isDirectory()).toBe(true);
  });

  it('is killed while it writes, and the next run makes the tree whole', async () => {
    put(CLUSTER);
    expect(spawnWeft('synth').exit).toBe(0);
    put(manyNetworks(700));
    const child = spawn(process.execPath, [program, 'synth'], { cwd, stdio: 'ignore' });
    const ended = new Promise((resolve) => child.on('exit', resolve));
    const tree = join(cwd, 'dist/east');
    const isWriting = () => existsSync(join(tree, '.weft.tmp')) || child.exitCode !== null;
    while (!isWriting()) await new Promise((resolve) => setTimeout(resolve, 1));
    child.kill('SIGKILL');
    await ended;
    expect(spawnWeft('synth').exit).toBe(0);
    expect(readdirSync(tree).filter((name) => name.startsWith('.weft'))).toEqual([]);
    expect(readdirSync(join(tree, 'macvlan-network'))).toHaveLength(700);
    expect(spawnWeft('synth', '--check').exit).toBe(0);
  });
});

describe('a cluster.ts that leaves something behind', () => {
  const spec =
    '{ release: "v26.4", nodePools: [{ name: "w", osName: "ubuntu", osVersion: "24.04", arch: "amd64", kernel: "6.8.0-31-generic" }] }';
  const document = `export default { apiVersion: "weft.dev/v1alpha1", kind: "Cluster", metadata: { name: "east" }, spec: ${spec} };\n`;
  const cases: { name: string; code: string; says: RegExp | undefined }[] = [
    {
      name: 'a promise that is rejected',
      code: 'Promise.reject(new Error("no"));',
      says: /cannot be loaded: no\n --> clusters\/east\/cluster.ts:2:1/,
    },
    {
      name: 'an end of the process',
      code: 'process.exit(0);',
      says: /^error\[WEFT0043\]: the file ends the process\n --> clusters\/east\/cluster.ts\n/,
    },
    {
      name: 'an await of nothing',
      code: 'await new Promise(() => {});',
      says: /^error\[WEFT0041\]: the file waits for something that never comes\n --> clusters\/east\/cluster.ts\n/,
    },
    { name: 'a timer that goes on', code: 'setInterval(() => {}, 1_000);', says: undefined },
  ];
  it('prints beside the data', () => {
    const lines = Array.from({ length: 1_000 }, (_, at) => `said ${at}\n`).join('');
    put({ 'clusters/east/cluster.ts': `${document}for (let at = 0; at < 1_000; at += 1) console.log("said", at);` });
    const { exit, stdout, stderr } = spawnWeft('synth', '-o', 'json', 'clusters/east');
    expect({ exit, printed: stderr.slice(0, lines.length) }).toEqual({ exit: 0, printed: lines });
    expect(JSON.parse(stdout)).toMatchObject({ kind: 'List' });
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('ends on %s with %i while it runs', async (signal, exit) => {
    put({ 'clusters/east/cluster.ts': `${document}console.log("runs"); for (;;) await new Promise(setImmediate);` });
    const child = spawn(process.execPath, [program, 'synth'], { cwd, stdio: ['ignore', 'ignore', 'pipe'] });
    const ended = new Promise((resolve) => child.on('exit', (code, by) => resolve(code ?? by)));
    await new Promise((resolve) => child.stderr.once('data', resolve));
    child.kill(signal);
    expect(await ended).toBe(exit);
  });

  const expectSaid = ({ code, says }: (typeof cases)[number]) => {
    put({ 'clusters/east/cluster.ts': document + code });
    const result = spawnWeft('synth');
    if (says) {
      expectRefused(result);
      expect(result.stderr).toMatch(says);
      return;
    }
    expect(result.exit).toBe(0);
    expect(existsSync(join(cwd, 'dist/east/weft.index'))).toBe(true);
  };
  it.each(cases)('$name', expectSaid);
});
