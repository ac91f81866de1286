import { describe, expect, it } from '@jest/globals';
import { createLineSplitter } from './lines.js';

function linesOf(chunks: readonly (string | Buffer)[]): readonly string[] {
  const lines: string[] = [];
  const splitter = createLineSplitter((line) => lines.push(line));
  for (const chunk of chunks) splitter.write(Buffer.from(chunk));
  splitter.end();
  return lines;
}

describe('lines of a stream', () => {
  it.each<{ name: string; chunks: readonly (string | Buffer)[]; lines: readonly string[] }>([
    { name: 'none', chunks: [''], lines: [] },
    { name: 'several in a chunk', chunks: ['a\nb\n\nc'], lines: ['a', 'b', '', 'c'] },
    { name: 'one in several chunks', chunks: ['a', 'b', 'c\nd', '\n'], lines: ['abc', 'd'] },
    { name: 'half a character in each', chunks: [Buffer.from([0xc3]), Buffer.from([0xa4, 0x0a])], lines: ['ä'] },
  ])('$name', ({ chunks, lines }) => {
    expect(linesOf(chunks)).toEqual(lines);
  });

  it('a line without an end is refused, whatever its chunks are', () => {
    const splitter = createLineSplitter(() => undefined);
    const chunk = Buffer.alloc(64 * 1024, 'x');
    let written = 0;
    expect(() => {
      for (; written < 1_000; written++) splitter.write(chunk);
    }).toThrow('a line is longer than 16777216 bytes');
    expect(written).toBe(256);
  });
});
