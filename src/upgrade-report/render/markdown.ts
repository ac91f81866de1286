import { markdownText } from '../../lib/escape-markdown.js';
import { row } from '../../plan/render/markdown.js';
import type { UpgradeReport } from '../types.js';
import { columnsOf, reportHeadlines } from './text.js';

/** The report as Markdown, for a ticket. */
export function reportMarkdown(report: UpgradeReport): string {
  const columns = columnsOf(report);
  const failed = report.nodeReports.filter(({ outcome }) => outcome === 'failed');
  const table = (nodes: UpgradeReport['nodeReports']): readonly string[] => [
    row(columns.map(({ name }) => name)),
    row(columns.map(() => '---')),
    ...nodes.map((one) => row(columns.map(({ of }) => markdownText(of(one))))),
  ];
  const lines = [
    ...['### Report of the upgrade', '', ...reportHeadlines(report).map((line) => `- ${markdownText(line)}`)],
    ...(failed.length === 0 ? [] : ['', ...table(failed)]),
    ...(report.nodeReports.length === 0
      ? []
      : ['', '<details><summary>By node</summary>', '', ...table(report.nodeReports), '', '</details>']),
    ...(report.problems.length === 0 ? [] : ['', `Problems: ${report.problems.map(markdownText).join('; ')}.`]),
    ...['', `From ${markdownText(report.source)}.`],
  ];
  return `${lines.join('\n')}\n`;
}
