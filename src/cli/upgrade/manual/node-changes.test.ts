import { describe, expect, it } from '@jest/globals';
import { operatorGpuDriver, GPU_LABELS } from '../../../../test/kit/gpu-drivers.js';
import { daemonSet, node, NOW, patchesOf, pod, policyOf, snapshot } from '../../../../test/kit/snapshots.js';
import { driverKeys } from '../../../shared/contract/labels.js';
import { decide } from '../../../companion/decide.js';
import { commandKeys, hasFailed, NODE_CHANGES } from './node-changes.js';

const OURS = driverKeys('weft-gpu');
const OPERATOR = driverKeys('gpu');
const KEYS = commandKeys('weft-gpu');

/** A node with this state of the companion's flow, and this one of the operator. */
const gpuNode = (state: string, operator: string) => ({
  ...node('a'),
  labels: { ...(state !== '' && { [OURS.state]: state }), [OPERATOR.state]: operator },
});

describe('on a node whose driver the GPU operator restarts', () => {
  it.each([
    {
      name: 'the operator that failed, after which the companion validates and uncordons the node',
      given: { ...gpuNode('upgrade-failed', 'upgrade-failed'), unschedulable: true },
      labels: { [OPERATOR.state]: 'upgrade-required' },
    },
    {
      name: 'both, where the node is not cordoned: the operator begins only with a cordoned one',
      given: gpuNode('upgrade-failed', 'upgrade-failed'),
      labels: { [OPERATOR.state]: 'upgrade-required', [OURS.state]: 'upgrade-required' },
    },
    {
      name: 'the flow of the companion, where the operator did not fail',
      given: gpuNode('upgrade-failed', 'upgrade-required'),
      labels: { [OURS.state]: 'upgrade-required' },
    },
    {
      name: 'the operator, before the companion has seen the node',
      given: gpuNode('', 'upgrade-failed'),
      labels: { [OPERATOR.state]: 'upgrade-required' },
    },
  ])('retry sets back $name', ({ given, labels }) => {
    const change = NODE_CHANGES.retry(given, KEYS);
    expect(change.labels).toEqual(labels);
    for (const key of Object.keys(labels)) expect(change.did).toContain(key);
  });

  it('retry has the companion begin again with a node that it uncordoned before the operator failed', () => {
    const failed = gpuNode('upgrade-failed', 'upgrade-failed');
    const { labels } = NODE_CHANGES.retry(failed, KEYS);
    const from = snapshot({
      nodes: [{ ...failed, labels: { ...failed.labels, ...(labels as Record<string, string>) } }],
      pods: [pod('a', 'driver', { namespace: 'gpu', labels: GPU_LABELS })],
      daemonSets: [daemonSet({ namespace: 'gpu', name: 'driver', labels: GPU_LABELS, nodeSelector: {} })],
    });
    const policy = policyOf({}, {}, { drivers: [operatorGpuDriver({ maxUnavailable: '100%' })] });
    expect(patchesOf(decide(from, policy, NOW))).toMatchObject([{ node: 'a', unschedulable: true }]);
  });

  it('retry refuses a node that neither failed', () => {
    expect(NODE_CHANGES.retry(gpuNode('upgrade-done', 'upgrade-done'), KEYS)).toMatchObject({ isRefused: true });
  });

  it.each([
    { operator: 'upgrade-failed', unschedulable: true, expected: true },
    { operator: 'upgrade-required', unschedulable: true, expected: false },
    { operator: 'pod-restart-required', unschedulable: true, expected: false },
    { operator: 'upgrade-required', unschedulable: false, expected: true },
  ])('retry waits while the operator has it in $operator, cordoned: $unschedulable', (one) => {
    const given = { ...gpuNode('upgrade-failed', one.operator), unschedulable: one.unschedulable };
    expect(hasFailed(given, KEYS)).toBe(one.expected);
    expect(hasFailed(gpuNode('upgrade-done', one.operator), KEYS)).toBe(false);
  });

  it('request asks the operator, which then wants the upgrade', () => {
    const { annotations } = NODE_CHANGES.request(gpuNode('upgrade-done', 'upgrade-done'), KEYS);
    expect(annotations).toEqual({ 'nvidia.com/gpu-driver-upgrade-requested': 'true' });
  });

  it('skip has the label of the operator', () => {
    const { labels } = NODE_CHANGES.skip(gpuNode('', 'upgrade-required'), KEYS);
    expect(labels).toEqual({ 'nvidia.com/gpu-driver-upgrade.skip': 'true' });
  });
});

it('the keys of other drivers are those of their flow', () => {
  expect(commandKeys('ofed')).toEqual({ ...driverKeys('ofed'), prefix: 'ofed' });
});
