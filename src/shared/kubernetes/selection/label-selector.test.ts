import { describe, expect, it } from '@jest/globals';
import { fromStructured, matchesSelector, parseSelector, selectorOf } from './label-selector.js';

const labels = { app: 'web', tier: 'front', rank: '7', 'nvidia.com/ofed-driver': '' };

describe('selectorOf and matchesSelector', () => {
  it.each([
    { text: '', expected: true },
    { text: '  ', expected: true },
    { text: 'app=web', expected: true },
    { text: 'app==web', expected: true },
    { text: 'app = web', expected: true },
    { text: 'app=db', expected: false },
    { text: 'app!=db', expected: true },
    { text: 'missing!=db', expected: true },
    { text: 'app!=web', expected: false },
    { text: 'app in (web, db)', expected: true },
    { text: 'app in (db)', expected: false },
    { text: 'missing in (db)', expected: false },
    { text: 'app notin (web,db)', expected: false },
    { text: 'missing notin (web,db)', expected: true },
    { text: 'app', expected: true },
    { text: 'missing', expected: false },
    { text: '!missing', expected: true },
    { text: '!app', expected: false },
    { text: 'rank>6', expected: true },
    { text: 'rank<7', expected: false },
    { text: 'app>1', expected: false },
    { text: 'nvidia.com/ofed-driver', expected: true },
    { text: 'nvidia.com/ofed-driver=', expected: true },
    { text: 'app in (web,db),tier=front,!missing', expected: true },
    { text: 'app in (web,db),tier=back', expected: false },
    { text: 'nvidia.com/ofed-driver-upgrade-drain.skip!=true', expected: true },
  ])('$text -> $expected', ({ text, expected }) => {
    expect(matchesSelector(selectorOf(text), labels)).toBe(expected);
  });
});

describe('parseSelector', () => {
  it.each([
    '=web',
    'app=we b',
    'a b',
    'app in web',
    'app in (we b)',
    'rank>x',
    'app=web,',
    '!',
    'a/b/c',
    '-a=b',
    'a=(b)',
  ])('refuses %s', (text) => {
    expect(parseSelector(text)).toHaveProperty('error');
    expect(() => selectorOf(text)).toThrow('bad label selector');
  });
});

describe('fromStructured', () => {
  it.each([
    { name: 'nothing', from: {}, expected: true },
    { name: 'labels', from: { matchLabels: { app: 'web', tier: 'front' } }, expected: true },
    { name: 'a label that differs', from: { matchLabels: { app: 'web', tier: 'back' } }, expected: false },
    { name: 'In', from: { matchExpressions: [{ key: 'app', operator: 'In', values: ['web'] }] }, expected: true },
    {
      name: 'NotIn',
      from: { matchExpressions: [{ key: 'app', operator: 'NotIn', values: ['web'] }] },
      expected: false,
    },
    { name: 'Exists', from: { matchExpressions: [{ key: 'app', operator: 'Exists' }] }, expected: true },
    { name: 'DoesNotExist', from: { matchExpressions: [{ key: 'app', operator: 'DoesNotExist' }] }, expected: false },
    { name: 'Gt', from: { matchExpressions: [{ key: 'rank', operator: 'Gt', values: ['6'] }] }, expected: true },
    { name: 'Lt', from: { matchExpressions: [{ key: 'rank', operator: 'Lt', values: ['6'] }] }, expected: false },
    { name: 'an unknown operator', from: { matchExpressions: [{ key: 'app', operator: 'Like' }] }, expected: false },
  ])('$name -> $expected', ({ from, expected }) => {
    expect(matchesSelector(fromStructured(from), labels)).toBe(expected);
  });
});
