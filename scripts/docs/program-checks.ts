import { allComponents } from '../../src/compile/components/all.js';
import { rules } from '../../src/compile/config/rules/rules.js';
import { networkKinds } from '../../src/compile/networks/all.js';
import type { ProgramCheck } from '../../src/compile/model/config.js';
import { groupBy } from '../../src/shared/lib/group-by.js';
import { compareText } from '../../src/shared/lib/json.js';
import { GENERATED, table } from './markdown.js';
import type { Page } from './pages.js';

const INTRODUCTION =
  'What the programs of the nodes refuse, Weft refuses with an error; what they take and what has no effect or another effect than it seems, ' +
  'Weft warns of. The table has each check that follows from the code of a program, with the file that was read.';

/** The diagnostic of values that a schema refuses. */
const SCHEMA = 'WEFT0143';

interface Row extends ProgramCheck {
  readonly code: string;
}

const rows: readonly Row[] = [
  ...[...allComponents, ...networkKinds].flatMap(({ checks = [] }) => checks.map((one) => ({ ...one, code: SCHEMA }))),
  ...rules.flatMap(({ checks = [], code }) => checks.map((one) => ({ ...one, code }))),
];

function programText(program: string, checks: readonly Row[]): string {
  const sorted = [...checks].sort((a, b) => compareText(a.code, b.code));
  const cells = sorted.map(({ code, what, source }) => [what, `[${code}](../errors/${code}.md)`, source]);
  const unique = [...new Map(cells.map((row) => [row.join('\n'), row])).values()];
  return `## ${program}\n\n${table(['what is checked', 'diagnostic', 'by'], unique)}`;
}

/** The page of checks by program, from the rules and the schemas. */
export function programChecksPage(): Page {
  const byProgram = [...groupBy(rows, ({ program }) => program)].sort(([a], [b]) => compareText(a, b));
  const parts = ['# What is checked for which program', GENERATED, INTRODUCTION];
  const sections = byProgram.map(([program, checks]) => programText(program, checks));
  return { path: 'docs/reference/program-checks.md', text: `${[...parts, ...sections].join('\n\n')}\n` };
}
