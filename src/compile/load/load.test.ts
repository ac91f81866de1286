import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { applyIgnores } from './ignore-comments.js';
import { decodeUtf8, fileBytesMax, loadFolder } from './load.js';

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'weft-load-'));
});
afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

function put(files: Readonly<Record<string, string | Buffer>>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), content);
  }
}

async function load(folder = 'c') {
  const { documents, diagnostics } = await loadFolder(folder, { workingDirectory: root, programs: 'run' });
  return {
    documents,
    values: documents.map(({ file, value }) => [file, value]),
    errors: diagnostics.map(({ code, location, message }) => [
      code,
      [location?.file, location?.line, location?.column].filter((part) => part !== undefined).join(':'),
      message,
    ]),
  };
}

describe('files of a folder', () => {
  it('says that a file has no documents, empty or only with comments', async () => {
    put({ 'c/a.yaml': 'kind: A\n', 'c/b.yaml': '', 'c/d.yaml': '# kind: B\n---\n' });
    expect((await load()).errors).toEqual([
      ['WEFT0316', 'c/b.yaml:1:1', 'the file has no documents'],
      ['WEFT0316', 'c/d.yaml:1:1', 'the file has no documents'],
    ]);
  });

  it('says of a template that it is one, and not what is no YAML in it', async () => {
    put({
      'c/a.yaml': 'kind: A\n{{- if .Values.b }}\nb: {{ .Values.b }}\n{{- end }}\n',
      'c/b.yaml': 'kind: B\nb: "{{ c }}"\n',
    });
    expect((await load()).errors).toEqual([
      ['WEFT0329', 'c/a.yaml:2:1', 'the file is a template, and Weft renders none'],
    ]);
  });

  it('reads YAML, JSON and TypeScript files by name, and leaves the rest alone', async () => {
    put({
      'c/b.yaml': 'kind: B\n---\nkind: B2\n',
      'c/a.yml': 'kind: A\n',
      'c/Z.json': '{\n\t"kind": "Z"\n}\n',
      'c/cluster.ts': 'export const cluster: object = { kind: "T" };\n',
      'c/.hidden.yaml': ': [',
      'c/cluster.test.ts': 'throw 1',
      'c/types.d.ts': 'throw 1',
      'c/README.md': 'x',
      'c/.gitkeep': '',
      // What a compiler wrote, and what the program may import.
      'c/cluster.js': 'x',
      'c/lib/pools.ts': 'throw 1',
      'c/lib/pools.json': '[]',
      'c/.old/d.yaml': 'kind: D\n',
      'c/docs/d.md': 'x',
    });
    const { values, errors } = await load();
    expect(errors).toEqual([]);
    expect(values).toEqual([
      ['c/Z.json', { kind: 'Z' }],
      ['c/a.yml', { kind: 'A' }],
      ['c/b.yaml', { kind: 'B' }],
      ['c/b.yaml', { kind: 'B2' }],
      ['c/cluster.ts', { kind: 'T' }],
    ]);
  });

  it('returns the errors of all files', async () => {
    put({ 'c/a.yaml': 'kind: A\nkind: A\n', 'c/b.yaml': 'a: [\n', 'c/c.yaml': 'kind: C\n' });
    const { values, errors } = await load();
    expect(values.map(([file]) => file)).toEqual(['c/a.yaml', 'c/c.yaml']);
    expect(errors.map(([code, place]) => [code, place])).toEqual([
      ['WEFT0002', 'c/a.yaml:2:1'],
      ['WEFT0001', 'c/b.yaml:1:5'],
    ]);
  });

  it('says that a folder does not exist, is a file, or is empty', async () => {
    put({ 'c/x.txt': '', file: '' });
    expect((await load('nope')).errors).toEqual([['WEFT0020', 'nope', 'the folder cannot be read: it does not exist']]);
    expect((await load('file')).errors).toEqual([
      ['WEFT0020', 'file', 'the folder cannot be read: it is not a folder'],
    ]);
    expect((await load()).errors).toEqual([['WEFT0021', 'c', 'the folder holds no documents']]);
    expect((await load(join(root, 'c'))).errors[0]?.[1]).toBe('c');
  });

  it.each(['kustomization.yaml', 'kustomization.yml', 'Kustomization'])(
    'says that a folder with %s alone is built by kubectl first',
    async (name) => {
      put({ [`c/${name}`]: 'resources: [base]\n', 'c/base/a.yaml': 'kind: A\n' });
      const { diagnostics } = await loadFolder('c', { workingDirectory: root });
      expect(diagnostics).toMatchObject([
        {
          code: 'WEFT0021',
          message: `the folder holds \`${name}\` and no documents: Weft builds no kustomization`,
          help: 'put the output of `kubectl kustomize c` there, in place of the kustomization',
        },
      ]);
    },
  );

  it('names a folder outside the working directory by a relative path', async () => {
    put({ 'c/a.yaml': '- 1\n', 'w/x': '' });
    const { diagnostics } = await loadFolder('../c', { workingDirectory: join(root, 'w') });
    expect(diagnostics.map(({ location }) => location?.file)).toEqual(['../c/a.yaml']);
  });
});

