import { newestRelease, releases } from '../../src/compile/releases/catalog.js';
import { SECTIONS, type Section } from '../../test/conformance/differences.js';
import { GENERATED, table } from './markdown.js';
import type { Page } from './pages.js';

const INTRODUCTION =
  'For every component the objects equal what the NVIDIA Network Operator of the chosen release renders for the same ' +
  'custom resources: kinds, names, namespaces, labels, selectors, pod templates, the order of lists, and CRDs. ' +
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

/** The operators whose output is compared, a row for each release. */
function comparedText(): string {
  const rows = releases.map(({ release, templates: { version, commit } }) => [
    release,
    `\`${version}\``,
    `\`${commit.slice(0, 8)}\``,
  ]);
  return [
    '## The operators that are compared',
    table(['release', 'version', 'commit'], rows),
    `Without \`release\` the newest final one counts: ${newestRelease.release}. [Releases](releases.md) has what differs between them.`,
  ].join('\n\n');
}

/** The page of the wanted differences, from the table that the comparison with the operator uses. */
export function operatorDifferencesPage(): Page {
  const sections = [comparedText(), ...SECTIONS.map(sectionText)];
  const parts = ['# Differences from the operator', GENERATED, INTRODUCTION, ...sections];
  return { path: 'docs/reference/operator-differences.md', text: `${parts.join('\n\n')}\n` };
}
