import { describe, expect, it } from '@jest/globals';
import type * as z from 'zod';
import { describeIssue } from '../issues.js';
import { envVar, nodeAffinity, probe, toleration } from './pod.js';

interface Case {
  readonly name: string;
  readonly schema: z.ZodType;
  readonly input: unknown;
  readonly expected: readonly string[];
}

const required = (terms: unknown) => ({ requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } });
const expression = (fields: object) => required([{ matchExpressions: [fields] }]);
const preferred = (weight: number) => ({
  preferredDuringSchedulingIgnoredDuringExecution: [{ preference: {}, weight }],
});
const PLACE = '`requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms';
const WEIGHT = '`preferredDuringSchedulingIgnoredDuringExecution[0].weight`';
const SOURCES = 'must have one of `configMapKeyRef`, `secretKeyRef`, `fieldRef`, `resourceFieldRef`, `fileKeyRef`';
const COUNTS = 'must be one or more for `In` and `NotIn`, one for `Gt` and `Lt`, none for `Exists` and `DoesNotExist`';

/**
 * Messages of the API server about pods with these parts (kubernetes v1.36.3, pkg/apis/core/validation/validation.go).
 */
const table: readonly Case[] = [
  { name: 'a value', schema: envVar, input: { name: 'some name.1-x', value: '=' }, expected: [] },
  {
    name: 'no name',
    schema: envVar,
    input: { name: '' },
    expected: ['`name` must be printable ASCII characters without `=`'],
  },
  {
    name: 'a name with what separates it from its value',
    schema: envVar,
    input: { name: 'a=b' },
    expected: ['`name` must be printable ASCII characters without `=`'],
  },
  {
    name: 'a name in another script',
    schema: envVar,
    input: { name: 'ä' },
    expected: ['`name` must be printable ASCII characters without `=`'],
  },
  {
    name: 'an empty value beside a source',
    schema: envVar,
    input: { name: 'A', value: '', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } },
    expected: [],
  },
  {
    name: 'a value beside a source',
    schema: envVar,
    input: { name: 'A', value: 'a', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } },
    expected: ['`valueFrom` must not be there beside `value`'],
  },
  { name: 'no source', schema: envVar, input: { name: 'A', valueFrom: {} }, expected: [`\`valueFrom\` ${SOURCES}`] },
  {
    name: 'two sources',
    schema: envVar,
    input: { name: 'A', valueFrom: { configMapKeyRef: { name: 'a', key: 'b' }, fieldRef: { fieldPath: 'c' } } },
    expected: [`\`valueFrom\` ${SOURCES}`],
  },
  {
    name: 'a ConfigMap without a name, and a key that none can have',
    schema: envVar,
    input: { name: 'A', valueFrom: { configMapKeyRef: { key: 'a/b' } } },
    expected: [
      '`valueFrom.configMapKeyRef.key` must be letters, digits, `-`, `_` and `.`',
      '`valueFrom.configMapKeyRef.name` is missing',
    ],
  },
  {
    name: 'a Secret without a key, and a name that none can have',
    schema: envVar,
    input: { name: 'A', valueFrom: { secretKeyRef: { name: 'A', key: '' } } },
    expected: [
      '`valueFrom.secretKeyRef.key` must be letters, digits, `-`, `_` and `.`',
      '`valueFrom.secretKeyRef.name` must be the name of a Secret',
    ],
  },
  { name: 'all taints', schema: toleration, input: { operator: 'Exists' }, expected: [] },
  { name: 'one taint', schema: toleration, input: { key: 'a', value: 'b' }, expected: [] },
  {
    name: 'any key of a value',
    schema: toleration,
    input: { value: 'b' },
    expected: ['`operator` must be `Exists` where there is no `key`'],
  },
  {
    name: 'any value, and one',
    schema: toleration,
    input: { key: 'a', operator: 'Exists', value: 'b' },
    expected: ['`value` must not be there with the operator `Exists`'],
  },
  {
    name: 'several values',
    schema: nodeAffinity,
    input: expression({ key: 'a', operator: 'In', values: ['b', 'c'] }),
    expected: [],
  },
  { name: 'any value', schema: nodeAffinity, input: expression({ key: 'a.b/c', operator: 'Exists' }), expected: [] },
  { name: 'no terms', schema: nodeAffinity, input: required([]), expected: [`${PLACE}\` must have at least 1 entry`] },
  {
    name: 'an unknown operator',
    schema: nodeAffinity,
    input: expression({ key: 'a', operator: 'in', values: ['b'] }),
    expected: [
      `${PLACE}[0].matchExpressions[0].operator\` must be \`In\`, \`NotIn\`, \`Exists\`, \`DoesNotExist\`, \`Gt\` or \`Lt\``,
    ],
  },
  ...[
    { operator: 'NotIn' },
    { operator: 'DoesNotExist', values: ['a'] },
    { operator: 'Gt', values: ['1', '2'] },
    { operator: 'Lt' },
  ].map((fields) => ({
    name: `${fields.operator} with ${(fields.values ?? []).length} values`,
    schema: nodeAffinity,
    input: expression({ key: 'a', ...fields }),
    expected: [`${PLACE}[0].matchExpressions[0].values\` ${COUNTS}`],
  })),
  {
    name: 'a label that cannot be',
    schema: nodeAffinity,
    input: expression({ key: 'a b', operator: 'Exists' }),
    expected: [`${PLACE}[0].matchExpressions[0].key\` must be a label key`],
  },
  {
    name: 'another field than the name',
    schema: nodeAffinity,
    input: required([{ matchFields: [{ key: 'metadata.namespace', operator: 'In', values: ['a'] }] }]),
    expected: [`${PLACE}[0].matchFields[0].key\` must be \`metadata.name\``],
  },
  { name: 'the largest weight', schema: nodeAffinity, input: preferred(100), expected: [] },
  { name: 'no weight', schema: nodeAffinity, input: preferred(0), expected: [`${WEIGHT} must be at least 1`] },
  { name: 'too much weight', schema: nodeAffinity, input: preferred(101), expected: [`${WEIGHT} must be at most 100`] },
  {
    name: 'a number of more than 32 bits',
    schema: probe,
    input: { initialDelaySeconds: 2 ** 31 - 1, periodSeconds: 2 ** 31 },
    expected: ['`periodSeconds` must be at most 2147483647'],
  },
];

describe('parts of a pod', () => {
  it.each(table)('$name', ({ schema, input, expected }) => {
    const issues = schema.safeParse(input).error?.issues ?? [];
    expect(issues.map((issue) => describeIssue(issue, input).message).sort()).toEqual(expected);
  });
});
