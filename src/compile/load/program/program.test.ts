import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { SourceDocument } from '../yaml/yaml.js';
import { loadModule } from './program.js';
import { isEveryCase } from '../../../../test/kit/shares.js';
import { PROGRAM_LIMITS } from './run.js';

// Each program gets a thread, and a compiler of its own there, which takes a quarter of a second.
jest.setTimeout(60_000);
const itWithAllCases = isEveryCase ? it : it.skip;

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'weft-module-'));
});
afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

async function load(text: string, limits = PROGRAM_LIMITS, folder = root) {
  const path = join(folder, 'cluster.ts');
  writeFileSync(path, text);
  return loadModule(path, 'c/cluster.ts', text, { limits });
}

describe('exports', () => {
  it('takes named, default and listed documents, each once, and no helpers', async () => {
    const { documents, diagnostics } = await load(`
      interface Named { kind: string; n?: number | undefined }
      export const b: Named = { kind: 'B', n: undefined };
      export const a = [{ kind: 'A1' }, { kind: 'A2' }] as const;
      export const kernels = ['6.8', '6.11'];
      export const helper = (x: number): number => x;
      export const options = { gate: 'label' };
      export default b;
    `);
    expect(diagnostics).toEqual([]);
    expect(documents.map(({ value }) => value)).toEqual([{ kind: 'A1' }, { kind: 'A2' }, { kind: 'B' }]);
  });

  it('refuses a document that is no Kubernetes object for its size, however short its program is', async () => {
    const { documents, diagnostics } = await load(`
      let shared: unknown = 'x';
      for (let level = 0; level < 40; level += 1) shared = [shared, shared];
      export const many = { kind: 'K', shared };
      export const long = { kind: 'K', text: 'x'.repeat(3 * 1024 * 1024) };
      export const fine = { kind: 'K', list: Array.from({ length: 19_990 }, () => 1) };
    `);
    expect(documents.map(({ value }) => Object.keys(value as object))).toEqual([['kind', 'list']]);
    expect(diagnostics.map(({ code, message }) => [code, message])).toEqual([
      ['WEFT0011', 'the document holds more than 2097152 characters'],
      ['WEFT0011', 'the document holds more than 20000 values'],
    ]);
  });

  it('reads no more documents than a folder may hold', async () => {
    const text = 'export const all = Array.from({ length: 2_000 }, (_, index) => ({ kind: "K", index }));';
    const { documents, diagnostics } = await load(text);
    expect(documents).toEqual([]);
    expect(diagnostics).toMatchObject([{ code: 'WEFT0029', location: { file: 'c/cluster.ts' } }]);
  });

  it('makes plain copies: one object in two places is two', async () => {
    const { documents } = await load('const x = { y: 1 }; export const d = { kind: "K", a: x, b: [x, null] };');
    expect(documents[0]?.value).toEqual({ kind: 'K', a: { y: 1 }, b: [{ y: 1 }, null] });
  });

  it('reads other modules, and the file again when it changed', async () => {
    writeFileSync(join(root, 'other.ts'), 'export const name: string = "n";');
    const one = await load('import { name } from "./other.js"; export default { kind: name };');
    expect(one.documents.map(({ value }) => value)).toEqual([{ kind: 'n' }]);
    const two = await load('import { name } from "./other.js"; export default { kind: name + 2 };');
    expect(two.documents.map(({ value }) => value)).toEqual([{ kind: 'n2' }]);
  });
});

describe('weft-ignore comments', () => {
  it('are read from a program', async () => {
    const { ignores } = await load('export const a = { kind: "K" }; // weft-ignore WEFT0234: later\n');
    expect(ignores).toMatchObject([{ code: 'WEFT0234', targetLine: 1, file: 'c/cluster.ts' }]);
    const { diagnostics } = await load('// weft-ignore WEFT0234\nexport const a = { kind: "K" };\n');
    expect(diagnostics.map(({ code, location }) => [code, location?.line])).toEqual([['WEFT0031', 1]]);
  });
});

interface Failing {
  readonly name: string;
  readonly text: string;
  readonly line: number | undefined;
  readonly message: RegExp;
}

