import { newestRelease, releases } from '../../src/compile/releases/catalog.js';
import { changes } from '../../src/compile/releases/changes.js';
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
    `Without \`release\` the newest final one counts: ${newestRelease.release}.`,
  ].join('\n\n');
}

const EFFECTS = { drain: 'nodes are drained', restart: 'its pods restart', none: '-' } as const;

/** What differs between releases, from the table that the generator asks. */
function changesText(): string {
  const rows = Object.values(changes).map(({ since, now, before, effect, commits }) => [
    since,
    now,
    before,
    EFFECTS[effect],
    commits.map((commit) => `\`${commit}\``).join(', '),
  ]);
  return [
    '## What differs between releases',
    'Weft renders each as the operator of the chosen release does.',
    table(['since', 'what', 'before', 'effect', 'commit'], rows),
  ].join('\n\n');
}

/** Facts of the catalog that were not found. */
function missingText(): string {
  const rows = releases.flatMap(({ release, missing }) =>
    Object.entries(missing).map(([field, reason]) => [release, `\`${field}\``, reason]),
  );
  return ['## What is not known of a release', table(['release', 'fact', 'why'], rows)].join('\n\n');
}

/** The page of the wanted differences, from the table that the comparison with the operator uses. */
export function operatorDifferencesPage(): Page {
  const sections = [comparedText(), ...SECTIONS.map(sectionText), changesText(), missingText()];
  const parts = ['# Differences from the operator', GENERATED, INTRODUCTION, ...sections];
  return { path: 'docs/reference/operator-differences.md', text: `${parts.join('\n\n')}\n` };
}
