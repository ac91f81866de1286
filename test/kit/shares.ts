/** Whether this run tries all cases, as a step of `.ci/run` does. Without the variable a test tries a share of them. */
export const isEveryCase = process.env['WEFT_ALL_CASES'] !== undefined;

/** Number of random inputs of a property: `some` in `npm test`, `all` with all cases. */
export const runsOf = (some: number, all: number): { readonly numRuns: number } => ({
  numRuns: Number(process.env['WEFT_RUNS'] ?? (isEveryCase ? all : some)),
});

/** One of so many cases, counted from the case at `first`; all of them where every case is asked for. */
export function shareOf<Case>(cases: readonly Case[], of: number, first = 0): readonly Case[] {
  return cases.filter((_, at) => isEveryCase || at % of === first);
}