describe('errors', () => {
  it('names everything that is not data', async () => {
    const { documents, diagnostics } = await load(`
      class Pool { name = 'x' }
      const cycle: Record<string, unknown> = { kind: 'C' };
      cycle['self'] = { cycle };
      export const a = { kind: 'A', spec: { fun: () => 1, pool: new Pool(), big: 1n, list: [undefined, NaN] } };
      export const b = cycle;
      export const c = { kind: 'fine' };
    `);
    expect(documents.map(({ value }) => value)).toEqual([{ kind: 'fine' }]);
    expect(diagnostics.map(({ code, message, location }) => [code, message, location?.line])).toEqual([
      ['WEFT0027', '`spec.fun` is a function', 5],
      ['WEFT0027', '`spec.pool` is an instance of a class', 5],
      ['WEFT0027', '`spec.big` is a bigint', 5],
      ['WEFT0027', '`spec.list.0` is undefined', 5],
      ['WEFT0027', '`spec.list.1` is NaN, which JSON cannot hold', 5],
      ['WEFT0027', '`self.cycle` contains itself', undefined],
    ]);
  });

  it('names halves of characters in texts and keys', async () => {
    const { diagnostics } = await load(
      `export const a = { kind: 'A', spec: { text: '\\ud800', pair: '\\ud83d\\ude00' } };\n` +
        `export const b = { kind: 'B', data: { '\\udc00': 1 } };\n`,
    );
    expect(diagnostics.map(({ code, message, location }) => [code, message, location?.line])).toEqual([
      ['WEFT0027', '`spec.text` holds half of a surrogate pair, which is no character', 1],
      ['WEFT0027', '`data` has a key that holds half of a surrogate pair, which is no character', 2],
    ]);
  });

  it('says that nothing is exported', async () => {
    const { diagnostics } = await load('const cluster = { kind: "Cluster" };\nexport const other = cluster.kind;\n');
    expect(diagnostics).toMatchObject([{ code: 'WEFT0028', location: { file: 'c/cluster.ts' } }]);
  });

  const expectReported = async ({ text, line, message }: Failing) => {
    const { documents, diagnostics } = await load(text);
    expect(documents).toEqual([]);
    expect(diagnostics).toMatchObject([{ code: 'WEFT0026', message: expect.stringMatching(message) as unknown }]);
    expect(diagnostics[0]?.location?.line).toBe(line);
  };
  it.each<Failing>([
    { name: 'a thrown error', text: '\n\n  throw new Error("no\\nsuch pool");\n', line: 3, message: /: no$/ },
    {
      name: 'an error in a function',
      text: 'function f(): never {\n  throw new TypeError("x");\n}\nf();\n',
      line: 2,
      message: /: x$/,
    },
    { name: 'a syntax error', text: 'export const a = {\n  b: 1,,\n};\n', line: 2, message: /./ },
    {
      name: 'a getter that throws',
      text: 'export const a = { kind: "K", get b() { throw new Error("g"); } };\n',
      line: 1,
      message: /: g$/,
    },
  ])('reports $name', expectReported);
  itWithAllCases.each<Failing>([
    { name: 'something else thrown', text: 'throw "text";\n', line: undefined, message: /: text$/ },
  ])('reports $name', expectReported);
});

