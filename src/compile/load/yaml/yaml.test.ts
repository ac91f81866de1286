import { describe, expect, it } from '@jest/globals';
import { fullBudget } from './budget.js';
import { createTextCache } from './text-cache.js';
import { loadYaml } from './yaml.js';

const valuesOf = (text: string, file = 'a.yaml'): unknown[] => {
  const { documents, diagnostics } = loadYaml(file, text);
  expect(diagnostics).toEqual([]);
  return documents.map(({ value }) => value);
};

/** sigs.k8s.io/yaml v1.6.0 reads the same, unless noted otherwise. */
const documents: readonly { name: string; input: string; expected: unknown[] }[] = [
  { name: 'nothing', input: '', expected: [] },
  { name: 'comments only', input: '# a\n---\n# b\n', expected: [] },
  { name: 'several documents', input: 'a: 1\n---\nb: 2\n--- # c\nc: 3\n', expected: [{ a: 1 }, { b: 2 }, { c: 3 }] },
  { name: 'empty documents between', input: '---\n---\na: 1\n---\nnull\n---\n~\n---\n', expected: [{ a: 1 }] },
  { name: 'content beside the separator', input: '--- {a: 1}\n--- {b: 2}\n', expected: [{ a: 1 }, { b: 2 }] },
  { name: 'document end markers', input: 'a: 1\n...\n---\nb: 2\n...\n', expected: [{ a: 1 }, { b: 2 }] },
  { name: 'a directive', input: '%YAML 1.1\n---\na: yes\n---\nb: no\n', expected: [{ a: true }, { b: false }] },
  { name: 'dashes inside a block', input: 'a: |\n  ---\n  x\n', expected: [{ a: '---\nx\n' }] },
  { name: 'a byte order mark and CRLF', input: '\uFEFFa: 1\r\nb: |\r\n  x\r\n', expected: [{ a: 1, b: 'x\n' }] },
  {
    name: 'times as text',
    input: 'a: 12:30\nb: 12:30:45\nc: 2001-01-01',
    expected: [{ a: '12:30', b: '12:30:45', c: '2001-01-01' }],
  },
  {
    name: 'numbers by Go',
    input: 'a: 0755\nb: 1_000\nc: 0o17\nd: 24.10',
    expected: [{ a: 493, b: 1000, c: 15, d: 24.1 }],
  },
  { name: 'quoted text', input: 'a: "yes"\nb: \'0755\'\nc: !!str no', expected: [{ a: 'yes', b: '0755', c: 'no' }] },
  {
    name: 'keys that are no text',
    input: '1: a\nyes: b\n1.5: c\n0x10: d',
    expected: [{ 1: 'a', true: 'b', 1.5: 'c', 16: 'd' }],
  },
  { name: 'a missing value', input: 'a:\nb: ~\n? c\n', expected: [{ a: null, b: null, c: null }] },
  { name: 'an alias', input: 'a: &x [1, {b: 2}]\nc: *x\n', expected: [{ a: [1, { b: 2 }], c: [1, { b: 2 }] }] },
  {
    name: 'an anchor that is defined again',
    input: 'a: &x 1\nb: *x\nc: &x 2\nd: *x\n',
    expected: [{ a: 1, b: 1, c: 2, d: 2 }],
  },
  {
    name: 'a merge key, then keys',
    input: 'x: &x {k: 1, m: 2}\nb:\n  <<: *x\n  k: 9\n',
    expected: [{ x: { k: 1, m: 2 }, b: { k: 9, m: 2 } }],
  },
  {
    name: 'keys, then a merge key that overrides them',
    input: 'x: &x {k: 1}\nb:\n  k: 9\n  <<: *x\n',
    expected: [{ x: { k: 1 }, b: { k: 1 } }],
  },
  {
    name: 'a merge of a list',
    input: 'b:\n  <<: [{a: 1, b: 1}, {b: 2, c: 2}]\n',
    expected: [{ b: { a: 1, b: 1, c: 2 } }],
  },
  { name: 'a quoted merge key', input: '"<<": {a: 1}\nb: <<\n', expected: [{ '<<': { a: 1 }, b: '<<' }] },
  { name: 'plain text with a colon', input: 'a: http://x/y\nb: [c:d]\n', expected: [{ a: 'http://x/y', b: ['c:d'] }] },
  { name: 'block scalars', input: 'a: |-\n  x\n   y\n\nb: >\n  x\n  y\n', expected: [{ a: 'x\n y', b: 'x y\n' }] },
];

