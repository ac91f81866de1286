import { describe, expect, it } from '@jest/globals';
import { objectDiff } from '../../../test/review/object-diff.js';
import type { ClusterDiff, ObjectDiff } from './diff.js';
import type { NodeRow } from '../impact/node-rows.js';
import type { DiffDocument } from './json.js';
import { diffGroups, type DiffGroup } from './groups.js';
import { renderDiffJson } from './json.js';
import { renderDiffMarkdown } from './markdown.js';
import { renderDiffText } from './text.js';

const cluster = (name: string, ...objects: readonly ObjectDiff[]): ClusterDiff => ({
  name,
  change: 'changed',
  objects,
  pools: [],
  nodes: [],
  restarts: [],
  coverage: [],
  notes: [],
});
const changed = (from: unknown, to: unknown) => objectDiff({ fields: [{ kind: 'changed', path: 'data.a', from, to }] });

/** Every way in which drivers change, not in the order of how bad it is. */
const driver = (daemonSet: string, version: string) => ({
  daemonSet: `ns/${daemonSet}`,
  image: '',
  version,
  digest: '',
});
const place = (pool: string, kernel = '') => ({ pool, kernel, side: 'both' }) as const;
const ROWS: readonly NodeRow[] = [
  { places: [place('new')], after: driver('a', '2'), step: 'installed', end: 'new' },
  { places: [place('b', 'k1')], before: driver('b', '1'), after: driver('b', '2'), step: 'drained', end: 'new' },
  { places: [place('c')], before: driver('c', '1'), after: driver('c', '2'), step: 'drained', end: 'new' },
  {
    ...{ places: [place('b', 'k2')], before: driver('d', '1'), after: driver('d', '1'), step: 'kept', end: 'old' },
    ...{ reason: 'no-driver', misfit: 'no driver DaemonSet is for kernel k2' },
  },
  {
    places: [place('e')],
    before: driver('e', '1'),
    after: driver('e', '1'),
    step: 'kept',
    end: 'old',
    reason: 'paused',
  },
  {
    ...{ places: [place('f')], before: driver('f', '1'), after: driver('f', '2'), step: 'undrained', end: 'new' },
    reason: 'drain-off',
  },
  { places: [place('g')], before: driver('g', '1'), after: driver('h', '1'), step: 'at-once', end: 'new' },
  {
    ...{ places: [], before: driver('i', '1'), step: 'at-once', end: 'none' },
    ...{ reason: 'no-driver', misfit: 'no policy installs a driver' },
  },
  { places: [place('j')], before: driver('j', '1'), step: 'drained', end: 'none', reason: 'uninstall', nodes: ['n1'] },
];
const rowSentences = (quote: (name: string) => string) => [
  `nodes of ${quote('ns/i')}: no driver at the end; its pod is deleted when this is applied, without a drain; no policy installs a driver`,
  `pool ${quote('j')} (1 node): no driver at the end; the companion drains the nodes and uninstalls it`,
  `pool ${quote('f')}: pods lose their NIC without a drain, because \`drain.enable\` is not set; the nodes get driver ${quote('2')}`,
  `pool ${quote('g')}: pods lose their NIC without a drain: the driver pod is deleted when this is applied; the nodes get driver ${quote('1')}`,
  `pool ${quote('b')} at kernel ${quote('k2')}: the nodes keep driver ${quote('1')}, and nothing upgrades it; no driver DaemonSet is for kernel ${quote('k2')}`,
  `pool ${quote('e')}: the nodes keep driver ${quote('1')}, and nothing upgrades it; the companion is paused`,
  `pools ${quote('b')} at kernel ${quote('k1')}, ${quote('c')}: the companion drains the nodes, and they get driver ${quote('2')}`,
  `pool ${quote('new')}: the nodes have no driver, and get driver ${quote('2')}`,
];
const changes = (name: string): ClusterDiff => ({ ...cluster(name, objectDiff()), nodes: ROWS });

