import { spawn } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { cwd, program, put, expectRefused, CLUSTER, network, spawnWeft, setUpFolder, setUpCommand } from './kit.js';

setUpFolder();
setUpCommand();

describe('the process', () => {
  it.each([
    ['synth', ['-o', 'json'], 0],
    ['diff', ['dist', '--format', 'json'], 1],
  ] as const)(
    'is quiet when nobody reads on, and %s answers all the same',
    async (command, args, exit) => {
      put(CLUSTER);
      expect(spawnWeft('synth').exit).toBe(0);
      put({ 'clusters/east/n.yaml': Array.from({ length: 1_400 }, (_, at) => `---\n${network(`n${at}`)}`).join('') });
      const child = spawn(process.execPath, [program, command, ...args], { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
      let stderr = '';
      child.stderr.on('data', (data: Buffer) => (stderr += data.toString()));
      child.stdout.once('data', () => child.stdout.destroy());
      const code = await new Promise((resolve) => child.on('exit', resolve));
      expect({ code, stderr: stderr.replace(/^\[?\s*\{[^]*|^warning[^]*/, '') }).toEqual({ code: exit, stderr: '' });
    },
    20_000,
  );

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)(
    'ends on %s with %i, without a lock and with one of two trees',
    async (signal, exit) => {
      put({
        ...CLUSTER,
        'clusters/east/n.yaml': Array.from({ length: 1_400 }, (_, at) => `---\n${network(`n${at}`)}`).join(''),
      });
      const child = spawn(process.execPath, [program, 'synth'], { cwd, stdio: ['ignore', 'ignore', 'pipe'] });
      let stderr = '';
      child.stderr.on('data', (data: Buffer) => (stderr += data.toString()));
      const ended = new Promise((resolve) => child.on('exit', (code, by) => resolve(code ?? by)));
      const tree = join(cwd, 'dist/east');
      while (!existsSync(tree) && child.exitCode === null) await new Promise((resolve) => setTimeout(resolve, 1));
      child.kill(signal);
      const code = await ended;
      // The signal may come when the run is over but for the summary.
      expect([exit, 0]).toContain(code);
      expect(stderr).not.toMatch(/^ +at |error/m);
      const found = existsSync(tree) ? readdirSync(tree) : [];
      expect(found.filter((name) => name.startsWith('.weft'))).toEqual([]);
      const networks = join(tree, 'macvlan-network');
      expect([0, 1_400]).toContain(existsSync(networks) ? readdirSync(networks).length : 0);
      expect(statSync(cwd).isDirectory()).toBe(true);
    },
    30_000,
  );
});

describe('a cluster.ts that leaves something behind', () => {
  const spec =
    '{ release: "v26.7", nodePools: [{ name: "w", osName: "ubuntu", osVersion: "24.04", arch: "amd64", kernel: "6.8.0-31-generic" }] }';
  const document = `export default { apiVersion: "weft.dev/v1alpha1", kind: "Cluster", metadata: { name: "east" }, spec: ${spec} };\n`;
  const cases: { name: string; code: string; says: RegExp | undefined }[] = [
    {
      name: 'a promise that is rejected',
      code: 'Promise.reject(new Error("no"));',
      says: /cannot be loaded: no\n --> clusters\/east\/cluster.ts:2:1/,
    },
    {
      // While the program is still loaded, or afterwards.
      name: 'a timer that throws',
      code: 'setTimeout(() => { throw new Error("late"); }, 0);',
      says: /cannot be loaded: late\n --> clusters\/east\/cluster.ts:2:1|clusters\/east\/cluster.ts failed after it was loaded: late/,
    },
    {
      name: 'a timer that throws what has no text',
      code: 'setTimeout(() => { throw Object.create(null); }, 0);',
      says: /clusters\/east\/cluster.ts.*a value without text was thrown|cannot be loaded: a value without text was thrown/,
    },
    {
      name: 'an end of the process',
      code: 'process.exit(0);',
      says: /clusters\/east\/cluster.ts ended the process; nothing written/,
    },
    {
      name: 'an await of nothing',
      code: 'await new Promise(() => {});',
      says: /clusters\/east\/cluster.ts waits for something/,
    },
    {
      name: 'a key that every object has from then on',
      code: 'Object.defineProperty(Object.prototype, "added", { value: 1, enumerable: true });',
      says: /cannot be loaded: it adds `added` to every object/,
    },
    { name: 'a timer that goes on', code: 'setInterval(() => {}, 1_000);', says: undefined },
  ];

  it('prints beside the data', () => {
    put({ 'clusters/east/cluster.ts': `${document}console.log("said");` });
    const { exit, stdout, stderr } = spawnWeft('synth', '-o', 'json', 'clusters/east');
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: 'said\n' });
    expect(JSON.parse(stdout)).toMatchObject({ kind: 'List' });
  });

  it.each(cases)('$name', ({ code, says }) => {
    put({ 'clusters/east/cluster.ts': document + code });
    const result = spawnWeft('synth');
    if (says) {
      expectRefused(result);
      expect(result.stderr).toMatch(says);
      return;
    }
    expect(result.exit).toBe(0);
    expect(existsSync(join(cwd, 'dist/east/weft.index'))).toBe(true);
  });
});
