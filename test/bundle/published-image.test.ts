import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { COMPANION_NODE_IMAGE } from '../../src/shared/contract/companion-env.js';
import { clusterText, policyText, UBUNTU_POOL } from '../golden/compile.js';
import { putCommand } from './built-command.js';

/**
 * A release is prepared and built as `release.yml` does, from a copy of the sources. A repository whose companion has its program in a ConfigMap then
 * moves to the image.
 */
const ROOT = resolve(__dirname, '../..');
const IMAGE = `ghcr.io/platform/weft-companion:0.1.0@sha256:${'0f'.repeat(32)}`;

const folder = mkdtempSync(join(tmpdir(), 'weft-published-'));
const [sources, old, repository] = ['sources', 'old', 'repository'].map((name) => join(folder, name)) as [
  string,
  string,
  string,
];
afterAll(() => rmSync(folder, { recursive: true }));

const run = (cwd: string, file: string, ...args: readonly string[]) =>
  execFileSync(file, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
const weft = (place: string, ...args: readonly string[]) =>
  run(repository, process.execPath, join(place, 'bin/weft.cjs'), ...args);
const programs = () => readdirSync(inRepository('dist/.companion'));
const commit = () => {
  run(repository, 'git', 'add', '.');
  run(repository, 'git', '-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '--quiet', '-m', 'output');
};
const inRepository = (path: string) => join(repository, path);

beforeAll(async () => {
  await putCommand(old);
  for (const path of ['bin', 'scripts', 'src', 'examples/ci', 'package.json', 'tsconfig.json', 'LICENSE'])
    cpSync(join(ROOT, path), join(sources, path), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(sources, 'node_modules'));
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { readonly version: string };
  writeFileSync(join(sources, 'CHANGELOG.md'), `# Changelog\n\n## ${version}\n\n- The change.\n`);
  const tsx = join(ROOT, 'node_modules/tsx/dist/cli.mjs');
  const what = { tag: `v${version}`, repository: 'platform/weft', commit: 'ab'.repeat(20), 'companion-image': IMAGE };
  const options = Object.entries(what).flatMap(([name, value]) => [`--${name}`, value]);
  run(sources, process.execPath, tsx, 'scripts/publish/prepare.ts', ...options);
  run(sources, process.execPath, tsx, 'scripts/build.ts');
  writeDocuments('');
  run(repository, 'git', 'init', '--quiet');
}, 120_000);

function writeDocuments(companion: string): void {
  const documents = {
    'clusters/east/cluster.yaml': clusterText(`  release: v26.7\n${companion}  nodePools:\n${UBUNTU_POOL}`),
    'clusters/east/policy.yaml': policyText(
      'NicClusterPolicy',
      'nic-cluster-policy',
      '  ofedDriver: {upgradePolicy: {autoUpgrade: true}}\n',
    ),
  };
  mkdirSync(inRepository('clusters/east'), { recursive: true });
  for (const [path, text] of Object.entries(documents)) writeFileSync(inRepository(path), text);
}

it('holds the program that the image of the companion holds, which is built before', () => {
  const program = (place: string) => readFileSync(join(place, 'lib/companion.cjs'), 'utf8');
  expect(program(sources)).toBe(program(old));
});

it('names the image in the Job, in the list of images and to `weft lock`', () => {
  weft(old, 'synth');
  expect(programs()).toHaveLength(1);
  expect(weft(old, 'images')).toContain(COMPANION_NODE_IMAGE);
  commit();
  weft(sources, 'synth');
  expect(programs()).toEqual([]);
  expect(weft(sources, 'images').split('\n')).toContain(IMAGE);
  expect(weft(sources, 'images')).not.toContain(COMPANION_NODE_IMAGE);
  weft(sources, 'lock');
  expect(readFileSync(inRepository('clusters/east/weft.lock'), 'utf8')).not.toContain('weft-companion');
  rmSync(inRepository('clusters/east/weft.lock'));
});

it('says in the diff that another program upgrades nodes from now on', () => {
  // It ends with 1, because there is a difference.
  const { stdout: shown } = spawnSync(process.execPath, [join(sources, 'bin/weft.cjs'), 'diff'], {
    cwd: repository,
    encoding: 'utf8',
  });
  expect(shown).toContain('another program: the image of the companion is `weft-companion:0.1.0@sha256:0f0f');
  expect(shown).not.toContain('drain');
});

it('keeps the ConfigMap, byte by byte, where the cluster asks for it', () => {
  writeDocuments('  companion: {program: configMap}\n');
  weft(sources, 'synth');
  expect(run(repository, 'git', 'status', '--porcelain', 'dist')).toBe('');
  expect(() => weft(old, 'synth', '--check')).not.toThrow();
});
