import { describe, expect, it } from '@jest/globals';
import { isDnsLabel, isDnsSubdomain, isLabelValue, isQualifiedName } from './names.js';

const a = (count: number): string => 'a'.repeat(count);

/** Cases of the API server's own checks (apimachinery pkg/util/validation/validation_test.go, v0.36). */
const tables: readonly {
  readonly name: string;
  readonly check: (text: string) => boolean;
  readonly valid: readonly string[];
  readonly invalid: readonly string[];
}[] = [
  {
    name: 'isDnsLabel',
    check: isDnsLabel,
    valid: ['a', 'ab', 'abc', 'a1', 'a-1', 'a--1--2--b', '0', '01', 'a1', '0-0', a(63)],
    invalid: ['', 'A', 'ABC', 'a.b', '-', 'a-', '-a', '_', 'a_b', '@', ' ', 'a ', ' a', 'a\n', 'ä', a(64)],
  },
  {
    name: 'isDnsSubdomain',
    check: isDnsSubdomain,
    valid: ['a', 'a-1', '0.a', 'a.b.c', '0.0', 'a-b.c-d', a(253), `${a(63)}.${a(63)}`, a(100)],
    invalid: ['', 'A', '.', 'a.', '.a', 'a..b', 'a.-b', 'a-.b', 'a_b', 'a/b', 'a b', 'a\n', '../a', a(254)],
  },
  {
    name: 'isLabelValue',
    check: isLabelValue,
    valid: ['', 'a', 'A', '1', 'simple', 'a.b_c-d', '6.8.0-31-generic', 'el9_4.x86_64', '418.94.202501270000-0', a(63)],
    invalid: ['-a', 'a-', '_a', 'a.', 'a b', 'a/b', 'a:b', 'a+b', 'a\n', 'ä', a(64)],
  },
  {
    name: 'isQualifiedName',
    check: isQualifiedName,
    valid: [
      'simple',
      'now-with-dashes',
      '1-starts',
      '1234',
      'simple/simple',
      'a.b/c_D.e',
      'kubernetes.io/arch',
      a(63),
      `${a(253)}/${a(63)}`,
    ],
    invalid: [
      '',
      '/',
      'a/',
      '/a',
      'a/b/c',
      'A.b/c',
      'a_b/c',
      'nospecial%',
      '-a',
      'a-',
      'a b',
      'a\n',
      a(64),
      `${a(254)}/a`,
    ],
  },
];

describe.each(tables)('$name', ({ check, valid, invalid }) => {
  it('takes names', () => {
    expect(valid.filter((text) => !check(text))).toEqual([]);
  });

  it('refuses other text', () => {
    expect(invalid.filter(check)).toEqual([]);
  });
});
