import { describe, expect, it } from '@jest/globals';
import { runText, type SummarizedTree } from './summary.js';

const tree = (shown: string, changed: readonly string[] = []): SummarizedTree => ({
  shown,
  summary: { added: [], changed: [...changed], removed: [], kept: [], unchanged: 4 },
});
const same = (count: number): readonly SummarizedTree[] =>
  Array.from({ length: count }, (_one, index) => tree(`dist/c${index}`));

describe('runText', () => {
  it('names every one of ten folders', () => {
    const lines = runText(same(10), true).split('\n');
    expect(lines).toHaveLength(11);
    expect(lines[9]).toBe('dist/c9: 0 missing, 0 different, 0 no longer rendered, 4 unchanged');
  });

  it('names of more only those in which something changed, and counts the others', () => {
    const trees = [tree('dist/a', ['x.yaml']), ...same(998), tree('dist/b', ['y.yaml'])];
    expect(runText(trees, false)).toBe(
      'dist/a: 0 added, 1 changed, 0 removed, 4 unchanged\n' +
        '  ~ x.yaml\n' +
        'dist/b: 0 added, 1 changed, 0 removed, 4 unchanged\n' +
        '  ~ y.yaml\n' +
        '998 folders unchanged, with 3992 files\n',
    );
    expect(runText(same(11), true)).toBe('11 folders unchanged, with 44 files\n');
  });

  it('names a few files of each of many folders, and all of a few', () => {
    const paths = Array.from({ length: 7 }, (_one, index) => `${index}.yaml`);
    expect(runText([...same(10), tree('dist/a', paths)], false)).toBe(
      'dist/a: 0 added, 7 changed, 0 removed, 4 unchanged\n' +
        '  ~ 0.yaml\n  ~ 1.yaml\n  ~ 2.yaml\n  ~ 3.yaml\n  ~ 4.yaml\n  ~ and 2 more\n' +
        '10 folders unchanged, with 40 files\n',
    );
    expect(runText([tree('dist/a', paths)], false)).not.toContain('more');
  });

  it('says nothing of others where all changed, and of one that it is one', () => {
    const trees = same(10).map(({ shown }) => tree(shown, ['x.yaml']));
    expect(runText(trees, false)).not.toContain('folder');
    expect(runText([...trees, tree('dist/last')], false)).toMatch(/\n1 folder unchanged, with 4 files\n$/);
  });

  it('names ten of many folders with changes, and counts what changed in the others', () => {
    const trees = [
      ...same(3),
      ...Array.from({ length: 12 }, (_one, index) => tree(`dist/n${index}`, ['x.yaml', 'y.yaml'])),
    ];
    const lines = runText(trees, true).trimEnd().split('\n');
    expect(lines.filter((line) => line.startsWith('dist/'))).toHaveLength(10);
    expect(lines.slice(-2)).toEqual([
      'and 2 more folders: 0 missing, 4 different, 0 no longer rendered, 8 unchanged',
      '3 folders unchanged, with 12 files',
    ]);
  });
});
