import { describe, expect, it } from '@jest/globals';
import { strategicMerge } from './strategic-merge.js';

const cases = [
  { name: 'merges mappings', target: { a: { b: 1, c: 2 } }, patch: { a: { c: 3 } }, expected: { a: { b: 1, c: 3 } } },
  { name: 'null removes a key', target: { a: 1, b: 2 }, patch: { a: null }, expected: { b: 2 } },
  {
    name: 'replaces a list without a merge key',
    target: { args: ['a', 'b'] },
    patch: { args: ['c'] },
    expected: { args: ['c'] },
  },
  {
    name: 'merges containers by name and adds new ones behind',
    target: {
      containers: [
        { name: 'a', image: 'x' },
        { name: 'b', image: 'y' },
      ],
    },
    patch: {
      containers: [
        { name: 'b', image: 'z' },
        { name: 'c', image: 'w' },
      ],
    },
    expected: {
      containers: [
        { name: 'a', image: 'x' },
        { name: 'b', image: 'z' },
        { name: 'c', image: 'w' },
      ],
    },
  },
  {
    name: 'merges the environment of a container',
    target: { containers: [{ name: 'a', env: [{ name: 'X', value: '1' }] }] },
    patch: { containers: [{ name: 'a', env: [{ name: 'Y', value: '2' }] }] },
    expected: {
      containers: [
        {
          name: 'a',
          env: [
            { name: 'X', value: '1' },
            { name: 'Y', value: '2' },
          ],
        },
      ],
    },
  },
  {
    name: 'deletes an entry',
    target: { volumes: [{ name: 'a' }, { name: 'b' }] },
    patch: { volumes: [{ name: 'a', $patch: 'delete' }] },
    expected: { volumes: [{ name: 'b' }] },
  },
  {
    name: 'replaces a whole list where it is told to',
    target: { volumes: [{ name: 'a' }, { name: 'b' }] },
    patch: { volumes: [{ $patch: 'replace' }, { name: 'c' }] },
    expected: { volumes: [{ name: 'c' }] },
  },
  {
    name: 'replaces a whole mapping where it is told to',
    target: { selector: { a: '1', b: '2' } },
    patch: { selector: { $patch: 'replace', c: '3' } },
    expected: { selector: { c: '3' } },
  },
  {
    name: 'leaves no null behind in what it adds',
    target: {},
    patch: { a: { b: null, c: 1 } },
    expected: { a: { c: 1 } },
  },
  { name: 'a scalar takes the place of a mapping', target: { a: { b: 1 } }, patch: { a: 'x' }, expected: { a: 'x' } },
  {
    name: 'replaces tolerations: they have no merge key',
    target: { tolerations: [{ key: 'a' }] },
    patch: { tolerations: [{ key: 'b' }] },
    expected: { tolerations: [{ key: 'b' }] },
  },
];

describe('strategicMerge', () => {
  it.each(cases)('$name', ({ target, patch, expected }) => {
    const before = structuredClone(target);
    expect(strategicMerge(target, patch)).toEqual(expected);
    expect(target).toEqual(before);
  });
});
