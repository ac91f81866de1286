import { describe, expect, it } from '@jest/globals';
import { objectDiff } from '../../../test/review/object-diff.js';
import { alikeGroups } from './alike.js';
import type { ClusterDiff, ObjectDiff } from './diff.js';
import { diffGroups } from './groups.js';
import { renderDiffMarkdown } from './markdown.js';
import { diffResults } from './results.js';
import { renderDiffText } from './text.js';

const image = (tag: string) => ({ kind: 'changed', path: 'image', from: 'driver:1', to: `driver:${tag}` }) as const;

/** A cluster whose driver is replaced on one pool, which has a name and a kernel of its own. */
function cluster(
  name: string,
  { pool = 'gpu', kernel = '6.8.0-31', tag = '2', more = [] as readonly ObjectDiff[] } = {},
) {
  const daemonSet = `ns/mofed-${kernel}-ds`;
  const sides = (['1', tag] as const).map((version) => ({
    ...{ kernel, daemonSet, image: `driver:${version}-${kernel}`, version, digest: `${version}${pool}` },
  }));
  const [before, after] = sides;
  const driver = objectDiff({
    kind: 'DaemonSet',
    namespace: 'ns',
    name: `mofed-${kernel}-ds`,
    impact: 'drain',
    pools: [pool],
    notes: [`pool \`${pool}\`: the companion drains the nodes`],
    fields: [image(tag)],
  });
  const diff: ClusterDiff = {
    name,
    change: 'changed',
    objects: [driver, ...more],
    pools: before && after ? [{ pool, before: [before], after: [after] }] : [],
    nodes: [
      {
        ...{ before, after, step: 'drained', end: 'new', nodes: [`${name}-1`, `${name}-2`] },
        places: [{ pool, kernel, side: 'both' }],
      } as ClusterDiff['nodes'][number],
    ],
    restarts: [],
    coverage: [],
    notes: [],
  };
  return diff;
}

function groupsOf(...clusters: readonly ClusterDiff[]) {
  const groups = diffGroups();
  clusters.forEach(groups.add);
  return groups.all();
}
const names = (...clusters: readonly ClusterDiff[]) => alikeGroups(groupsOf(...clusters)).map((group) => group.names);

describe('clusters that differ in names alone', () => {
  const run = (hash: string) =>
    objectDiff({ kind: 'Job', name: `weft-companion-${hash}`, change: 'added', impact: 'add', startsRun: true });
  const lyon = cluster('lyon', { more: [run('0123456789')] });
  const oslo = cluster('oslo', { pool: 'h100', kernel: '6.8.0-45', more: [run('abcdef0123')] });
  const rome = cluster('rome', { tag: '3', more: [run('0123456789')] });

  it('are one group, with one of them shown and the nodes of all', () => {
    const [group, other] = alikeGroups(groupsOf(lyon, oslo, rome));
    expect(group).toMatchObject({ names: ['lyon', 'oslo'], others: ['oslo'], nodeCount: 4 });
    expect(other).toMatchObject({ names: ['rome'], others: [] });
  });

  it('are not told apart by equal drivers of more pools', () => {
    const two = cluster('two');
    const more = cluster('two', { pool: 'h100', kernel: '6.8.0-45' });
    const both = {
      ...two,
      objects: [...two.objects, ...more.objects],
      pools: [...two.pools, ...more.pools],
      nodes: two.nodes.map((row) => ({
        ...row,
        places: [...row.places, ...more.nodes.flatMap(({ places }) => places)],
      })),
    };
    expect(names(cluster('one'), both)).toEqual([['one', 'two']]);
  });

  const rights = (right: string) =>
    objectDiff({ kind: 'ClusterRole', name: 'extra', impact: 'rights', notes: [`grants \`${right}\``] });
  const other = (driver: ClusterDiff['nodes'][number]['after']) => ({
    ...{ daemonSet: '', version: '', digest: '', ...driver },
    image: 'elsewhere:2',
  });
  const others = [
    ['no driver on a pool', { ...lyon, pools: lyon.pools.map((one) => ({ ...one, after: [] })) }],
    [
      'a driver of another registry',
      { ...lyon, nodes: lyon.nodes.map((row) => ({ ...row, after: other(row.after) })) },
    ],
    ['a value that has the name of the pool', cluster('x', { pool: '3', tag: '3', more: [run('0123456789')] })],
    ['one object more', cluster('x', { more: [run('0123456789'), objectDiff({})] })],
    ['a new cluster', { ...lyon, change: 'added' as const }],
    ['a sentence', { ...lyon, notes: ['the driver gate: label -> ready-file'] }],
  ] as const;
  it.each(others)('is another group with %s', (_, changed) => {
    expect(names(lyon, { ...changed, name: 'x' })).toEqual([['lyon'], ['x']]);
  });

  it('does not take a right for the name of a pool', () => {
    const one = cluster('one', { pool: 'pods', more: [rights('pods')] });
    const two = cluster('two', { pool: 'secrets', more: [rights('secrets')] });
    expect(names(one, two)).toEqual([['one'], ['two']]);
  });

  it('are shown once in text, Markdown and results, and each by itself with all', () => {
    const groups = groupsOf(lyon, oslo);
    const text = (options: object) => [...renderDiffText(groups, { colour: false, ...options })].join('');
    expect(text({ isFolded: () => false })).toMatch(
      /^2 clusters, 4 nodes, shown: lyon: drain: 1 driver DaemonSet, add: 1 Job\n {2}the same but for names of pools, kernels and drivers: oslo\n/,
    );
    expect(text({}).match(/^(?:lyon|oslo): drain/gm)).toEqual(['lyon: drain', 'oslo: drain']);
    const comment = renderDiffMarkdown(groups);
    expect(comment).toContain('- `lyon` and 1 alike: pool `gpu` (2 nodes): the companion drains the nodes');
    expect(comment.match(/<summary>.*<\/summary>/g)).toEqual([
      '<summary><code>lyon</code>: drain: 1 driver DaemonSet, add: 1 Job; the same but for names of pools, kernels and drivers: <code>oslo</code></summary>',
    ]);
    expect(diffResults(groups, ['drain'], (name) => name).map(({ message }) => message)).toEqual([
      'lyon and alike oslo: DaemonSet ns/mofed-6.8.0-31-ds: pool `gpu`: the companion drains the nodes',
    ]);
  });
});
