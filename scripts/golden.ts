import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Rewrites the golden files, and lists those that changed. Read their diff before you commit. */
const FOLDERS = ['src', 'test'];
const GOLDEN_TESTS = '(manifests|cli|companion|golden|delivery|ci-examples)\\.test\\.ts$';

/** Every golden file, with its text. */
function goldens(): ReadonlyMap<string, string> {
  const paths = FOLDERS.flatMap((folder) =>
    readdirSync(folder, { recursive: true }).map((path) => join(folder, String(path))),
  )
    .filter((path) => /[\\/]golden[\\/]|^test[\\/]cli[\\/]/.test(path) && !path.endsWith('.ts'))
    .filter((path) => statSync(path).isFile());
  return new Map(paths.sort().map((path) => [path, readFileSync(path, 'utf8')]));
}

const before = goldens();
const { status } = spawnSync(process.execPath, ['node_modules/jest/bin/jest.js', '--silent', GOLDEN_TESTS], {
  env: { ...process.env, WEFT_UPDATE: '1' },
  stdio: ['ignore', 'ignore', 'inherit'],
});
const after = goldens();

const changes = [
  ...[...after].filter(([path]) => !before.has(path)).map(([path]) => `  + ${path}`),
  ...[...after].filter(([path, text]) => before.has(path) && before.get(path) !== text).map(([path]) => `  ~ ${path}`),
  ...[...before].filter(([path]) => !after.has(path)).map(([path]) => `  - ${path}`),
];
process.stdout.write(
  `${after.size} golden files, ${changes.length} changed\n${changes.map((line) => `${line}\n`).join('')}`,
);
process.exitCode = status ?? 1;
