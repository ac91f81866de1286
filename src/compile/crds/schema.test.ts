import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { crdKinds } from '../passthrough/kinds.js';
import { apiGroup } from '../../shared/kubernetes/names.js';
import type { KubernetesObject } from '../../shared/kubernetes/types.js';
import { releaseNames } from '../releases/catalog.js';
import { definitionOf } from './of-release.js';
import { zodOf, type CrdSchema } from './schema.js';
import { validations } from './validations.js';

type Json = Readonly<Record<string, unknown>>;

/** Every schema in a schema, itself included. */
function schemasIn(schema: CrdSchema): readonly CrdSchema[] {
  const { properties = {}, additionalProperties, items } = schema;
  const inner = [...Object.values(properties), ...[additionalProperties, items].flatMap((one) => one ?? [])];
  return [schema, ...inner.flatMap(schemasIn)];
}

const all = crdKinds.flatMap(({ crd, schema }) =>
  [schema, ...releaseNames.flatMap((release) => schemaOf(definitionOf({ spec: { release } }, crd)))].flatMap(schemasIn),
);

/** Those of all versions. */
function schemaOf({ spec }: KubernetesObject): readonly CrdSchema[] {
  const { versions } = spec as { versions: readonly { schema: { openAPIV3Schema: CrdSchema } }[] };
  return versions.map(({ schema }) => schema.openAPIV3Schema);
}

/** Keywords that say nothing about a value, or nothing that the others do not say. */
const WITHOUT_MEANING = ['description', 'example', 'anyOf', 'x-kubernetes-map-type'];

const READ = [
  ...['type', 'format', 'properties', 'additionalProperties', 'required', 'items', 'enum', 'pattern', 'minimum'],
  ...['maximum', 'minLength', 'maxLength', 'minItems', 'maxItems', 'default', 'x-kubernetes-int-or-string'],
  ...['x-kubernetes-validations', 'x-kubernetes-list-type', 'x-kubernetes-list-map-keys'],
];

describe('the definitions in this folder', () => {
  it('use no keyword that is not read', () => {
    const keywords = new Set(all.flatMap((schema) => Object.keys(schema)));
    expect([...keywords].filter((key) => !READ.includes(key) && !WITHOUT_MEANING.includes(key))).toEqual([]);
    const values = (key: string) => new Set(all.map((schema) => (schema as Json)[key]).filter(Boolean));
    expect([...values('x-kubernetes-list-type')]).toEqual(['atomic', 'set', 'map']);
    expect([...values('format')].sort()).toEqual(['date-time', 'int32', 'int64']);
    const alternatives = all.filter((schema) => 'anyOf' in schema && !schema['x-kubernetes-int-or-string']);
    expect(alternatives).toEqual([]);
  });

  it('have no rule that is not known, and no rule is known that none has', () => {
    const rules = all.flatMap((schema) => schema['x-kubernetes-validations'] ?? []).map(({ rule }) => rule);
    expect([...new Set(rules)].sort()).toEqual(Object.keys(validations).sort());
  });

  it('are all there as kinds', () => {
    const files = readdirSync(__dirname).filter((name) => name.endsWith('.json'));
    const names = files.map((name) => {
      const { crd } = JSON.parse(readFileSync(join(__dirname, name), 'utf8')) as {
        crd: { spec: { group: string; names: Json } };
      };
      return `${crd.spec.group} ${String(crd.spec.names['kind'])}`;
    });
    const groups = crdKinds.map(({ apiVersion, kind }) => `${apiGroup(apiVersion)} ${kind}`);
    // OpenShift's operator has these in its own group; the definitions are made from those here.
    const ofOpenshift = ['nfd.openshift.io NodeFeature', 'nfd.openshift.io NodeFeatureRule'];
    expect([...new Set(groups)].sort()).toEqual([...names, ...ofOpenshift].sort());
  });
});

