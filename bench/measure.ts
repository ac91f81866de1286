import { spawnSync } from 'node:child_process';
import { performance } from 'node:perf_hooks';

/** A program to compare, timed as a whole process. */
export interface Contender {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
  readonly cwd: string;
  /** Runs before each run; not timed. */
  readonly prepare?: () => void;
  /** Exit codes of success. Default: 0. */
  readonly exits?: readonly number[];
}

/** One run of a contender. */
export interface Figures {
  /** Wall-clock time. */
  readonly seconds: number;
  /** Processor time of all threads: less affected by other processes than the wall-clock time. */
  readonly processorSeconds: number;
  /** Peak resident memory. */
  readonly mebibytes: number;
}

/** The oldest Node that is supported, as npm has it: newer ones start in another time, and the goals are for this one. */
export const NODE = nodeOf('22');

function nodeOf(major: string): string {
  const args = ['--yes', '--package', `node@${major}`, '--', 'node', '-p', 'process.execPath'];
  const { stdout, status } = spawnSync('npx', args, { encoding: 'utf8' });
  if (status === 0) return stdout.trim();
  process.stdout.write(`NODE ${major} CANNOT BE INSTALLED HERE: THE FIGURES ARE THOSE OF ${process.version}\n`);
  return process.execPath;
}

/** Without what makes each start of Node slower on some machines: certificates beside Node's own, and options. */
const ENVIRONMENT = { ...process.env, NODE_EXTRA_CA_CERTS: undefined, NODE_OPTIONS: undefined };

/** The start of Node alone, the unit of all ratios. */
export const emptyNode = (cwd: string): Contender => ({ name: 'node -e 0', command: [NODE, '-e', '0'], cwd });

/** The limits of a run. */
export interface Goal {
  /** Multiple of the other program, wall-clock. */
  readonly multiple: number;
  readonly mebibytes: number;
}

export interface Measured {
  readonly name: string;
  readonly figures: readonly Figures[];
}

/** Compares the medians of runs with those of another program and a goal, as a line of text. */
export function compareWithGoal(own: readonly Figures[], other: Measured, goal: Goal): string {
  const ratio = (select: (one: Figures) => number) => median(own.map(select)) / median(other.figures.map(select));
  const clock = ratio(({ seconds }) => seconds);
  const processor = ratio(({ processorSeconds }) => processorSeconds);
  const mebibytes = Math.max(...own.map((one) => one.mebibytes));
  const isMet = clock <= goal.multiple && mebibytes <= goal.mebibytes;
  return (
    `${isMet ? 'met' : 'MISSED'}: ${clock.toFixed(1)} x ${other.name} by the clock (goal ${goal.multiple}), ` +
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
    env: ENVIRONMENT,
    encoding: 'utf8',
    maxBuffer: 1 << 30,
  });
  const seconds = (performance.now() - start) / 1000;
  if (status === null || !exits.includes(status)) throw new Error(`${command.join(' ')}: ${stderr.slice(-2000)}`);
  const [user = 0, system = 0, kibibytes = 0] = stderr.trim().split('\n').at(-1)?.split(' ').map(Number) ?? [];
  return { seconds, processorSeconds: user + system, mebibytes: kibibytes / 1024 };
}

/** Interleaves the runs of all contenders, so that other load of the machine affects all of them. */
export function measureInRounds(
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

/** A line for each contender: medians, each with its ratio to that of the first contender, and the peak memory of all runs. */
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
