import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { runWeft, withCluster } from '../kit/run-weft.js';
import { CLUSTER, cwd, policy, put, setUpFolder, weft, type Files } from './kit.js';

setUpFolder();

/** Links and special files, as a pull request or an archive may bring them. */

const INPUT = { ...CLUSTER, 'clusters/east/policy.yaml': policy('  nicFeatureDiscovery: {}\n') };
const SECRET = {
  'secret/east/a.yaml': 'token: [s3cret\n',
  'secret/nodes.json': 's3cret',
};

interface Attack {
  readonly name: string;
  /** Paths of links, with their targets; the first is refused. What is there is moved away. */
  readonly links: Readonly<Record<string, string>>;
  readonly commands: readonly (readonly string[])[];
}

const READING = [['synth'], ['synth', '--check'], ['diff'], ['synth', 'clusters/east'], ['status'], ['plan', 'east']];

const attacks: readonly Attack[] = [
  { name: 'a document out of the project', links: { 'clusters/east/a.yaml': '/proc/self/environ' }, commands: READING },
  { name: 'a document in .git', links: { 'clusters/east/a.yaml': '../../.git/config' }, commands: READING },
  { name: 'a program', links: { 'clusters/east/cluster.ts': '../../secret/east/a.yaml' }, commands: READING },
  { name: 'the folder of a cluster', links: { 'clusters/east': '../secret/east' }, commands: READING },
  { name: 'the folder of all clusters', links: { clusters: 'secret' }, commands: READING.slice(0, 4) },
  { name: 'dist/', links: { dist: 'secret' }, commands: [['synth'], ['synth', '--check'], ['diff'], ['diff', 'dist']] },
  { name: 'a folder in dist/', links: { 'dist/east': '../secret' }, commands: [['synth'], ['synth', '--check']] },
  {
    name: 'a folder on the way to the output',
    links: { 'out/put': '../secret' },
    commands: [
      ['synth', '--output-dir', 'out/put/dist'],
      ['diff', '--output-dir', 'out/put/dist'],
      ['diff', 'out/put/dist'],
    ],
  },
  {
    name: 'the folder that import writes',
    links: { 'clusters/new': '/nowhere' },
    commands: [['import', 'clusters/new']],
  },
  {
    name: 'the folder of the backup',
    links: { takeover: 'secret' },
    commands: [['takeover', 'clusters/east', '--dry-run']],
  },
];

const filesNow = () => readdirSync(cwd, { recursive: true }).sort();

describe('a symbolic link is refused', () => {
  it.each(attacks)('$name', async ({ links, commands }) => {
    put({ ...INPUT, ...SECRET, 'secret/dist/x': '' });
    execFileSync('git', ['init', '-q'], { cwd });
    for (const [path, target] of Object.entries(links)) {
      mkdirSync(join(cwd, path, '..'), { recursive: true });
      if (existsSync(join(cwd, path))) renameSync(join(cwd, path), join(cwd, 'away'));
      symlinkSync(target, join(cwd, path));
    }
    const before = filesNow();
    for (const command of commands) {
      const { exit, stdout, stderr } = await runWeft(command, { cwd, env: withCluster() });
      expect([command, exit, stdout]).toEqual([command, 2, '']);
      expect(stderr).toMatch(
        new RegExp(`^(?:note: .*\\n)?error\\[WEFT0044\\].*\\n --> ${Object.keys(links)[0] ?? ''}\\n`),
      );
      expect(stderr).not.toContain('s3cret');
    }
    expect(filesNow()).toEqual(before);
  });
});

/** The options that name a file to read, and a command with each. */
const FILES: readonly (readonly string[])[] = [
  ['plan', 'east', '--snapshot'],
  ['diff', '--folder', 'clusters/east', '--nodes'],
  ['import', 'clusters/new', '--from'],
];
const DRIVER = policy('  ofedDriver: {upgradePolicy: {autoUpgrade: true}}\n');
const LOG = '{"time": "2026-12-04T22:00:00Z", "level": "info", "message": "the Lease is held"}\n';

describe('a file that an argument names', () => {
  it.each(FILES.map((command) => ({ command, name: command.join(' ') })))('$name', async ({ command }) => {
    const files: Files = { ...CLUSTER, 'clusters/east/policy.yaml': DRIVER, ...SECRET, log: LOG };
    put(files);
    execFileSync('mkfifo', [join(cwd, 'fifo')]);
    symlinkSync('secret', join(cwd, 'link'));
    const refused = async (path: string, says: string) => {
      const { exit, stdout, stderr } = await weft(...command, path);
      expect([path, exit, stdout]).toEqual([path, 2, '']);
      expect(stderr).toContain(says);
    };
    await refused('fifo', 'it is not a regular file; `-` is standard input');
    await refused('/dev/zero', 'it is not a regular file; `-` is standard input');
    await refused('link/nodes.json', '`link` is a symbolic link');
    await refused('none', 'it does not exist');
  });

  it('may be a folder for weft import, in which no link is followed and nothing hangs', async () => {
    put({ ...SECRET, '.git/config': '' });
    mkdirSync(join(cwd, 'dump'));
    execFileSync('mkfifo', [join(cwd, 'dump/fifo.yaml')]);
    symlinkSync('../.git/config', join(cwd, 'dump/link.yaml'));
    const { exit, stderr } = await weft('import', 'clusters/new', '--from', 'dump');
    expect(exit).toBe(2);
    expect(stderr.match(/^error\[WEFT0563\].*$/gm)).toEqual([
      'error[WEFT0563]: the file cannot be imported: it is not a regular file; `-` is standard input',
      'error[WEFT0563]: the file cannot be imported: `dump/link.yaml` is a symbolic link, and Weft follows none in the working directory',
    ]);
  });
});
