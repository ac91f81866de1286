import { describe, expect, it } from '@jest/globals';
import {
  CLUSTER_POLICY as GOOD,
  operatorGpuDriver as ofOperator,
  GPU_LABELS,
  gpuDriver as alone,
} from '../../../../test/kit/gpu-drivers.js';
import { daemonSet, NOW, policyOf, snapshot } from '../../../../test/kit/snapshots.js';
import { decide } from '../../decide.js';
import type { GpuOperatorPolicy } from '../../model/gpu-operator.js';

const DRIVER: GpuOperatorPolicy = { ...GOOD, kind: 'NVIDIADriver', name: 'default' };

interface Found {
  readonly kind: string;
  readonly message: string;
}

function findingsFor(
  driver: ReturnType<typeof alone | typeof ofOperator>,
  gpuOperatorPolicies: readonly GpuOperatorPolicy[] | undefined,
  updateStrategy = 'OnDelete',
): readonly Found[] {
  const set = { ...daemonSet({ namespace: 'gpu', name: 'driver', labels: GPU_LABELS }), updateStrategy };
  const policy = policyOf({}, {}, { drivers: [driver] });
  const seen = { ...snapshot({ daemonSets: [set] }), gpuOperatorPolicies };
  return decide(seen, policy, NOW).findings.filter(({ kind }) => /^(gpu-operator|daemon-set-not)/.test(kind));
}

const kindsOf = (found: readonly Found[]) => found.map(({ kind }) => kind);

describe('settings of the GPU operator', () => {
  it.each<{ name: string; change: Partial<GpuOperatorPolicy>; kind?: string; text?: string }>([
    { name: 'that leave the nodes to the companion', change: {} },
    { name: 'with 0 % of the nodes', change: { maxUnavailable: '0%' } },
    {
      name: 'that are off',
      change: { autoUpgrade: false, maxUnavailable: '25%', drain: { enable: true } },
      ...{ kind: 'gpu-operator-off', text: 'autoUpgrade of its ClusterPolicy or NVIDIADriver must be true' },
    },
    {
      name: 'with an own limit',
      change: { maxUnavailable: '25%' },
      ...{ kind: 'gpu-operator-begins', text: 'driver.upgradePolicy.maxUnavailable is 25%' },
    },
    { name: 'with a text that is no percentage', change: { maxUnavailable: '0' }, kind: 'gpu-operator-begins' },
    { name: 'with a number', change: { maxUnavailable: 1 }, kind: 'gpu-operator-begins' },
    { name: 'with a drain', change: { drain: { enable: true } }, kind: 'gpu-operator-drains', text: 'drain.enable is' },
    {
      name: 'for sandbox workloads',
      change: { sandboxWorkloads: true },
      kind: 'gpu-operator-off',
    },
  ])('$name', ({ change, kind, text = '' }) => {
    const found = findingsFor(ofOperator(), [{ ...GOOD, ...change }]);
    expect(kindsOf(found)).toEqual(kind === undefined ? [] : [kind]);
    expect(found[0]?.message ?? '').toContain(text);
  });
});

describe('which policies of the operator count', () => {
  const begins = { maxUnavailable: '25%' };

  it.each<{ name: string; policies: readonly GpuOperatorPolicy[] | undefined; kinds: readonly string[] }>([
    { name: 'not known', policies: undefined, kinds: [] },
    { name: 'none at all', policies: [], kinds: ['gpu-operator-off'] },
    { name: 'a ClusterPolicy, not the NVIDIADrivers', policies: [GOOD, { ...DRIVER, ...begins }], kinds: [] },
    {
      name: 'NVIDIADrivers that the ClusterPolicy leaves it to',
      policies: [
        { ...GOOD, ...begins, usesNvidiaDrivers: true },
        { ...DRIVER, name: 'a' },
        { ...DRIVER, ...begins, name: 'b' },
      ],
      kinds: ['gpu-operator-begins'],
    },
    { name: 'NVIDIADrivers alone', policies: [{ ...DRIVER, ...begins }], kinds: ['gpu-operator-begins'] },
    {
      name: 'no NVIDIADriver, and the ClusterPolicy wants them',
      policies: [{ ...GOOD, usesNvidiaDrivers: true }],
      kinds: ['gpu-operator-off'],
    },
  ])('$name', ({ policies, kinds }) => {
    expect(kindsOf(findingsFor(ofOperator(), policies))).toEqual(kinds);
  });

  it('none for a driver that the companion restarts', () => {
    expect(findingsFor(alone(), [])).toEqual([]);
  });
});

describe('the update strategy of a selected DaemonSet', () => {
  it.each([
    { name: 'must be OnDelete', driver: alone(), strategy: 'RollingUpdate', kinds: ['daemon-set-not-on-delete'] },
    { name: 'may be OnDelete', driver: alone(), strategy: 'OnDelete', kinds: [] },
    {
      name: "is the operator's where it restarts the driver",
      driver: ofOperator(),
      strategy: 'RollingUpdate',
      kinds: [],
    },
  ])('$name', ({ driver, strategy, kinds }) => {
    expect(kindsOf(findingsFor(driver, [GOOD], strategy))).toEqual(kinds);
  });
});
