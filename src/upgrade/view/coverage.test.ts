import { expect, it } from '@jest/globals';
import { daemonSet, node } from '../../../test/kit/snapshots.js';
import { coverageOf } from './coverage.js';
import type { NodeSelectorTerm, SnapshotDaemonSet, SnapshotNode } from '../model/types.js';

const taint = (key: string, effect = 'NoSchedule', value = '') => ({ taints: [{ key, effect, value }] });
const term = (key: string, values: readonly string[]): NodeSelectorTerm => ({
  matchExpressions: [{ key, operator: 'In', values }],
  matchFields: [],
});
const named = (name: string): NodeSelectorTerm => ({
  matchExpressions: [],
  matchFields: [{ key: 'metadata.name', operator: 'In', values: [name] }],
});

interface CoverageCase {
  readonly name: string;
  readonly daemonSet?: Partial<SnapshotDaemonSet>;
  readonly node?: Partial<Omit<SnapshotNode, 'annotations'>>;
  readonly expected: boolean;
}

it.each<CoverageCase>([
  { name: 'the selector matches', expected: true },
  { name: 'a label differs', daemonSet: { nodeSelector: { nic: 'no' } }, expected: false },
  { name: 'no selector', daemonSet: { nodeSelector: {} }, expected: true },
  {
    name: 'one term of the affinity matches',
    daemonSet: { nodeAffinity: [term('nic', ['no']), term('nic', ['yes'])] },
    expected: true,
  },
  { name: 'no term matches', daemonSet: { nodeAffinity: [term('nic', ['no'])] }, expected: false },
  {
    name: 'an empty term matches nothing',
    daemonSet: { nodeAffinity: [{ matchExpressions: [], matchFields: [] }] },
    expected: false,
  },
  { name: 'the name matches', daemonSet: { nodeAffinity: [named('a')] }, expected: true },
  { name: 'the name differs', daemonSet: { nodeAffinity: [named('b')] }, expected: false },
  { name: 'a taint', node: taint('x'), expected: false },
  { name: 'a taint that only prefers', node: taint('x', 'PreferNoSchedule'), expected: true },
  { name: 'the taint of a cordon', node: taint('node.kubernetes.io/unschedulable'), expected: true },
  {
    name: 'a tolerated key',
    node: taint('x', 'NoExecute', 'v'),
    daemonSet: { tolerations: [{ key: 'x', operator: 'Exists' }] },
    expected: true,
  },
  {
    name: 'a tolerated value',
    node: taint('x', 'NoSchedule', 'v'),
    daemonSet: { tolerations: [{ key: 'x', value: 'v' }] },
    expected: true,
  },
  {
    name: 'another value',
    node: taint('x', 'NoSchedule', 'v'),
    daemonSet: { tolerations: [{ key: 'x', value: 'w' }] },
    expected: false,
  },
  {
    name: 'another effect',
    node: taint('x', 'NoExecute'),
    daemonSet: { tolerations: [{ key: 'x', operator: 'Exists', effect: 'NoSchedule' }] },
    expected: false,
  },
  {
    name: 'everything is tolerated',
    node: taint('x'),
    daemonSet: { tolerations: [{ operator: 'Exists' }] },
    expected: true,
  },
])('covers: $name -> $expected', ({ daemonSet: input = {}, node: of = {}, expected }) => {
  expect(coverageOf(daemonSet(input))(node('a', of))).toBe(expected);
});