function groupsOf(clusters: readonly ClusterDiff[]): readonly DiffGroup[] {
  const groups = diffGroups();
  clusters.forEach(groups.add);
  return groups.all();
}
const text = (...clusters: readonly ClusterDiff[]) =>
  [...renderDiffText(groupsOf(clusters), { colour: false })].join('');
const markdown = (...clusters: readonly ClusterDiff[]) => renderDiffMarkdown(groupsOf(clusters));
const json = (...clusters: readonly ClusterDiff[]) =>
  [...renderDiffJson(groupsOf(clusters), { old: 'HEAD:dist/' })].join('');

describe('text', () => {
  it('has a line for each kind of change', () => {
    const fields = [
      { kind: 'added', path: 'a', to: { c: 2, b: 1 } },
      { kind: 'removed', path: 'b', from: null },
      { kind: 'changed', path: 'c', from: 1, to: '1' },
      { kind: 'reordered', path: 'd' },
      { kind: 'reformatted', path: 'e' },
    ] as const;
    expect(text(cluster('east', objectDiff({ fields, notes: ['a note'] })))).toBe(`east: metadata: 1 ConfigMap
  metadata: nothing happens to pods, networks and rights
    ~ ConfigMap ns/x
        = a note
        + a: {"b":1,"c":2}
        - b: null
        ~ c: 1 -> "1"
        ~ d: other order
        ~ e: written differently, same data
`);
  });

  it('calls an older driver a downgrade', () => {
    const [before, after] = [driver('a', '24.10-1.1.4.0-0'), driver('a', '24.10-0.7.0.0-0')];
    const nodes: NodeRow[] = [{ places: [place('a')], before, after, step: 'drained', end: 'new' }];
    expect(text({ ...cluster('east', objectDiff()), nodes }).split('\n')[1]).toBe(
      '  pool a: the companion drains the nodes, and they get driver 24.10-0.7.0.0-0, a downgrade',
    );
  });

  it('says what happens to nodes, the worst first', () => {
    expect(text(changes('east')).split('\n').slice(0, 9)).toEqual([
      'east: metadata: 1 ConfigMap',
      ...rowSentences((name) => name).map((sentence) => `  ${sentence}`),
    ]);
  });

  it('shows long texts where they differ', () => {
    const common = 'x'.repeat(500);
    const shown = text(cluster('east', changed(`${common}old${common}`, `${common}new`)));
    expect(shown).toContain(`"…${'x'.repeat(30)}old${'x'.repeat(67)}…" -> "…${'x'.repeat(30)}new"`);
  });

  it('says where more of a long text differs than is shown', () => {
    const [common, end] = ['x'.repeat(500), 'y'.repeat(500)];
    const shown = (from: string, to: string) => text(cluster('east', changed(from, to)));
    const more = /…", and more of it differs$/m;
    expect(shown(`a${common}b${end}`, `A${common}B${end}`)).toMatch(more);
    expect(shown(`a${common}${end}`, `a${common}rm -rf /${'z'.repeat(200)}${end}`)).toMatch(more);
    expect(shown(`a${common}b${end}`, `a${common}B${end}`)).not.toContain('differs');
    expect(shown(common, `${common}${common}`)).toMatch(more);
    expect(shown(common, `${common}x`)).not.toContain('differs');
  });

  it('shows long data shortened', () => {
    const value = Array.from({ length: 1000 }, () => 'word');
    const lines = text(cluster('east', objectDiff({ fields: [{ kind: 'added', path: 'a', to: value }] }))).split('\n');
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(150);
  });

  it('tells clusters that differ alike once', () => {
    const fleet = ['c', 'a', 'b'].map((name) => cluster(name, objectDiff()));
    expect(text(...fleet, cluster('d', objectDiff({ name: 'y' })), cluster('same')).split('\n')).toEqual([
      'a, b, c: metadata: 1 ConfigMap',
      '  metadata: nothing happens to pods, networks and rights',
      '    ~ ConfigMap ns/x',
      '',
      'd: metadata: 1 ConfigMap',
      '  metadata: nothing happens to pods, networks and rights',
      '    ~ ConfigMap ns/y',
      '',
    ]);
  });

  it('is empty where nothing differs', () => {
    expect(text(cluster('east'))).toBe('');
  });

  it('has colours when asked', () => {
    const groups = groupsOf([cluster('east', objectDiff({ change: 'removed', impact: 'remove' }))]);
    expect([...renderDiffText(groups, { colour: true })].join('')).toContain('\u001b[31m- ConfigMap ns/x\u001b[0m');
  });
});

