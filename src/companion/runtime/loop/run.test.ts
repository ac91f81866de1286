import { expect, it } from '@jest/globals';
import { gpuDriver } from '../../../../test/kit/gpu-drivers.js';
import { keys, node, policyOf } from '../../../../test/kit/snapshots.js';
import { driverKeys } from '../../../shared/contract/labels.js';
import { failedInRun } from './run.js';

const failedFor = (name: string, state: string) => node(name, { labels: { [state]: 'upgrade-failed' } });

it('nodes of a driver that the policy gets in the middle had failed before the run', () => {
  const before = { policy: policyOf(), hash: 'a' };
  const [ofed] = before.policy.drivers;
  const after = {
    policy: policyOf({}, {}, { drivers: [ofed, gpuDriver()].filter((one) => one !== undefined) }),
    hash: 'b',
  };
  const gpu = failedFor('a', driverKeys('gpu').state);
  const run = { failedBefore: undefined };
  expect(failedInRun(run, { nodes: [gpu] }, before)).toEqual([]);
  expect(failedInRun(run, { nodes: [gpu] }, after)).toEqual([]);
  const nodes = [gpu, failedFor('b', driverKeys('gpu').state), failedFor('c', keys.state)];
  expect(failedInRun(run, { nodes }, after)).toEqual(['gpu/b', 'ofed/c']);
});
