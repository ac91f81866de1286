import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { filesBelow } from './kit/files.js';
import { isEveryCase } from './kit/shares.js';

/**
 * `npm run new-component` in a copy of the project: a component needs only one folder and one line: with these it
 * compiles, renders, and passes every test of all components.
 */
const COPIED = [
  'src',
  'imports',
  'scripts',
  'bench',
  'clusters',
  'test/cluster/controlplane/go.mod',
  'test/golden',
  'test/generate',
  'test/example-program',
  'test/kit',
  'test/jest/longest-first.mjs',
  'test/jest/resolver.cjs',
  'test/jest/seed.mjs',
  'test/constructs/constructs.test.ts',
  // Their imports are uses of exports.
  'test/bundle/companion-program.test.ts',
  'test/cluster/gitops/engines.test.ts',
  'test/plan',
  'test/scenario',
  'test/sim',
  'test/properties.test.ts',
  'test/tidy.test.ts',
  'package.json',
  'tsconfig.json',
  'jest.config.mjs',
];

/** Tests that import the registry or all components. They take ten seconds, most of them to compile the copy. */
const OF_ALL_COMPONENTS = [
  'src/compile/components/all',
  'src/compile/crds/crds',
  'src/compile/crds/schema',
  'src/compile/networks/all',
  'src/compile/releases',
  'test/constructs',
  'test/generate',
  'test/properties',
  'test/tidy',
];

/** Tests that compile and test the copy run only with all cases. */
const itWithAllCases = isEveryCase ? it : it.skip;

describe('npm run new-component', () => {
  let copy = '';
  const run = (command: string, ...args: string[]) =>
    execFileSync(process.execPath, [join('node_modules', command), ...args], {
      cwd: copy,
      encoding: 'utf8',
      stdio: 'pipe',
      // Few runs are enough here: the properties are tested elsewhere, and only two components are new.
      env: { ...process.env, WEFT_RUNS: '5' },
    });

  beforeAll(() => {
    copy = mkdtempSync(join(tmpdir(), 'weft-new-component-'));
    for (const path of COPIED) cpSync(path, join(copy, path), { recursive: true });
    symlinkSync(resolve('node_modules'), join(copy, 'node_modules'));
    run('tsx/dist/cli.mjs', 'scripts/new-component.ts', 'example-agent', 'exampleAgent');
    run('tsx/dist/cli.mjs', 'scripts/new-component.ts', 'example-cni', 'secondaryNetwork.exampleCni', '--gated');
  });
  afterAll(() => rmSync(copy, { recursive: true, force: true }));

  it('writes one folder and one line for each, and nothing else', () => {
    const written = ['src', 'scripts', 'test']
      .flatMap((folder) => filesBelow(join(copy, folder)))
      .map((path) => path.slice(copy.length + 1))
      .filter((path) => !/^src\/compile\/components\/example-(?:agent|cni)\//.test(path))
      .filter((path) => readFileSync(join(copy, path), 'utf8') !== readFileSync(path, 'utf8'));
    expect(written).toEqual(['src/compile/components/registry.ts']);
    const lines = (path: string) => readFileSync(path, 'utf8').split('\n');
    const before = lines('src/compile/components/registry.ts');
    expect(lines(join(copy, 'src/compile/components/registry.ts')).filter((line) => !before.includes(line))).toEqual([
      "export * from './example-agent/index.js';",
      "export * from './example-cni/index.js';",
    ]);
  });

  itWithAllCases('writes code whose types are right, and a program of a user’s own compiles with it', () => {
    const include = ['src/index.ts', 'src/compile/components', 'test/example-program'];
    writeFileSync(join(copy, 'tsconfig.copy.json'), JSON.stringify({ extends: './tsconfig.json', include }));
    run('typescript/bin/tsc', '-p', 'tsconfig.copy.json');
  });

  itWithAllCases(
    'passes its own tests, and those of all components',
    () => {
      const tests = [
        'src/compile/components/example-agent',
        'src/compile/components/example-cni',
        ...OF_ALL_COMPONENTS,
      ];
      run('jest/bin/jest.js', '--runInBand', '--cacheDirectory', join(copy, '.jest-cache'), ...tests);
    },
    240_000,
  );

  itWithAllCases('refuses what is no id, and a folder that exists', () => {
    const attempt = (...args: string[]) => {
      try {
        return run('tsx/dist/cli.mjs', 'scripts/new-component.ts', ...args);
      } catch (error) {
        return String((error as { stderr: unknown }).stderr);
      }
    };
    expect(attempt('NicFeature', 'nicFeature')).toContain('`NicFeature` is not kebab-case');
    expect(attempt('ofed-driver', 'ofedDriver')).toContain('src/compile/components/ofed-driver exists');
  });
});