/** Values and names as an attacker would choose them. */
const HOSTILE = [
  '\u001b[31mred\u001b[0m',
  'right\u202eto left',
  '```\n</details><img src=x onerror=alert(1)>',
  '`` ` ``` ````` @everyone',
  'a | b \\| c',
  'line\r\nbreak\u2028',
];

const hostile = HOSTILE.flatMap((value) => [
  objectDiff({ name: value, namespace: value, kind: value, pools: [value], impact: 'drain', notes: [value] }),
  objectDiff({ fields: [{ kind: 'changed', path: `data[${value}]`, from: value, to: { [value]: value } }] }),
  objectDiff({ impact: 'remove', change: 'removed', referrers: [{ kind: value, namespace: '', name: value }] }),
]);

describe('hostile values', () => {
  const documents = HOSTILE.map((value) => cluster(value, ...hostile));

  it.each([
    ['text', text(...documents)],
    ['markdown', markdown(...documents)],
    ['json', json(...documents)],
  ])('reach no terminal raw in %s', (_, shown) => {
    expect(shown).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2028\u2029]/);
  });

  it('stay inside the blocks of the Markdown', () => {
    const shown = markdown(...documents);
    const fences = [...shown.matchAll(/^(`{3,})(diff)?$/gm)];
    expect(fences).toHaveLength(2);
    expect(fences.map(([, fence]) => fence?.length)).toEqual([3, 3]);
    const [, inside = ''] = shown.split(/^`{3}(?:diff)?$/m);
    const outside = shown.replace(inside, '').replace(/(`+)(?!`)[^]*?[^`]\1(?!`)/g, '');
    expect(outside.match(/<[^>]*>/g)).toEqual(
      expect.arrayContaining(['<details>', '<summary>', '</summary>', '</details>']),
    );
    expect(outside).not.toMatch(/<img|@everyone/);
    expect(outside.match(/<\/details>/g)).toHaveLength(1);
  });

  it('add no columns to the table', () => {
    const rows = markdown(...documents).match(/^\|.*\|$/gm) ?? [];
    expect(rows.map((row) => row.split('|').length)).toEqual(rows.map(() => 5));
    expect(rows.length).toBeGreaterThan(2);
  });
});

describe('Markdown', () => {
  it('says so where nothing differs', () => {
    expect(markdown(cluster('east'))).toBe('### Weft: no differences\n');
  });

  it('fits into a comment, whatever the fleet', () => {
    const objects = (seed: string) =>
      Array.from({ length: 300 }, (_, index) => ({ ...changed('a'.repeat(90), seed.repeat(9)), name: `o${index}` }));
    const shown = markdown(...Array.from({ length: 50 }, (_, index) => cluster(`c${index}`, ...objects(`s${index}`))));
    expect(shown.length).toBeLessThan(65_536);
    expect(shown).toMatch(/lines left out, none worse than metadata: run `weft diff` to see all/);
    expect(shown).toMatch(/\d+ more groups of clusters left out/);
    expect(shown.match(/<details>/g)).toHaveLength(shown.match(/<\/details>/g)?.length ?? 0);
  });

  it('says what happens to nodes, the worst first', () => {
    const lines = rowSentences((name) => `\`${name}\``).map((sentence) => `- \`east\`, \`west\`: ${sentence}.\n`);
    expect(markdown(changes('west'), changes('east'))).toContain(lines.join(''));
  });

  it('counts objects of each cluster', () => {
    const shown = markdown(...['a', 'b', 'c'].map((name) => cluster(name, objectDiff({ impact: 'restart' }))));
    expect(shown).toContain('### Weft: restart: 3 ConfigMaps\n\n- No node is drained.\n');
    expect(shown).toContain(
      '| **restart** | 3 | pods are replaced, or differ when they are made anew: `ConfigMap ns/x` |',
    );
  });

  it('does not fold away what goes and is still referred to', () => {
    const gone = objectDiff({
      impact: 'remove',
      change: 'removed',
      referrers: [{ kind: 'Pod', namespace: 'ns', name: 'p' }],
    });
    expect(markdown(cluster('east', { ...gone, isKept: true }))).not.toContain('refers to it');
    expect(markdown(cluster('east', gone))).toContain(
      '- `east`: `ConfigMap ns/x` goes, but `Pod ns/p` still refers to it.\n',
    );
  });
});

