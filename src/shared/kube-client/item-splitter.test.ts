import { describe, expect, it } from '@jest/globals';
import { fc } from '../../../test/kit/fast-check.js';
import { createItemSplitter } from './item-splitter.js';

function split(text: string, cuts: readonly number[] = []): { readonly items: unknown[]; readonly rest: unknown } {
  const items: unknown[] = [];
  const splitter = createItemSplitter((item) => items.push(JSON.parse(item)));
  const bytes = Buffer.from(text);
  const ends = [...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  let from = 0;
  for (const end of ends) {
    // All chunks share their memory, as those of a socket may.
    const chunk = Buffer.from(bytes.subarray(from, end));
    splitter.write(chunk);
    chunk.fill(0);
    from = end;
  }
  return { items, rest: JSON.parse(splitter.rest()) };
}

describe('createItemSplitter', () => {
  it.each([
    { name: 'no items', text: '{"kind":"PodList","metadata":{"resourceVersion":"7"},"items":[]}', items: [] },
    {
      name: 'items last',
      text: '{"metadata":{"continue":"x"},"items":[{"a":1},{"b":[{}]}]}',
      items: [{ a: 1 }, { b: [{}] }],
    },
    {
      name: 'items first, with white space',
      text: '{ "items" : [ {"a":{}} ,\n {} ] , "metadata": {} }',
      items: [{ a: {} }, {}],
    },
    { name: 'no list at all', text: '{"kind":"Status","details":{"causes":[{"reason":"x"}]}}', items: [] },
    { name: 'brackets and quotes in texts', text: '{"items":[{"a":"}]\\"{[\\\\"}]}', items: [{ a: '}]"{[\\' }] },
  ])('$name', ({ text, items }) => {
    const { items: _left, ...rest } = JSON.parse(text) as { items?: unknown[] };
    const found = split(text);
    expect(found.items).toEqual(items);
    expect(found.rest).toEqual(_left === undefined ? rest : { ...rest, items: expect.anything() });
  });

  it('gives the same however the text is cut', () => {
    fc.assert(
      fc.property(fc.array(fc.dictionary(fc.string(), fc.jsonValue())), fc.array(fc.nat()), (items, cuts) => {
        const list = { kind: 'List', metadata: { continue: '[{"' }, items };
        expect(split(JSON.stringify(list), cuts).items).toEqual(JSON.parse(JSON.stringify(items)));
      }),
    );
  });
});
