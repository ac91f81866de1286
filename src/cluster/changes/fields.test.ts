import { describe, expect, it } from '@jest/globals';
import { fieldChanges, type FieldChange } from './fields.js';

const table: readonly {
  readonly name: string;
  readonly from: unknown;
  readonly to: unknown;
  readonly expected: readonly FieldChange[];
}[] = [
  { name: 'nothing', from: { a: [1, { b: null }] }, to: { a: [1, { b: null }] }, expected: [] },
  { name: 'keys in another order', from: { a: 1, b: { c: 2, d: 3 } }, to: { b: { d: 3, c: 2 }, a: 1 }, expected: [] },
  {
    name: 'a value',
    from: { spec: { replicas: 1 } },
    to: { spec: { replicas: '1' } },
    expected: [{ kind: 'changed', path: 'spec.replicas', from: 1, to: '1' }],
  },
  {
    name: 'keys that come and go, sorted',
    from: { labels: { b: '1', 'nvidia.com/gpu': '' } },
    to: { labels: { a: '1', b: '1' } },
    expected: [
      { kind: 'added', path: 'labels.a', to: '1' },
      { kind: 'removed', path: 'labels["nvidia.com/gpu"]', from: '' },
    ],
  },
  {
    name: 'a mapping that becomes a list',
    from: { a: {} },
    to: { a: [] },
    expected: [{ kind: 'changed', path: 'a', from: {}, to: [] }],
  },
  {
    name: 'null, which is not absent',
    from: { a: null },
    to: {},
    expected: [{ kind: 'removed', path: 'a', from: null }],
  },
  {
    name: 'keys of prototypes, which are keys like others',
    from: JSON.parse('{"a":{"__proto__":{"x":1}}}'),
    to: JSON.parse('{"a":{"constructor":1}}'),
    expected: [
      { kind: 'removed', path: 'a.__proto__', from: { x: 1 } },
      { kind: 'added', path: 'a.constructor', to: 1 },
    ],
  },
  {
    name: 'containers by name',
    from: {
      containers: [
        { name: 'a', image: 'x' },
        { name: 'b', image: 'y' },
      ],
    },
    to: {
      containers: [
        { name: 'new', image: 'z' },
        { name: 'a', image: 'x' },
        { name: 'b', image: 'z' },
      ],
    },
    expected: [
      { kind: 'added', path: 'containers[new]', to: { name: 'new', image: 'z' } },
      { kind: 'changed', path: 'containers[b].image', from: 'y', to: 'z' },
    ],
  },
  {
    name: 'environment variables by name, and their order',
    from: { env: [{ name: 'A', value: '1' }, { name: 'GONE' }, { name: 'B', value: '1' }] },
    to: {
      env: [
        { name: 'B', value: '1' },
        { name: 'A', value: '2' },
      ],
    },
    expected: [
      { kind: 'reordered', path: 'env' },
      { kind: 'removed', path: 'env[GONE]', from: { name: 'GONE' } },
      { kind: 'changed', path: 'env[A].value', from: '1', to: '2' },
    ],
  },
  {
    name: 'a member put in front, which reorders nothing',
    from: { env: [{ name: 'A' }, { name: 'B' }] },
    to: { env: [{ name: 'C' }, { name: 'A' }, { name: 'B' }] },
    expected: [{ kind: 'added', path: 'env[C]', to: { name: 'C' } }],
  },
  {
    name: 'two members of one name, by place',
    from: {
      env: [
        { name: 'A', value: '1' },
        { name: 'A', value: '2' },
      ],
    },
    to: {
      env: [
        { name: 'A', value: '1' },
        { name: 'A', value: '3' },
      ],
    },
    expected: [{ kind: 'changed', path: 'env[1].value', from: '2', to: '3' }],
  },
  {
    name: 'mounts by path',
    from: { volumeMounts: [{ name: 'v', mountPath: '/a' }] },
    to: { volumeMounts: [{ name: 'w', mountPath: '/a' }] },
    expected: [{ kind: 'changed', path: 'volumeMounts[/a].name', from: 'v', to: 'w' }],
  },
  {
    name: 'ports of containers and of Services',
    from: { c: { ports: [{ containerPort: 80, protocol: 'TCP' }] }, s: { ports: [{ port: 443 }] } },
    to: { c: { ports: [{ containerPort: 80, protocol: 'TCP', name: 'http' }] }, s: { ports: [{ port: 8443 }] } },
    expected: [
      { kind: 'added', path: 'c.ports[80/TCP].name', to: 'http' },
      { kind: 'removed', path: 's.ports["443"]', from: { port: 443 } },
      { kind: 'added', path: 's.ports["8443"]', to: { port: 8443 } },
    ],
  },
  {
    name: 'a list that is only reordered',
    from: { rules: [{ verbs: ['get'] }, { verbs: ['list'] }], args: ['a', 'b', 'c'] },
    to: { rules: [{ verbs: ['list'] }, { verbs: ['get'] }], args: ['c', 'a', 'b'] },
    expected: [
      { kind: 'reordered', path: 'args' },
      { kind: 'reordered', path: 'rules' },
    ],
  },
  {
    name: 'a member of a list without keys, put in between',
    from: { args: ['a', 'b', 'c'] },
    to: { args: ['a', 'x', 'b', 'c'] },
    expected: [{ kind: 'added', path: 'args[1]', to: 'x' }],
  },
  {
    name: 'a member of a list without keys, taken out twice the same',
    from: { args: ['a', 'a', 'a'] },
    to: { args: ['a', 'a'] },
    expected: [{ kind: 'removed', path: 'args[2]', from: 'a' }],
  },
  {
    name: 'a member of a list without keys',
    from: { rules: [{ verbs: ['get'] }, { verbs: ['list'] }] },
    to: { rules: [{ verbs: ['get'] }, { verbs: ['list', 'watch'] }] },
    expected: [{ kind: 'added', path: 'rules[1].verbs[1]', to: 'watch' }],
  },
  {
    name: 'JSON in a string, by its fields',
    from: { data: { 'config.json': '{"configList": [{"resourceName": "a", "rdmaHcaMax": 63}]}' } },
    to: { data: { 'config.json': '{"configList":[{"rdmaHcaMax":100,"resourceName":"a"}]}' } },
    expected: [{ kind: 'changed', path: 'data["config.json"]<json>.configList[a].rdmaHcaMax', from: 63, to: 100 }],
  },
  {
    name: 'JSON in a string, written differently',
    from: { config: '{"a": 1, "b": [2]}' },
    to: { config: '{\n  "b": [2],\n  "a": 1\n}' },
    expected: [{ kind: 'reformatted', path: 'config' }],
  },
  {
    name: 'JSON in a string, with numbers that JavaScript would round',
    from: { config: '{"a": 9007199254740993}' },
    to: { config: '{"a": 9007199254740992}' },
    expected: [{ kind: 'changed', path: 'config', from: '{"a": 9007199254740993}', to: '{"a": 9007199254740992}' }],
  },
  {
    name: 'text that only looks like JSON',
    from: { config: '{"a": 1}' },
    to: { config: '{"a": 1' },
    expected: [{ kind: 'changed', path: 'config', from: '{"a": 1}', to: '{"a": 1' }],
  },
  {
    name: 'JSON numbers are text where the field is text',
    from: { value: '1.0' },
    to: { value: '1' },
    expected: [{ kind: 'changed', path: 'value', from: '1.0', to: '1' }],
  },
];

describe('fieldChanges', () => {
  it.each(table)('$name', ({ from, to, expected }) => {
    expect(fieldChanges(from, to)).toEqual(expected);
  });

  it('takes JSON that is nested deeper than a stack', () => {
    const deep = (inner: string) => `${'['.repeat(50_000)}${inner}${']'.repeat(50_000)}`;
    expect(fieldChanges(deep('1'), deep('2'))).toEqual([{ kind: 'changed', path: '', from: deep('1'), to: deep('2') }]);
  });

  it('compares long lists without comparing each with each', () => {
    const list = (suffix: string) =>
      Array.from({ length: 20_000 }, (_, index) => ({ name: `n${index}`, value: suffix }));
    expect(fieldChanges({ env: list('a') }, { env: list('b') })).toHaveLength(20_000);
    expect(fieldChanges({ other: list('a') }, { other: list('b') })).toHaveLength(20_000);
  });
});