describe('what the API server refuses', () => {
  const fields = [{ kind: 'changed', path: 'roleRef.name', from: 'a', to: 'b' }] as const;
  const refused = objectDiff({
    impact: 'remove',
    refusedFields: ['roleRef'],
    notes: ['cannot be applied: so'],
    fields,
  });

  it('is not folded away in Markdown', () => {
    const shown = markdown(cluster('east', refused), cluster('west', refused));
    expect(shown).toContain(
      '- No node is drained.\n' +
        '- `east`, `west`: `ConfigMap ns/x` cannot be applied before it is deleted: `roleRef` cannot be changed.\n',
    );
    const many = Array.from({ length: 12 }, (_, index) => ({ ...refused, name: `x${index}` }));
    expect(markdown(cluster('east', ...many))).toContain(
      '- … and 2 more that cannot be applied, none worse than remove.\n',
    );
  });

  it('is a remark in text, and a field in JSON', () => {
    expect(text(cluster('east', refused))).toContain('    ~ ConfigMap ns/x\n        = cannot be applied: so\n');
    const { clusters } = JSON.parse(json(cluster('east', refused, objectDiff()))) as DiffDocument;
    expect(clusters[0]?.objects.map(({ refusedFields }) => refusedFields)).toEqual([['roleRef'], undefined]);
  });
});

describe('JSON', () => {
  it('says what happens to nodes, and what upgrades those of a driver', () => {
    const drain = objectDiff({ kind: 'DaemonSet', impact: 'drain', pools: ['a'], poolsAtOnce: [], mover: 'companion' });
    const { clusters } = JSON.parse(json({ ...changes('east'), objects: [drain] })) as DiffDocument;
    expect(clusters[0]?.nodes).toEqual(ROWS);
    expect(clusters[0]?.objects).toMatchObject([{ pools: ['a'], poolsAtOnce: [], mover: 'companion' }]);
  });

  it('has whole values, and clusters that differ only', () => {
    const value = 'x'.repeat(1000);
    const shown = json(cluster('west', changed(value, 1)), cluster('same'), cluster('east', changed(value, 1)));
    const expected = (name: string): DiffDocument['clusters'][number] => ({
      name,
      change: 'changed',
      counts: {
        'driver-loss': 0,
        policy: 0,
        drain: 0,
        restart: 0,
        network: 0,
        rights: 0,
        remove: 0,
        add: 0,
        metadata: 1,
      },
      pools: [],
      nodes: [],
      restarts: [],
      coverage: [],
      notes: [],
      objects: [changed(value, 1)],
    });
    const { counts } = expected('east');
    const document: DiffDocument = {
      version: 1,
      old: 'HEAD:dist/',
      failed: [],
      leftBehind: [],
      groups: [{ clusters: ['east', 'west'], shown: 'east', counts }],
      clusters: [expected('east'), expected('west')],
    };
    expect(JSON.parse(shown)).toEqual(document);
    expect(shown).toBe(`${JSON.stringify(JSON.parse(shown), null, 2)}\n`);
  });

  it('is a document where nothing differs', () => {
    expect(json(cluster('same'))).toBe(
      '{\n  "version": 1,\n  "old": "HEAD:dist/",\n  "failed": [],\n  "leftBehind": [],\n  "groups": [],\n  "clusters": []\n}\n',
    );
  });
});