describe('what looks like input and is not read', () => {
  const kind = 'kind: K\n';
  const cases: { name: string; files: Record<string, string>; expected: string[] }[] = [
    {
      name: 'a folder inside with YAML, however deep',
      files: { 'c/a.yaml': kind, 'c/networks/b.yaml': kind, 'c/x/y/z/c.YML': kind, 'c/x/notes.txt': '' },
      expected: ['WEFT0035 c/networks', 'WEFT0035 c/x'],
    },
    {
      name: 'a folder inside with TypeScript, which no program can import, but not one with JSON',
      files: { 'c/a.yaml': kind, 'c/expected/b.json': '{}', 'c/ts/b.ts': '' },
      expected: ['WEFT0035 c/ts'],
    },
    {
      name: 'a folder inside with YAML beside a program',
      files: { 'c/cluster.ts': 'export default { kind: "K" }', 'c/lib/b.ts': '', 'c/more/b.yaml': kind },
      expected: ['WEFT0035 c/more'],
    },
    {
      name: 'not what others keep in folders inside',
      files: {
        'c/a.yaml': kind,
        'c/node_modules/x/package.json': '{}',
        'c/k/kustomization.yaml': '',
        'c/d/.x.yaml': '',
      },
      expected: [],
    },
    {
      name: 'extensions in capitals',
      files: { 'c/a.yaml': kind, 'c/b.YAML': kind, 'c/c.Json': '{}', 'c/.D.YAML': '' },
      expected: ['WEFT0036 c/b.YAML', 'WEFT0036 c/c.Json'],
    },
    {
      name: 'modules of JavaScript, unless a compiler wrote them or they are tests',
      files: Object.fromEntries(
        ['a.mts', 'a.cjs', 'b.js', 'c.mjs', 'd.mts', 'd.mjs', 'd.test.js', 'e.d.mts'].map((name) => [`c/${name}`, '']),
      ),
      expected: ['a.cjs', 'a.mts', 'b.js', 'c.mjs', 'd.mts'].map((name) => `WEFT0036 c/${name}`),
    },
  ];
  it.each(cases)('$name', async ({ files, expected }) => {
    put(files);
    expect((await load()).errors.map(([code, file]) => `${code} ${file}`)).toEqual(expected);
  });

  it('says how the file would be called', async () => {
    put({ 'c/a.yaml': kind, 'c/b.YAML': kind, 'c/cluster.mts': '', 'c/x/y/c.yaml': kind });
    const { diagnostics } = await loadFolder('c', { workingDirectory: root });
    expect(diagnostics.map(({ message, help }) => `${message}: ${help?.split(';')[0]}`)).toEqual([
      'the file is not read: names of input end with `.yaml`, `.yml`, `.json` or `.ts`: rename it to `b.yaml`',
      'the file is not read: names of input end with `.yaml`, `.yml`, `.json` or `.ts`: rename it to `cluster.ts`',
      'the folder is not read, and holds input: `y/c.yaml`: move its files up into `c`',
    ]);
  });

  it('refuses symbolic links to folders, and ends in a loop of them', async () => {
    put({ 'c/a.yaml': kind, 'common/b.yaml': kind, 'c/x/notes.txt': '' });
    const links = { common: '../common', 'x/up': '..', itself: 'itself', here: '.', up: '..', root: '/', '.git': '/' };
    for (const [name, target] of Object.entries(links)) symlinkSync(target, join(root, 'c', name));
    const refused = ['c/common', 'c/here', 'c/root', 'c/up'].map((file) => ['WEFT0044', file]);
    expect((await load()).errors.map(([code, file]) => [code, file])).toEqual(refused);
  });

  it('warns of a kustomization, which a comment in it silences', async () => {
    const text = '# kubectl reads this\nkind: Kustomization\nresources: [a.yaml]\n';
    put({ 'c/a.yaml': kind, 'c/kustomization.yml': text, 'c/Kustomization': 'x: [' });
    const { diagnostics, ignores } = await loadFolder('c', { workingDirectory: root });
    expect(diagnostics.map(({ code, severity, location }) => [code, severity, location?.file, location?.line])).toEqual(
      [
        ['WEFT0037', 'warning', 'c/Kustomization', undefined],
        ['WEFT0037', 'warning', 'c/kustomization.yml', 3],
      ],
    );
    expect(ignores).toBeUndefined();
    put({ 'c/kustomization.yml': text.replace('resources', '# weft-ignore WEFT0037: later\nresources') });
    rmSync(join(root, 'c/Kustomization'));
    const silenced = await loadFolder('c', { workingDirectory: root });
    expect(applyIgnores(silenced.ignores ?? [], silenced.diagnostics)).toEqual([]);
  });
});

