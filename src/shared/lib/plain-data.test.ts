import { describe, expect, it } from '@jest/globals';
import { ApiObject, App, Chart, JsonPatch, Lazy, type IResolver } from 'cdk8s';
import { fc } from '../../../test/kit/fast-check.js';
import type { KubernetesObject } from '../kubernetes/types.js';
import { addObject } from '../kubernetes/objects.js';

const withData = (data: unknown): KubernetesObject => ({
  apiVersion: 'example.org/v1',
  kind: 'Thing',
  metadata: { name: 'a', namespace: 'b', labels: { z: '1', a: '2' }, annotations: {} },
  spec: {},
  data,
});

/** The same object written by cdk8s alone, and by the tree that Weft makes; the order of keys included. */
function written(data: unknown, resolvers: IResolver[] = []) {
  const chart = () => new Chart(new App({ resolvers }), 'chart');
  const text = (write: () => unknown) => {
    try {
      return JSON.stringify(write());
    } catch (error) {
      return String(error).replaceAll(/chart\/[^:]*/g, 'chart');
    }
  };
  const alone = text(() => new ApiObject(chart(), 'one', withData(data)).toJson() as unknown);
  return { alone, own: text(() => addObject(chart(), withData(data)).toJson() as unknown) };
}

const anything = fc.anything({
  key: fc.oneof(fc.constantFrom('b', 'a', 'constructor', '__proto__', 'resolve', 'value', '1'), fc.string()),
  maxDepth: 4,
  withDate: true,
  withNullPrototype: true,
});

describe('plain data', () => {
  it('is written as cdk8s writes it, and so is what is no plain data', () => {
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), anything), (data) => {
        const { alone, own } = written(data);
        expect(own).toBe(alone);
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ['a value of later', { a: Lazy.any({ produce: () => [1, { b: 2 }] }) as unknown }],
    ['a value that resolves itself', { a: { resolve: () => 'later' } }],
    ['an instance', { a: new Date(0) }],
    ['no value in a list', { a: [1, null, undefined] }],
    ['a prototype', JSON.parse('{"a": {"__proto__": null}}') as unknown],
  ])('but not %s, which cdk8s resolves', (_name, data) => {
    const { alone, own } = written(data);
    expect(own).toBe(alone);
  });

  it('keeps an entry of a list that has no value, of which cdk8s makes `undefined`', () => {
    const object = addObject(new Chart(new App(), 'chart'), withData({ enum: ['a', null] }));
    expect(object.toJson()).toHaveProperty('data', { enum: ['a', null] });
  });

  it('is not decided by Weft alone: an App may have resolvers of its own', () => {
    const resolver: IResolver = {
      resolve: (context) => {
        if (context.value === 'old') context.replaceValue('new');
      },
    };
    const { alone, own } = written({ a: 'old' }, [resolver]);
    expect(own).toBe(alone);
    expect(own).toContain('"a":"new"');
  });

  it('takes patches, before and after it was written', () => {
    const object = addObject(new Chart(new App(), 'chart'), withData({ a: 1 }));
    expect(object.toJson()).toMatchObject({ data: { a: 1 } });
    object.addJsonPatch(JsonPatch.replace('/data/a', 2));
    expect(object.toJson()).toMatchObject({ data: { a: 2 } });
  });
});