it('a comment begins with what upgrades cost, also where bases changed and clusters are not compared', () => {
  const causes = { changes: [], clusters: ['east'], setElsewhere: [], same: [] };
  const failed = [{ name: 'new', codes: ['WEFT0240'] }];
  const plans = [{ cost: '- `east`: the upgrade costs `2` node-hours.', text: '' }];
  const comment = renderDiffMarkdown(groupsOf([changes('east')]), { causes, failed, plans });
  expect(comment.split('\n').slice(2, 4)).toEqual([
    '- `east`: the upgrade costs `2` node-hours.',
    '- 1 cluster with errors, not compared: WEFT0240: `new`',
  ]);
});

describe('drivers and runs', () => {
  const side = (kernel: string, image: string) => ({
    ...{ kernel, daemonSet: 'ns/mofed', image, version: image.slice(-1), digest: image, nodes: 3 },
  });
  const run = objectDiff({ kind: 'Job', name: 'weft-companion-1', change: 'added', impact: 'add', startsRun: true });
  const diff: ClusterDiff = {
    ...cluster('east', run),
    pools: [{ pool: 'a|b', before: [side('k1', 'r/x:1')], after: [side('k1', 'r/x:2')] }],
  };

  it('are named in text', () => {
    expect(text(diff).split('\n').slice(0, 3)).toEqual([
      'east: add: 1 Job',
      '  applying this starts the run weft-companion-1 of the companion',
      '    pool a|b, kernel k1: 1 of mofed -> 2 of mofed (3 nodes)',
    ]);
  });

  it('are named in Markdown', () => {
    expect(markdown(diff)).toContain(
      '- `east`: applying this starts the run `weft-companion-1` of the companion.\n\n' +
        '| cluster | pool | kernel | nodes | before | after |\n|:--|:--|:--|--:|:--|:--|\n' +
        '| `east` | `a\\u{7c}b` | `k1` | 3 | `1` of `mofed` | `2` of `mofed` |\n',
    );
  });
});

describe('the same change at many places', () => {
  const field = (path: string) => ({ kind: 'changed', path, from: '1', to: '2' }) as const;
  const paths = ['spec.containers[a].env[X].value', 'spec.initContainers[b].env[X].value'];
  const many = ['x', 'y'].map((name) => objectDiff({ name, fields: [...paths.map(field), field('spec.other')] }));
  const hash = {
    kind: 'changed',
    path: 'metadata.annotations["weft.dev/install-digest"]',
    from: 'a',
    to: 'b',
  } as const;

  it('is shown once', () => {
    expect(
      text(cluster('east', ...many))
        .split('\n')
        .slice(2),
    ).toEqual([
      '    ~ ConfigMap ns/x',
      '    ~ ConfigMap ns/y',
      '        ~ spec.containers[a].env[X].value: "1" -> "2"',
      '          the same at spec.initContainers[b].env[X].value',
      '        ~ spec.other: "1" -> "2"',
      '',
    ]);
  });

  it('leaves out what follows from it', () => {
    expect(text(cluster('east', objectDiff({ fields: [hash, field('spec.a')] })))).not.toContain('install-digest');
    expect(text(cluster('east', objectDiff({ fields: [hash] })))).toContain('only hashes of what else changes');
    expect(json(cluster('east', objectDiff({ fields: [hash] })))).toContain('install-digest');
  });
});

describe('groups', () => {
  it('keep what differs alike once, also where clusters as a whole do not', () => {
    const [first, second] = groupsOf([
      cluster('a', objectDiff({ name: 'same' }), objectDiff({ name: 'x' })),
      cluster('b', objectDiff({ name: 'same' })),
    ]);
    expect([first?.names, second?.names]).toEqual([['a'], ['b']]);
    expect(second?.objects[0]).toBe(first?.objects[0]);
  });

  it('tell a new cluster from one that changed', () => {
    const added: ClusterDiff = { ...cluster('b', objectDiff()), change: 'added' };
    expect(groupsOf([cluster('a', objectDiff()), added]).map(({ change }) => change)).toEqual(['changed', 'added']);
  });
});