const tableOfValues: readonly {
  readonly schema: CrdSchema;
  readonly good: readonly unknown[];
  readonly bad: readonly unknown[];
}[] = [
  { schema: { type: 'string' }, good: ['', 'a'], bad: [1, null, true, []] },
  { schema: { type: 'string', pattern: '^a+$' }, good: ['aa'], bad: ['', 'b'] },
  { schema: { type: 'string', minLength: 1, maxLength: 2 }, good: ['a', 'ab'], bad: ['', 'abc'] },
  { schema: { type: 'string', enum: ['a', 'b'] }, good: ['a', 'b'], bad: ['c', 1] },
  { schema: { type: 'integer', enum: [1, 2] }, good: [1, 2], bad: [3, '1'] },
  { schema: { type: 'integer' }, good: [-1, 0, 2 ** 40], bad: [1.5, '1', 2 ** 60] },
  { schema: { type: 'integer', format: 'int32' }, good: [-1, 2 ** 31 - 1], bad: [2 ** 31] },
  { schema: { type: 'integer', minimum: 0, maximum: 7 }, good: [0, 7], bad: [-1, 8] },
  { schema: { type: 'boolean' }, good: [true, false], bad: ['true', 0] },
  { schema: { 'x-kubernetes-int-or-string': true }, good: [1, '10%'], bad: [1.5, true, {}] },
  {
    schema: { type: 'array', minItems: 1, maxItems: 2, items: { type: 'string' } },
    good: [['a']],
    bad: [[], [1], 'a', ['a', 'b', 'c']],
  },
  { schema: { type: 'object' }, good: [{}, { any: 1 }], bad: [[], 'a'] },
  { schema: { type: 'object', additionalProperties: { type: 'string' } }, good: [{}, { a: 'b' }], bad: [{ a: 1 }] },
  {
    schema: { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } }, required: ['a'] },
    good: [{ a: '' }, { a: '', b: '' }],
    bad: [{}, { b: '' }, { a: '', c: '' }],
  },
  {
    schema: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
    good: [[], ['a', 'b']],
    bad: [['a', 'a']],
  },
  {
    schema: { type: 'array', 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['a'] },
    good: [[{ a: 1 }, { a: 2 }]],
    bad: [
      [
        { a: 1, b: 1 },
        { a: 1, b: 2 },
      ],
    ],
  },
  { schema: {}, good: [1, 'a', null], bad: [] },
];

describe('zodOf', () => {
  it.each(tableOfValues)('$schema', ({ schema, good, bad }) => {
    const zod = zodOf(schema);
    expect(good.filter((value) => !zod.safeParse(value).success)).toEqual([]);
    expect(bad.filter((value) => zod.safeParse(value).success)).toEqual([]);
  });

  it('fills in no defaults', () => {
    const schema: CrdSchema = { type: 'object', properties: { a: { type: 'string', default: 'x' } } };
    expect(zodOf(schema).parse({})).toEqual({});
  });
});

