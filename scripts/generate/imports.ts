import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Generates `imports/`: typed bindings of the custom resources that we emit, by `cdk8s import` from `src/compile/crds/`. With
 * `--check` it writes nothing and exits 1 if `imports/` is stale.
 */
const isCheck = process.argv.includes('--check');

/** All at once: `cdk8s import` writes one file for each API group, and a second import of a group would overwrite it. */
function generate(into: string): void {
  const crds = readdirSync('src/compile/crds')
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map((name) => (JSON.parse(readFileSync(join('src/compile/crds', name), 'utf8')) as { crd: unknown }).crd);
  const file = join(into, 'crds.yaml');
  writeFileSync(file, crds.map((crd) => JSON.stringify(crd)).join('\n---\n'));
  execFileSync(
    'node_modules/.bin/cdk8s',
    ['import', file, '--language', 'typescript', '--output', into, '--no-save', '--no-check-upgrade'],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  rmSync(file);
}

const fresh = mkdtempSync(join(tmpdir(), 'weft-imports-'));
try {
  generate(fresh);
  const stale = readdirSync(fresh).filter((name) => textOf(join(fresh, name)) !== textOf(join('imports', name)));
  const extra = readdirSync('imports').filter((name) => textOf(join(fresh, name)) === undefined);
  if (isCheck && stale.length + extra.length > 0) {
    process.stderr.write(`stale: ${[...stale, ...extra].map((name) => `imports/${name}`).join(', ')}\n`);
    process.stderr.write('help: run `npm run imports` and commit the result\n');
    process.exitCode = 1;
  } else if (!isCheck) {
    for (const name of extra) rmSync(join('imports', name));
    for (const name of stale) writeFileSync(join('imports', name), textOf(join(fresh, name)) ?? '');
  }
} finally {
  rmSync(fresh, { recursive: true });
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
