import { describe, expect, it } from '@jest/globals';
import { isOldPolicy } from './old-upgrade-policy.js';
import { nodeUpgradePolicies, upgradePolicyHash, upgradePolicySchema, type UpgradePolicy } from './upgrade-policy.js';

const daemonSets = [{ name: 'mofed-ds', digest: 'aaaa' }];
const driver = {
  kind: 'ofed',
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

const { daemonSetSelector, podSelector } = driver;
const place = { namespace: 'gpu', daemonSetSelector, podSelector, containerName: 'nvidia-driver-ctr' };
const gpu = { kind: 'gpu', ...place, policies: [{ name: 'gpu', upgradePolicy: { autoUpgrade: true } }] };
const sriov = {
  kind: 'sriov',
  namespace: 'sriov',
  change: 'one',
  policies: [{ name: '(no pool)', upgradePolicy: {} }],
};
const documentOf = (...drivers: readonly object[]) => ({ ...policyWith({}), drivers });

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
    const upgradePolicy = { autoUpgrade: true, drain: {}, ...spec };
    const policy = upgradePolicySchema.parse(documentOf({ ...gpu, policies: [{ name: 'gpu', upgradePolicy }] }));
    expect(policiesOf(policy)[0]).toMatchObject({
      maxUnavailable: '25%',
      podDeletion: { force: true, timeoutSeconds: 300, deleteEmptyDir: false },
      drain: { enable: false },
    });
  });

  it('gives each kind its label prefix', () => {
    const { drivers } = upgradePolicySchema.parse(documentOf(driver, gpu, { ...gpu, kind: 'gpu-operator' }));
    expect(drivers.map(({ labelPrefix }) => labelPrefix)).toEqual(['ofed', 'gpu', 'weft-gpu']);
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
    { name: 'two drivers of one kind', input: documentOf(driver, driver) },
    {
      name: 'two policies of a driver with one name',
      input: policyWith({
        policies: ['a', 'b'].map((one) => ({
          ...{ name: 'NicClusterPolicy', upgradePolicy: { autoUpgrade: true } },
          daemonSets: [{ name: one, digest: one }],
        })),
      }),
    },
    { name: 'the label prefix of another kind', input: documentOf({ ...gpu, labelPrefix: 'weft-gpu' }) },
    { name: 'a kind that is not known', input: documentOf({ ...gpu, kind: 'firmware' }) },
    { name: 'SR-IOV without the place of its node states', input: documentOf(sriov) },
    { name: 'an older driver that no version wrote', input: documentOf({ ...driver, kind: undefined, api: 'sriov' }) },
    { name: 'another version', input: { ...policyWith({}), apiVersion: 'weft.dev/v2' } },
  ])('refuses $name', ({ input }) => {
    expect(upgradePolicySchema.safeParse(input).success).toBe(false);
  });
});

/** Fields that an older version wrote for every driver. */
const written = { resourcePrefixes: [], controllerPodSelector: '', uninstall: false };
const listedNone = (policies: readonly object[]) =>
  policies.map((one) => ({ ...one, daemonSets: [], startupSeconds: 0 }));
const SELECTED = { ...written, daemonSets: 'selected' };
const configDaemon = { daemonSetSelector: 'app=daemon', podSelector: 'app=daemon', containerName: 'daemon' };

it.each([
  { api: 'network-operator', now: driver, before: { ...written, labelPrefix: 'ofed' } },
  { api: 'gpu-operator', now: gpu, before: { ...SELECTED, labelPrefix: 'gpu', policies: listedNone(gpu.policies) } },
  {
    api: 'gpu-operator',
    now: { ...gpu, kind: 'gpu-operator' },
    before: {
      ...{ ...SELECTED, labelPrefix: 'weft-gpu', restartedBy: 'gpu-operator' },
      policies: listedNone(gpu.policies),
    },
  },
  {
    api: 'sriov',
    now: sriov,
    before: {
      ...{ ...SELECTED, ...configDaemon, labelPrefix: 'weft-sriov', restartedBy: 'sriov-config-daemon' },
      policies: listedNone(sriov.policies),
    },
  },
])('the document of an older version is read: $now.kind', ({ api, now, before }) => {
  const sriovNodeStates = { namespace: 'sriov', resourcePrefix: 'nvidia.com/' };
  const { kind, ...same } = now;
  const old = { ...documentOf({ ...same, api, ...before }), sriovNodeStates };
  expect(upgradePolicySchema.parse(old)).toEqual(upgradePolicySchema.parse({ ...documentOf(now), sriovNodeStates }));
  expect([isOldPolicy(old), isOldPolicy(documentOf(now)), kind]).toEqual([true, false, now.kind]);
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