/** Values for which a rule holds, and for which it does not; begins of the rules as they are written. */
const tableOfRules: readonly {
  readonly rule: string;
  readonly good: readonly unknown[];
  readonly bad: readonly unknown[];
}[] = [
  // Only the API server has the previous value.
  { rule: 'self == oldSelf', good: ['a'], bad: [] },
  { rule: 'self.endIndex', good: [{ startIndex: 1, endIndex: 1 }], bad: [{ startIndex: 2, endIndex: 1 }] },
  { rule: '!has(self.cidrPoolRef)', good: [{}, { ipam: 'a' }], bad: [{ ipam: 'a', cidrPoolRef: 'b' }] },
  {
    rule: 'size(self.binUrlSources)',
    good: [{ binUrlSources: ['a'] }, { bfbUrlSource: 'a' }, { docaSpcXCCUrlSource: 'a' }],
    bad: [{}, { binUrlSources: [], bfbUrlSource: '' }],
  },
  {
    rule: '!(has(self.template.spectrumXOptimized)',
    good: [
      { template: {}, nicSelector: { nicType: '101b' } },
      { template: { spectrumXOptimized: { enabled: false } }, nicSelector: { nicType: '101b' } },
      { template: { spectrumXOptimized: { enabled: true } }, nicSelector: { nicType: 'a2dc' } },
    ],
    bad: [{ template: { spectrumXOptimized: { enabled: true } }, nicSelector: { nicType: '101b' } }],
  },
  {
    rule: '!has(self.template.spectrumXOptimized)',
    good: [
      { template: { spectrumXOptimized: { multiplaneMode: 'none' } }, nicSelector: { nicType: 'a2dc' } },
      { template: { spectrumXOptimized: { multiplaneMode: 'hwplb' } }, nicSelector: { nicType: '1025' } },
    ],
    bad: [{ template: { spectrumXOptimized: { multiplaneMode: 'hwplb' } }, nicSelector: { nicType: 'a2dc' } }],
  },
  {
    rule: '!has(self.template.networkBay)',
    good: [
      { template: {}, nicSelector: {} },
      { template: { networkBay: {} }, nicSelector: { nicType: '1025' } },
    ],
    bad: [{ template: { networkBay: {} }, nicSelector: { nicType: '1023' } }],
  },
  {
    rule: '!(has(self.spectrumXOptimized) && self.spectrumXOptimized.enabled) || ((',
    good: [{ numVfs: 8 }, { spectrumXOptimized: { enabled: true }, numVfs: 1 }],
    bad: [
      { spectrumXOptimized: { enabled: true }, numVfs: 2 },
      { spectrumXOptimized: { enabled: true }, numVfs: 1, linkType: 'Infiniband' },
    ],
  },
  {
    rule: '!(has(self.spectrumXOptimized) && self.spectrumXOptimized.enabled) || !(',
    good: [{ spectrumXOptimized: { enabled: true } }, { roceOptimized: { enabled: true } }],
    bad: [{ spectrumXOptimized: { enabled: true }, roceOptimized: { enabled: true } }],
  },
  {
    rule: '!(has(self.spectrumXOptimized) && self.spectrumXOptimized.enabled) || (self',
    good: [{ numVfs: 8 }, { spectrumXOptimized: { enabled: true }, numVfs: 1, linkType: 'Ethernet' }],
    bad: [
      { spectrumXOptimized: { enabled: true }, numVfs: 1 },
      { spectrumXOptimized: { enabled: true }, numVfs: 2, linkType: 'Ethernet' },
    ],
  },
  {
    rule: '!has(self.version)',
    good: [{ version: 'RA2.1', multiplaneMode: 'swplb', numberOfPlanes: 2 }, { version: 'RA2.0' }],
    bad: [{ version: 'RA2.0', multiplaneMode: 'swplb', numberOfPlanes: 2 }],
  },
  { rule: 'has(self.networkBay)', good: [{ networkBay: {} }, { linkType: 'Ethernet' }], bad: [{}] },
  { rule: '!has(self.networkBay)', good: [{}, { networkBay: {} }], bad: [{ networkBay: {}, linkType: 'Ethernet' }] },
  {
    rule: '!has(self.rawNvConfig)',
    good: [{}, { rawNvConfig: [{ name: 'A[0]' }, { name: 'A[1..]' }] }],
    bad: [{ rawNvConfig: [{ name: 'A' }, { name: 'A[0..3]' }] }],
  },
  {
    rule: "!has(self.multiplaneMode) || !has(self.numberOfPlanes) || self.multiplaneMode != 'none'",
    good: [
      { multiplaneMode: 'none', numberOfPlanes: 1 },
      { multiplaneMode: 'swplb', numberOfPlanes: 2 },
    ],
    bad: [{ multiplaneMode: 'none', numberOfPlanes: 2 }],
  },
  {
    rule: "!has(self.multiplaneMode) || !has(self.numberOfPlanes) || self.multiplaneMode == 'none'",
    good: [
      { multiplaneMode: 'none', numberOfPlanes: 1 },
      { multiplaneMode: 'swplb', numberOfPlanes: 2 },
    ],
    bad: [{ multiplaneMode: 'swplb', numberOfPlanes: 1 }],
  },
];

describe('the rules', () => {
  it('are all in the table', () => {
    expect(tableOfRules).toHaveLength(Object.keys(validations).length);
  });

  it.each(tableOfRules)('$rule', ({ rule, good, bad }) => {
    const [holds, ...others] = Object.entries(validations).flatMap(([text, check]) =>
      text.startsWith(rule) ? [check] : [],
    );
    expect(others).toEqual([]);
    expect(good.filter((value) => !holds?.(value))).toEqual([]);
    expect(bad.filter((value) => holds?.(value))).toEqual([]);
  });
});
