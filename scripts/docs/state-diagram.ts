import type { NodeState } from '../../src/shared/contract/node-states.js';
import type { TransitionRow } from '../../src/companion/core/flow/transition-row.js';

/** The transition table as a Mermaid state diagram. */
export function renderStateDiagram(table: readonly TransitionRow[]): string {
  const arrows = table.flatMap(({ from, to, message }) =>
    to === 'keep'
      ? []
      : from
          .filter((state) => state !== to)
          .map((state) => `  ${idOf(state)} --> ${idOf(to)}: ${descriptionOf(message)}`),
  );
  const names = [...new Set(table.flatMap(({ from, to }) => [...from, ...(to === 'keep' ? [] : [to])]))];
  const states = names.map((state) => `  state "${state === '' ? '(empty)' : state}" as ${idOf(state)}`);
  return ['stateDiagram-v2', ...states, ...arrows, ''].join('\n');
}

/** The transition table as a Markdown table. */
export function renderStateTable(table: readonly TransitionRow[]): string {
  const lines = table.map(({ from, when, unless = [], to, then, message, upstream }) => {
    const states = from.map(nameOf).join(', ');
    const target = to === 'keep' ? 'keeps' : nameOf(to);
    return `| ${states} | ${message} | ${listOf(when)} | ${listOf(unless)} | ${target} | ${listOf(then)} | ${upstream === false ? 'no' : ''} |`;
  });
  return ['| from | | when | unless | to | then | upstream |', '|---|---|---|---|---|---|---|', ...lines, ''].join(
    '\n',
  );
}

function nameOf(state: NodeState): string {
  return state === '' ? 'empty' : `\`${state}\``;
}

function idOf(state: NodeState): string {
  return state === '' ? 'empty' : state.replaceAll('-', '_');
}

/** A `;` or `:` ends a description: Mermaid's grammar of state diagrams. */
function descriptionOf(message: string): string {
  return message.replaceAll(/[;:]/g, ',');
}

function listOf(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(' ');
}
