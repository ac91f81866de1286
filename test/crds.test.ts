import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { schemaOf } from '../src/compile/config/json-schema.js';
import { documentKinds } from '../src/compile/config/kinds/kinds.js';
import { withoutDescriptions } from './conformance/compare.js';
import { OWN_KINDS, readCrd, specOf } from './conformance/recorded.js';
import { deliberate } from './crds/deliberate.js';
import { differences, fieldsOf, type Schema } from './crds/facts.js';

const OURS = join(__dirname, '../src/compile/crds');

interface OurCrd {
  readonly source: { readonly project: string };
  readonly crd: unknown;
}

const ourCrd = (file: string) => JSON.parse(readFileSync(join(OURS, file), 'utf8')) as OurCrd;

/** The operator no longer installs whereabouts, so its CRDs are not among the recorded ones. */
const isRecorded = (file: string) => ourCrd(file).source.project !== 'k8snetworkplumbingwg/whereabouts';

describe('the CRDs that components bring', () => {
  const files = readdirSync(OURS).filter((name) => name.endsWith('.json'));

  it.each(files.filter(isRecorded))('%s is the recorded one', (file) => {
    const { crd } = ourCrd(file);
    expect(withoutDescriptions(crd)).toEqual(withoutDescriptions(readCrd(file.replace(/\.json$/, ''))));
  });
});

/** The differences between the CRD of a kind and our schema of it, as `kind path` and `keyword: CRD -> ours`. */
function differencesOf(kind: string): readonly (readonly [field: string, difference: string])[] {
  const documentKind = documentKinds.find((one) => one.kind === kind);
  if (!documentKind) return [[kind, 'is no kind of document']];
  const crd = fieldsOf(specOf(readCrd(OWN_KINDS[kind] ?? '')));
  const ours = fieldsOf((schemaOf(documentKind) as Schema).properties?.['spec'] ?? {});
  return [...new Set([...crd.keys(), ...ours.keys()])].flatMap((path) =>
    differences(crd.get(path), ours.get(path)).map((difference) => [`${kind} ${path}`, difference] as const),
  );
}

describe('the schemas of our input kinds', () => {
  const reasonsFor = (field: string, difference: string) =>
    deliberate.filter((one) => one.field.test(field) && one.difference.test(difference));

  it.each(Object.keys(OWN_KINDS))('%s is the recorded CRD, but for what is deliberate', (kind) => {
    const unexplained = differencesOf(kind).filter((one) => reasonsFor(...one).length === 0);
    expect(unexplained).toEqual([]);
  });

  it('have no reason for a difference that is gone', () => {
    const used = new Set(
      Object.keys(OWN_KINDS).flatMap((kind) => differencesOf(kind).flatMap((one) => reasonsFor(...one))),
    );
    expect(deliberate.filter((one) => !used.has(one))).toEqual([]);
  });

  it('are compared field by field', () => {
    const crd = fieldsOf({
      type: 'object',
      properties: { a: { type: 'string', pattern: '[a\\-]' }, b: { type: 'string' } },
    });
    const ours = fieldsOf({ type: 'object', required: ['a'], properties: { a: { type: 'string', pattern: '[a-]' } } });
    expect(differences(crd.get('spec.a'), ours.get('spec.a'))).toEqual(['required: none -> "yes"']);
    expect(differences(crd.get('spec.b'), ours.get('spec.b'))).toEqual(['missing here']);
    expect(fieldsOf(specOf(readCrd('nicclusterpolicies.mellanox.com'))).size).toBeGreaterThan(300);
  });
});
