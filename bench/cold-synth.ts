import { execFileSync, spawnSync } from 'node:child_process';
import { performance } from 'node:perf_hooks';

/**
 * Times whole processes, one after the other in turns, and prints each median beside its peers' as a ratio. Nothing here is
 * a test: figures depend on the machine, ratios less so.
 */
const ROUNDS = Number(process.argv[2] ?? 7);

interface Contender {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
}

const node = process.execPath;
const contenders: readonly Contender[] = [
  { name: 'node -e 0', command: [node, '-e', '0'] },
  { name: 'weft --version', command: [node, 'bin/weft.mjs', '--version'] },
  {
    name: 'weft synth -o json, quickstart',
    command: [node, 'bin/weft.mjs', 'synth', 'clusters/quickstart', '-o', 'json'],
  },
  { name: 'weft synth --check, all examples', command: [node, 'bin/weft.mjs', 'synth', '--check'] },
  { name: 'cdk8s synth, all examples', command: [node, 'node_modules/.bin/cdk8s', 'synth', '--no-check-upgrade'] },
  { name: 'kubectl kustomize dist/hpc', command: ['kubectl', 'kustomize', 'dist/hpc'] },
];

function isInstalled({ command: [program] }: Contender): boolean {
  return spawnSync(program, ['--help'], { stdio: 'ignore' }).error === undefined;
}

function milliseconds({ command: [program, ...args] }: Contender): number {
  const start = performance.now();
  execFileSync(program, args, { stdio: ['ignore', 'ignore', 'ignore'] });
  return performance.now() - start;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

const present = contenders.filter(isInstalled);
const times = new Map(present.map(({ name }) => [name, [] as number[]]));
for (let round = 0; round < ROUNDS; round += 1) {
  for (const contender of present) times.get(contender.name)?.push(milliseconds(contender));
}
const base = median(times.get('node -e 0') ?? []);
for (const [name, values] of times) {
  const typical = median(values);
  process.stdout.write(
    `${typical.toFixed(0).padStart(6)} ms  ${(typical / base).toFixed(1).padStart(5)} x node -e 0  ${name}\n`,
  );
}
for (const { name } of contenders.filter((one) => !present.includes(one)))
  process.stdout.write(`not installed: ${name}\n`);
