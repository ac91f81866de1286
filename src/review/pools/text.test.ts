import { describe, expect, it } from '@jest/globals';
import { readNodesText } from './text.js';

const list = (...items: readonly unknown[]): string => JSON.stringify({ kind: 'List', items });
const node = (metadata: object) => ({ kind: 'Node', metadata: { name: 'a', ...metadata } });

/** Text that nests so deep, all in all. */
const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;

const keysOf = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, '']));

describe('the text of nodes', () => {
  it.each([
    { name: 'brackets without end', text: '['.repeat(1_000_000), problem: 'it is nested more than 64 deep' },
    { name: 'mappings without end', text: '{"a":'.repeat(65), problem: 'it is nested more than 64 deep' },
    { name: 'deep nesting behind a text', text: `["\\\\",${nested(64)}]`, problem: 'it is nested more than 64 deep' },
    {
      name: 'a mapping of more keys than anything has',
      text: list(node({ labels: keysOf(10_001) })),
      problem: 'a mapping in it has more than 10000 keys',
    },
    {
      name: 'the same behind another mapping',
      text: list(node({ annotations: { a: 'b' }, labels: keysOf(10_001) })),
      problem: 'a mapping in it has more than 10000 keys',
    },
    {
      name: 'values without end',
      text: `[${'0,'.repeat(300_000)}0]`,
      problem: 'it has more than 275000 values in 600003 characters',
    },
  ])('is not parsed where it is $name', ({ text, problem }) => {
    expect(readNodesText(text)).toEqual({ problem });
  });

  it.each([
    { name: 'nesting that is just possible', text: nested(64), problem: 'it is not a list of nodes' },
    {
      name: 'many mappings, one after the other',
      text: `[${nested(2)}${`,${nested(2)}`.repeat(1000)}]`,
      problem: 'it is not a list of nodes',
    },
    {
      name: 'more brackets closed than opened',
      text: `]]]${'[0]'.repeat(100)}`,
      problem: expect.stringMatching(/^it is not JSON: /),
    },
    {
      name: 'a text that does not end',
      text: `["${'['.repeat(100)}`,
      problem: expect.stringMatching(/^it is not JSON: /),
    },
  ])('is left to the parser with $name', ({ text, problem }) => {
    expect(readNodesText(text)).toEqual({ problem });
  });

  it('may have all in text, and many entries in a list', () => {
    const annotations = { config: `"\\${'[{,'.repeat(200_000)}` };
    const managed = { labels: keysOf(10_000) };
    const nodes = Array.from({ length: 11_000 }, () => node({}));
    const read = readNodesText(list(node(managed), node({ annotations }), ...nodes));
    expect('nodes' in read && read.nodes.length).toBe(11_002);
  });
});
