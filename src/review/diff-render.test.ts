import { describe, expect, it } from '@jest/globals';
import type { ClusterDiff, ObjectDiff } from './diff.js';
import type { DiffDocument } from './diff-json.js';
import { renderDiffJson } from './diff-json.js';
import { renderDiffMarkdown } from './diff-markdown.js';
import { renderDiffText } from './diff-text.js';

const object = (part: Partial<ObjectDiff> = {}): ObjectDiff => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  namespace: 'ns',
  name: 'x',
  change: 'changed',
  impact: 'cosmetic',
  pools: [],
  notes: [],
  referrers: [],
  fields: [],
  ...part,
});

const cluster = (name: string, ...objects: readonly ObjectDiff[]): ClusterDiff => ({
  name,
  change: 'changed',
  objects,
});
const changed = (from: unknown, to: unknown) => object({ fields: [{ kind: 'changed', path: 'data.a', from, to }] });
const text = (...clusters: readonly ClusterDiff[]) => renderDiffText(clusters, { colour: false });

describe('text', () => {
  it('has a line for each kind of change', () => {
    const fields = [
      { kind: 'added', path: 'a', to: { b: 1 } },
      { kind: 'removed', path: 'b', from: null },
      { kind: 'changed', path: 'c', from: 1, to: '1' },
      { kind: 'reordered', path: 'd' },
      { kind: 'reformatted', path: 'e' },
    ] as const;
    expect(text(cluster('east', object({ fields, notes: ['a note'] })))).toBe(`east: 1 cosmetic
  cosmetic: no pod restarts
    ~ ConfigMap ns/x
        = a note
        + a: {"b":1}
        - b: null
        ~ c: 1 -> "1"
        ~ d: other order
        ~ e: written differently, same data
`);
  });

  it('says which nodes are drained', () => {
    const drains = [
      object({ impact: 'drain', pools: ['b', 'a'], isAutomatic: true }),
      object({ impact: 'drain', pools: ['a'], isAutomatic: true }),
      object({ impact: 'drain', pools: ['c'], isAutomatic: false }),
      object({ impact: 'drain', isAutomatic: true }),
    ];
    expect(
      text(cluster('east', ...drains))
        .split('\n')
        .slice(0, 4),
    ).toEqual([
      'east: 4 drain',
      '  nodes of 2 pools (a, b) will be drained',
      '  the driver changes for 1 pool (c), but without `autoUpgrade` nothing is upgraded by itself',
      '  a driver leaves nodes that no pool of the configuration has',
    ]);
  });

  it('shows long texts where they differ', () => {
    const common = 'x'.repeat(500);
    const shown = text(cluster('east', changed(`${common}old${common}`, `${common}new`)));
    expect(shown).toContain(`"…${'x'.repeat(30)}old${'x'.repeat(67)}…" -> "…${'x'.repeat(30)}new"`);
  });

  it('shows long data shortened', () => {
    const value = Array.from({ length: 1000 }, () => 'word');
    const lines = text(cluster('east', object({ fields: [{ kind: 'added', path: 'a', to: value }] }))).split('\n');
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(150);
  });

  it('tells clusters that differ alike once', () => {
    const fleet = ['c', 'a', 'b'].map((name) => cluster(name, object()));
    expect(text(...fleet, cluster('d', object({ name: 'y' })), cluster('same')).split('\n')).toEqual([
      'a, b, c: 1 cosmetic',
      '  cosmetic: no pod restarts',
      '    ~ ConfigMap ns/x',
      '',
      'd: 1 cosmetic',
      '  cosmetic: no pod restarts',
      '    ~ ConfigMap ns/y',
      '',
    ]);
  });

  it('is empty where nothing differs', () => {
    expect(text(cluster('east'))).toBe('');
  });

  it('has colours when asked', () => {
    const shown = renderDiffText([cluster('east', object({ change: 'removed', impact: 'remove' }))], { colour: true });
    expect(shown).toContain('\u001b[31m- ConfigMap ns/x\u001b[0m');
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
  object({ name: value, namespace: value, kind: value, pools: [value], impact: 'drain', notes: [value] }),
  object({ fields: [{ kind: 'changed', path: `data[${value}]`, from: value, to: { [value]: value } }] }),
  object({ impact: 'remove', change: 'removed', referrers: [{ kind: value, namespace: '', name: value }] }),
]);

describe('hostile values', () => {
  const documents = HOSTILE.map((value) => cluster(value, ...hostile));

  it.each([
    ['text', text(...documents)],
    ['markdown', renderDiffMarkdown(documents)],
    ['json', renderDiffJson(documents)],
  ])('reach no terminal raw in %s', (_, shown) => {
    expect(shown).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2028\u2029]/);
  });

  it('stay inside the blocks of the Markdown', () => {
    const shown = renderDiffMarkdown(documents);
    const fences = [...shown.matchAll(/^(`{3,})(diff)?$/gm)];
    expect(fences).toHaveLength(2);
    expect(fences.map(([, fence]) => fence?.length)).toEqual([6, 6]);
    const [, inside = ''] = shown.split(/^`{6}(?:diff)?$/m);
    const outside = shown.replace(inside, '').replace(/(`+)(?!`)[^]*?[^`]\1(?!`)/g, '');
    expect(outside.match(/<[^>]*>/g)).toEqual(
      expect.arrayContaining(['<details>', '<summary>', '</summary>', '</details>']),
    );
    expect(outside).not.toMatch(/<img|@everyone/);
    expect(outside.match(/<\/details>/g)).toHaveLength(1);
  });

  it('add no columns to the table', () => {
    const rows = renderDiffMarkdown(documents).match(/^\|.*\|$/gm) ?? [];
    expect(rows.map((row) => row.split('|').length)).toEqual(rows.map(() => 5));
    expect(rows.length).toBeGreaterThan(2);
  });
});

describe('Markdown', () => {
  it('says so where nothing differs', () => {
    expect(renderDiffMarkdown([cluster('east')])).toBe('### Weft: no differences\n');
  });

  it('fits into a comment, whatever the fleet', () => {
    const objects = (seed: string) =>
      Array.from({ length: 300 }, (_, index) => ({ ...changed('a'.repeat(90), seed.repeat(9)), name: `o${index}` }));
    const shown = renderDiffMarkdown(
      Array.from({ length: 50 }, (_, index) => cluster(`c${index}`, ...objects(`s${index}`))),
    );
    expect(shown.length).toBeLessThan(65_536);
    expect(shown).toMatch(/lines left out: run `weft diff` to see all/);
    expect(shown).toMatch(/\d+ more groups of clusters left out/);
    expect(shown.match(/<details>/g)).toHaveLength(shown.match(/<\/details>/g)?.length ?? 0);
  });

  it('counts objects of each cluster', () => {
    const shown = renderDiffMarkdown(['a', 'b', 'c'].map((name) => cluster(name, object({ impact: 'restart' }))));
    expect(shown).toContain('### Weft: 3 restart\n\n- No node is drained.\n');
    expect(shown).toContain('| **restart** | 3 | pods are replaced: `ConfigMap ns/x` |');
  });

  it('does not fold away what goes and is still referred to', () => {
    const gone = object({
      impact: 'remove',
      change: 'removed',
      referrers: [{ kind: 'Pod', namespace: 'ns', name: 'p' }],
    });
    expect(renderDiffMarkdown([cluster('east', { ...gone, isKept: true })])).not.toContain('refers to it');
    expect(renderDiffMarkdown([cluster('east', gone)])).toContain(
      '- `east`: `ConfigMap ns/x` goes, but `Pod ns/p` still refers to it.\n',
    );
  });
});

describe('JSON', () => {
  it('has whole values, and clusters that differ only', () => {
    const value = 'x'.repeat(1000);
    const document = JSON.parse(renderDiffJson([cluster('same'), cluster('east', changed(value, 1))])) as DiffDocument;
    expect(document).toEqual({
      version: 1,
      clusters: [
        {
          name: 'east',
          change: 'changed',
          counts: { drain: 0, restart: 0, remove: 0, add: 0, cosmetic: 1 },
          objects: [changed(value, 1)],
        },
      ],
    });
  });
});
