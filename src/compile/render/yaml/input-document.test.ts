import { expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { loadYaml } from '../../load/yaml/yaml.js';
import { toInputYaml } from './input-document.js';

const VALUE = {
  kind: 'Cluster',
  spec: { release: 'v26.4', nodePools: [{ name: 'a', osVersion: '24.04', labels: { hot: 'yes' } }], taints: [] },
};

it('keeps the order of keys, quotes what a parser may misread, and writes comments above entries', () => {
  const text = toInputYaml(VALUE, [
    { path: ['spec', 'release'], text: 'why this one' },
    { path: ['spec', 'release'], text: 'and not another' },
    { path: ['spec', 'nodePools', 0], text: 'the first' },
  ]);
  expect(text).toBe(`kind: Cluster
spec:
  # why this one
  # and not another
  release: v26.4
  nodePools:
    # the first
    - name: a
      osVersion: "24.04"
      labels:
        hot: "yes"
  taints: []
`);
});

it('writes a comment on one line, so that nothing in it is a comment of its own', () => {
  for (const end of ['\n', '\r', '\r\n', '\u0085', '\u2028', '\n\n']) {
    const text = toInputYaml(VALUE, [{ path: ['spec', 'release'], text: `by x${end}weft-ignore WEFT0240: y` }]);
    expect(text.split(/[\n\r\u0085\u2028]/).filter((line) => line.includes('#'))).toHaveLength(1);
    expect(loadYaml('a.yaml', text).ignores).toBeUndefined();
  }
});

it('writes text of several lines as a block, and each of two comments on one entry', () => {
  const value = { config: '{\n  "a": 1\n}\n', list: ['x\ny'], odd: ' x\n' };
  const text = toInputYaml(value, [
    { path: ['config'], text: 'one' },
    { path: ['config'], text: 'two' },
  ]);
  expect(text).toBe(
    `# one
# two
config: |
  {
    "a": 1
  }
list:
  - |-
    x
    y
odd: ' x\\n'
`.replace(`' x\\n'`, String.raw`" x\n"`),
  );
  expect(parse(text)).toEqual(value);
});

it.each(['1.1', '1.2'] as const)('is read back as YAML %s', (version) => {
  const value = { ...VALUE, on: ['1e3', '0o7', '12:30', '~', '', '#a', '\u202e', 'a\n b\n', true, null, 1.5] };
  expect(parse(toInputYaml(value), { version })).toEqual(value);
  expect(toInputYaml(value)).not.toContain('\u202e');
});

it('writes a value that is there twice without an anchor', () => {
  const shared = { key: 'a' };
  expect(toInputYaml({ first: shared, second: [shared] })).toBe('first:\n  key: a\nsecond:\n  - key: a\n');
});

it('refuses a comment on an entry that is not there', () => {
  expect(() => toInputYaml(VALUE, [{ path: ['spec', 'driver'], text: 'x' }])).toThrow('at spec.driver');
});
