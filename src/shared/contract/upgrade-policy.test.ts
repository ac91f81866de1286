import { describe, expect, it } from '@jest/globals';
import { nodeUpgradePolicies, upgradePolicyHash, upgradePolicySchema, type UpgradePolicy } from './upgrade-policy.js';

const daemonSets = [{ name: 'mofed-ds', digest: 'aaaa' }];
const driver = {
  api: 'network-operator',
  labelPrefix: 'ofed',
  namespace: 'nvidia-network-operator',
  daemonSetSelector: 'nvidia.com/ofed-driver',
  podSelector: 'nvidia.com/ofed-driver',
  containerName: 'mofed-container',
  policies: [{ name: 'NicClusterPolicy', upgradePolicy: { autoUpgrade: true }, daemonSets }],
};

function policyWith(change: object, upgradePolicy: object = { autoUpgrade: true }) {
  const policies = [{ name: 'NicClusterPolicy', upgradePolicy, daemonSets }];
  return {
    apiVersion: 'weft.dev/v1alpha1',
    kind: 'UpgradePolicy',
    drivers: [{ ...driver, policies, ...change }],
  };
}

/** A driver whose DaemonSets are those of the selector. */
const selected = {
  api: 'gpu-operator',
  daemonSets: 'selected',
  policies: [{ name: 'gpu', upgradePolicy: { autoUpgrade: true }, daemonSets: [] }],
};

const policiesOf = (policy: UpgradePolicy) => policy.drivers.flatMap(nodeUpgradePolicies);

describe('upgradePolicySchema', () => {
  it('takes an upgradePolicy of a NicClusterPolicy with upstream defaults', () => {
    const policy = upgradePolicySchema.parse(policyWith({}, { autoUpgrade: true, drain: {}, waitForCompletion: {} }));
    const [one] = policiesOf(policy);
    expect(one).toMatchObject({
      maxParallelUpgrades: 1,
      waitForCompletion: { podSelector: '', timeoutSeconds: 0 },
      drain: { enable: true, force: false, podSelector: '', timeoutSeconds: 300, deleteEmptyDir: false },
    });
    expect(one).not.toHaveProperty('maxUnavailable');
    expect(policy.rollout).toMatchObject({ failureBudget: 1, pools: [], maintenanceWindows: [] });
  });

  it('upgrades nothing without autoUpgrade, and drains nothing without a drain section', () => {
    const [one] = policiesOf(upgradePolicySchema.parse(policyWith({}, {})));
    expect(one).toMatchObject({ autoUpgrade: false, drain: { enable: false } });
  });

  it.each([
    { name: 'podDeletion', spec: { podDeletion: { force: true } } },
    { name: 'gpuPodDeletion', spec: { gpuPodDeletion: { force: true } } },
  ])("takes the GPU operator's $name", ({ spec }) => {
    const policy = upgradePolicySchema.parse(
      policyWith({ api: 'gpu-operator' }, { autoUpgrade: true, drain: {}, ...spec }),
    );
    expect(policiesOf(policy)[0]).toMatchObject({
      maxUnavailable: '25%',
      podDeletion: { force: true, timeoutSeconds: 300, deleteEmptyDir: false },
      drain: { enable: false },
    });
  });

  it('takes a driver whose DaemonSets are selected, and one that the GPU operator restarts', () => {
    const ofOperator = { ...selected, labelPrefix: 'weft-gpu', restartedBy: 'gpu-operator' };
    for (const one of [selected, ofOperator]) expect(upgradePolicySchema.safeParse(policyWith(one)).success).toBe(true);
  });

  it.each([
    { name: 'the ID of another requestor', change: { nodeMaintenance: { requestorID: 'nvidia.doca-driver-upgrade' } } },
    { name: 'a failure budget of 0', change: { rollout: { failureBudget: 0 } } },
  ])('takes $name, which the Cluster document refuses, from an older output', ({ change }) => {
    expect(upgradePolicySchema.safeParse({ ...policyWith({}), ...change }).success).toBe(true);
  });

  it.each([
    { name: 'unknown keys', input: policyWith({}, { autoUpgrade: true, maxParalelUpgrades: 2 }) },
    { name: 'maxUnavailable for OFED', input: policyWith({}, { maxUnavailable: 1 }) },
    { name: 'a negative budget', input: policyWith({}, { maxParallelUpgrades: -1 }) },
    { name: 'DaemonSets of an uninstalled driver', input: policyWith({ uninstall: true }) },
    { name: 'no DaemonSets of a driver that is not uninstalled', input: policyWith({ policies: [] }) },
    { name: 'an odd percentage', input: policyWith({ rollout: { failureBudget: '101%' } }) },
    { name: 'a bad selector', input: policyWith({}, { drain: { podSelector: 'a b' } }) },
    {
      name: 'a bad schedule',
      input: policyWith({ rollout: { maintenanceWindows: [{ schedule: 'x', duration: '1m' }] } }),
    },
    { name: 'two drivers with one prefix', input: { ...policyWith({}), drivers: [driver, driver] } },
    {
      name: 'two policies of a driver with one name',
      input: policyWith({
        policies: ['a', 'b'].map((one) => ({
          ...{ name: 'NicClusterPolicy', upgradePolicy: { autoUpgrade: true } },
          daemonSets: [{ name: one, digest: one }],
        })),
      }),
    },
    { name: 'listed DaemonSets where they are selected', input: policyWith({ daemonSets: 'selected' }) },
    {
      name: 'a driver of the GPU operator under its own label prefix',
      input: policyWith({ ...selected, labelPrefix: 'gpu', restartedBy: 'gpu-operator' }),
    },
    {
      name: 'the prefix of a driver of an operator without the operator',
      input: policyWith({ labelPrefix: 'weft-gpu' }),
    },
    { name: 'another version', input: { ...policyWith({}), apiVersion: 'weft.dev/v2' } },
  ])('refuses $name', ({ input }) => {
    expect(upgradePolicySchema.safeParse(input).success).toBe(false);
  });
});

describe('upgradePolicyHash', () => {
  const hash = upgradePolicyHash(upgradePolicySchema.parse(policyWith({})));

  it('does not depend on the order of keys or on defaults that are written out', () => {
    const input = policyWith({}, { maxParallelUpgrades: 1, autoUpgrade: true });
    const reversed = Object.fromEntries(Object.entries(input).reverse());
    expect(upgradePolicyHash(upgradePolicySchema.parse(reversed))).toBe(hash);
  });

  it('changes with the meaning', () => {
    const input = policyWith({}, { maxParallelUpgrades: 2, autoUpgrade: true });
    expect(upgradePolicyHash(upgradePolicySchema.parse(input))).not.toBe(hash);
  });
});
