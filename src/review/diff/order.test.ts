import { describe, expect, it } from '@jest/globals';
import { objectDiff } from '../../../test/review/object-diff.js';
import { renderSarif } from '../../shared/diagnostics/render/sarif.js';
import { renderGithub } from '../../shared/diagnostics/render/github.js';
import type { CoverageChange } from '../impact/coverage-changes.js';
import type { ClusterDiff, ObjectDiff } from './diff.js';
import { diffGroups } from './groups.js';
import { renderDiffMarkdown } from './markdown.js';
import { moreText } from './order.js';
import { diffResults, leftOutOfGithub } from './results.js';
import { renderDiffText } from './text.js';

const cluster = (name: string, objects: readonly ObjectDiff[], part: Partial<ClusterDiff> = {}): ClusterDiff => ({
  ...{ name, change: 'changed', objects, pools: [], nodes: [], restarts: [], coverage: [], notes: [] },
  ...part,
});
const groupsOf = (...clusters: readonly ClusterDiff[]) => {
  const groups = diffGroups();
  clusters.forEach(groups.add);
  return groups.all();
};
const many = <T>(make: (index: number) => T, length = 150) => Array.from({ length }, (_, index) => make(index));

const run = (index: number) =>
  objectDiff({ kind: 'Job', name: `run-${index}`, change: 'added', impact: 'add', startsRun: true });
const binding = (name: string) =>
  objectDiff({ kind: 'ClusterRoleBinding', namespace: '', name, change: 'added', impact: 'rights', notes: ['gained'] });
/** Clusters that are new, each with other objects, whose names come first. */
const decoys = many((index) =>
  cluster(
    `a${index}`,
    [run(index), binding(`b${index}`), objectDiff({ name: `c${index}`, impact: 'add', notes: ['n'.repeat(900)] })],
    {
      change: 'added',
    },
  ),
);
const west = cluster('west', [
  objectDiff({ impact: 'policy', name: 'weft-policy', notes: ['nodes are no longer drained'] }),
  binding('evil'),
]);

describe('150 new clusters', () => {
  const groups = groupsOf(...decoys, west);
  const comment = renderDiffMarkdown(groups);

  it('do not push the sentence about another cluster out of a comment', () => {
    const sentences = comment.split('\n').filter((line) => line.startsWith('- '));
    expect(sentences[0]).toBe('- `west`: companion: nodes are no longer drained.');
    expect(sentences).toHaveLength(11);
    expect(sentences.at(-1)).toBe('- … and 141 more about nodes, none worse than add.');
  });

  it('do not push its objects out of the table and the folded sections', () => {
    expect(comment).toMatch(/\| \*\*rights\*\* \| 151 \| .*: `ClusterRoleBinding evil`, .*, in `west`, /);
    expect(comment).toMatch(/<details><summary><code>west<\/code>[^]*\+ ClusterRoleBinding evil\n/);
    expect(comment).toMatch(/^\d+ more groups of clusters left out, none worse than rights: run `weft diff`/m);
  });

  it('come after it in text, among results and where bases are named', () => {
    expect([...renderDiffText(groups, { colour: false })].join('')).toMatch(/^west: policy/);
    expect(diffResults(groups, ['rights', 'policy'], (name) => name)[0]?.message).toMatch(/^west: ConfigMap ns\/weft/);
    const clusters = [...decoys.map(({ name }) => name), 'west'];
    const named = renderDiffMarkdown(groups, { causes: { changes: [], clusters, setElsewhere: [], same: [] } });
    expect(named).toContain('- 1 cluster: policy, rights, shown: `west`\n');
    expect(named).toContain('- … and 131 more groups of clusters, none worse than rights\n');
    expect(named).toContain('- `west`: companion: nodes are no longer drained.');
  });

  it('are not before the worst results, and annotations, of which GitHub shows ten', () => {
    const results = diffResults(groups, ['rights', 'policy'], (name) => name);
    const sarif = JSON.parse(renderSarif(results, { isOrdered: true })) as Log;
    expect(sarif.runs[0].results[0].message.text).toMatch(/^west: ConfigMap ns\/weft-policy/);
    const shown = renderGithub(results, { isOrdered: true, notice: leftOutOfGithub(results) }).split('\n');
    expect(shown[0]).toContain('west: ConfigMap ns/weft-policy');
    expect(shown[1]).toContain('west: ClusterRoleBinding evil');
    expect(shown.at(-2)).toBe('::notice ::142 more in the log, none worse than rights: GitHub shows 10 of a kind');
    expect(leftOutOfGithub(results.slice(0, 10))).toBeUndefined();
  });
});

