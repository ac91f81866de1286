import { expect, it } from '@jest/globals';
import { conductedGpuDriver } from '../../../../test/kit/gpu-drivers.js';
import { ofedDriver, policyOf } from '../../../../test/kit/snapshots.js';
import { adviceFor } from './advice.js';

it.each([
  { name: 'one driver', drivers: [ofedDriver()], expected: '`weft upgrade retry a` to begin again' },
  {
    name: 'several drivers',
    drivers: [ofedDriver(), conductedGpuDriver()],
    expected: '`weft upgrade retry a --driver ofed` to begin again',
  },
])('the advice about a failed node is a command that works with $name', ({ drivers, expected }) => {
  expect(adviceFor('failed', 'a', 'ofed', policyOf({}, {}, { drivers }))).toContain(expected);
});
