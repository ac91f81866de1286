import { expect, it } from '@jest/globals';
import {
  constraintsOf,
  nodePlacement,
  type NodeConstraints,
  type NodeSelectorTerm,
  type PlacementNode,
} from './node-placement.js';

const taint = (key: string, effect = 'NoSchedule', value = '') => ({ taints: [{ key, effect, value }] });
const term = (key: string, values: readonly string[]): NodeSelectorTerm => ({
  matchExpressions: [{ key, operator: 'In', values }],
  matchFields: [],
});
const named = (name: string): NodeSelectorTerm => ({
  matchExpressions: [],
  matchFields: [{ key: 'metadata.name', operator: 'In', values: [name] }],
});

const POOL = { name: undefined, otherLabels: 'any' } as unknown as Partial<PlacementNode>;

interface PlacementCase {
  readonly name: string;
  readonly pod?: Partial<NodeConstraints>;
  readonly node?: Partial<PlacementNode>;
  readonly expected: boolean;
}

it.each<PlacementCase>([
  { name: 'the selector matches', expected: true },
  { name: 'a label differs', pod: { nodeSelector: { nic: 'no' } }, expected: false },
  { name: 'no selector', pod: { nodeSelector: {} }, expected: true },
  {
    name: 'one term of the affinity matches',
    pod: { nodeAffinity: [term('nic', ['no']), term('nic', ['yes'])] },
    expected: true,
  },
  { name: 'no term matches', pod: { nodeAffinity: [term('nic', ['no'])] }, expected: false },
  {
    name: 'an empty term matches nothing',
    pod: { nodeAffinity: [{ matchExpressions: [], matchFields: [] }] },
    expected: false,
  },
  { name: 'the name matches', pod: { nodeAffinity: [named('a')] }, expected: true },
  { name: 'the name differs', pod: { nodeAffinity: [named('b')] }, expected: false },
  { name: 'a taint', node: taint('x'), expected: false },
  { name: 'a taint that only prefers', node: taint('x', 'PreferNoSchedule'), expected: true },
  { name: 'the taint of a cordon', node: taint('node.kubernetes.io/unschedulable'), expected: true },
  {
    name: 'a tolerated key',
    node: taint('x', 'NoExecute', 'v'),
    pod: { tolerations: [{ key: 'x', operator: 'Exists' }] },
    expected: true,
  },
  {
    name: 'a tolerated value',
    node: taint('x', 'NoSchedule', 'v'),
    pod: { tolerations: [{ key: 'x', value: 'v' }] },
    expected: true,
  },
  {
    name: 'another value',
    node: taint('x', 'NoSchedule', 'v'),
    pod: { tolerations: [{ key: 'x', value: 'w' }] },
    expected: false,
  },
  {
    name: 'another effect',
    node: taint('x', 'NoExecute'),
    pod: { tolerations: [{ key: 'x', operator: 'Exists', effect: 'NoSchedule' }] },
    expected: false,
  },
  {
    name: 'everything is tolerated',
    node: taint('x'),
    pod: { tolerations: [{ operator: 'Exists' }] },
    expected: true,
  },
  { name: 'a pool that declares another value', node: { ...POOL, labels: { nic: 'no' } }, expected: false },
  { name: 'a pool that does not declare the label', node: { ...POOL, labels: {} }, expected: true },
  {
    name: 'a pool, and an affinity by a label that it does not declare',
    pod: { nodeAffinity: [term('zone', ['a'])] },
    node: { ...POOL },
    expected: true,
  },
  { name: 'a pool, and an affinity by name', pod: { nodeAffinity: [named('b')] }, node: { ...POOL }, expected: true },
])('accepts: $name -> $expected', ({ pod = {}, node = {}, expected }) => {
  const one = { name: 'a', labels: { nic: 'yes' }, taints: [], ...node };
  const { accepts, misfitsOf } = nodePlacement({ nodeSelector: { nic: 'yes' }, tolerations: [], ...pod });
  expect(accepts(one)).toBe(expected);
  expect(misfitsOf(one).length === 0).toBe(expected);
});

it('reads the constraints of a pod as the API has them', () => {
  const matchExpressions = [{ key: 'zone', operator: 'Exists' }];
  const required = { nodeSelectorTerms: [{ matchExpressions }, {}] };
  const affinity = { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: required } };
  expect(constraintsOf({ affinity })).toEqual({
    nodeSelector: {},
    tolerations: [],
    nodeAffinity: [
      { matchExpressions: [{ key: 'zone', operator: 'Exists', values: [] }], matchFields: [] },
      { matchExpressions: [], matchFields: [] },
    ],
  });
  expect(constraintsOf({})).toEqual({ nodeSelector: {}, tolerations: [] });
});
