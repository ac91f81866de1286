import { expect, it } from '@jest/globals';
import { operatorGpuDriver } from '../../../../test/kit/gpu-drivers.js';
import { policyFor, sriovDriver } from '../../../../test/kit/shared-nodes.js';
import { ofedDriver, policyOf } from '../../../../test/kit/snapshots.js';
import { adviceFor } from './advice.js';

it.each([
  { name: 'one driver', drivers: [ofedDriver()], expected: '`weft upgrade retry a` to begin again' },
  {
    name: 'several drivers',
    drivers: [ofedDriver(), operatorGpuDriver()],
    expected: '`weft upgrade retry a --driver ofed` to begin again',
  },
])('the advice about a failed node is a command that works with $name', ({ drivers, expected }) => {
  expect(adviceFor('failed', 'a', 'ofed', policyOf({}, {}, { drivers }))).toContain(expected);
});

it.each([
  { driver: 'ofed', expected: 'when its driver pod is in sync and Ready, the node is uncordoned by itself' },
  { driver: 'weft-gpu', expected: 'when the GPU operator has it as `upgrade-done`, the node' },
  { driver: 'weft-sriov', expected: 'when `syncStatus` of its SriovNetworkNodeState is `Succeeded`, the node' },
])('the advice about a failed node of $driver says when it counts as repaired', ({ driver, expected }) => {
  const policy = policyFor([ofedDriver(), operatorGpuDriver(), sriovDriver()]);
  expect(adviceFor('failed', 'a', driver, policy)[0]).toContain(expected);
});

it('the advice quotes a name that is no name for the shell', () => {
  const all = adviceFor('failed', "a'; $(id) $&", 'ofed', policyOf({}, {}, { drivers: [ofedDriver()] })).join('\n');
  expect(all).toContain("`weft upgrade retry 'a'\\''; $(id) $&'`");
});
