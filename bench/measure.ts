import { spawnSync } from 'node:child_process';
import { performance } from 'node:perf_hooks';

/** A program to be timed beside others, as a whole process. */
export interface Contender {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
  readonly cwd: string;
  /** Before each run; not timed. */
  readonly prepare?: () => void;
  /** Default: 0. */
  readonly exits?: readonly number[];
}

/** One run of a contender. */
export interface Figures {
  /** By the clock. */
  readonly seconds: number;
  /** Of the processor, with all threads: says more than the clock where other processes use the machine. */
  readonly processorSeconds: number;
  /** Peak resident memory. */
  readonly mebibytes: number;
}

export const NODE = process.execPath;

/** The start of Node alone: what all figures are multiples of. */
export const emptyNode = (cwd: string): Contender => ({ name: 'node -e 0', command: [NODE, '-e', '0'], cwd });

/** What a run may take. */
export interface Goal {
  /** Times the start of Node alone, by the clock. */
  readonly multiple: number;
  readonly mebibytes: number;
}

/** Says whether the medians of some runs are within a goal. */
export function judge(own: readonly Figures[], node: readonly Figures[], goal: Goal): string {
  const ratio = (select: (one: Figures) => number) => median(own.map(select)) / median(node.map(select));
  const clock = ratio(({ seconds }) => seconds);
  const processor = ratio(({ processorSeconds }) => processorSeconds);
  const mebibytes = Math.max(...own.map((one) => one.mebibytes));
  const isMet = clock <= goal.multiple && mebibytes <= goal.mebibytes;
  return (
    `${isMet ? 'met' : 'MISSED'}: ${clock.toFixed(1)} x node -e 0 by the clock (goal ${goal.multiple}), ` +
    `${processor.toFixed(1)} x by the processor, ${mebibytes.toFixed(0)} MiB (goal ${goal.mebibytes})\n`
  );
}

export function isInstalled(program: string): boolean {
  return spawnSync(program, ['--help'], { stdio: 'ignore' }).error === undefined;
}

/** Runs it once under time(1). */
export function measure({ command, cwd, prepare, exits = [0] }: Contender): Figures {
  prepare?.();
  const start = performance.now();
  const { stderr, status } = spawnSync('/usr/bin/time', ['-f', '%U %S %M', ...command], {
    cwd,
    encoding: 'utf8',
    maxBuffer: 1 << 30,
  });
  const seconds = (performance.now() - start) / 1000;
  if (status === null || !exits.includes(status)) throw new Error(`${command.join(' ')}: ${stderr.slice(-2000)}`);
  const [user = 0, system = 0, kibibytes = 0] = stderr.trim().split('\n').at(-1)?.split(' ').map(Number) ?? [];
  return { seconds, processorSeconds: user + system, mebibytes: kibibytes / 1024 };
}

/** All of them once in each round, so that other load of the machine affects all alike. */
export function measureInTurns(
  contenders: readonly Contender[],
  rounds: number,
): ReadonlyMap<string, readonly Figures[]> {
  const figures = new Map(contenders.map(({ name }) => [name, [] as Figures[]]));
  for (let round = 0; round < rounds; round += 1) {
    for (const contender of contenders) figures.get(contender.name)?.push(measure(contender));
  }
  return figures;
}

export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

/** A line for each contender: medians, each with its ratio to the first, and the most memory that a run took. */
export function table(figures: ReadonlyMap<string, readonly Figures[]>): string {
  const [base = []] = figures.values();
  const column = (found: readonly Figures[], select: (one: Figures) => number) => {
    const [own, first] = [median(found.map(select)), median(base.map(select))];
    return `${(own * 1000).toFixed(0).padStart(7)} ms ${(own / first).toFixed(2).padStart(6)} x`;
  };
  return [...figures]
    .map(([name, found]) => {
      const clock = column(found, ({ seconds }) => seconds);
      const processor = column(found, ({ processorSeconds }) => processorSeconds);
      const memory = Math.max(...found.map(({ mebibytes }) => mebibytes)).toFixed(0);
      return `${clock}   processor ${processor}   ${memory.padStart(4)} MiB   ${name}\n`;
    })
    .join('');
}
