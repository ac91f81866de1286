import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { resolvePlain, resolveTagged, scalarToJson, scalarToKey } from './scalars.js';
import rows from './scalars.testdata.json' with { type: 'json' };
import { loadYaml } from './yaml.js';

/**
 * What sigs.k8s.io/yaml v1.6.0 (go.yaml.in/yaml/v2 v2.4.2) answers: a scalar as it stands in the text, the JSON of the
 * value in `a: <scalar>`, and the key in `<scalar>: v`; null stands for an error.
 */
const answers = rows as unknown as readonly (readonly [string, string | null, string | null])[];

/** Integers that JavaScript cannot hold, and tags that goyaml ignores, are errors here; all else agrees. */
function isRefused(scalar: string, json: string | null): boolean {
  const number = Number(json);
  const isLost = /^-?\d+$/.test(json ?? '') && !Number.isSafeInteger(number) && resolvePlain(scalar).type === 'int';
  return isLost || isUnknownTag(scalar);
}

const isUnknownTag = (scalar: string): boolean => /^!(foo|!(foo|binary|timestamp|map|seq|set|merge)) /.test(scalar);

describe('scalars', () => {
  it('has enough answers to compare with', () => {
    expect(answers.length).toBeGreaterThan(800);
  });

  // One test for all: hundreds of tests take longer than what they compare.
  it('reads each value as sigs.k8s.io/yaml does', () => {
    const wrong = answers.filter(([scalar, json]) => {
      const { documents, diagnostics } = loadYaml('a.yaml', `a: ${scalar}\n`);
      if (json === null || isRefused(scalar, json)) return diagnostics.length === 0;
      // Go prints a negative zero, which is equal to zero in every field.
      const expected: unknown = json === '-0' ? 0 : JSON.parse(json);
      return diagnostics.length > 0 || !isDeepStrictEqual(documents[0]?.value, { a: expected });
    });
    expect(wrong).toEqual([]);
  });

  it('reads each key as sigs.k8s.io/yaml does', () => {
    const wrong = answers.filter(({ 0: scalar, 2: key }) => {
      const { documents, diagnostics } = loadYaml('a.yaml', `${scalar}: v\n`);
      if (key === null || isUnknownTag(scalar)) return diagnostics.length === 0;
      const values = documents.map(({ value }) => value);
      return diagnostics.length > 0 || !isDeepStrictEqual(values, [{ [key]: 'v' }]);
    });
    expect(wrong).toEqual([]);
  });

  it('keeps the digits of an integer', () => {
    expect(resolvePlain('9007199254740993')).toEqual({ type: 'int', value: 9007199254740993n });
    expect(scalarToJson({ type: 'int', value: 9007199254740993n })).toEqual({
      ok: false,
      problem: 'the integer 9007199254740993 has more digits than a JSON number keeps',
    });
    expect(scalarToKey({ type: 'int', value: 9007199254740993n })).toEqual({ ok: true, value: '9007199254740993' });
  });

  it.each([
    ['1000000.0', '1e+06'],
    ['100000.0', '100000'],
    ['999999.5', '999999.5'],
    ['1234567.5', '1.2345675e+06'],
    ['-0.00001', '-1e-05'],
    ['0.0001', '0.0001'],
    ['16777217.5', '1.6777218e+07'],
  ])('prints the key %s with 32 bits, as %s', (scalar, expected) => {
    expect(scalarToKey(resolvePlain(scalar))).toEqual({ ok: true, value: expected });
  });

  it('says what is wrong with a tag', () => {
    expect(resolveTagged('foo', 'tag:yaml.org,2002:int')).toEqual({
      ok: false,
      problem: '`foo` is text, but its tag says !!int',
    });
    expect(resolveTagged('aGk=', 'tag:yaml.org,2002:binary')).toEqual({
      ok: false,
      problem: 'the tag `!!binary` has no meaning in a Kubernetes document',
    });
  });

  it('does not take long for a number of many digits', () => {
    const digits = '9'.repeat(1_000_000);
    expect(resolvePlain(digits)).toEqual({ type: 'str', value: digits });
    expect(resolvePlain(`${'0'.repeat(100_000)}7`)).toEqual({ type: 'int', value: 7n });
  });
});