describe('documents', () => {
  it.each(documents)('$name', ({ input, expected }) => {
    expect(valuesOf(input)).toEqual(expected);
  });

  it('reads an alias in the place of a key', () => {
    expect(valuesOf('x: &k a\nb: {*k : 3}\n')).toEqual([{ x: 'a', b: { a: 3 } }]);
  });

  it('reads JSON, tabs and surrogate pairs in it too', () => {
    const text = '{\n\t"a": {\n\t\t"b":\t[1, true, null, "\\ud83d\\ude00", "x\\ty"],\r\n\t "c": "\\/"\n\t}\n}\n';
    expect(valuesOf(text, 'a.json')).toEqual([{ a: { b: [1, true, null, '😀', 'x\ty'], c: '/' } }]);
  });

  it('makes hostile keys ordinary properties', () => {
    const [value] = valuesOf('__proto__: {polluted: 1}\nconstructor: {prototype: {polluted: 2}}\ntoString: 3\n');
    expect(Object.keys(value as object)).toEqual(['__proto__', 'constructor', 'toString']);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    expect((value as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('merges a mapping that holds __proto__ without touching prototypes', () => {
    const [value] = valuesOf('<<: {__proto__: {polluted: 1}}\n');
    expect(Object.keys(value as object)).toEqual(['__proto__']);
    expect((value as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('expands a List of one kind, whose items need not say it', () => {
    const text =
      'kind: AList\napiVersion: v1\nitems:\n- spec: 1\n- kind: B\n---\nkind: CList\nmetadata: {name: c}\nitems: []\n';
    expect(loadYaml('a.yaml', text).documents.map(({ value }) => value)).toEqual([
      { apiVersion: 'v1', kind: 'A', spec: 1 },
      { apiVersion: 'v1', kind: 'B' },
      { kind: 'CList', metadata: { name: 'c' }, items: [] },
    ]);
  });

  it('expands a List, nested ones too', () => {
    const text =
      'kind: List\napiVersion: v1\nitems:\n- kind: A\n- kind: List\n  items:\n  - kind: B\n---\nkind: C\nitems: [1]\n';
    expect(valuesOf(text)).toEqual([{ kind: 'A' }, { kind: 'B' }, { kind: 'C', items: [1] }]);
    const { documents } = loadYaml('a.yaml', text);
    expect(documents[1]?.locate(['kind'])).toMatchObject({ line: 7, column: 11 });
  });

  it('allows as many documents as a cluster can have', () => {
    const text = Array.from({ length: 1_500 }, (_, index) => `---\nkind: K\nname: n${index}\n`).join('');
    const { documents, diagnostics } = loadYaml('a.yaml', text);
    expect(diagnostics).toEqual([]);
    expect(documents.length).toBe(1_500);
    expect(documents[1_499]?.value).toEqual({ kind: 'K', name: 'n1499' });
    expect(documents[1_499]?.locate(['name'])).toMatchObject({ line: 4_500, column: 7 });
  });
});

describe('the budget of a folder', () => {
  const text = 'kind: A\n---\nkind: List\nitems:\n  - kind: B\n  - c\n---\nspec:\n  d: [e]\n';

  it('counts the same for a text that was read before', () => {
    const cache = createTextCache();
    const budgets = [fullBudget(), fullBudget()];
    for (const budget of budgets) loadYaml('a.yaml', 'kind: A\n---\nkind: B\n', budget, cache);
    expect(budgets[0]).toMatchObject({ documents: 1_498, lexemes: 200_000 - 8 - 10 });
    expect(budgets[1]).toEqual(budgets[0]);
    expect(cache.find('kind: A\n')?.lexemes).toBe(8);
  });

  it('is enough for a cluster with hundreds of networks, pools and policies', () => {
    const pool = (at: number) =>
      `    - {name: p${at}, osName: ubuntu, osVersion: "24.04", arch: amd64, kernel: 6.8.0-${at}-generic, labels: {pool: p${at}}, taints: [{key: nvidia.com/gpu, effect: NoSchedule}]}\n`;
    const object = (kind: string, spec: string) => (at: number) =>
      `---\napiVersion: example.com/v1\nkind: ${kind}\nmetadata: {name: n${at}, namespace: nvidia-network-operator}\nspec:\n${spec}`;
    const many = (count: number, part: (at: number) => string) => Array.from({ length: count }, (_, at) => part(at));
    const [large, rest] = [
      [`kind: Cluster\nspec:\n  nodePools:\n`, ...many(50, pool)],
      [
        ...many(
          20,
          object(
            'NicNodePolicy',
            '  nodeSelector: {pool: p}\n  ofedDriver: {}\n  rdmaSharedDevicePlugin: {config: {configList: [{resourceName: a, rdmaHcaMax: 63, selectors: {ifNames: [ens1f0]}}]}}\n',
          ),
        ),
        ...many(
          200,
          object(
            'MacvlanNetwork',
            '  networkNamespace: default\n  master: ens1f0\n  mode: bridge\n  mtu: 9000\n  ipam: |\n    {"type": "nv-ipam", "poolName": "p"}\n',
          ),
        ),
        ...many(
          500,
          object(
            'IPPool',
            '  subnet: 10.0.0.0/24\n  perNodeBlockSize: 8\n  gateway: 10.0.0.1\n  nodeSelector:\n    nodeSelectorTerms:\n      - matchExpressions:\n          - {key: pool, operator: In, values: [p1]}\n',
          ),
        ),
        ...many(
          300,
          object(
            'SriovNetworkNodePolicy',
            '  resourceName: rail\n  numVfs: 8\n  priority: 9\n  isRdma: true\n  deviceType: netdevice\n  nodeSelector: {pool: p}\n  nicSelector:\n    vendor: "15b3"\n    pfNames: ["ens1f0#0-7"]\n',
          ),
        ),
      ],
    ];
    const { documents, diagnostics } = loadYaml('a.yaml', [...large, ...rest].join(''), fullBudget());
    expect(diagnostics).toEqual([]);
    expect(documents).toHaveLength(1_021);
  });

  it('ends the reading within a text', () => {
    const { documents, diagnostics } = loadYaml('a.yaml', text, { ...fullBudget(), lexemes: 10 });
    expect(documents).toEqual([]);
    expect(diagnostics.map(({ message }) => message)).toEqual([expect.stringContaining('the folder holds more than')]);
  });
});
