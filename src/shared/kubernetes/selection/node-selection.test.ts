import { describe, expect, it } from '@jest/globals';
import { selectsByLabel } from './node-selection.js';

const pod = (spec: object) => ({ kind: 'DaemonSet', spec: { template: { spec } } });
const term = (key: string) => ({
  matchExpressions: [
    { key: 'other', operator: 'Exists' },
    { key, operator: 'Exists' },
  ],
});

describe('selectsByLabel', () => {
  it.each([
    { name: 'a node selector', object: pod({ nodeSelector: { a: 'true' } }), expected: true },
    { name: 'another label', object: pod({ nodeSelector: { b: 'a' } }), expected: false },
    {
      name: 'a required affinity',
      object: pod({
        affinity: {
          nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [term('a')] } },
        },
      }),
      expected: true,
    },
    {
      name: 'a preferred affinity',
      object: pod({
        affinity: { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ preference: term('a') }] } },
      }),
      expected: true,
    },
    {
      name: 'a field of a custom resource',
      object: { kind: 'SriovOperatorConfig', spec: { configDaemonNodeSelector: { a: '' } } },
      expected: true,
    },
    { name: 'a label of the object', object: { metadata: { labels: { a: 'true' } } }, expected: false },
    { name: 'text', object: pod({ containers: [{ args: ['a'] }] }), expected: false },
  ])('$name: $expected', ({ object, expected }) => {
    expect(selectsByLabel(object, 'a')).toBe(expected);
  });
});
