import { describe, expect, it } from '@jest/globals';
import { fc } from '../../../../test/kit/fast-check.js';
import { runsOf } from '../../../../test/kit/shares.js';
import { jsonError } from './error.js';

describe('jsonError', () => {
  it.each([
    { text: '', offset: 0, message: 'it ends where a value should be' },
    { text: ' \n', offset: 2, message: 'it ends where a value should be' },
    { text: '{"a": 1,}', offset: 8, message: '`}` where a key in double quotes should be' },
    { text: '{"a": 1', offset: 7, message: 'it ends where `}` should be' },
    { text: '{"a" 1}', offset: 5, message: '`1` where `:` should be' },
    { text: '{a: 1}', offset: 1, message: '`a` is no word of JSON; text stands in double quotes' },
    { text: "{'a': 1}", offset: 1, message: "`'a'` is no word of JSON; text stands in double quotes" },
    { text: '{"a": 1\n  "b": 2}', offset: 10, message: '`"b"` where `,` should be' },
    { text: '[1 2]', offset: 3, message: '`2` where `,` should be' },
    { text: '[1,]', offset: 3, message: '`]` where a value should be' },
    { text: '[', offset: 1, message: 'it ends where `]` should be' },
    { text: '[01]', offset: 2, message: '`1` where `,` should be' },
    { text: '[1.]', offset: 1, message: '`1.` is no number' },
    { text: '{} // a', offset: 3, message: 'JSON has no comments' },
    { text: '{"a": True}', offset: 6, message: '`True` is no word of JSON; text stands in double quotes' },
    { text: '{} {}', offset: 3, message: '`{` where the end should be' },
    {
      text: '{"a": "b\n"}',
      offset: 6,
      message: 'a text in double quotes is not closed, or has a character or an escape that JSON does not know',
    },
  ])('$text', ({ text, offset, message }) => {
    expect(jsonError(text)).toEqual({ offset, message });
  });

  it('finds an error whenever JSON.parse does', () => {
    const character = fc.constantFrom(...Array.from('{}[],:"\\ \n\tabeEtrufalsn0123.+-u\u0001'));
    const broken = fc
      .tuple(fc.json({ maxDepth: 3 }), fc.nat(), fc.nat(3), fc.string({ unit: character, maxLength: 3 }))
      .map(([text, at, cut, more]) => {
        const place = at % (text.length + 1);
        return text.slice(0, place) + more + text.slice(place + cut);
      });
    fc.assert(
      fc.property(broken, (text) => {
        let isValid = true;
        try {
          JSON.parse(text);
        } catch {
          isValid = false;
        }
        expect(jsonError(text) === undefined).toBe(isValid);
      }),
      runsOf(200, 3_000),
    );
  });

  it('takes text that is longer than a stack', () => {
    expect(jsonError(`"${'\\n'.repeat(5_000_000)}x`)?.offset).toBe(0);
  });
});
