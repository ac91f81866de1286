import { describe, expect, it } from '@jest/globals';
import { checking } from './read.js';

/** What is read of a NodeMaintenance, and what is said of it. */
function read(object: object): { readonly object: unknown; readonly said: readonly string[] } {
  const said: string[] = [];
  const reduce = checking(
    'NodeMaintenance',
    (one) => one,
    (message) => said.push(message),
  );
  return { object: reduce(object), said: said.sort() };
}

const metadata = { name: 'a', namespace: 'nvidia' };

describe('a custom resource that the API server has not checked', () => {
  const cases: readonly { name: string; given: object; object: object; said: readonly string[] }[] = [
    {
      name: 'is read as it is',
      given: { metadata, spec: { nodeName: 'n', other: [7] } },
      object: { metadata, spec: { nodeName: 'n', other: [7] } },
      said: [],
    },
    {
      name: 'is read without fields of a wrong type',
      given: { metadata, spec: { nodeName: 7, additionalRequestors: ['x', null, 'y'] }, status: 'ready' },
      object: { metadata, spec: { additionalRequestors: ['x', 'y'] } },
      said: ['spec.additionalRequestors[1]` is no text', 'spec.nodeName` is no text', 'status` is no mapping'],
    },
    {
      name: 'is read without members that lack a field',
      given: { metadata: { ...metadata, ownerReferences: [{ kind: 'Pod' }] } },
      object: { metadata: { ...metadata, ownerReferences: [] } },
      said: ['apiVersion', 'name', 'uid'].map((field) => `metadata.ownerReferences[0].${field}\` is missing`),
    },
    { name: 'has no fields that are null', given: { metadata, spec: null }, object: { metadata }, said: [] },
    {
      name: 'has no metadata if they are none',
      given: { metadata: [] },
      object: {},
      said: ['metadata` is no mapping'],
    },
  ];
  it.each(cases)('$name', ({ given, object, said }) => {
    const found = read(given);
    expect(found.object).toEqual(object);
    const name = 'metadata' in object ? 'nvidia/a' : '';
    expect(found.said).toEqual(said.map((one) => `NodeMaintenance ${name}: \`${one}, and counts as absent`));
  });
});
