import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/**
 * Installs the current commit as `npm install git+…` does: npm clones it, installs what building needs, and runs `prepare`. Then the
 * command renders a cluster, and a program imports the library. It takes a minute, and needs the npm registry.
 */
const root = resolve('.');
const folder = mkdtempSync(join(tmpdir(), 'weft-git-install-'));
const inFolder = (file: string, ...args: readonly string[]) =>
  execFileSync(file, args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });

try {
  const commit = execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).trim();
  writeFileSync(join(folder, 'package.json'), '{ "name": "user", "private": true, "type": "module" }\n');
  inFolder('npm', 'install', '--no-audit', '--no-fund', '--ignore-scripts=false', `git+file://${root}#${commit}`);
  cpSync(join(root, 'clusters/quickstart'), join(folder, 'clusters/quickstart'), { recursive: true });
  inFolder('npx', '--no-install', 'weft', 'synth');
  const differences = differencesOf(join(folder, 'dist/quickstart'), join(root, 'dist/quickstart'));
  if (differences !== '') throw new Error(`the installed command renders something else:\n${differences}`);
  writeFileSync(join(folder, 'program.mjs'), "import { Cluster } from 'weft-gitops';\nconsole.log(typeof Cluster);\n");
  const printed = inFolder(process.execPath, 'program.mjs').trim();
  if (printed !== 'function') throw new Error(`the installed library has no Cluster: ${printed}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** The differences of two folders, one line for each file. */
function differencesOf(found: string, expected: string): string {
  try {
    return execFileSync('diff', ['-rq', found, expected], { encoding: 'utf8' });
  } catch (error) {
    return String((error as { readonly stdout?: string }).stdout);
  }
}
