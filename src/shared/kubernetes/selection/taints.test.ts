import { describe, expect, it } from '@jest/globals';
import { DAEMON_SET_TOLERATIONS, toleratesAll, type Taint, type Toleration } from './taints.js';

const taints: readonly Taint[] = [
  { key: 'a', effect: 'NoSchedule' },
  { key: 'a', value: 'b', effect: 'NoSchedule' },
  { key: 'a', value: 'b', effect: 'PreferNoSchedule' },
  { key: 'a', value: 'c', effect: 'NoExecute' },
  { key: 'a', value: '5', effect: 'NoSchedule' },
  { key: 'a', value: '10', effect: 'NoSchedule' },
  { key: 'a', value: '11', effect: 'NoExecute' },
  { key: 'a', value: '-5', effect: 'NoSchedule' },
  { key: 'b', value: 'b', effect: 'NoSchedule' },
  { key: 'n', value: '007', effect: 'NoSchedule' },
  { key: 'n', value: '-3', effect: 'NoSchedule' },
];

/** Which taints a toleration tolerates, by index: `Toleration.ToleratesTaint` of k8s.io/api v0.36.3, recorded once. */
const table: readonly { readonly toleration: Toleration; readonly tolerated: readonly number[] }[] = [
  { toleration: { operator: 'Exists' }, tolerated: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10] },
  { toleration: { operator: 'Exists', effect: 'NoSchedule' }, tolerated: [0, 1, 4, 5, 7, 8, 9, 10] },
  { toleration: { operator: 'Exists', effect: 'NoExecute' }, tolerated: [3, 6] },
  { toleration: { key: 'a' }, tolerated: [0] },
  { toleration: { key: 'a', value: 'b' }, tolerated: [1, 2] },
  { toleration: { key: 'a', operator: 'Equal' }, tolerated: [0] },
  { toleration: { key: 'a', operator: 'Equal', value: 'b', effect: 'NoSchedule' }, tolerated: [1] },
  { toleration: { key: 'a', operator: 'Equal', value: 'b', effect: 'NoExecute' }, tolerated: [] },
  { toleration: { key: 'a', operator: 'Exists' }, tolerated: [0, 1, 2, 3, 4, 5, 6, 7] },
  { toleration: { key: 'a', operator: 'Exists', value: 'c' }, tolerated: [0, 1, 2, 3, 4, 5, 6, 7] },
  { toleration: { key: 'b', operator: 'Exists' }, tolerated: [8] },
  { toleration: { key: 'a', operator: 'Lt', value: '10' }, tolerated: [4, 7] },
  { toleration: { key: 'a', operator: 'Gt', value: '10' }, tolerated: [6] },
  { toleration: { key: 'a', operator: 'Gt', value: 'x' }, tolerated: [] },
  { toleration: { key: 'a', operator: 'Lt', value: '-1' }, tolerated: [7] },
  { toleration: {}, tolerated: [0] },
  { toleration: { value: 'b' }, tolerated: [1, 2, 8] },
  { toleration: { key: 'n', operator: 'Gt', value: '-5' }, tolerated: [10] },
  { toleration: { key: 'n', operator: 'Lt', value: '0' }, tolerated: [10] },
  { toleration: { key: 'n', operator: 'Lt', value: '05' }, tolerated: [] },
  { toleration: { key: 'n', operator: 'Lt', value: '9223372036854775808' }, tolerated: [] },
  { toleration: { key: 'a', operator: 'Other', value: 'b' }, tolerated: [] },
  { toleration: { key: 'a', operator: 'exists' }, tolerated: [] },
];

describe('toleratesAll', () => {
  it.each(table)('%j', ({ toleration, tolerated }) => {
    const found = taints.flatMap((taint, index) => (toleratesAll([toleration], [taint]) ? [index] : []));
    expect(found).toEqual(tolerated);
  });

  it('wants some toleration for every taint', () => {
    const [first, second] = [{ key: 'a' }, { key: 'b', value: 'b' }];
    const both: readonly Taint[] = [taints[0] as Taint, taints[8] as Taint];
    expect(toleratesAll([first, second], both)).toBe(true);
    expect(toleratesAll([first], both)).toBe(false);
    expect(toleratesAll([], [])).toBe(true);
  });

  it('lets driver pods onto nodes that are cordoned, not ready, or have GPUs', () => {
    const node: readonly Taint[] = [
      { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' },
      { key: 'node.kubernetes.io/not-ready', effect: 'NoExecute' },
      { key: 'nvidia.com/gpu', value: 'present', effect: 'NoSchedule' },
    ];
    expect(toleratesAll(DAEMON_SET_TOLERATIONS, node)).toBe(true);
    expect(toleratesAll(DAEMON_SET_TOLERATIONS, [{ key: 'nvidia.com/gpu', effect: 'NoExecute' }])).toBe(false);
  });
});
