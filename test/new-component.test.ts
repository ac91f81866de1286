import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** `npm run new-component` in a copy of the project: what it writes must compile, render and pass the structure test. */
const COPIED = [
  'src',
  'imports',
  'scripts',
  'bench',
  'test/golden',
  'test/tidy.test.ts',
  'package.json',
  'tsconfig.json',
  'jest.config.mjs',
];

describe('npm run new-component', () => {
  let copy = '';
  const run = (command: string, ...args: string[]) =>
    execFileSync(process.execPath, [join('node_modules', command), ...args], {
      cwd: copy,
      encoding: 'utf8',
      stdio: 'pipe',
    });

  beforeAll(() => {
    copy = mkdtempSync(join(tmpdir(), 'weft-new-component-'));
    for (const path of COPIED)
      cpSync(path, join(copy, path), { recursive: true, filter: (from) => !/\/sim(?:\/|$)/.test(from) });
    symlinkSync(resolve('node_modules'), join(copy, 'node_modules'));
    run('tsx/dist/cli.mjs', 'scripts/new-component.ts', 'example-agent', 'exampleAgent');
    run('tsx/dist/cli.mjs', 'scripts/new-component.ts', 'example-cni', 'secondaryNetwork.exampleCni', '--gated');
  });
  afterAll(() => rmSync(copy, { recursive: true, force: true }));

  it('registers the components, each with one line', () => {
    const registry = readFileSync(join(copy, 'src/components/registry.ts'), 'utf8');
    expect(registry).toContain("import { exampleAgent } from './example-agent/index.js';\n");
    expect(registry).toMatch(/components = \[[^\]]*\n {2}exampleAgent,\n {2}exampleCni,\n\] as const/);
  });

  it('writes code whose types are right', () => {
    const config = { extends: './tsconfig.json', include: ['src/index.ts', 'src/components'] };
    writeFileSync(join(copy, 'tsconfig.copy.json'), JSON.stringify(config));
    run('typescript/bin/tsc', '-p', 'tsconfig.copy.json');
  }, 60_000);

  it('writes tests that pass, and keeps the house tidy', () => {
    run('jest/bin/jest.js', 'src/components/example-agent', 'src/components/example-cni', 'test/tidy');
  }, 60_000);

  it('refuses what is no id, and a folder that exists', () => {
    const attempt = (...args: string[]) => {
      try {
        return run('tsx/dist/cli.mjs', 'scripts/new-component.ts', ...args);
      } catch (error) {
        return String((error as { stderr: unknown }).stderr);
      }
    };
    expect(attempt('NicFeature', 'nicFeature')).toContain('`NicFeature` is not kebab-case');
    expect(attempt('ofed-driver', 'ofedDriver')).toContain('src/components/ofed-driver exists');
  });
});
