import type { TransitionRow } from '../../src/upgrade/flow/transition-row.js';

/** The transition table with one part removed. */
export interface Mutant {
  /** `<row>`, or `<row> <field> <what is removed>`. */
  readonly id: string;
  readonly table: readonly TransitionRow[];
}

/** Removes each row, each guard, each effect, and each state of a row's `from`, one at a time. */
export function mutantsOf(table: readonly TransitionRow[]): readonly Mutant[] {
  return table.flatMap((row) => [
    { id: row.id, table: table.filter((one) => one !== row) },
    ...shortened(row).map(({ id, row: changed }) => ({
      id: `${row.id} ${id}`,
      table: table.map((one) => (one === row ? changed : one)),
    })),
  ]);
}

function shortened(row: TransitionRow): readonly { readonly id: string; readonly row: TransitionRow }[] {
  const without = <Entry>(list: readonly Entry[], entry: Entry) => list.filter((one) => one !== entry);
  // A row without its only state is a missing row.
  const states = row.from.length === 1 ? [] : row.from;
  return [
    ...states.map((state) => ({ id: `from ${state || 'empty'}`, row: { ...row, from: without(row.from, state) } })),
    ...row.when.map((guard) => ({ id: `when ${guard}`, row: { ...row, when: without(row.when, guard) } })),
    ...(row.unless ?? []).map((guard) => ({
      id: `unless ${guard}`,
      row: { ...row, unless: without(row.unless ?? [], guard) },
    })),
    ...row.then.map((effect) => ({ id: `then ${effect}`, row: { ...row, then: without(row.then, effect) } })),
  ];
}
