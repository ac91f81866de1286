import { describe, expect, it } from '@jest/globals';

import { sha256 } from '../../lib/hash.js';
import { formatIndex, parseIndex } from './manifest-index.js';

const A = 'a'.repeat(64);
const B = 'b'.repeat(64);

describe('the index', () => {
  it('is a list that sha256sum would print, sorted by path', () => {
    const entries = [
      { path: 'b/x.yaml', hash: sha256('x\n') },
      { path: 'a/y.yaml', hash: sha256('y\n') },
    ];
    const text = formatIndex(entries);
    expect(text).toBe(`weft index 1\n${sha256('y\n')}  a/y.yaml\n${sha256('x\n')}  b/x.yaml\n`);
    expect(parseIndex(text, { repeatedPaths: false })).toEqual({ kind: 'index', entries: [...entries].reverse() });
  });

  const cases: { name: string; input: string; line: number; reason: string }[] = [
    { name: 'an empty file', input: '', line: 1, reason: 'the first line is not "weft index 1"' },
    { name: 'another format', input: 'weft index 2\n', line: 1, reason: 'the first line is not "weft index 1"' },
    { name: 'a file that is cut off', input: `weft index 1\n${A}  a`, line: 2, reason: 'the last line is cut off' },
    { name: 'a short hash', input: 'weft index 1\nabc  a\n', line: 2, reason: 'not a SHA-256, two spaces and a path' },
    {
      name: 'a merge conflict',
      input: `weft index 1\n${A}  a\n<<<<<<< ours\n`,
      line: 3,
      reason: 'not a SHA-256, two spaces and a path',
    },
    { name: 'an unsorted list', input: `weft index 1\n${A}  b\n${A}  a\n`, line: 3, reason: 'not in order' },
    {
      name: 'a path that occurs twice',
      input: `weft index 1\n${A}  a\n${B}  a\n`,
      line: 3,
      reason: 'a path occurs twice',
    },
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
    ].map((path) => ({
      name: `the path ${path}`,
      input: `weft index 1\n${A}  ${path}\n`,
      line: 2,
      reason: 'the path is not one that Weft writes',
    })),
  ];
  it.each(cases)('is broken by $name', ({ input, line, reason }) => {
    expect(parseIndex(input, { repeatedPaths: false })).toEqual({ kind: 'broken', line, reason });
  });

  it('may have been checked out by git for Windows', () => {
    const entries = [{ path: 'a', hash: A }];
    const text = formatIndex(entries).replaceAll('\n', '\r\n');
    expect(parseIndex(text, { repeatedPaths: false })).toEqual({ kind: 'index', entries });
  });

  it('may name a path with several hashes where that is allowed', () => {
    const entries = [
      { path: 'a', hash: A },
      { path: 'a', hash: B },
    ];
    expect(parseIndex(formatIndex(entries), { repeatedPaths: true })).toEqual({ kind: 'index', entries });
  });
});
