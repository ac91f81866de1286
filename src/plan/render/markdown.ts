import { worstObstacles } from './brief.js';
import { columnsOf, durationText, headlines, nodesText, whatText } from './text.js';
import type { Obstacle, UpgradePlan } from '../types.js';

/** The plan as Markdown, for a pull request or a ticket. */
export function planMarkdown(plan: UpgradePlan, name: string): string {
  const { nodePlans, obstacles, durations, notes } = plan;
  const lines = [`### Upgrade of ${cell(name)}`, '', ...summaryLines(plan, obstacles)];
  if (nodePlans.length > 0) {
    const columns = columnsOf(plan);
    lines.push(
      ...['', '<details><summary>By node</summary>', ''],
      row(columns.map(({ name }) => name)),
      row(columns.map(() => '---')),
      ...nodePlans.map((one) => row(columns.map(({ of }) => cell(of(one))))),
    );
    lines.push('', '</details>');
  }
  lines.push('', `Durations: ${durations.map((one) => cell(durationText(one))).join('; ')}.`);
  if (notes.length > 0) lines.push('', `Not simulated: ${notes.map(cell).join('; ')}.`);
  return `${lines.join('\n')}\n`;
}

/** The first lines of the plan and the worst obstacles, for the comment of a pull request. */
export function planBriefMarkdown(plan: UpgradePlan, name: string): string {
  const { shown, more } = worstObstacles(plan);
  return [
    ...[`#### Upgrade of ${cell(name)}`, '', ...summaryLines(plan, shown)],
    ...(more === '' ? [] : ['', cell(more)]),
  ].join('\n');
}

/** A cluster whose upgrade cannot be planned. */
export function unplannedMarkdown(name: string, reason: string): string {
  return `- ${cell(name)}: no plan: ${cell(reason)}`;
}

function summaryLines(plan: UpgradePlan, obstacles: readonly Obstacle[]): readonly string[] {
  const lines = headlines(plan).map((line) => `- ${cell(line)}`);
  if (obstacles.length === 0) return lines;
  return [
    ...lines,
    '',
    '| in the way | what | nodes | help |',
    '| --- | --- | --- | --- |',
    ...obstacles.map(obstacleRow),
  ];
}

function obstacleRow(obstacle: Obstacle): string {
  const { kind, isStuck, nodes, help } = obstacle;
  return row([
    `${isStuck ? '**stuck**' : 'note'}: ${kind}`,
    cell(whatText(obstacle)),
    cell(nodesText(nodes)),
    cell(help),
  ]);
}

/** A row of a table. */
export const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

/** Text of the cluster in a table. */
export function cell(text: string): string {
  return text.replace(/[\\`*_{}[\]<>|#]/g, (mark) => `\\${mark}`).replace(/\s+/g, ' ');
}
