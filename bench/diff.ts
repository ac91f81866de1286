import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { performance } from 'node:perf_hooks';
import { writeFleet } from './fleet-input.js';

/**
 * `weft diff` beside the render of the same fleet and beside `git diff --stat` of its output, in turns. Medians of the time
 * by the clock and of the processor, which says more on a busy machine, each with its ratio to the render; and the peak
 * memory of the process.
 *
 *     npx tsx bench/diff.ts [clusters...]      default: 10 100
 */
const given = process.argv.slice(2).map(Number);
const sizes = given.length > 0 ? given : [10, 100];

/** A thousand clusters take a minute a turn. */
const roundsFor = (count: number) => (count > 100 ? 1 : 5);

interface Contender {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
}

const weft = [process.execPath, resolve('bin/weft.mjs')] as const;
const RENDER = 'synth, into an empty folder';

function contendersIn(root: string): readonly Contender[] {
  return [
    { name: RENDER, command: [...weft, 'synth', '--output-dir', join(root, 'rendered')] },
    { name: 'synth --check', command: [...weft, 'synth', '--check'] },
    { name: 'diff, nothing differs', command: [...weft, 'diff'] },
    { name: 'diff REF, 70 objects of each cluster differ', command: [...weft, 'diff', 'HEAD~1'] },
    { name: 'diff REF --format json', command: [...weft, 'diff', 'HEAD~1', '--format', 'json'] },
    { name: 'diff FOLDER', command: [...weft, 'diff', join(root, 'before')] },
    { name: 'git diff --stat', command: ['git', 'diff', '--stat', 'HEAD~1', '--', 'dist'] },
  ];
}

/** Two commits: the fleet with one MTU, then with another. */
function prepare(root: string, count: number): void {
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=bench', '-c', 'user.email=bench@example.com', ...args], { cwd: root });
  git('init', '-q');
  for (const [mtu, output] of [
    [9000, 'before'],
    [1500, undefined],
  ] as const) {
    writeFleet(root, count, mtu);
    if (output !== undefined)
      execFileSync(weft[0], [weft[1], 'synth', '--output-dir', output], { cwd: root, stdio: 'ignore' });
    execFileSync(weft[0], [weft[1], 'synth'], { cwd: root, stdio: 'ignore' });
    git('add', 'clusters', 'dist');
    git('commit', '-qm', `mtu ${mtu}`);
  }
}

interface Figures {
  readonly seconds: number;
  readonly processorSeconds: number;
  readonly mebibytes: number;
}

function measure(root: string, { name, command }: Contender): Figures {
  if (name === RENDER) rmSync(join(root, 'rendered'), { recursive: true, force: true });
  const start = performance.now();
  const { stderr, status } = spawnSync('/usr/bin/time', ['-f', '%U %S %M', ...command], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 30,
  });
  const seconds = (performance.now() - start) / 1000;
  if (status !== 0 && status !== 1) throw new Error(stderr.slice(-2000));
  const [user = 0, system = 0, kibibytes = 0] = stderr.trim().split('\n').at(-1)?.split(' ').map(Number) ?? [];
  return { seconds, processorSeconds: user + system, mebibytes: kibibytes / 1024 };
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

/** `1.25 s  0.96 x synth`. */
function ratio(found: readonly Figures[], render: readonly Figures[], select: (figures: Figures) => number): string {
  const [seconds, base] = [median(found.map(select)), median(render.map(select))];
  return `${seconds.toFixed(2).padStart(7)} s ${(seconds / base).toFixed(2).padStart(5)} x synth`;
}

for (const count of sizes) {
  const root = mkdtempSync(join(tmpdir(), 'weft-diff-'));
  prepare(root, count);
  const contenders = contendersIn(root);
  const figures = new Map(contenders.map(({ name }) => [name, [] as Figures[]]));
  for (let round = 0; round < roundsFor(count); round += 1) {
    for (const contender of contenders) figures.get(contender.name)?.push(measure(root, contender));
  }
  const render = figures.get(RENDER) ?? [];
  process.stdout.write(`${count} clusters\n`);
  for (const [name, found] of figures) {
    const clock = ratio(found, render, ({ seconds }) => seconds);
    const processor = ratio(found, render, ({ processorSeconds }) => processorSeconds);
    const memory = Math.max(...found.map(({ mebibytes }) => mebibytes)).toFixed(0);
    process.stdout.write(`  ${clock}   processor ${processor} ${memory.padStart(5)} MiB  ${name}\n`);
  }
  rmSync(root, { recursive: true });
}
