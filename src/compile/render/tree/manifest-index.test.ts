import { describe, expect, it } from '@jest/globals';

import { formatIndex, parseIndex } from './manifest-index.js';

const FIRST = '# weft index 2, made by weft synth from clusters/east, do not edit\n';
const whole = {
  source: 'clusters/east',
  facts: ['driver {"pool":"a"}', 'driver {"pool":"b"}'],
  bases: ['.companion/0123456789', '.companion/abcdef0123'],
  paths: ['a', 'b/c'],
};

describe('the index', () => {
  it('is a sorted list of facts and of files, without anything about their content', () => {
    const text = formatIndex({
      ...whole,
      facts: [...whole.facts].reverse(),
      bases: [...whole.bases].reverse(),
      paths: [...whole.paths].reverse(),
    });
    const baseLines = 'base .companion/0123456789\nbase .companion/abcdef0123\n';
    expect(text).toBe(`${FIRST}driver {"pool":"a"}\ndriver {"pool":"b"}\n${baseLines}file a\nfile b/c\n`);
    const { facts, bases, paths } = whole;
    const read = { facts, bases, paths };
    expect(parseIndex(text)).toEqual({ kind: 'index', ...read, isWhole: true });
    expect(parseIndex(text.replaceAll('\n', '\r\n'))).toEqual({ kind: 'index', ...read, isWhole: true });
  });

  it('of the output of a cluster says which minor version wrote it', () => {
    const text = formatIndex({ ...whole, weft: '0.3' });
    expect(text.split('\n')[0]).toBe('# weft index 2, made by weft synth 0.3 from clusters/east, do not edit');
    expect(parseIndex(text)).toMatchObject({ weft: '0.3', isWhole: true });
    expect(parseIndex(text.replace('0.3 from', 'x from'))).not.toHaveProperty('weft');
  });

  const repaired: { name: string; input: string; paths: readonly string[] }[] = [
    {
      name: 'a conflict',
      input: `${FIRST}file a\n<<<<<<< HEAD\nfile b\n||||||| 1234567\n=======\nfile c\n>>>>>>> topic\nfile d\n`,
      paths: ['a', 'b', 'c', 'd'],
    },
    {
      name: 'a conflict in its first line',
      input: `<<<<<<< HEAD\n${FIRST}=======\n${FIRST.replace('east', 'west')}>>>>>>> topic\nfile a\n`,
      paths: ['a'],
    },
    { name: 'doubled lines', input: `${FIRST}file a\nfile b\nfile a\n`, paths: ['a', 'b'] },
    { name: 'another order', input: `${FIRST}file b\nfile a\n`, paths: ['b', 'a'] },
    { name: 'a last line that is cut off', input: `${FIRST}file a\nfile b`, paths: ['a', 'b'] },
    { name: 'the first format', input: `weft index 1\n${'a'.repeat(64)}  a/b.yaml\n`, paths: ['a/b.yaml'] },
    ...[
      '/etc/passwd',
      '../a',
      'a/../../b',
      'a/./b',
      'C:/a',
      'a\\b',
      '.git/config',
      'a//b',
      'a b',
      'nul',
      '.weft.lock',
    ].map((path) => ({ name: `the path ${path}`, input: `${FIRST}file ${path}\n`, paths: [] })),
  ];
  it.each(repaired)('is read as far as it goes with $name', ({ input, paths }) => {
    expect(parseIndex(input)).toEqual({ kind: 'index', facts: [], bases: [], paths, isWhole: false });
  });

  it.each(['../.companion/0123456789', '.companion/../../etc', '.companion/0123456789/x', '.companion/', 'east'])(
    'has no base %s',
    (base) => {
      expect(parseIndex(`${FIRST}base ${base}\n`)).toMatchObject({ bases: [], isWhole: false });
    },
  );

  it.each([
    ['an empty file', '', 'its first line is not that of an index of Weft'],
    ['something else', 'weft index two\n', 'its first line is not that of an index of Weft'],
    ['a newer format', '# weft index 3, made\n', 'a newer version of Weft wrote it (format 3)'],
  ])('is broken by %s', (_name, input, reason) => {
    expect(parseIndex(input)).toEqual({ kind: 'broken', reason });
  });
});
