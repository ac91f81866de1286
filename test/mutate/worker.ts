import { performance } from 'node:perf_hooks';
import { TRANSITIONS } from '../../src/upgrade/flow/transitions.js';
import type { TransitionRow } from '../../src/upgrade/flow/transition-row.js';
import { mutantsOf } from './mutants.js';
import { registered, type RegisteredTest } from './registered-tests.js';

/** The mutant to test, and the tests that reach it, as indexes of the list of all tests. */
export interface MutantOrder {
  readonly number: number;
  readonly tests: readonly number[];
}

/** The result of a mutant: the test that failed with it, or undefined. */
export interface MutantResult {
  readonly killer: string | undefined;
}

/** The tests without a mutant. */
export interface Coverage {
  readonly failed: readonly string[];
  readonly tests: readonly { readonly file: string; readonly name: string; readonly durationMs: number }[];
  /** Numbers of the mutants that each test reaches. */
  readonly reached: readonly (readonly number[])[];
}

export type WorkerRequest = { readonly kind: 'coverage' } | ({ readonly kind: 'mutant' } & MutantOrder);

/** Time limit of a test with a mutant, in real time: a longer test waits for an event that never happens. */
const LONGEST_MS = 5_000;

const table = [...TRANSITIONS];
const tableMutants = mutantsOf(table);
const placed = TRANSITIONS as TransitionRow[];
let active: number | undefined;
let reached: Set<number> | undefined;
let unhandled: unknown;

Object.assign(globalThis, {
  weftIsMutant(number: number): boolean {
    reached?.add(number);
    return number === active;
  },
});
process.on('unhandledRejection', (error) => {
  unhandled = error ?? new Error('a promise was rejected');
});

/** Answers the requests of `scripts/mutate.ts`. Mutants of the table have the first numbers. */
export function serve(): void {
  process.on('message', (request: WorkerRequest) => {
    void (request.kind === 'coverage' ? coverage() : tryMutant(request)).then((answer) => process.send?.(answer));
  });
}

async function tryMutant({ number, tests }: MutantOrder): Promise<MutantResult> {
  active = number;
  placed.splice(0, placed.length, ...(tableMutants[number]?.table ?? table));
  for (const place of tests) {
    const test = registered[place];
    if (test !== undefined && (await failureOf(test)) !== undefined) return { killer: test.name };
  }
  return { killer: undefined };
}

/** Why the test fails; undefined if it passes. */
async function failureOf(test: RegisteredTest): Promise<unknown> {
  unhandled = undefined;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error('it takes too long')), LONGEST_MS);
  });
  try {
    await Promise.race(reached === undefined ? [test.run(), late] : [test.run()]);
    // An unhandled rejection is reported after the microtasks.
    await new Promise((resolve) => setImmediate(resolve));
    return unhandled;
  } catch (error) {
    return error ?? new Error('a test threw nothing');
  } finally {
    clearTimeout(timer);
  }
}

async function coverage(): Promise<Coverage> {
  active = undefined;
  placed.splice(0, placed.length, ...table.map(observedRow));
  const failed: string[] = [];
  const tests: Coverage['tests'][number][] = [];
  const all: number[][] = [];
  for (const test of registered) {
    reached = new Set();
    const startMs = performance.now();
    const failure = await failureOf(test);
    if (failure !== undefined) failed.push(`${test.name}: ${failure instanceof Error ? failure.message : 'no Error'}`);
    tests.push({ file: test.file, name: test.name, durationMs: performance.now() - startMs });
    all.push([...reached]);
  }
  reached = undefined;
  return { failed, tests, reached: all };
}

/** A row that records which of its mutants are reached: guards when they are evaluated, other parts when the row is taken. */
function observedRow(row: TransitionRow): TransitionRow {
  const own = tableMutants.flatMap(({ id }, number) =>
    id === row.id || id.startsWith(`${row.id} `)
      ? [{ number, isGuard: /^ (?:when|unless) /.test(id.slice(row.id.length)) }]
      : [],
  );
  return new Proxy(row, {
    get(target, key, receiver) {
      for (const { number, isGuard } of own)
        if ((key === 'when' && isGuard) || (key === 'then' && !isGuard)) reached?.add(number);
      if (key === 'unless') for (const { number, isGuard } of own) if (isGuard) reached?.add(number);
      return Reflect.get(target, key, receiver) as unknown;
    },
  });
}
