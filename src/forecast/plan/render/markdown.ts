import { markdownCode, markdownText } from '../../../shared/lib/escape-markdown.js';
import { worstObstacles } from './brief.js';
import { costLine, costSentences } from './cost.js';
import { startLine, startLines } from './starts.js';
import { columnsOf, durationText, headlines, nodesText, rankText, whatText } from './text.js';
import type { Obstacle, UpgradePlan } from '../types.js';

/** The plan as Markdown, for a pull request or a ticket. */
export function planMarkdown(plan: UpgradePlan, name: string): string {
  const { nodePlans, obstacles, durations, notes } = plan;
  const lines = [
    `### Upgrade of ${markdownCode(name)}`,
    '',
    ...summaryLines(plan, obstacles, [...costLine(plan), ...startLine(plan)]),
  ];
  if (nodePlans.length > 0) {
    const columns = columnsOf(plan);
    lines.push(
      ...['', '<details><summary>By node</summary>', ''],
      row(columns.map(({ name }) => name)),
      row(columns.map(() => '---')),
      ...nodePlans.map((one) => row(columns.map(({ of }) => markdownText(of(one))))),
    );
    lines.push('', '</details>');
  }
  const costs = costSentences(plan);
  if (costs.length > 0) lines.push('', `Cost: ${costs.map(markdownText).join('. ')}.`);
  const starts = startLines(plan);
  if (starts.length > 0)
    lines.push('', 'Starts:', '', ...starts.map((line) => `- ${markdownText(line.replace(/^- /, ''))}`));
  lines.push('', `Durations: ${durations.map((one) => markdownText(durationText(one))).join('; ')}.`);
  if (notes.length > 0) lines.push('', `Not simulated: ${notes.map(markdownText).join('; ')}.`);
  return `${lines.join('\n')}\n`;
}

/** The first lines of the plan and the worst obstacles, for the comment of a pull request. */
export function planBriefMarkdown(plan: UpgradePlan, name: string): string {
  const { shown, more } = worstObstacles(plan);
  return [
    ...[`#### Upgrade of ${markdownCode(name)}`, '', ...summaryLines(plan, shown, [])],
    ...(more === '' ? [] : ['', markdownText(more)]),
  ].join('\n');
}

/** The cost as the first line of a comment. */
export function planCostMarkdown(plan: UpgradePlan, name: string): string | undefined {
  const [line] = costLine(plan);
  return line === undefined ? undefined : `- ${markdownCode(name)}: the upgrade ${markdownText(line)}.`;
}

/** A cluster whose upgrade cannot be planned. */
export function unplannedMarkdown(name: string, reason: string): string {
  return `- ${markdownCode(name)}: no plan: ${markdownText(reason)}`;
}

function summaryLines(plan: UpgradePlan, obstacles: readonly Obstacle[], costs: readonly string[]): readonly string[] {
  const lines = [...headlines(plan), ...costs].map((line) => `- ${markdownText(line)}`);
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
  const { kind, isStuck, isNext, nodes, help } = obstacle;
  const rank = rankText(obstacle);
  return row([
    `${isStuck && isNext !== true ? `**${rank}**` : rank}: ${kind}`,
    markdownText(whatText(obstacle)),
    markdownText(nodesText(nodes)),
    markdownText(help),
  ]);
}

/** A row of a table. */
const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