describe('a path that is no folder of a cluster', () => {
  const cases: { given: string; help: string | undefined }[] = [
    { given: 'east', help: 'did you mean `clusters/east`?' },
    { given: 'esat', help: 'did you mean `clusters/east`?' },
    { given: 'clusters/wst', help: 'did you mean `clusters/west`?' },
    { given: 'cluster', help: 'did you mean `clusters`?' },
    { given: 'clusters/production', help: 'there are `clusters/east`, `clusters/west`' },
    { given: 'production', help: 'there are `clusters/east`, `clusters/west`' },
    { given: 'clusters/east/a.yaml', help: 'give the folder that holds the documents of a cluster: `clusters/east`' },
    { given: 'clusters/east/b.yaml', help: 'give the folder that holds the documents of a cluster: `clusters/east`' },
    { given: 'no/such', help: undefined },
  ];
  it.each(cases)('$given', async ({ given, help }) => {
    put({
      'clusters/east/a.yaml': '',
      'clusters/west/a.yaml': '',
      'clusters/.hidden/a.yaml': '',
      'clusters/notes': '',
    });
    const { diagnostics } = await loadFolder(given, { workingDirectory: root });
    expect(diagnostics.map((diagnostic) => [diagnostic.code, diagnostic.help])).toEqual([['WEFT0020', help]]);
  });

  it('may be the one above: then it names a folder of a cluster', async () => {
    put({ 'clusters/east/a.yaml': '', 'clusters/west/a.yaml': '' });
    for (const given of ['clusters', '.']) {
      const { diagnostics } = await loadFolder(given, { workingDirectory: root });
      expect(diagnostics.map(({ code }) => code)).toEqual(['WEFT0021']);
      expect(diagnostics[0]?.help).toContain('`clusters/east`');
    }
  });

  it('lists some of many', async () => {
    put(Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`clusters/c${index + 10}/a.yaml`, ''])));
    const { diagnostics } = await loadFolder('clusters/production', { workingDirectory: root });
    expect(diagnostics[0]?.help).toMatch(/^there are `clusters\/c10`, .*`clusters\/c19` and 2 more$/);
  });
});

