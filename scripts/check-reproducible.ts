import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/**
 * Builds and packs the package, again, and with another version of Node: the bytes are the same, so that anybody can compare a published
 * package with its sources. Needs the npm registry for the other Node.
 */
const folder = mkdtempSync(join(tmpdir(), 'weft-reproducible-'));
const [current = ''] = process.versions.node.split('.');
const other = current === '24' ? '22' : '24';
const npm = join(dirname(process.execPath), 'npm');

interface Node {
  readonly name: string;
  /** What starts a program with it. */
  readonly start: readonly [file: string, ...args: readonly string[]];
}

function packWith({ name, start: [file, ...args] }: Node): string {
  const run = (...command: readonly string[]) =>
    execFileSync(file, [...args, ...command], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  const tsx = 'node_modules/tsx/dist/cli.mjs';
  const target = join(folder, name);
  mkdirSync(target);
  for (const script of ['build', 'build-types']) run(tsx, `scripts/${script}.ts`);
  run(npm, 'pack', '--ignore-scripts', '--silent', '--pack-destination', target);
  const [packed = ''] = readdirSync(target);
  return createHash('sha256')
    .update(readFileSync(join(target, packed)))
    .digest('hex');
}

try {
  const nodes: readonly Node[] = [
    { name: 'first', start: [process.execPath] },
    { name: 'again', start: [process.execPath] },
    { name: `node-${other}`, start: ['npx', '--yes', '--package', `node@${other}`, '--', 'node'] },
  ];
  const digests = nodes.map((node) => [node.name, packWith(node)] as const);
  const lines = digests.map(([name, digest]) => `${name}: ${digest}`).join('\n');
  if (new Set(digests.map(([, digest]) => digest)).size !== 1)
    throw new Error(`the package has other bytes:\n${lines}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
