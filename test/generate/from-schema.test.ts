import { describe, expect, it } from '@jest/globals';
import { fc } from '../kit/fast-check.js';
import * as z from 'zod';
import { allComponents } from '../../src/compile/components/all.js';
import { networkKinds } from '../../src/compile/networks/all.js';
import { valuesOf } from './from-schema.js';

describe('valuesOf', () => {
  const schemas = new Map([...allComponents, ...networkKinds].map(({ id, schema }) => [id, schema]));
  it.each([...schemas])('makes what the schema of %s accepts', (_id, schema) => {
    fc.assert(
      fc.property(valuesOf(schema), (value) => {
        expect(schema.safeParse(value).error?.issues ?? []).toEqual([]);
      }),
      { numRuns: 20 },
    );
  });

  const schema = z.strictObject({
    needed: z.enum(['a', 'b']),
    optional: z.int().min(3).max(4).optional(),
    either: z.union([z.string().refine((text) => text.startsWith('{')), z.strictObject({ inner: z.boolean() })]),
    checked: z.string().refine((text) => text.endsWith('Gi')),
    pattern: z.string().regex(/^x+$/),
  });
  const sample = fc.sample(valuesOf(schema), { numRuns: 100, seed: 1 }) as readonly z.infer<typeof schema>[];
  const all = (key: keyof z.infer<typeof schema>) => [...new Set(sample.map((value) => value[key]))];

  it('makes every choice, leaves out what may be left out, and gives data as JSON text too', () => {
    expect(all('needed').sort()).toEqual(['a', 'b']);
    expect(all('optional').sort()).toEqual([3, 4, undefined]);
    expect(
      all('either')
        .filter((value) => typeof value === 'string')
        .sort(),
    ).toEqual(['{"inner":false}', '{"inner":true}']);
    expect(all('either').some((value) => typeof value === 'object')).toBe(true);
    expect(all('checked')).toEqual(['1Gi']);
    expect(all('pattern').filter((value) => !/^x+$/.test(value as string))).toEqual([]);
  });

  it('takes what is given for a key, at any depth', () => {
    const outer = z.strictObject({ list: z.array(schema).min(1) });
    const [value] = fc.sample(valuesOf(outer, { checked: fc.constant('given Gi') }), 1);
    expect(JSON.stringify(value)).toContain('"checked":"given Gi"');
  });

  it('says what it cannot make', () => {
    expect(() => valuesOf(z.date())).toThrow('there are no values for schemas of type date');
    const unknown = z.string().refine((text) => text === 'unheard of');
    expect(() => valuesOf(unknown.describe('A word.'))).toThrow('no sample is right for: A word.');
    const impossible = z.array(z.boolean()).refine((list) => list.length > 9, { error: 'must be long' });
    expect(() => fc.sample(valuesOf(impossible), 1)).toThrow(/^nothing passes: .*must be long/s);
  });
});
