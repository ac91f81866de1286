import { TRANSITIONS } from '../../src/upgrade/flow/transitions.js';
import type { TransitionRow } from '../../src/upgrade/flow/transition-row.js';
import { mutantsOf } from './mutants.js';

// Runs before each test file, and puts the mutant that `WEFT_MUTANT` names into the table's place; without it the table stays.
const id = process.env['WEFT_MUTANT'];
if (id !== undefined) {
  const mutant = mutantsOf(TRANSITIONS).find((one) => one.id === id);
  if (mutant === undefined) throw new Error(`there is no mutant \`${id}\``);
  // Every module that imported the table holds this array.
  const table = TRANSITIONS as TransitionRow[];
  table.splice(0, table.length, ...mutant.table);
}
