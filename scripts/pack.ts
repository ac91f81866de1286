import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { buildVersion } from './build-version.js';

/**
 * Builds, and packs the package with a version of this build: `npm run pack -- <folder>`. A file of another content with the name and
 * version of an installed one is not installed: `npm install` says "up to date", and `npm ci` refuses its checksum.
 */
const target = resolve(process.argv[2] ?? '.');
const git = (...args: readonly string[]) => execFileSync('git', args, { encoding: 'utf8' }).trim();
const { version: released } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
const version = buildVersion(released, {
  commit: git('rev-parse', '--short=10', 'HEAD'),
  commitMs: Number(git('log', '-1', '--format=%ct')) * 1000,
  isChanged: git('status', '--porcelain') !== '',
  nowMs: Date.now(),
});

const folder = mkdtempSync(join(tmpdir(), 'weft-pack-'));
const run = (file: string, args: readonly string[], cwd: string) =>
  execFileSync(file, args, {
    cwd,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, WEFT_BUILD_VERSION: version },
  });
try {
  process.stderr.write(`building weft ${version}\n`);
  run('npm', ['run', '--silent', 'build'], '.');
  run('npm', ['run', '--silent', 'build:types'], '.');
  process.stderr.write('packing it\n');
  // The version is changed in a copy of the packed files, not in the working tree.
  run('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder], '.');
  const [plain = ''] = readdirSync(folder);
  run('tar', ['xzf', plain], folder);
  rmSync(join(folder, plain));
  const manifest = join(folder, 'package/package.json');
  const fields = JSON.parse(readFileSync(manifest, 'utf8')) as object;
  // Scripts are for a clone, and npm warns about a package of a file that has some.
  writeFileSync(manifest, `${JSON.stringify({ ...fields, version, scripts: {} }, null, 2)}\n`);
  run('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder], join(folder, 'package'));
  const packed = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '';
  mkdirSync(target, { recursive: true });
  for (const name of readdirSync(target).filter((one) => /^weft-gitops-.*\.tgz$/.test(one))) rmSync(join(target, name));
  writeFileSync(join(target, packed), readFileSync(join(folder, packed)));
  process.stdout.write(`${join(target, packed)}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
