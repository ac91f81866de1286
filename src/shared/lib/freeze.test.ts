import { describe, expect, it } from '@jest/globals';
import { freeze } from './freeze.js';

describe('freeze', () => {
  it('freezes lists, mappings and the values of Maps, whatever their keys', () => {
    const value = { list: [{ locate: 'a key of the user' }], map: new Map([['a', { b: [1] }]]) };
    freeze(value);
    expect(Object.isFrozen(value.list[0])).toBe(true);
    expect(Object.isFrozen(value.map.get('a')?.b)).toBe(true);
  });

  it('leaves the exceptions and all that they hold', () => {
    const kept = { inner: {} };
    const value = { kept, other: {} };
    freeze(value, new Set([kept]));
    expect([Object.isFrozen(value), Object.isFrozen(value.other)]).toEqual([true, true]);
    expect([Object.isFrozen(kept), Object.isFrozen(kept.inner)]).toEqual([false, false]);
  });
});