describe('hostile files', () => {
  it('does not wait for a FIFO, and refuses a socket and a folder', async () => {
    put({ 'c/d.yaml/x': '' });
    execFileSync('mkfifo', [join(root, 'c/fifo.yaml')]);
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(join(root, 'c/socket.yaml'), resolve));
    const { errors } = await load();
    await new Promise((resolve) => server.close(resolve));
    expect(errors).toEqual([
      ['WEFT0023', 'c/d.yaml', 'the file cannot be read: it is not a regular file'],
      ['WEFT0023', 'c/fifo.yaml', 'the file cannot be read: it is not a regular file'],
      ['WEFT0023', 'c/socket.yaml', 'the file cannot be read: it is not a regular file'],
    ]);
  });

  it('refuses symbolic links, whatever they lead to', async () => {
    put({ 'real.yaml': 'kind: R\n', 'c/x.txt': '', 'c/r.yaml': 'kind: R\n' });
    const targets = { a: '../real.yaml', b: 'nowhere', c: 'c.yaml', d: 'r.yaml', e: '/proc/self/environ', f: '..' };
    for (const [name, target] of Object.entries(targets)) symlinkSync(target, join(root, `c/${name}.yaml`));
    symlinkSync('x.txt', join(root, 'c/notes'));
    symlinkSync('../real.yaml', join(root, 'c/kustomization.yaml'));
    const { diagnostics } = await loadFolder('c', { workingDirectory: root });
    const names = [...Object.keys(targets).map((name) => `${name}.yaml`), 'kustomization.yaml'];
    expect(diagnostics.map(({ code, location }) => [code, location?.file])).toEqual(
      names.map((name) => ['WEFT0044', `c/${name}`]),
    );
  });

  it('refuses a folder behind a symbolic link', async () => {
    put({ 'other/c/a.yaml': 'kind: A\n', 'c/a.yaml': 'kind: A\n' });
    symlinkSync('c', join(root, 'link'));
    symlinkSync('other', join(root, 'up'));
    for (const [folder, link] of [
      ['link', 'link'],
      ['up/c', 'up'],
    ] as const) {
      const { documents, diagnostics } = await loadFolder(folder, { workingDirectory: root });
      expect([documents, diagnostics.map(({ location }) => location?.file)]).toEqual([[], [link]]);
      // From a folder beside it.
      const beside = await loadFolder(`../${folder}`, { workingDirectory: join(root, 'c') });
      expect(beside.diagnostics.map(({ code }) => code)).toEqual(['WEFT0044']);
    }
    // What lies above the working directory is the user's.
    expect((await loadFolder('c', { workingDirectory: join(root, 'up') })).diagnostics).toEqual([]);
  });

  it('refuses a file that is too large, without reading it', async () => {
    put({ 'c/a.yaml': '' });
    truncateSync(join(root, 'c/a.yaml'), fileBytesMax + 1);
    expect((await load()).errors).toEqual([
      ['WEFT0024', 'c/a.yaml', `the file has ${fileBytesMax + 1} bytes; at most ${fileBytesMax} are read`],
    ]);
  });

  // The superuser may read everything.
  (process.getuid?.() === 0 ? it.skip : it)('reports a file that may not be read', async () => {
    put({ 'c/a.yaml': 'kind: A\n' });
    chmodSync(join(root, 'c/a.yaml'), 0);
    expect((await load()).errors).toEqual([['WEFT0023', 'c/a.yaml', 'the file cannot be read: permission denied']]);
  });

  it('points at the first byte that is not UTF-8', async () => {
    put({ 'c/a.yaml': Buffer.concat([Buffer.from('a: \uFFFDé\nb: ä'), Buffer.from([0xe4, 0x0a])]) });
    expect((await load()).errors).toEqual([['WEFT0025', 'c/a.yaml:2:5', 'the byte 0xe4 is not UTF-8 text']]);
  });

  it.each([
    { name: 'UTF-16', bytes: [0xff, 0xfe, 0x61, 0x00], expected: 1 },
    { name: 'a cut character', bytes: [0x61, 0xe2, 0x82], expected: 2 },
    { name: 'an overlong form', bytes: [0x61, 0x61, 0xc0, 0xaf], expected: 3 },
    { name: 'an encoded surrogate', bytes: [0xed, 0xa0, 0x80], expected: 1 },
  ])('finds $name', ({ bytes, expected }) => {
    expect(decodeUtf8('a', Buffer.from(bytes))).toMatchObject({ location: { line: 1, column: expected } });
  });

  it('decodes what is UTF-8', () => {
    expect(decodeUtf8('a', Buffer.from('ä\uFFFD😀'))).toBe('ä\uFFFD😀');
  });
});
