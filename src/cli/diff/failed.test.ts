import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { DiffDocument } from '../../review/diff/json.js';
import { runWeft } from '../../../test/kit/run-weft.js';

const cluster = (name: string, lines = ''): string => `apiVersion: weft.dev/v1alpha1
kind: Cluster
metadata: {name: ${name}}
spec:
  nodePools: [{name: main, osName: ubuntu, osVersion: "24.04", arch: amd64, kernel: 6.8.0-31-generic}]
${lines}---
apiVersion: mellanox.com/v1alpha1
kind: NicNodePolicy
metadata: {name: none}
`;
const settings = (mtu: number): string => `apiVersion: v1
kind: ConfigMap
metadata: {name: rail, namespace: default}
data: {config: '{"mtu": ${mtu}}'}
`;

let root = '';
beforeEach(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'weft-failed-')));
  for (const name of ['east', 'west']) {
    write(`clusters/${name}/cluster.yaml`, cluster(name));
    write(`clusters/${name}/settings.yaml`, settings(1500));
  }
  write('clusters/gone/cluster.yaml', cluster('gone'));
  write('clusters/gone/settings.yaml', settings(1500));
  expect(await weft('synth')).toMatchObject({ exit: 0 });
  git('init', '-q');
  git('add', '-A');
  git('commit', '-qm', 'first');
});
afterEach(() => rmSync(root, { recursive: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}
const git = (...args: readonly string[]) =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], { cwd: root, stdio: 'pipe' });
const weft = (args: string, version = '0.3.0') =>
  runWeft(args.split(' '), { cwd: root, env: { PATH: process.env['PATH'] }, isStdinTerminal: true, version });

describe('weft diff where one of several clusters has errors', () => {
  beforeEach(() => {
    write('clusters/east/settings.yaml', settings(9000));
    write('clusters/new/cluster.yaml', cluster('new', '  release: v0.1\n'));
  });
  const LINE = '1 cluster with errors, not compared: WEFT0240: new\n';

  it('compares the others, and ends as with an error', async () => {
    const { exit, stdout, stderr } = await weft('diff');
    expect(exit).toBe(2);
    expect(stdout.slice(0, LINE.length + 6)).toBe(`${LINE}\neast:`);
    expect(stderr).toMatch(
      /^error\[WEFT0240\][^]*clusters\/new\/cluster\.yaml:6[^]*1 error; 1 of 4 clusters not compared\n$/,
    );
    expect(stdout).not.toContain('gone');
    expect(await weft('diff --fail-on driver-loss')).toMatchObject({ exit: 2, stdout });
  });

  it('says it where the others do not differ', async () => {
    write('clusters/east/settings.yaml', settings(1500));
    const { exit, stdout, stderr } = await weft('diff');
    expect([exit, stdout]).toEqual([2, LINE]);
    expect(stderr).toMatch(/\nno differences from HEAD:dist\/, in the clusters that are compared\n$/);
    expect((await weft('diff --format markdown')).stdout).toBe(
      '### Weft: no differences; 1 cluster not compared\n\n- 1 cluster with errors, not compared: WEFT0240: `new`\n',
    );
  });

  it('names it in each format', async () => {
    const json = await weft('diff --format json');
    const document = JSON.parse(json.stdout) as DiffDocument;
    expect(document.failed).toEqual([{ name: 'new', codes: ['WEFT0240'] }]);
    expect([json.exit, document.clusters.map(({ name }) => name)]).toEqual([2, ['east']]);
    expect((await weft('diff --format markdown')).stdout).toMatch(
      /^### Weft: .*; 1 cluster not compared\n\n- 1 cluster with errors, not compared: WEFT0240: `new`\n\n- No node/,
    );
    const github = await weft('diff --format github');
    expect([github.exit, ...github.stdout.trimEnd().split('\n')]).toEqual([
      2,
      '::error file=clusters/new/cluster.yaml,line=6,col=12,title=not-compared::new has errors, and is not compared: WEFT0240',
      expect.stringMatching(
        /^::warning file=dist\/east\/config-maps\/configmap.rail.yaml,line=1,col=1,title=rights::east: /,
      ),
    ]);
    const sarif = JSON.parse((await weft('diff --format sarif')).stdout) as object;
    expect(sarif).toMatchObject({
      runs: [
        {
          results: [
            { ruleId: 'not-compared', level: 'error', message: { text: expect.stringMatching(/WEFT0240$/) } },
            { ruleId: 'rights' },
          ],
        },
      ],
    });
  });

  it('takes no cluster with errors for one that is gone', async () => {
    for (const text of [cluster('east', '  release: v0.1\n'), 'a: [']) {
      write('clusters/east/cluster.yaml', text);
      rmSync(join(root, 'clusters/gone'), { recursive: true, force: true });
      const { failed, clusters } = JSON.parse((await weft('diff --format json')).stdout) as DiffDocument;
      expect(failed.map(({ name }) => name)).toEqual(['east', 'new']);
      expect(clusters.map(({ name, change }) => [name, change])).toEqual([['gone', 'removed']]);
    }
  });
});

describe('weft diff of clusters that are left behind', () => {
  it('names them in JSON and in Markdown', async () => {
    write('clusters/east/cluster.yaml', cluster('east', '  weft: "0.3"\n'));
    write('clusters/west/settings.yaml', settings(9000));
    const { stdout } = await weft('diff --format json', '0.4.0');
    expect(JSON.parse(stdout)).toMatchObject({ failed: [], leftBehind: [{ name: 'east', weft: '0.3' }] });
    expect((await weft('diff --format markdown', '0.4.0')).stdout).toMatch(
      /^### Weft: .*\n\n- Left behind on purpose at Weft `0\.3`: `east`\n\n/,
    );
  });
});
