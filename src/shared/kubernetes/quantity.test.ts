import { describe, expect, it } from '@jest/globals';
import testdata from './quantity.testdata.json' with { type: 'json' };
import { canonicalQuantity, formatQuantity, parseQuantity, unitsOf } from './quantity.js';

/**
 * Results of `resource.ParseQuantity` and `String` of k8s.io/apimachinery v0.34.2, recorded once. `canonical`: text and its
 * canonical form, null where Go refuses it. `kept`: Go prints the spelling as it was given; the amount is what must agree.
 * `refused` here although Go reads them as zero or rounds them. `capped` by Go to 63 bits.
 */
const canonical = testdata.canonical as unknown as readonly (readonly [string, string | null])[];
const kept = testdata.kept as unknown as readonly (readonly [string, string])[];

function format(text: string): string | null {
  const quantity = parseQuantity(text);
  return quantity ? formatQuantity(quantity) : null;
}

describe('quantities', () => {
  it('have the canonical form of the API server', () => {
    expect(canonical.length).toBeGreaterThan(300);
    expect(canonical.map(([text]) => [text, format(text)])).toEqual(canonical);
  });

  it('are the amount that the API server reads, where it keeps the spelling', () => {
    const amounts = kept.map(([text]) => [text, parseQuantity(text)?.nano]);
    expect(amounts).toEqual(kept.map(([text, go]) => [text, parseQuantity(go)?.nano]));
    expect(amounts.filter(([, nano]) => nano === undefined)).toEqual([]);
  });

  it('are written as a Go client writes them', () => {
    const both = [...canonical.filter((row): row is [string, string] => row[1] !== null), ...kept];
    expect(both.map(([text]) => [text, canonicalQuantity(text)])).toEqual(both);
  });

  it('must have digits, and an exponent within the limits', () => {
    expect(testdata.refused.filter((text) => parseQuantity(text) !== undefined)).toEqual([]);
  });

  it('are exact beyond 63 bits', () => {
    expect(testdata.capped.filter((text) => (parseQuantity(text)?.nano ?? 0n) ** 2n < 1n)).toEqual([]);
    expect(parseQuantity('8Ei')?.nano).toBe(2n ** 63n * 10n ** 9n);
  });

  it('do not change when they are formatted again', () => {
    const formatted = [...canonical, ...kept].map(([text]) => format(text)).filter((text) => text !== null);
    expect(formatted.map(format)).toEqual(formatted);
  });

  const numbers: readonly (readonly [number, string])[] = [
    [1, '1'],
    [0.5, '500m'],
    [1.5, '1500m'],
    [-2, '-2'],
    [1e21, '1e21'],
    [1e-7, '100e-9'],
    [0, '0'],
    [1000, '1k'],
  ];
  it.each(numbers)('take the number %d as JSON spells it', (number, expected) => {
    expect(canonicalQuantity(number)).toBe(expected);
  });

  it('are finite amounts from 0 on, and of at most 63 bits, for those that count them', () => {
    const amounts = [
      ['2', 2],
      ['1500m', 1.5],
      ['1Ki', 1024],
      ['8e3', 8_000],
      ['1e30', 2 ** 63],
      ['-0', 0],
    ] as const;
    expect(amounts.map(([text]) => [text, unitsOf(text)])).toEqual(amounts);
    const others = ['-1', '1e31', '1e308', '0x10', 'NaN', 'Infinity', '', '1'.repeat(101), `1.${'0'.repeat(400_000)}`];
    expect(others.map(unitsOf)).toEqual(others.map(() => undefined));
    expect([NaN, Infinity, -1, 1e308].map(unitsOf)).toEqual([undefined, undefined, undefined, undefined]);
  });

  it.each([NaN, Infinity])('refuse the number %d', (number) => {
    expect(parseQuantity(number)).toBeUndefined();
  });
});