describe('places', () => {
  const text = `import type { Cluster } from './types.js';
export const cluster = {
  kind: 'Cluster',
  'metadata': { name: 'east' },
  spec: { driver: { gate: 'labell' }, pools: [{ name: 'a' }] },
};
`;
  let document: SourceDocument | undefined;
  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'weft-places-'));
    [document] = (await load(text, PROGRAM_LIMITS, folder)).documents;
    rmSync(folder, { recursive: true });
  });

  it.each([
    {
      name: 'a key that occurs once',
      path: ['spec', 'driver', 'gate'],
      expected: { line: 5, column: 21, endColumn: 25 },
    },
    { name: 'a key in quotes', path: ['metadata'], expected: { line: 4, column: 4 } },
    {
      name: 'a missing key, by the key above',
      path: ['spec', 'pools', 0, 'kernel'],
      expected: { line: 5, column: 39 },
    },
    {
      name: 'a missing key that another object has, by the key above',
      path: ['spec', 'pools', 0, 'gate'],
      expected: { line: 5, column: 39 },
    },
  ])('finds $name', ({ path, expected }) => {
    expect(document?.locate(path)).toMatchObject({ file: 'c/cluster.ts', ...expected });
  });

  it('gives only the file where it is not certain', async () => {
    expect(document?.locate(['metadata', 'name'])).toEqual({ file: 'c/cluster.ts' });
    expect(document?.locate([])).toEqual({ file: 'c/cluster.ts' });
    const two = await load("export const a = { kind: 'A', metadata: {} };\nexport default { kind: 'B', spec: {} };\n");
    expect(two.documents[1]?.locate(['metadata'])).toEqual({ file: 'c/cluster.ts' });
    writeFileSync(join(root, 'other.ts'), `export const base = { gate: 'x' };\n`);
    const imported = await load(
      `import { base } from './other.js';\nconst mine = { gate: 1 };\nexport const c = { kind: typeof mine, ...base };\n`,
    );
    expect(imported.documents[0]?.locate(['gate'])).toEqual({ file: 'c/cluster.ts' });
  });

  it('finds a key that occurs once beside many that repeat, and spreads', async () => {
    const { documents } = await load(`
      const policy = (name: string, more: object) => ({ kind: 'NicNodePolicy', metadata: { name }, spec: { ...more } });
      export const a = policy('a', { ofedDriver: { version: '1', master: 'x' } });
      export const b = policy('b', { ofedDriver: { version: '2', mster: 'x' } });
    `);
    expect(documents[1]?.locate(['spec', 'ofedDriver', 'mster'])).toMatchObject({ line: 4, column: 66 });
    expect(documents[1]?.locate(['spec', 'ofedDriver', 'version'])).toEqual({ file: 'c/cluster.ts' });
  });
});

describe('a program that does not end as it should', () => {
  const endless = { timeoutSeconds: 0.8, memoryMebibytes: 64 };
  const limits = { ...endless, timeoutSeconds: 60 };
  const documents = 'export const a = { kind: "K" };\n';

  it.each([
    {
      name: 'a loop without end',
      text: 'for (;;);',
      limits: endless,
      code: 'WEFT0041',
      message: 'the file runs for more than 0.8 seconds',
    },
    {
      name: 'a timer that is awaited and never fires',
      text: 'await new Promise((resolve) => setTimeout(resolve, 1e9));',
      limits: endless,
      code: 'WEFT0041',
      message: 'the file runs for more than 0.8 seconds',
    },
    {
      name: 'an await of nothing',
      text: 'await new Promise(() => {});',
      limits,
      code: 'WEFT0041',
      message: 'the file waits for something that never comes',
    },
    {
      name: 'a list without end',
      text: 'const held: number[][] = [];\nfor (;;) held.push(new Array<number>(100_000).fill(held.length));',
      limits,
      code: 'WEFT0042',
      message: 'the file needs more than 64 MiB of memory',
    },
    {
      name: 'an end of the process',
      text: 'process.exit(0);',
      limits,
      code: 'WEFT0043',
      message: 'the file ends the process',
    },
    {
      name: 'an end of the process in a timer',
      text: 'setTimeout(() => process.exit(0), 0);',
      limits,
      code: 'WEFT0043',
      message: 'the file ends the process',
    },
  ])('$name', async ({ text, limits: given, code, message }) => {
    const loaded = await load(documents + text, given);
    expect(loaded).toMatchObject({
      documents: [],
      diagnostics: [{ code, message, location: { file: 'c/cluster.ts' } }],
    });
  });

  it.each([
    { name: 'a rejected promise', text: 'void Promise.reject(new Error("late"));' },
    { name: 'a timer that throws', text: 'setTimeout(() => { throw new Error("late"); }, 0);' },
  ])('fails late: $name', async ({ text }) => {
    const { documents: found, diagnostics } = await load(documents + text);
    expect(found).toEqual([]);
    expect(diagnostics).toMatchObject([
      { code: 'WEFT0026', message: 'the file cannot be loaded: late', location: { line: 2 } },
    ]);
  });

  it.each([
    { name: 'a timer that goes on', text: 'setInterval(() => {}, 1_000);' },
    { name: 'a key that every object has from then on', text: '(Object.prototype as any).added = 1;' },
    { name: 'a console that does nothing', text: 'console.log = () => {}; process.env["PATH"] = "changed";' },
  ])('leaves nothing behind: $name', async ({ text }) => {
    const path = process.env['PATH'];
    expect(await load(documents + text)).toMatchObject({ documents: [{ value: { kind: 'K' } }], diagnostics: [] });
    expect('added' in {}).toBe(false);
    expect(process.env['PATH']).toBe(path);
  });
});
