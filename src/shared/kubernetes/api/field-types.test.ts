import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { kubernetesTypes } from '../../../../scripts/generate/kubernetes-types.js';
import type { KubernetesSchemas } from '../../../../test/generate/object-schemas.js';
import data from './field-types.json' with { type: 'json' };
import { kubernetesType, listKeys, objectMetadata, type FieldType } from './field-types.js';

const schemas = JSON.parse(
  readFileSync(join(__dirname, '../../../../test/generate/kubernetes.json'), 'utf8'),
) as KubernetesSchemas;

it('the types are those of the schemas that the output is tested with', () => {
  expect(readFileSync(join(__dirname, 'field-types.json'), 'utf8')).toBe(kubernetesTypes(schemas));
});

function at(type: FieldType | undefined, ...path: readonly string[]): FieldType | undefined {
  return path.reduce<FieldType | undefined>((inner, key) => {
    if (inner?.is === 'mapping') return inner.fields()[key];
    return inner?.is === 'list' || inner?.is === 'map' ? inner.of() : undefined;
  }, type);
}

it.each([
  ['spec', 'mapping'],
  ['spec.minReadySeconds', 'integer'],
  ['spec.template.spec.hostNetwork', 'boolean'],
  ['spec.template.spec.containers', 'list'],
  ['spec.template.spec.containers.0.image', 'string'],
  ['spec.template.spec.containers.0.ports.0.containerPort', 'integer'],
  ['spec.template.spec.containers.0.livenessProbe.httpGet.port', 'amount'],
  ['spec.template.spec.containers.0.resources.limits', 'map'],
  ['spec.template.spec.containers.0.resources.limits.cpu', 'amount'],
  ['spec.template.metadata.labels.any', 'string'],
  ['metadata.creationTimestamp', 'string'],
  ['spec.template.spec.container', undefined],
])('DaemonSet %s is %s', (path, expected) => {
  expect(at(kubernetesType('apps/v1', 'DaemonSet'), ...path.split('.'))?.is).toBe(expected);
});

it('every type that is named is there, and each is named', () => {
  type Tables = Readonly<Record<'kinds' | 'custom' | 'types', Readonly<Record<string, string>>>>;
  const { kinds, custom, types } = data as unknown as Tables;
  const fields = Object.values(types).flatMap((text) => text.split(' ').map((field) => field.replace(/^[^:]+:/, '')));
  const named = [...Object.values(kinds), ...Object.values(custom), ...fields].map((name) =>
    name.replace(/^(?:\[.*?\]|\{\}|!)+/, ''),
  );
  const scalars = ['any', 'amount', 'boolean', 'integer', 'number', 'string'];
  expect([...new Set(named)].sort()).toEqual([...Object.keys(types), ...scalars].sort());
  expect(objectMetadata.is).toBe('mapping');
});

it('reads the type of a kind once', () => {
  const fields = () => at(kubernetesType('apps/v1', 'DaemonSet'), 'spec', 'template');
  expect(kubernetesType('apps/v1', 'DaemonSet')).toBe(kubernetesType('apps/v1', 'DaemonSet'));
  expect(fields()).toBe(fields());
});

it('knows no kind of others', () => {
  expect(kubernetesType('cert-manager.io/v1', 'Issuer')).toBeUndefined();
});

it.each([
  ['containers', [['name']]],
  [
    'ports',
    [
      ['containerPort', 'protocol'],
      ['port', 'protocol'],
    ],
  ],
  ['topologySpreadConstraints', [['topologyKey', 'whenUnsatisfiable']]],
  ['volumeMounts', [['mountPath']]],
  ['command', []],
])('the entries of %s are told apart by %j', (field, expected) => {
  expect(listKeys(field)).toEqual(expected);
});
