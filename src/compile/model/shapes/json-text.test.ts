import { describe, expect, it } from '@jest/globals';
import { compile, PLAIN_CLUSTER, policyText, problemLines } from '../../../../test/golden/compile.js';
import { sortDiagnostics } from '../../../shared/diagnostics/render/order.js';
import { manifestText } from '../../../../test/golden/golden-file.js';

const SECTIONS = [
  { name: 'multus', text: (config: string) => `  secondaryNetwork: {multus: {${config}}}\n` },
  { name: 'rdmaSharedDevicePlugin', text: (config: string) => `  rdmaSharedDevicePlugin: {${config}}\n` },
  { name: 'sriovDevicePlugin', text: (config: string) => `  sriovDevicePlugin: {${config}}\n` },
];

function rendered(section: string): string {
  const policy = policyText('NicClusterPolicy', 'nic-cluster-policy', section);
  const { placed, diagnostics } = compile({ 'cluster.yaml': PLAIN_CLUSTER, 'policy.yaml': policy });
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  return manifestText(placed.map(({ object }) => object));
}

const network = (kind: string, field: string): string =>
  `apiVersion: mellanox.com/v1alpha1\nkind: ${kind}\nmetadata: {name: net}\nspec:\n  ${field}\n`;

describe('text that is not JSON', () => {
  const problemsOf = (text: string) =>
    problemLines(
      compile({ 'cluster.yaml': PLAIN_CLUSTER, 'a.yaml': text }).diagnostics.filter(({ code }) => code === 'WEFT0143'),
    );

  it.each([
    {
      name: 'in a block',
      text: policyText(
        'NicClusterPolicy',
        'nic-cluster-policy',
        '  rdmaSharedDevicePlugin:\n    config: |\n      {\n        "configList": [],\n      }\n',
      ),
      expected:
        'a.yaml:10:7 WEFT0143 `spec.rdmaSharedDevicePlugin.config` is not valid JSON: `}` where a key in double quotes should be',
    },
    {
      name: 'as an IPAM',
      text: network('MacvlanNetwork', `ipam: '{"type": nv-ipam}'`),
      expected:
        'a.yaml:5:19 WEFT0143 `spec.ipam` is not valid JSON: `nv-ipam` is no word of JSON; text stands in double quotes',
    },
    {
      name: 'as plugins, which have no brackets around them',
      text: network('MacvlanNetwork', `metaPlugins: '{"type": "rdma"},'`),
      expected:
        'a.yaml:5:33 WEFT0143 `spec.metaPlugins` is not a sequence of JSON objects: it ends where more should be',
    },
  ])('is shown where it is written: $name', ({ text, expected }) => {
    expect(problemsOf(text)).toEqual([expected]);
  });
});

describe('JSON text that does not fit', () => {
  const problemsOf = (config: string) =>
    problemLines(
      compile({
        'cluster.yaml': PLAIN_CLUSTER,
        'a.yaml': policyText(
          'NicClusterPolicy',
          'nic-cluster-policy',
          `  rdmaSharedDevicePlugin:\n    config: ${config}\n`,
        ),
      }).diagnostics.filter(({ code }) => code === 'WEFT0143'),
    );
  const block = (json: string) => `|\n${json.replace(/^/gm, '      ')}`;

  it.each([
    {
      name: 'a value',
      config: block('{\n  "configList": [\n    {"resourceName": "a", "rdmaHcaMax": "many"}\n  ]\n}'),
      expected: ['a.yaml:10:47'],
    },
    {
      name: 'what lacks a key',
      config: block('{\n  "configList": [\n    {"rdmaHcaMax": 1},\n    {"rdmaHcaMax": 1}\n  ]\n}'),
      expected: ['a.yaml:10:12', 'a.yaml:11:12'],
    },
    {
      name: 'behind tabs',
      config: `'{"configList":\t[{"resourceName": "a", "rdmaHcaMax": 1.5}]}'`,
      expected: ['a.yaml:7:66'],
    },
    {
      name: 'of a key that is there twice, the one that counts',
      config: `'{"configList": [], "configList": [{"resourceName": "a", "rdmaHcaMax": 1.5}]}'`,
      expected: ['a.yaml:7:84'],
    },
  ])('is shown where it is written: $name', ({ config, expected }) => {
    expect([...new Set(problemsOf(config).map((line) => line.split(' ')[0]))]).toEqual(expected);
  });
});

