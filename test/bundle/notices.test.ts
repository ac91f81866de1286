import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bundledPackages, noticesText } from '../../scripts/notices.js';
import { putCommand } from './built-command.js';

const ROOT = resolve(__dirname, '../..');
const NOTICES = 'lib/THIRD-PARTY-NOTICES.txt';
const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  readonly dependencies: object;
  readonly peerDependencies: object;
};

/** The text of each package in notices, by its name. */
function entriesOf(text: string): ReadonlyMap<string, string> {
  const parts = text.split(/^-{80}\n(\S+) \S+ \(.+\)\n-{80}\n/m).slice(1);
  return new Map(parts.flatMap((name, index) => (index % 2 === 0 ? [[name, parts[index + 1] ?? ''] as const] : [])));
}

describe('the notices of the built command', () => {
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'weft-notices-'));
    await putCommand(folder);
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  const read = (path: string) => readFileSync(join(folder, path), 'utf8');

  it('have the licence of each package that is in it, those of other packages too', () => {
    const entries = entriesOf(read(NOTICES));
    const direct = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });
    // Packages of packages. jiti is no part of the bundle: it is a package beside it.
    const expected = [...direct.filter((name) => name !== 'jiti'), 'fast-json-patch', 'minimatch', 'retry'];
    expect(expected.filter((name) => !entries.has(name))).toEqual([]);
    expect([...entries].filter(([, text]) => !/copyright/i.test(text) || text.length < 500)).toEqual([]);
    // The Apache licence asks for the NOTICE file, too.
    expect(entries.get('cdk8s')).toContain('Amazon.com, Inc. or its affiliates');
  });

  it('are the last lines of the program that a ConfigMap holds', () => {
    const program = read('lib/companion.cjs');
    const comment = program.slice(program.lastIndexOf('\n// This program contains') + 1);
    expect(comment.split('\n').filter((line) => !/^(?:\/\/.*)?$/.test(line))).toEqual([]);
    const entries = entriesOf(comment.replace(/^\/\/ ?/gm, ''));
    expect([...entries.keys()].sort()).toEqual(['croner', 'zod']);
    for (const text of entries.values()) expect(text).toContain('Permission is hereby granted, free of charge');
  });

  it('are in the package', () => {
    for (const name of ['package.json', 'LICENSE']) writeFileSync(join(folder, name), readFileSync(join(ROOT, name)));
    const args = ['pack', '--dry-run', '--json', '--ignore-scripts', '--offline'];
    const [packed] = JSON.parse(execFileSync('npm', args, { cwd: folder, encoding: 'utf8', stdio: 'pipe' })) as [
      { readonly files: readonly { readonly path: string }[] },
    ];
    expect(packed.files.map(({ path }) => path)).toEqual(expect.arrayContaining(['LICENSE', NOTICES]));
  });
});

describe('the notices of packages', () => {
  let folder: string;
  beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'weft-packages-'))));
  afterAll(() => rmSync(folder, { recursive: true }));

  /** A file that a bundle has of a package with these files. */
  function put(path: string, files: Readonly<Record<string, string>>): string {
    const place = join(folder, 'node_modules', path);
    mkdirSync(place, { recursive: true });
    const name = path.replace(/^.*node_modules\//, '');
    writeFileSync(join(place, 'package.json'), JSON.stringify({ name, version: '1.0.0', license: 'MIT' }));
    for (const [file, text] of Object.entries(files)) writeFileSync(join(place, file), text);
    return join(place, 'index.js');
  }
  const packagesOf = (...paths: readonly string[]) =>
    bundledPackages({
      inputs: Object.fromEntries(paths.map((path) => [path, { bytes: 1, imports: [] }])),
      outputs: {},
    });

  it('are of the innermost package of a file, and have each package once', () => {
    const outer = put('@scope/outer', { 'LICENSE.md': 'outer', NOTICE: 'notice' });
    const inner = put('@scope/outer/node_modules/inner', { Copying: 'inner\r\n' });
    const found = packagesOf(outer, inner, inner.replace('index', 'other'), 'src/main.ts');
    expect(found.map(({ name, text }) => [name, text])).toEqual([
      ['@scope/outer', 'outer\n\nnotice'],
      ['inner', 'inner'],
    ]);
    expect(noticesText('x', [...found, ...found])).toBe(noticesText('x', found));
  });

  it.each([{ files: {} }, { files: { LICENSE: ' \n' } }])('fail the build without a licence: $files', ({ files }) => {
    expect(() => packagesOf(put('bare', files))).toThrow('bare 1.0.0 has no licence file');
  });
});
