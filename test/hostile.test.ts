import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { buildCommand } from '../scripts/build.js';
import { run } from '../src/cli/run.js';
import { PLAIN_CLUSTER, policyText } from './golden/compile.js';

/**
 * Input that means harm, or that an accident made: a clear error and exit 2, never a stack trace, a hang, or a tree that
 * is written in part. What depends on the process (memory, signals, pipes) runs the command.
 */
/**
 * Writes the peak of the resident memory in KiB. Linux counts the memory of the process before its exec, which is jest's,
 * in `maxRSS` too, so `VmHWM` is asked for where it exists.
 */
const PEAK_PROGRAM = `
  const fs = require('node:fs');
  const peak = () => {
    try {
      return /VmHWM:\\s*(\\d+)/.exec(fs.readFileSync('/proc/self/status', 'utf8'))[1];
    } catch {
      return String(process.resourceUsage().maxRSS);
    }
  };
  process.on('exit', () => fs.writeFileSync(process.env.PEAK, peak()));
`;

let home: string;
let program: string;
let cwd: string;

beforeAll(async () => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'weft-hostile-')));
  program = join(home, 'bin/weft.cjs');
  cpSync(join(__dirname, '../bin'), join(home, 'bin'), { recursive: true });
  await buildCommand(join(home, 'lib/weft.cjs'));
  writeFileSync(join(home, 'peak.cjs'), PEAK_PROGRAM);
  symlinkSync(join(__dirname, '../node_modules'), join(home, 'node_modules'));
});
afterAll(() => {
  rmSync(home, { recursive: true });
});
beforeEach(() => {
  cwd = realpathSync(mkdtempSync(join(tmpdir(), 'weft-hostile-')));
});
afterEach(() => {
  rmSync(cwd, { recursive: true, force: true });
});

type Files = Readonly<Record<string, string | Buffer>>;

function put(files: Files): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, path)), { recursive: true });
    writeFileSync(join(cwd, path), content);
  }
}

async function weft(...args: readonly string[]) {
  const printed = { stdout: '', stderr: '' };
  const exit = await run(args, {
    stdout: (text) => (printed.stdout += text),
    stderr: (text) => (printed.stderr += text),
    readStdin: () => Promise.resolve(''),
    cwd,
    env: {},
    isStdinTerminal: false,
    isStderrTerminal: false,
  });
  return { exit, ...printed };
}

const codesIn = (stderr: string) => [...new Set([...stderr.matchAll(/error\[(WEFT\d+)\]/g)].map(([, code]) => code))];