describe('keys in JSON text', () => {
  it('are shown where they are written, with the one that is meant', () => {
    const json =
      '{"configList":[{"resourceName":"a","rdmaHcaMax":"1","selectorz":{},"more":1,"ifNames":[],"selectors":{"vendor":["15b3"]}}],"configLst":[]}';
    const { diagnostics } = compile({
      'cluster.yaml': PLAIN_CLUSTER,
      'a.yaml': policyText(
        'NicClusterPolicy',
        'nic-cluster-policy',
        `  rdmaSharedDevicePlugin:\n    config: |\n      ${json}\n`,
      ),
    });
    const shown = sortDiagnostics(diagnostics).map(({ code, location, help }) => {
      const { line, column = 0, endColumn, sourceLine = '' } = location ?? {};
      return `${line} ${code} ${sourceLine.slice(column - 1, (endColumn ?? 0) - 1)} | ${help}`;
    });
    expect(shown).toEqual([
      '8 WEFT0143 "1" | write 1, without quotes',
      '8 WEFT0145 "selectorz" | did you mean `selectors`?',
      '8 WEFT0145 "ifNames" | did you mean `configList[].selectors.ifNames`?',
      '8 WEFT0145 "vendor" | did you mean `vendors`?',
      '8 WEFT0145 "configLst" | did you mean `configList`?',
    ]);
  });
});

describe('null in JSON text', () => {
  const errorsOf = (text: string) =>
    compile({ 'cluster.yaml': PLAIN_CLUSTER, 'a.yaml': text })
      .diagnostics.filter(({ severity }) => severity === 'error')
      .map(({ code }) => code);

  it.each([
    policyText(
      'NicClusterPolicy',
      'nic-cluster-policy',
      `  rdmaSharedDevicePlugin:\n    config: '{"configList": [{"resourceName": "a", "rdmaHcaMax": 1, "devices": null, "selectors": {"vendors": null, "ifNames": ["ens1f0"]}}]}'\n`,
    ),
    network('MacvlanNetwork', `ipam: '{"type": "whereabouts", "range": "10.0.0.0/24", "range_end": null}'`),
  ])('is a key that is not there, as for programs in Go', (text) => {
    expect(errorsOf(text)).toEqual([]);
    expect(errorsOf(text.replace('["ens1f0"]', 'null').replace('"10.0.0.0/24"', 'null'))).not.toEqual([]);
  });
});

describe('JSON text with many problems', () => {
  const entries = (count: number) => Array.from({ length: count }, () => '{"resourceName": 3}');
  const policyWith = (config: string) =>
    compile({
      'cluster.yaml': PLAIN_CLUSTER,
      'a.yaml': policyText(
        'NicClusterPolicy',
        'nic-cluster-policy',
        `  rdmaSharedDevicePlugin:\n    config: ${config}\n`,
      ),
    }).diagnostics;
  const block = (count: number) => `|\n      {"configList": [\n      ${entries(count).join(',\n      ')}\n      ]}`;

  it('gives so many errors, and one word about the others', () => {
    const diagnostics = policyWith(block(2000));
    expect(diagnostics).toHaveLength(1001);
    expect(diagnostics[999]?.location).toMatchObject({ line: 1008, column: 24, endColumn: 25 });
    expect(problemLines(diagnostics.slice(1000))).toEqual([
      'a.yaml:1009:24 WEFT0040 there are more than 1000 errors; what is left begins here and is not shown',
    ]);
  });

  it.each([
    { name: 'in lines', config: block(70_000) },
    { name: 'in one line', config: `'{"configList": [${entries(70_000).join()}]}'` },
    { name: 'in text with quotes', config: `'{"a": "\\\\\\"", "configList": [${entries(70_000).join()}]}'` },
  ])('is not checked where it has too many values: $name', ({ config }) => {
    const diagnostics = policyWith(config);
    expect(problemLines(diagnostics)).toEqual([
      expect.stringMatching(/WEFT0143 `spec\.rdmaSharedDevicePlugin\.config` holds more than 20000 values$/),
    ]);
  });

  it('may have much text in one value', () => {
    const text = `'{"note": "${'{,['.repeat(100_000)}", "configList": [{"resourceName": "a", "rdmaHcaMax": 1, "devices": ["b"]}]}'`;
    expect(policyWith(text)).toEqual([]);
  });
});

describe('configuration as JSON text', () => {
  it.each(SECTIONS)('is none where the text is empty: $name', ({ text }) => {
    expect(rendered(text("config: ''"))).toBe(rendered(text('')));
  });

  it.each(SECTIONS)('is not valid where the text is blank: $name', ({ text }) => {
    const policy = policyText('NicClusterPolicy', 'nic-cluster-policy', text("config: ' '"));
    const lines = problemLines(compile({ 'cluster.yaml': PLAIN_CLUSTER, 'policy.yaml': policy }).diagnostics);
    expect(lines).toEqual([expect.stringMatching(/WEFT0143 `spec\..+\.config` is not valid JSON: /)]);
  });
});
