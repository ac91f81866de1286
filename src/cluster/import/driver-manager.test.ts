import { describe, expect, it } from '@jest/globals';
import { valueAt } from '../../shared/lib/json.js';
import { gpuDriver } from '../../compile/model/gpu-driver.js';
import { gpuUpgradePolicyOf } from './driver-manager.js';

type Variables = Readonly<Record<string, string>>;

const environment = (variables: Variables) => Object.entries(variables).map(([name, value]) => ({ name, value }));
const policyOf = (variables: Variables) => gpuUpgradePolicyOf(environment(variables));

/** `driver.manager.env` in the documentation of the GPU operator. */
const DOCUMENTED: Variables = {
  ENABLE_GPU_POD_EVICTION: 'true',
  ENABLE_AUTO_DRAIN: 'true',
  DRAIN_USE_FORCE: 'false',
  DRAIN_POD_SELECTOR_LABEL: '',
  DRAIN_TIMEOUT_SECONDS: '0s',
  DRAIN_DELETE_EMPTYDIR_DATA: 'false',
};

describe('the environment of k8s-driver-manager', () => {
  it('becomes a policy that a Cluster document may have', () => {
    const step = { force: false, deleteEmptyDir: false, timeoutSeconds: 0 };
    const expected = {
      autoUpgrade: true,
      gpuPodDeletion: step,
      drain: { enable: true, ...step, podSelector: '' },
    };
    const { upgradePolicy, notes } = policyOf(DOCUMENTED);
    expect(upgradePolicy).toEqual(expected);
    expect(notes).toEqual([]);
    expect(gpuDriver.parse({ upgradePolicy }).upgradePolicy).toMatchObject(expected);
  });

  it('has the defaults of k8s-driver-manager', () => {
    expect(gpuUpgradePolicyOf([])).toEqual(policyOf(DOCUMENTED));
    expect(gpuUpgradePolicyOf([{ name: 'NODE_NAME' }])).toEqual(policyOf(DOCUMENTED));
  });

  it.each([
    { given: { ENABLE_AUTO_DRAIN: 'false' }, path: ['drain', 'enable'], expected: false },
    { given: { ENABLE_AUTO_DRAIN: '' }, path: ['drain', 'enable'], expected: false },
    { given: { DRAIN_USE_FORCE: '1' }, path: ['gpuPodDeletion', 'force'], expected: true },
    { given: { DRAIN_USE_FORCE: 'T' }, path: ['drain', 'force'], expected: true },
    { given: { DRAIN_DELETE_EMPTYDIR_DATA: 'true' }, path: ['gpuPodDeletion', 'deleteEmptyDir'], expected: true },
    { given: { DRAIN_DELETE_EMPTYDIR_DATA: 'true' }, path: ['drain', 'deleteEmptyDir'], expected: true },
    { given: { DRAIN_POD_SELECTOR_LABEL: 'app in (a, b)' }, path: ['drain', 'podSelector'], expected: 'app in (a, b)' },
    { given: { DRAIN_TIMEOUT_SECONDS: '300s' }, path: ['gpuPodDeletion', 'timeoutSeconds'], expected: 300 },
    { given: { DRAIN_TIMEOUT_SECONDS: '1h2m3.5s' }, path: ['drain', 'timeoutSeconds'], expected: 3724 },
    { given: { DRAIN_TIMEOUT_SECONDS: '1500ms' }, path: ['drain', 'timeoutSeconds'], expected: 2 },
    { given: { DRAIN_TIMEOUT_SECONDS: '1.1m' }, path: ['drain', 'timeoutSeconds'], expected: 66 },
    { given: { DRAIN_TIMEOUT_SECONDS: '0' }, path: ['drain', 'timeoutSeconds'], expected: 0 },
    { given: { DRAIN_TIMEOUT_SECONDS: '' }, path: ['drain', 'timeoutSeconds'], expected: 0 },
    { given: { ENABLE_GPU_POD_EVICTION: 'false' }, path: ['autoUpgrade'], expected: true },
    {
      given: { ENABLE_GPU_POD_EVICTION: 'false', ENABLE_AUTO_DRAIN: 'false' },
      path: ['autoUpgrade'],
      expected: false,
    },
  ])('$given: $path is $expected', ({ given, path, expected }) => {
    expect(valueAt(policyOf(given as unknown as Variables).upgradePolicy, path)).toBe(expected);
  });

  it.each([
    [{ ENABLE_GPU_POD_EVICTION: 'false' }, 'the companion evicts the pods that hold a GPU first'],
    [{ ENABLE_GPU_POD_EVICTION: 'false', ENABLE_AUTO_DRAIN: 'false' }, 'so the policy has `autoUpgrade: false`'],
  ])('without the eviction of GPU pods there is a note: %j', (given, expected) => {
    expect(policyOf(given as unknown as Variables).notes).toEqual([expect.stringContaining(expected)]);
  });

  it('of two values the last counts', () => {
    const twice = [...environment({ DRAIN_USE_FORCE: 'true' }), ...environment({ DRAIN_USE_FORCE: 'false' })];
    expect(gpuUpgradePolicyOf(twice)).toEqual(gpuUpgradePolicyOf([]));
  });

  it.each(['300', '-5s', '5 s', '5d', 's', '1h-5m', '9'.repeat(20) + 'h'])('refuses the time-out %s', (given) => {
    expect(() => policyOf({ DRAIN_TIMEOUT_SECONDS: given })).toThrow(
      `DRAIN_TIMEOUT_SECONDS is \`${given}\`, which is no duration such as \`300s\``,
    );
  });

  it('names all values that k8s-driver-manager refuses', () => {
    expect(() => policyOf({ ENABLE_AUTO_DRAIN: 'yes', DRAIN_USE_FORCE: 'on', DRAIN_TIMEOUT_SECONDS: '5' })).toThrow(
      /^ENABLE_AUTO_DRAIN is `yes`.*; DRAIN_TIMEOUT_SECONDS is `5`.*; DRAIN_USE_FORCE is `on`/,
    );
  });
});
