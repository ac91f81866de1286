import { SECTIONS, type Section } from '../../test/conformance/differences.js';
import { GENERATED, table } from './markdown.js';
import type { Page } from './pages.js';

const INTRODUCTION =
  'For every component the objects equal what the NVIDIA Network Operator at commit `b06827e0` (v26.7) renders for the same ' +
  'custom resources: kinds, names, namespaces, labels, selectors, pod templates, the order of lists. ' +
  'Absent, `null`, `{}` and `[]` count as equal, as they do to the API server. This page lists the differences, and why; ' +
  '`npm test` compares the cases in `test/conformance` and allows no others.';

function sectionText({ title, head, rows, remarks = [] }: Section): string {
  return [
    `## ${title}`,
    table(
      head,
      rows.map(({ cells }) => cells),
    ),
    ...remarks,
  ].join('\n\n');
}

/** The page of the wanted differences, from the table that the comparison with the operator uses. */
export function operatorDifferencesPage(): Page {
  const parts = ['# Differences from the operator', GENERATED, INTRODUCTION, ...SECTIONS.map(sectionText)];
  return { path: 'docs/reference/operator-differences.md', text: `${parts.join('\n\n')}\n` };
}
