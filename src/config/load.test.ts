import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
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
  const { documents, diagnostics } = await loadFolder(folder, { workingDirectory: root });
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
  it('reads YAML, JSON and TypeScript files by name, and leaves the rest alone', async () => {
    put({
      'c/b.yaml': 'kind: B\n---\nkind: B2\n',
      'c/a.yml': 'kind: A\n',
      'c/Z.json': '{\n\t"kind": "Z"\n}\n',
      'c/cluster.ts': 'export const cluster: object = { kind: "T" };\n',
      'c/.hidden.yaml': ': [',
      'c/cluster.test.ts': 'throw 1',
      'c/types.d.ts': 'throw 1',
      'c/kustomization.yaml': 'resources: []\n',
      'c/notes.txt': 'x',
      'c/sub/d.yaml': 'kind: D\n',
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

  it('names a folder outside the working directory by a relative path', async () => {
    put({ 'c/a.yaml': '- 1\n', 'w/x': '' });
    const { diagnostics } = await loadFolder('../c', { workingDirectory: join(root, 'w') });
    expect(diagnostics.map(({ location }) => location?.file)).toEqual(['../c/a.yaml']);
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
      ['WEFT0022', 'c/d.yaml', 'the input is not a regular file'],
      ['WEFT0022', 'c/fifo.yaml', 'the input is not a regular file'],
      ['WEFT0022', 'c/socket.yaml', 'the input is not a regular file'],
    ]);
  });

  it('follows a symbolic link to a file, and reports a broken one and a loop', async () => {
    put({ 'real.yaml': 'kind: R\n', 'c/x.txt': '' });
    symlinkSync('../real.yaml', join(root, 'c/a.yaml'));
    symlinkSync('nowhere', join(root, 'c/b.yaml'));
    symlinkSync('c.yaml', join(root, 'c/c.yaml'));
    const { values, errors } = await load();
    expect(values).toEqual([['c/a.yaml', { kind: 'R' }]]);
    expect(errors).toEqual([
      ['WEFT0023', 'c/b.yaml', 'the file cannot be read: it does not exist'],
      ['WEFT0023', 'c/c.yaml', 'the file cannot be read: its symbolic links form a loop'],
    ]);
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
