import { describe, expect, it } from '@jest/globals';
import { compile, PLAIN_CLUSTER, policyText } from '../../../../test/golden/compile.js';
import { diagnosticFormats, renderDiagnostics } from '../../../shared/diagnostics/render/render.js';
import { testRule } from '../../../../test/golden/rule-table.js';

const object = (apiVersion: string, kind: string, more = ''): string =>
  `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: {name: a}\n${more}`;
const manifests = (...items: readonly string[]): string =>
  object('work.open-cluster-management.io/v1', 'ManifestWork', `spec:\n  manifests: [${items.join(', ')}]\n`);
const carried = (values: string, kind = 'Secret') => `{apiVersion: v1, kind: ${kind}, ${values}}`;

const MESSAGE = 'a Secret in the input would end in git, in clear text';
const HELP = 'use a SealedSecret or an ExternalSecret: they go to the output like every other object';

testRule('WEFT0105', {
  valid: [
    { name: 'a kind of the core group', network: object('v1', 'Service') },
    { name: 'a kind that is near another one', network: object('v1', 'Servic') },
    {
      name: 'a sealed one',
      network: object('bitnami.com/v1alpha1', 'SealedSecret', 'spec: {encryptedData: {a: b}}\n'),
    },
    { name: 'a class of them', network: object('secrets-store.csi.x-k8s.io/v1', 'SecretProviderClass') },
    { name: 'a kind of another group that is nearly called so', network: object('example.com/v1', 'Secretor') },
    { name: 'a reference', network: manifests('{apiVersion: v1, kind: Secret, name: a}') },
    {
      name: 'one that is carried without values',
      network: manifests(carried('data: {}'), carried('stringData: {a: ""}')),
    },
    {
      name: 'one that is carried with what is filled in later, or encrypted',
      network: manifests(
        carried('stringData: {a: "{{ .b }}", c: "${D}"}'),
        carried('data: {a: "ENC[AES256_GCM,data:b]"}'),
      ),
    },
  ],
  invalid: [
    ...[
      ['v1', 'Secret'],
      ['v1', 'secret'],
      ['v1', 'SECRET'],
      ['v1', 'SecretList'],
      ['v1', 'secretlist'],
      ['v1', 'Secrets'],
      ['v1', 'Secert'],
      ['v1', 'Sercet'],
      ['v1', 'SecretsList'],
      ['V1', 'Secretes'],
      ['core/v1', 'secret'],
    ].map(([apiVersion = '', kind = '']) => ({
      name: `${apiVersion} ${kind}`,
      network: object(apiVersion, kind, 'items: [{metadata: {name: b}, stringData: {c: d}}]\n'),
      expected: [`network.yaml:2:7 ${MESSAGE}`],
      help: HELP,
    })),
    {
      name: 'in a list of any name',
      network: object('v1', 'ConfigMapList', `items:\n  - ${carried('data: {a: Yg==}')}\n`),
      expected: [`network.yaml:5:28 ${MESSAGE}`],
      help: HELP,
    },
    {
      name: 'carried by another object, each',
      network: manifests(carried('stringData: {a: b}'), carried('items: [{data: {a: Yg==}}]', 'SecretList')),
      expected: [`network.yaml:5:38 ${MESSAGE}`, `network.yaml:5:90 ${MESSAGE}`],
      help: HELP,
    },
  ],
});

describe('a kind that is nearly Secret', () => {
  it('is said once', () => {
    const { diagnostics } = compile({ 'cluster.yaml': PLAIN_CLUSTER, 'o.yaml': object('v1', 'secret') });
    expect(diagnostics.map(({ code }) => code)).toEqual(['WEFT0105']);
  });
});

describe('the text of a Secret', () => {
  const value = 'c2VjcmV0cw';
  const stringData = `{token: ${value}}`;
  it.each([
    { name: 'in flow style', text: `{apiVersion: v1, kind: Secret, metadata: {name: a}, stringData: ${stringData}}` },
    {
      name: 'whose kind is misspelt',
      text: `{apiVersion: v1, kind: Secert, metadata: {name: a}, stringData: ${stringData}}`,
    },
    { name: 'with a key twice', text: object('v1', 'Secret', `data:\n  a: b\n  a: ${value}\n`) },
    { name: 'with a tab', text: `${object('v1', '"Secret"')}data:\n\ta: ${value}\n` },
    { name: 'that is not closed', text: `{"apiVersion": "v1", "kind": "Secret", "data": {"a": "${value}"` },
    { name: 'beside another document', text: `${object('v1', 'Secret')}---\nspec: {a: ${value}}\nmetadata: 1\n` },
    {
      name: 'in a list',
      text: `apiVersion: v1\nkind: List\nitems: [{apiVersion: v1, kind: Secret, metadata: {name: a}, data: {a: ${value}}}]\n`,
    },
    { name: 'in another object', text: manifests(carried(`stringData: ${stringData}`)) },
    {
      name: 'that a variable has',
      text: policyText(
        'NicClusterPolicy',
        'nic-cluster-policy',
        `  ofedDriver:\n    env: [{name: A_TOKEN, value: ${value}}]\n`,
      ),
    },
  ])('$name is in no format of diagnostics', ({ text }) => {
    const { diagnostics } = compile({ 'cluster.yaml': PLAIN_CLUSTER, 'o.yaml': text });
    expect(diagnostics.length).toBeGreaterThan(0);
    for (const format of diagnosticFormats) {
      expect(renderDiagnostics(format, diagnostics, { colour: false })).not.toContain(value);
    }
  });
});
