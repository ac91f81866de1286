import { describe, expect, it } from '@jest/globals';
import { loadYaml } from './yaml.js';

describe('parts of a text', () => {
  const text = '{\n\n  "a": 1,\n  "bcd": [2,\n\n  3]\n}\n';
  const sources = [
    { name: 'in a block', source: `a: |\n${text.replace(/^(?=.)/gm, '    ')}b: 1\n` },
    { name: 'in a block that begins with empty lines', source: `# x\na: |-4\n${text.replace(/^(?=.)/gm, '    ')}` },
  ];

  it.each(sources)('are found in any order: $name', ({ source }) => {
    for (const written of [source, source.replaceAll('\n', '\r\n')]) {
      const [document] = loadYaml('a.yaml', written).documents;
      const words = ['{', '"a"', '1', '"bcd"', '[2', '3', '}'];
      const meant = (word: string) => {
        const start = text.indexOf(word);
        const { sourceLine, column = 0, endColumn } = document?.locate(['a'], [start, start + word.length]) ?? {};
        return sourceLine?.slice(column - 1, (endColumn ?? 0) - 1);
      };
      expect(words.map(meant)).toEqual(words);
      expect([...words].reverse().map(meant)).toEqual([...words].reverse());
      expect([3, 0, 6, 2, 5].map((index) => meant(words[index] ?? ''))).toEqual(['"bcd"', '{', '}', '1', '3']);
    }
  });

  it('end with the line in a block', () => {
    const [document] = loadYaml('a.yaml', 'a: |\n  xy\n  z\n').documents;
    expect(document?.locate(['a'], [1, 4])).toMatchObject({ line: 2, column: 4, endColumn: 5 });
  });
});