/** What the test reads of a log in SARIF. */
interface Log {
  readonly runs: readonly [{ readonly results: readonly [{ readonly message: { readonly text: string } }] }];
}

const driver = (name: string) => ({
  ...{ kernel: '', daemonSet: `ns/${name}`, image: '', version: '1', digest: '' },
});

it('clusters that change do not take the room of others', () => {
  const big = (name: string) =>
    cluster(name, [
      ...many((index) => objectDiff({ impact: 'rights', name: `${name}${index}`, notes: [`${index}`] }), 2_000),
      binding(`of-${name}`),
    ]);
  const comment = renderDiffMarkdown(groupsOf(big('east'), big('north'), west));
  for (const name of ['west', 'east', 'north']) expect(comment).toContain(`<summary><code>${name}</code>`);
  expect(comment).toMatch(/… \d+ lines left out, none worse than rights: run `weft diff` to see all/);
  expect(comment.length).toBeLessThan(65_536);
});

it('a long text takes the room of no other part', () => {
  const note = '|'.repeat(900);
  const long = many((index) =>
    cluster(`${index}${'n'.repeat(250)}`, [objectDiff({ impact: 'policy', notes: [`${index}${note}`] })]),
  );
  const comment = renderDiffMarkdown(groupsOf(...long, west));
  expect(comment).toMatch(/more left out, none worse than policy: run `weft diff` to see all\n\n\| impact \| objects/);
  expect(comment).toMatch(/\| \*\*rights\*\* \| 1 \| .*`ClusterRoleBinding evil`/);
});

it('what does not fit is counted by its class, in sentences and in tables', () => {
  const lost = many((index) => {
    const notes = [`${index}${'x'.repeat(1_500)}`];
    const objects = [objectDiff({ name: `o${index}`, impact: 'driver-loss', notes, poolsAtOnce: ['p'] })];
    const pools = [{ pool: `p${index}`, before: [driver('a')], after: [] }];
    return many((at) => cluster(`${index}-${at}${'n'.repeat(240)}`, objects, { pools }), 5);
  }, 15).flat();
  const comment = renderDiffMarkdown(groupsOf(...lost, west));
  expect(comment).toContain(
    '… 10 more left out, none worse than driver-loss (driver-loss: 9, policy: 1): run `weft diff`',
  );
  expect(comment).toContain('… 11 more left out, none worse than driver-loss: run `weft diff`');
});

it('many pools and kernels do not take the room of what happens to them', () => {
  const gone = { before: driver('z'), step: 'at-once', end: 'none', reason: 'no-driver' } as const;
  const places = many((index) => ({ pool: `pool-${index}`, kernel: `k${index}`, side: 'both' }) as const, 400);
  const named = (sentence: string) => {
    const pools = many((index) => `\`pool-${index}\``, 10).join(', ');
    return `- \`east\`: pools ${pools} and 390 more: ${sentence}`;
  };
  const comment = renderDiffMarkdown(groupsOf(cluster('east', [objectDiff()], { nodes: [{ ...gone, places }] })));
  expect(comment).toContain(named('no driver at the end;'));
  const onePool = places.map((one) => ({ ...one, pool: 'p' }));
  const other = { ...gone, end: 'new', after: driver('y'), places: [{ pool: 'p', kernel: '', side: 'both' }] } as const;
  const nodes = [{ ...gone, places: onePool }, other];
  expect(renderDiffMarkdown(groupsOf(cluster('east', [objectDiff()], { nodes })))).toContain(
    '- `east`: pool `p` at kernels `k0`, `k1`, `k2` and 397 more: no driver at the end;',
  );
});

it('rows of pools and of pods are in order of what happens', () => {
  const pools = [
    ...many((index) => ({ pool: `a${index}`, before: [driver('a')], after: [driver('b')] }), 30),
    { pool: 'z', before: [driver('z')], after: [] },
  ];
  const pods = (pool: string, after: readonly string[]): CoverageChange => ({
    ...{ pool, program: `of-${pool}`, before: ['ns/x'], after },
  });
  const coverage = [...many((index) => pods(`a${index}`, ['ns/y']), 30), pods('z', [])];
  const comment = renderDiffMarkdown(groupsOf(cluster('east', [objectDiff()], { pools, coverage })));
  expect(comment).toMatch(/\|:--\|\n\| `east` \| `z` \| every \|/);
  expect(comment).toContain('| … and 11 more, none worse than drain | | | | |');
  expect(comment).toContain('| … and 11 more, none worse than restart (restart: 10, remove: 1) | | | | |');
});

it('what is left out is counted by class', () => {
  const left = (['add', 'drain', 'add'] as const).map((impact) => ({ impact }));
  expect(moreText(left)).toBe('3 more, none worse than drain (drain: 1, add: 2)');
});
