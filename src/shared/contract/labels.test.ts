import { describe, expect, it } from '@jest/globals';
import { ANY_STATE_LABEL, driverKeys, eventReason } from './labels.js';
import { legacyKeys } from './legacy-keys.js';

describe('driverKeys', () => {
  const keys = Object.entries({ ...driverKeys('ofed'), ...legacyKeys('ofed') });
  const isOurs = ([, key]: readonly [string, string]) => key.startsWith('weft.dev/');

  it("has upstream's keys, verbatim", () => {
    expect(Object.fromEntries(keys.filter((one) => !isOurs(one)))).toEqual({
      state: 'nvidia.com/ofed-driver-upgrade-state',
      skip: 'nvidia.com/ofed-driver-upgrade.skip',
      skipDrain: 'nvidia.com/ofed-driver-upgrade-drain.skip',
      safeLoad: 'nvidia.com/ofed-driver-upgrade.driver-wait-for-safe-load',
      initialState: 'nvidia.com/ofed-driver-upgrade.node-initial-state.unschedulable',
      waitStart: 'nvidia.com/ofed-driver-upgrade-wait-for-pod-completion-start-time',
      validationStart: 'nvidia.com/ofed-driver-upgrade-validation-start-time',
      requested: 'nvidia.com/ofed-driver-upgrade-requested',
      requestorMode: 'nvidia.com/ofed-driver-upgrade-requestor-mode',
    });
  });

  it('has keys of our own for the rest', () => {
    for (const [, key] of keys.filter(isOurs)) expect(key).toMatch(/^weft\.dev\/ofed-[a-z-]+$/);
  });

  it('gives each driver its own', () => {
    const gpu = new Set(Object.values(driverKeys('gpu')));
    expect(Object.values(driverKeys('ofed')).filter((key) => gpu.has(key))).toEqual([]);
  });
});

it.each([
  { key: 'nvidia.com/gpu-driver-upgrade-state', prefix: 'gpu' },
  { key: 'nvidia.com/ofed-driver-upgrade-state', prefix: 'ofed' },
  { key: 'nvidia.com/gpu-driver-upgrade-state2', prefix: undefined },
])('$key is the state label of $prefix', ({ key, prefix }) => {
  expect(ANY_STATE_LABEL.exec(key)?.[1]).toBe(prefix);
});

it.each([
  { prefix: 'ofed', reason: 'OFEDDriverUpgrade' },
  { prefix: 'gpu', reason: 'GPUDriverUpgrade' },
  { prefix: 'weft-gpu', reason: 'GPUDriverUpgrade' },
])('names events about $prefix as upstream does', ({ prefix, reason }) => {
  expect(eventReason(prefix)).toBe(reason);
});