/** Exit 2 for a reason that is said, and nothing on the disk. */
function expectRefused({ exit, stdout, stderr }: { exit: number; stdout: string; stderr: string }): void {
  expect(stderr).not.toMatch(/bug of Weft|^ +at /m);
  expect(stderr).toMatch(/^error/m);

  expect(stderr).not.toMatch(/[\0-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/);
  expect({ exit, stdout }).toEqual({ exit: 2, stdout: '' });
  expect(existsSync(join(cwd, 'dist'))).toBe(false);
}

const CLUSTER = { 'clusters/east/cluster.yaml': PLAIN_CLUSTER };
const policy = (spec: string) => policyText('NicClusterPolicy', 'nic-cluster-policy', spec);
const network = (name: string, spec = '{ipam: "{}"}') =>
  `apiVersion: mellanox.com/v1alpha1\nkind: MacvlanNetwork\nmetadata: {name: ${name}}\nspec: ${spec}\n`;
const configMap = (name: string, metadata = '') =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}${metadata}}\ndata: {a: b}\n`;
const named = (name: string) => PLAIN_CLUSTER.replace('name: east', `name: ${name}`);
const letters = Array.from('bcdefghijkl');
const aliasBomb = ['x: &a [1, 1, 1, 1, 1, 1, 1, 1, 1]']
  .concat(letters.map((letter, at) => `${letter}: &${letter} [${`*${letters[at - 1] ?? 'a'}, `.repeat(9)}]`))
  .join('\n');

/** Names that lead elsewhere, as YAML text; each is refused wherever a name stands. */
const BAD_NAMES = [
  '../../../etc/cron.d/x',
  '/etc/passwd',
  '..',
  '.',
  'a/../../b',
  '"..\\\\..\\\\x"',
  '"C:\\\\x"',
  '"a\\0b"',
  '"a\\x1b[31mb"',
  '"a\\u202Eb"',
  '"a\\nb"',
  '" "',
  '""',
  '.git',
  '.weft.lock',
  '"a%2fb"',
  `"${'a'.repeat(300)}"`,
];

describe('names', () => {
  const places: { name: string; names?: readonly string[]; files: (bad: string) => Files }[] = [
    { name: 'of the cluster', files: (bad) => ({ 'clusters/east/cluster.yaml': named(bad) }) },
    { name: 'of a network', files: (bad) => ({ ...CLUSTER, 'clusters/east/n.yaml': network(bad) }) },
    {
      name: 'of a NicNodePolicy',
      files: (bad) => ({
        ...CLUSTER,
        'clusters/east/n.yaml': policyText('NicNodePolicy', bad, '  nodeSelector: {a: b}\n'),
      }),
    },
    { name: 'of a ConfigMap', files: (bad) => ({ ...CLUSTER, 'clusters/east/c.yaml': configMap(bad) }) },
    {
      name: 'of a ConfigMap’s namespace',
      names: BAD_NAMES.filter((name) => name !== '""'),
      files: (bad) => ({ ...CLUSTER, 'clusters/east/c.yaml': configMap('a', `, namespace: ${bad}`) }),
    },
    {
      name: 'of a network’s namespace',
      files: (bad) =>
        bad === '""'
          ? { 'clusters/x': '' }
          : { ...CLUSTER, 'clusters/east/n.yaml': network('a', `{ipam: "{}", networkNamespace: ${bad}}`) },
    },
    {
      name: 'of the cluster’s namespace',
      files: (bad) => ({ 'clusters/east/cluster.yaml': PLAIN_CLUSTER.replace('spec:', `spec:\n  namespace: ${bad}`) }),
    },
    {
      name: 'of an object that is passed through',
      // Some kinds have such names; the file's name begins with the kind.
      names: BAD_NAMES.filter((name) => !name.startsWith('.git') && !name.startsWith('.weft')),
      files: (bad) => ({
        ...CLUSTER,
        'clusters/east/o.yaml': `apiVersion: nv-ipam.nvidia.com/v1alpha1\nkind: IPPool\nmetadata: {name: ${bad}}\nspec: {}\n`,
      }),
    },
  ];
  const cases = places.flatMap((place) =>
    (place.names ?? BAD_NAMES).map((bad) => ({ name: `${place.name}: ${bad.slice(0, 30)}`, files: place.files(bad) })),
  );

  it.each(cases)('$name', async ({ files }) => {
    put(files);
    expectRefused(await weft('synth'));
    expect(readdirSync(cwd)).toEqual(['clusters']);
  });
});

describe('text', () => {
  const one = (content: string | Buffer): Files => ({ ...CLUSTER, 'clusters/east/policy.yaml': content });
  const cases: { name: string; files: Files; codes: readonly string[] }[] = [
    { name: 'an alias bomb', files: one(policy('').replace('spec:\n', '') + aliasBomb), codes: ['WEFT0005'] },
    { name: 'an alias of itself', files: one(`a: &a [*a]\n`), codes: ['WEFT0005'] },
    {
      name: 'the key __proto__',
      files: one(policy('  __proto__: {ofedDriver: {}}\n')),
      codes: ['WEFT0106'],
    },
    {
      name: 'the key constructor',
      files: one(policy('  constructor: {prototype: {x: 1}}\n')),
      codes: ['WEFT0106'],
    },
    {
      name: 'such keys in data',
      files: one(configMap('a').replace('{a: b}', '{__proto__: x, constructor: y}')),
      codes: ['WEFT0106'],
    },
    {
      name: 'such a kind',
      files: one('apiVersion: __proto__\nkind: constructor\nmetadata: {name: a}\n'),
      codes: ['WEFT0143'],
    },
    { name: 'terminal escapes in a key', files: one(policy('  "\\e]0;title\\a": 1\n')), codes: ['WEFT0140'] },
    {
      name: 'terminal escapes in a value',
      files: one(policy('  ofedDriver: {version: "\\e[31mred"}\n')),
      codes: ['WEFT0210'],
    },
    { name: 'raw escapes', files: one('a: \x1b[31m\n'), codes: ['WEFT0007'] },
    { name: 'bidi controls', files: one(policy('  ofedDriver: {version: "1\u202e2"}\n')), codes: ['WEFT0210'] },
    { name: 'a bidi control in a key', files: one(policy('  a\u2066b: 1\n')), codes: ['WEFT0140'] },
    { name: 'bad UTF-8', files: one(Buffer.from([0x61, 0x3a, 0x20, 0xc3, 0x28, 0x0a])), codes: ['WEFT0025'] },
    { name: 'UTF-16', files: one(Buffer.from('\ufeffkind: a\n', 'utf16le')), codes: ['WEFT0025'] },
    { name: 'a tab', files: one('a:\n\tb: 1\n'), codes: ['WEFT0001'] },
    { name: 'NUL', files: one('a: \0\n'), codes: ['WEFT0007'] },
    { name: 'NUL only', files: one(Buffer.alloc(100_000)), codes: ['WEFT0007'] },
    {
      name: 'half of a surrogate pair',
      files: one(configMap('a').replace('{a: b}', '{a: "\\ud800"}')),
      codes: ['WEFT0007'],
    },
    { name: 'deep brackets', files: one(`a: ${'['.repeat(100_000)}`), codes: ['WEFT0011'] },
    {
      name: 'brackets of some depth',
      files: one(`a: ${'['.repeat(4_000)}${']'.repeat(4_000)}\n`),
      codes: ['WEFT0006'],
    },
    {
      name: 'deep mappings',
      files: one(Array.from({ length: 500 }, (_, at) => `${' '.repeat(at)}a:\n`).join('')),
      codes: ['WEFT0006'],
    },
    { name: 'deep dashes', files: one(`${'- '.repeat(3_000)}a\n`), codes: ['WEFT0006'] },
    { name: 'deep JSON text', files: one(network('a', `{ipam: '${'['.repeat(200_000)}'}`)), codes: ['WEFT0143'] },
    {
      name: 'deep JSON text that is closed',
      files: one(network('a', `{ipam: '{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}'}`)),
      codes: ['WEFT0143'],
    },
    {
      name: 'a number without end',
      files: one(policy(`  ofedDriver: {terminationGracePeriodSeconds: ${'9'.repeat(100_000)}}\n`)),
      codes: ['WEFT0142'],
    },
  ];

  it.each(cases)('$name', async ({ files, codes }) => {
    put(files);
    const result = await weft('synth');
    expectRefused(result);
    expect(codesIn(result.stderr)).toEqual(expect.arrayContaining([...codes].slice(0, 1)));
  });

  it('CRLF and a byte order mark change nothing', async () => {
    put({ 'clusters/east/cluster.yaml': PLAIN_CLUSTER });
    const plain = await weft('synth', '-o', 'yaml');
    put({ 'clusters/east/cluster.yaml': `\ufeff${PLAIN_CLUSTER.replaceAll('\n', '\r\n')}` });
    expect(await weft('synth', '-o', 'yaml')).toEqual(plain);
    expect(plain.exit).toBe(0);
  });
});

describe('files', () => {
  it('a FIFO as a file, and folders that loop', async () => {
    put({ 'clusters/east/x': '' });
    execFileSync('mkfifo', [join(cwd, 'clusters/east/a.yaml')]);
    symlinkSync('.', join(cwd, 'clusters/east/loop'));
    symlinkSync('loop.yaml', join(cwd, 'clusters/east/loop.yaml'));
    const result = await weft('synth');
    expectRefused(result);
    expect(codesIn(result.stderr)).toEqual(['WEFT0022', 'WEFT0023']);
  });

  it('a FIFO, a file and a loop in the place of a cluster’s folder', async () => {
    put({ 'clusters/file': '' });
    execFileSync('mkfifo', [join(cwd, 'clusters/fifo')]);
    symlinkSync('loop', join(cwd, 'clusters/loop'));
    for (const args of [[], ['clusters/fifo'], ['clusters/file'], ['clusters/loop'], ['clusters/none']]) {
      expectRefused(await weft('synth', ...args));
    }
  });

  it('clusters/ that is a loop, a file or a FIFO', async () => {
    symlinkSync('clusters', join(cwd, 'clusters'));
    expectRefused(await weft('synth'));
    rmSync(join(cwd, 'clusters'));
    put({ clusters: '' });
    expectRefused(await weft('synth'));
    rmSync(join(cwd, 'clusters'));
    execFileSync('mkfifo', [join(cwd, 'clusters')]);
    expectRefused(await weft('synth'));
  });

  it('dist, and the folder in it, that are something else', async () => {
    put({ ...CLUSTER, dist: 'mine' });
    expect(await weft('synth')).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('dist/east') as unknown,
    });
    expect(readFileSync(join(cwd, 'dist'), 'utf8')).toBe('mine');
    rmSync(join(cwd, 'dist'));
    put({ 'dist/east': 'mine' });
    expect(await weft('synth')).toMatchObject({ exit: 2 });
    expect(await weft('synth', '--check')).toMatchObject({ exit: 2 });
    rmSync(join(cwd, 'dist'), { recursive: true });
    symlinkSync('dist', join(cwd, 'dist'));
    expect(await weft('synth')).toMatchObject({ exit: 2, stderr: expect.stringContaining('ELOOP') as unknown });
    rmSync(join(cwd, 'dist'));
    execFileSync('mkfifo', [join(cwd, 'dist')]);
    expect(await weft('synth')).toMatchObject({ exit: 2 });
  });

  it('a lock and an index that are something else', async () => {
    put({ ...CLUSTER, 'dist/east/x': '' });
    execFileSync('mkfifo', [join(cwd, 'dist/east/weft.index')]);
    expect(await weft('synth')).toMatchObject({ exit: 2, stderr: expect.stringContaining('weft.index') as unknown });
    rmSync(join(cwd, 'dist/east/weft.index'));
    execFileSync('mkfifo', [join(cwd, 'dist/east/.weft.lock')]);
    expect(await weft('synth')).toMatchObject({ exit: 2, stderr: expect.stringContaining('.weft.lock') as unknown });
    expect(readdirSync(join(cwd, 'dist/east')).sort()).toEqual(['.weft.lock', 'x']);
  });

  it('a renamed cluster leaves the folder of its old name alone', async () => {
    put(CLUSTER);
    await weft('synth');
    const before = readdirSync(join(cwd, 'dist/east'));
    put({ 'clusters/east/cluster.yaml': named('west') });
    expect(await weft('synth')).toMatchObject({ exit: 0 });
    expect(readdirSync(join(cwd, 'dist')).sort()).toEqual(['east', 'west']);
    expect(readdirSync(join(cwd, 'dist/east'))).toEqual(before);
  });
});

/** Runs the command in a process of its own; a hang ends as a failure. */
function spawnWeft(...args: readonly string[]) {
  const peak = join(cwd, 'peak');
  const { status, stderr, stdout } = spawnSync(
    process.execPath,
    ['--require', join(home, 'peak.cjs'), program, ...args],
    {
      cwd,
      encoding: 'utf8',
      timeout: 60_000,
      maxBuffer: 1 << 28,
      env: { ...process.env, PEAK: peak },
    },
  );
  const peakMebibytes = Number(readFileSync(peak, 'utf8')) / 1024;
  rmSync(peak);
  return { exit: status ?? -1, stderr, stdout, peakMebibytes };
}

describe('memory is at most four times the input and 150 MiB', () => {
  const many = (count: number, part: (at: number) => string) =>
    Array.from({ length: count }, (_, at) => part(at)).join('');
  const spec = policy('');
  const cases: { name: string; text: () => string; exit: number }[] = [
    { name: '100,000 documents', text: () => many(100_000, (at) => `---\n${network(`n${at}`)}`), exit: 2 },
    { name: 'as many documents as are read', text: () => many(1_490, (at) => `---\n${network(`n${at}`)}`), exit: 0 },
    { name: 'an error in each', text: () => many(1_490, (at) => `---\n${network(`n${at}`, '{mode: x}')}`), exit: 2 },
    { name: 'a syntax error in each', text: () => '---\na: [\n'.repeat(100_000), exit: 2 },
    { name: 'five million empty documents', text: () => '---\n'.repeat(5_000_000), exit: 2 },
    { name: 'ten million comments', text: () => '#\n'.repeat(10_000_000), exit: 2 },
    {
      name: 'as many values as are read',
      text: () => `${spec}  a: [${'{},'.repeat(6_500)}]\n---\n`.repeat(3),
      exit: 2,
    },
    { name: 'tags', text: () => `${spec}  a: [${'!x y,'.repeat(3_000)}]\n`, exit: 2 },
    { name: 'directives', text: () => '%YAML 1.1\n---\n'.repeat(100_000), exit: 2 },
    { name: 'a key of 30 MB', text: () => `${spec}  ${'k'.repeat(30_000_000)}: 1\n`, exit: 2 },
    {
      name: 'ConfigMaps of a megabyte',
      text: () =>
        many(5, (at) => `---\n${configMap(`a${at}`).replace('{a: b}', `\n  a: |\n${'    text\n'.repeat(110_000)}`)}`),
      exit: 0,
    },
  ];

  it.each(cases)(
    '$name',
    ({ text, exit }) => {
      const input = text();
      put({ ...CLUSTER, 'clusters/east/big.yaml': input });
      const result = spawnWeft('synth', '-o', 'json');
      expect({ exit: result.exit, isBug: /bug of Weft/.test(result.stderr) }).toEqual({ exit, isBug: false });
      expect(result.peakMebibytes).toBeLessThan(150 + (4 * input.length) / 2 ** 20);
    },
    60_000,
  );

  const unknownKeys = many(50, (at) => `"x${at}": 1, `);
  const nicPolicy = `{"apiVersion": "mellanox.com/v1alpha1", "kind": "NicClusterPolicy", "metadata": {"name": "nic-cluster-policy"`;
  it.each([
    {
      name: '50 errors in a long line',
      text: () => `${nicPolicy}, "annotations": {"a": "${'x'.repeat(500_000)}"}}, "spec": {${unknownKeys}"y": 1}}`,
      format: 'json',
    },
    { name: 'ten million control characters', text: () => '\x01'.repeat(10_000_000), format: 'sarif' },
    { name: 'ten million NUL characters', text: () => '\0'.repeat(10_000_000), format: 'text' },
  ])('$name, as $format', ({ text, format }) => {
    const input = text();
    put({ ...CLUSTER, 'clusters/east/big.yaml': input });
    const result = spawnWeft('synth', '--format', format);
    expect({ exit: result.exit, isBug: /bug of Weft/.test(result.stderr) }).toEqual({ exit: 2, isBug: false });
    expect(result.stderr.length).toBeLessThan(200_000);
    expect(result.peakMebibytes).toBeLessThan(150 + (4 * input.length) / 2 ** 20);
  });

  it('a file of 100 MB', () => {
    put({ ...CLUSTER, 'clusters/east/big.yaml': '' });
    truncateSync(join(cwd, 'clusters/east/big.yaml'), 100_000_000);
    const result = spawnWeft('synth');
    expectRefused(result);
    expect(codesIn(result.stderr)).toEqual(['WEFT0024']);
    expect(result.peakMebibytes).toBeLessThan(150);
  });
});

describe('the process', () => {
  it.each([
    ['synth', ['-o', 'json'], 0],
    ['diff', ['dist', '--format', 'json'], 1],
  ] as const)(
    'is quiet when nobody reads on, and %s answers all the same',
    async (command, args, exit) => {
      put(CLUSTER);
      expect(spawnWeft('synth').exit).toBe(0);
      put({ 'clusters/east/n.yaml': Array.from({ length: 1_400 }, (_, at) => `---\n${network(`n${at}`)}`).join('') });
      const child = spawn(process.execPath, [program, command, ...args], { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
      let stderr = '';
      child.stderr.on('data', (data: Buffer) => (stderr += data.toString()));
      child.stdout.once('data', () => child.stdout.destroy());
      const code = await new Promise((resolve) => child.on('exit', resolve));
      expect({ code, stderr: stderr.replace(/^\[?\s*\{[^]*|^warning[^]*/, '') }).toEqual({ code: exit, stderr: '' });
    },
    20_000,
  );

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)(
    'ends on %s with %i, without a lock and with one of two trees',
    async (signal, exit) => {
      put({
        ...CLUSTER,
        'clusters/east/n.yaml': Array.from({ length: 1_400 }, (_, at) => `---\n${network(`n${at}`)}`).join(''),
      });
      const child = spawn(process.execPath, [program, 'synth'], { cwd, stdio: ['ignore', 'ignore', 'pipe'] });
      let stderr = '';
      child.stderr.on('data', (data: Buffer) => (stderr += data.toString()));
      const ended = new Promise((resolve) => child.on('exit', (code, by) => resolve(code ?? by)));
      const tree = join(cwd, 'dist/east');
      while (!existsSync(tree) && child.exitCode === null) await new Promise((resolve) => setTimeout(resolve, 1));
      child.kill(signal);
      const code = await ended;
      // The signal may come when the run is over but for the summary.
      expect([exit, 0]).toContain(code);
      expect(stderr).not.toMatch(/^ +at |error/m);
      const found = existsSync(tree) ? readdirSync(tree) : [];
      expect(found.filter((name) => name.startsWith('.weft'))).toEqual([]);
      const networks = join(tree, 'macvlan-network');
      expect([0, 1_400]).toContain(existsSync(networks) ? readdirSync(networks).length : 0);
      expect(statSync(cwd).isDirectory()).toBe(true);
    },
    30_000,
  );
});

describe('a cluster.ts that leaves something behind', () => {
  const spec =
    '{ release: "v26.7", nodePools: [{ name: "w", osName: "ubuntu", osVersion: "24.04", arch: "amd64", kernel: "6.8.0-31-generic" }] }';
  const document = `export default { apiVersion: "weft.dev/v1alpha1", kind: "Cluster", metadata: { name: "east" }, spec: ${spec} };\n`;
  const cases: { name: string; code: string; says: RegExp | undefined }[] = [
    {
      name: 'a promise that is rejected',
      code: 'Promise.reject(new Error("no"));',
      says: /cannot be loaded: no\n --> clusters\/east\/cluster.ts:2:1/,
    },
    {
      // While the program is still loaded, or afterwards.
      name: 'a timer that throws',
      code: 'setTimeout(() => { throw new Error("late"); }, 0);',
      says: /cannot be loaded: late\n --> clusters\/east\/cluster.ts:2:1|clusters\/east\/cluster.ts failed after it was loaded: late/,
    },
    {
      name: 'a timer that throws what has no text',
      code: 'setTimeout(() => { throw Object.create(null); }, 0);',
      says: /clusters\/east\/cluster.ts.*a value without text was thrown|cannot be loaded: a value without text was thrown/,
    },
    {
      name: 'an end of the process',
      code: 'process.exit(0);',
      says: /clusters\/east\/cluster.ts ended the process; nothing written/,
    },
    {
      name: 'an await of nothing',
      code: 'await new Promise(() => {});',
      says: /clusters\/east\/cluster.ts waits for something/,
    },
    {
      name: 'a key that every object has from then on',
      code: 'Object.defineProperty(Object.prototype, "added", { value: 1, enumerable: true });',
      says: /cannot be loaded: it adds `added` to every object/,
    },
    { name: 'a timer that goes on', code: 'setInterval(() => {}, 1_000);', says: undefined },
  ];

  it('prints beside the data', () => {
    put({ 'clusters/east/cluster.ts': `${document}console.log("said");` });
    const { exit, stdout, stderr } = spawnWeft('synth', '-o', 'json', 'clusters/east');
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: 'said\n' });
    expect(JSON.parse(stdout)).toMatchObject({ kind: 'List' });
  });

  it.each(cases)('$name', ({ code, says }) => {
    put({ 'clusters/east/cluster.ts': document + code });
    const result = spawnWeft('synth');
    if (says) {
      expectRefused(result);
      expect(result.stderr).toMatch(says);
      return;
    }
    expect(result.exit).toBe(0);
    expect(existsSync(join(cwd, 'dist/east/weft.index'))).toBe(true);
  });
});

describe('folders', () => {
  /** The superuser may read and write everything, so that the command runs as nobody in particular. */
  function spawnAsUser(...args: readonly string[]) {
    const isRoot = process.getuid?.() === 0;
    const user = isRoot ? { uid: 65_534, gid: 65_534 } : {};
    const { status, stderr, stdout } = spawnSync(process.execPath, [program, ...args], {
      cwd,
      encoding: 'utf8',
      timeout: 60_000,
      ...user,
    });
    return { exit: status ?? -1, stderr, stdout };
  }

  function putAsUser(files: Files): void {
    put(files);
    chmodSync(home, 0o755);
    if (process.getuid?.() !== 0) return;
    for (const path of ['.', ...readdirSync(cwd, { recursive: true, encoding: 'utf8' })]) {
      chownSync(join(cwd, path), 65_534, 65_534);
    }
  }

  it.each([
    ['clusters', ['synth'], 'clusters'],
    ['clusters', ['diff'], 'clusters'],
    ['clusters', ['pools', '--check'], 'clusters'],
    ['clusters/east', ['synth'], 'clusters/east'],
    ['clusters/east/cluster.yaml', ['synth'], 'clusters/east/cluster.yaml'],
  ])('%s that may not be read: %j', (path, args, place) => {
    putAsUser(CLUSTER);
    chmodSync(join(cwd, path), 0);
    const result = spawnAsUser(...args);
    chmodSync(join(cwd, path), 0o755);
    expectRefused(result);
    expect(result.stderr).toContain(`permission denied\n --> ${place}\n`);
    if (!place.endsWith('.yaml')) expect(result.stderr).toContain('= help: see that you may read and enter it\n');
  });

  it('a dist/ that may not be written or read', () => {
    putAsUser({ ...CLUSTER, 'dist/x': '' });
    chmodSync(join(cwd, 'dist'), 0o555);
    expect(spawnAsUser('synth')).toMatchObject({ exit: 2, stderr: expect.stringContaining('EACCES') as unknown });
    chmodSync(join(cwd, 'dist'), 0);
    expect(spawnAsUser('diff')).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('dist cannot be read') as unknown,
    });
    chmodSync(join(cwd, 'dist'), 0o755);
  });

  it('a working directory that is gone', () => {
    const gone = join(cwd, 'gone');
    mkdirSync(gone);
    const script = `rmdir ../gone && exec "$0" "$1" synth`;
    const { status, stderr } = spawnSync('sh', ['-c', script, process.execPath, program], {
      cwd: gone,
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([2, 'error: the working directory is gone\nhelp: go to a folder that is there\n']);
  });

  it.each([
    ['clusters', 'is, or lies in, the input folder `clusters/east`\n --> clusters/east'],
    ['clusters/east', 'is, or lies in, the input folder `clusters/east`\n --> clusters/east/east'],
    ['clusters/other', 'is, or lies in, the input folder `clusters`\n --> clusters/other/east'],
    ['link', 'is, or lies in, the input folder `clusters/east`\n --> link/east'],
    ['above', 'holds the input folder `above/east/in`\n --> above/east'],
    ['', '`--output-dir` is empty'],
  ])('the output in the input: --output-dir "%s"', async (outputDir, says) => {
    put({ ...CLUSTER, 'above/east/in/cluster.yaml': PLAIN_CLUSTER });
    symlinkSync('clusters', join(cwd, 'link'));
    const before = readdirSync(cwd, { recursive: true }).sort();
    for (const check of [[], ['--check']]) {
      const folder = outputDir === 'above' ? ['above/east/in'] : [];
      const result = await weft('synth', ...folder, '--output-dir', outputDir, ...check);
      expectRefused(result);
      expect(result.stderr).toContain(says);
    }
    expect(readdirSync(cwd, { recursive: true }).sort()).toEqual(before);
  });

  it('links: dist/ is followed, the folder of a cluster in it is not', async () => {
    put({ ...CLUSTER, 'real/x': '', 'mine/x': '' });
    symlinkSync('real', join(cwd, 'dist'));
    expect(await weft('synth')).toMatchObject({ exit: 0 });
    expect(readdirSync(join(cwd, 'real'))).toEqual(['east', 'x']);
    rmSync(join(cwd, 'real/east'), { recursive: true });
    symlinkSync('../mine', join(cwd, 'real/east'));
    for (const check of [[], ['--check']]) {
      const says = expect.stringMatching(/is in the way\n --> dist\/east\n/) as unknown;
      expect(await weft('synth', ...check)).toMatchObject({ exit: 2, stderr: says });
    }
    expect(readdirSync(join(cwd, 'mine'))).toEqual(['x']);
  });

  it('dist that is a file, and is named', async () => {
    put({ ...CLUSTER, dist: 'mine' });
    const says = expect.stringContaining('`dist` is not a folder') as unknown;
    for (const args of [['synth'], ['synth', '--check'], ['diff']]) {
      expect(await weft(...args)).toMatchObject({ exit: 2, stderr: says });
    }
  });

  it('what a renamed cluster leaves behind is named, and neither removed nor an error', async () => {
    put({ ...CLUSTER, 'dist/mine/x': '' });
    await weft('synth');
    put({ 'clusters/east/cluster.yaml': named('west') });
    const says = expect.stringMatching(/^warning\[WEFT0071\].*\n --> dist\/east\n[^]*\n1 warning\n/) as unknown;
    for (const args of [['synth'], ['synth', '--check']]) {
      expect(await weft(...args)).toMatchObject({ exit: 0, stderr: says });
    }
    expect((await weft('synth', 'clusters/east')).stderr).not.toContain('WEFT0071');
    rmSync(join(cwd, 'dist/east'), { recursive: true });
    expect((await weft('synth', '--check')).stderr).not.toContain('WEFT0071');
  });
});
