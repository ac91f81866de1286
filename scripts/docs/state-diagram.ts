import type { Transition } from '../../src/companion/core/maintenance/table.js';

/** The table of a maintenance as a Mermaid state diagram. */
export function renderStateDiagram(table: readonly Transition[]): string {
  const arrows = table.flatMap(({ from, to, message }) =>
    from.filter((phase) => phase !== to).map((phase) => `  ${phase} --> ${to}: ${descriptionOf(message)}`),
  );
  return ['stateDiagram-v2', ...arrows, ''].join('\n');
}

/** The table as a Markdown table. */
export function renderStateTable(table: readonly Transition[]): string {
  const lines = table.map(
    ({ id, from, to, message, upstream }) =>
      `| \`${id}\` | ${from.join(', ')} | ${message} | ${to} | ${upstream === false ? 'no' : ''} |`,
  );
  return ['| row | from | if | to | upstream |', '|---|---|---|---|---|', ...lines, ''].join('\n');
}

/** A `;` or `:` ends a description: Mermaid's grammar of state diagrams. */
function descriptionOf(message: string): string {
  return message.replaceAll(/[;:]/g, ',');
}
