import { describe, expect, it } from '@jest/globals';
import { type FieldType, fieldType, kubernetesType } from './field-types.js';
import { isObject, sortKeys } from '../../lib/json.js';
import { strategicMerge } from './strategic-merge.js';
import testdata from './strategic-merge.testdata.json' with { type: 'json' };

/** The type of a part of a kind of Kubernetes itself. */
function typeAt(apiVersion: string, kind: string, ...path: readonly string[]): FieldType {
  const type = path.reduce<FieldType | undefined>(
    (outer, key) => outer && fieldType(outer, key),
    kubernetesType(apiVersion, kind),
  );
  if (!type) throw new Error(`${kind} has no ${path.join('.')}`);
  return type;
}

const POD_SPEC = typeAt('v1', 'Pod', 'spec');

/** What the recorded results below do not have. */
const cases: readonly {
  readonly name: string;
  /** That of a pod's specification where it is not given. */
  readonly type?: FieldType;
  readonly target: unknown;
  readonly patch: unknown;
  readonly expected: unknown;
}[] = [
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
  {
    name: 'merges the match conditions of a webhook',
    type: typeAt('admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration'),
    target: { webhooks: [{ name: 'w', matchConditions: [{ name: 'a', expression: 'x' }] }] },
    patch: { webhooks: [{ name: 'w', matchConditions: [{ name: 'b', expression: 'y' }] }] },
    expected: {
      webhooks: [
        {
          name: 'w',
          matchConditions: [
            { name: 'a', expression: 'x' },
            { name: 'b', expression: 'y' },
          ],
        },
      ],
    },
  },
  {
    name: 'takes a list as it is written where there was none',
    target: { containers: [{ name: 'a' }] },
    patch: { containers: [{ name: 'a', ports: [{ containerPort: 53 }, { containerPort: 53, protocol: 'UDP' }] }] },
    expected: { containers: [{ name: 'a', ports: [{ containerPort: 53 }, { containerPort: 53, protocol: 'UDP' }] }] },
  },
  {
    name: 'changes the first of two entries with one key, and merges the second of a patch into what the first made',
    target: { containers: [{ name: 'a', ports: [{ containerPort: 53 }, { containerPort: 53, protocol: 'UDP' }] }] },
    patch: {
      containers: [
        {
          name: 'a',
          ports: [{ containerPort: 53, name: 'dns' }, { containerPort: 1 }, { containerPort: 1, protocol: 'UDP' }],
        },
      ],
    },
    expected: {
      containers: [
        {
          name: 'a',
          ports: [
            { containerPort: 53, name: 'dns' },
            { containerPort: 53, protocol: 'UDP' },
            { containerPort: 1, protocol: 'UDP' },
          ],
        },
      ],
    },
  },
  {
    name: 'replaces every list of a type without a definition',
    type: { is: 'any' },
    target: { env: [{ name: 'a' }], volumes: [{ name: 'a' }], finalizers: ['a'] },
    patch: { env: [{ name: 'b' }], volumes: [], finalizers: ['b'] },
    expected: { env: [{ name: 'b' }], volumes: [], finalizers: ['b'] },
  },
  {
    name: 'leaves no directive behind in what it adds',
    target: {},
    patch: {
      containers: [{ name: 'a', env: [{ $patch: 'replace' }, { name: 'b', $patch: 'delete' }, { name: 'c' }] }],
      securityContext: { $patch: 'delete' },
    },
    expected: { containers: [{ name: 'a', env: [{ name: 'c' }] }] },
  },
];

describe('strategicMerge', () => {
  it.each(cases)('$name', ({ type = POD_SPEC, target, patch, expected }) => {
    const before = structuredClone(target);
    expect(strategicMerge(target, patch, type)).toEqual(expected);
    expect(target).toEqual(before);
  });
});

/** Without the order of lists that are merged: there the API server puts new entries first. */
function withoutOrder(value: unknown, type: FieldType): unknown {
  if (Array.isArray(value)) {
    const of: FieldType = type.is === 'list' ? type.of() : { is: 'any' };
    const entries = value.map((entry) => JSON.stringify(sortKeys(withoutOrder(entry, of))));
    return type.is === 'list' && type.merge ? entries.sort() : entries;
  }
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([key, inner]) => [
    key,
    withoutOrder(inner, fieldType(type, key) ?? { is: 'any' }),
  ]);
  return Object.fromEntries(entries);
}

describe('the keys of a merged mapping', () => {
  it('keep their order, and new ones come last', () => {
    const merged = strategicMerge({ c: 1, a: { x: 1 }, b: 3 }, { z: 1, a: { w: 2 }, c: null }, { is: 'any' });
    expect(JSON.stringify(merged)).toBe('{"a":{"x":1,"w":2},"b":3,"z":1}');
  });

  it('may be those that JavaScript takes for its own', () => {
    const [target, patch] = ['{"__proto__": {"a": 1}}', '{"__proto__": {"b": 2}, "constructor": {"c": 3}}'];
    const merged = strategicMerge(JSON.parse(target), JSON.parse(patch), { is: 'any' });
    expect(JSON.stringify(merged)).toBe('{"__proto__":{"a":1,"b":2},"constructor":{"c":3}}');
    expect(Object.getPrototypeOf(merged)).toBe(Object.prototype);
  });
});

/**
 * Results of `StrategicMergePatch` of k8s.io/apimachinery v0.36.3 (pkg/util/strategicpatch), recorded once: by kind, an object, a
 * patch and what becomes of it. Both are random, and have entries with one key; those of which Go leaves `null` or a directive in
 * the result are left out.
 */
const recorded = Object.entries(testdata as unknown as Readonly<Record<string, readonly (readonly unknown[])[]>>);

describe('strategicMerge, beside the API server', () => {
  it.each(recorded)('makes of %s what it makes', (name, results) => {
    const [apiVersion = '', kind = ''] = name.split(' ');
    const type = typeAt(apiVersion, kind);
    const ours = results.map(([target, patch]) => [target, patch, strategicMerge(target, patch, type)]);
    expect(ours.map(([, , made]) => withoutOrder(made, type))).toEqual(
      results.map(([, , made]) => withoutOrder(made, type)),
    );
    expect(results.length).toBeGreaterThan(5);
  });
});
