import { describe, expect, it } from '@jest/globals';
import { clusterText, compile, policyText, UBUNTU_POOL } from '../../../test/golden/compile.js';
import { INSTALL_DIGEST_ANNOTATION, NFD_LABELS } from '../../shared/contract/labels.js';
import {
  isGpuDriver,
  nodeUpgradePolicies,
  type DriverPolicy,
  type DriverPolicyOf,
  type UpgradePolicy,
} from '../../shared/contract/upgrade-policy.js';
import { valueAt } from '../../shared/lib/json.js';
import { toUpgradePolicies } from './upgrade-policies.js';

const POLICY_NAME = 'nic-cluster-policy';
const clusterPolicy = (spec: string): string => policyText('NicClusterPolicy', POLICY_NAME, spec);
const driver = (upgradePolicy: string): string => `  ofedDriver:\n    upgradePolicy: ${upgradePolicy}\n`;

function built(policy: string, cluster = '', pools = UBUNTU_POOL) {
  const { config, placed, diagnostics } = compile({
    'cluster.yaml': clusterText(`  release: v26.7\n${cluster}  nodePools:\n${pools}`),
    'policy.yaml': policy,
  });
  if (config === undefined) throw new Error(JSON.stringify(diagnostics));
  const objects = placed.map(({ object }) => object);
  return { objects, policy: toUpgradePolicies(config, objects) };
}

function onlyOfed(policy: UpgradePolicy): DriverPolicyOf<'ofed'> {
  const driver = onlyDriver(policy);
  if (driver.kind !== 'ofed') throw new Error('the driver is another one');
  return driver;
}

function onlyDriver({ drivers }: UpgradePolicy): DriverPolicy {
  const [one, ...others] = drivers;
  if (one === undefined || others.length > 0) throw new Error(`${drivers.length} drivers`);
  return one;
}

describe('a field of an `upgradePolicy` is what a decision reads', () => {
  it.each([
    { given: '{autoUpgrade: true}', path: ['autoUpgrade'], expected: true },
    { given: '{}', path: ['autoUpgrade'], expected: false },
    { given: '{maxParallelUpgrades: 7}', path: ['maxParallelUpgrades'], expected: 7 },
    { given: '{maxParallelUpgrades: 0}', path: ['maxParallelUpgrades'], expected: 0 },
    { given: '{}', path: ['maxParallelUpgrades'], expected: 1 },
    { given: '{}', path: ['maxUnavailable'], expected: undefined },
    {
      given: '{waitForCompletion: {podSelector: app=a}}',
      path: ['waitForCompletion', 'podSelector'],
      expected: 'app=a',
    },
    { given: '{waitForCompletion: {timeoutSeconds: 60}}', path: ['waitForCompletion', 'timeoutSeconds'], expected: 60 },
    { given: '{}', path: ['waitForCompletion', 'podSelector'], expected: '' },
    { given: '{}', path: ['drain', 'enable'], expected: false },
    { given: '{drain: {}}', path: ['drain', 'enable'], expected: true },
    { given: '{drain: {force: true}}', path: ['drain', 'force'], expected: true },
    { given: '{drain: {podSelector: "app in (a, b)"}}', path: ['drain', 'podSelector'], expected: 'app in (a, b)' },
    { given: '{drain: {timeoutSeconds: 10}}', path: ['drain', 'timeoutSeconds'], expected: 10 },
    { given: '{drain: {}}', path: ['drain', 'timeoutSeconds'], expected: 300 },
    { given: '{drain: {deleteEmptyDir: true}}', path: ['drain', 'deleteEmptyDir'], expected: true },
  ])('$given: $path = $expected', ({ given, path, expected }) => {
    const [policy] = nodeUpgradePolicies(onlyDriver(built(clusterPolicy(driver(given))).policy));
    expect(policy?.name).toBe('NicClusterPolicy');
    expect(valueAt(policy, path)).toEqual(expected);
  });
});

describe('a field of `spec.upgrade` is what a decision reads', () => {
  const pool = { name: 'training', nodeSelector: { pool: 'h100' }, maxUnavailable: '10%', maxParallelUpgrades: 8 };
  const window = { schedule: '0 22 * * 5', duration: '6h', timeZone: 'Europe/Oslo' };
  it.each([
    {
      given: 'pools: [{name: training, nodeSelector: {pool: h100}, maxUnavailable: 10%, maxParallelUpgrades: 8}]',
      path: ['pools'],
      expected: [pool],
    },
    { given: 'canary: {nodes: 2, soak: 30m}', path: ['canary'], expected: { nodes: 2, soak: '30m' } },
    { given: 'failureBudget: 5%', path: ['failureBudget'], expected: '5%' },
    { given: '', path: ['failureBudget'], expected: 1 },
    {
      given: 'maintenanceWindows: [{schedule: "0 22 * * 5", duration: 6h, timeZone: Europe/Oslo}]',
      path: ['maintenanceWindows'],
      expected: [window],
    },
    { given: 'topologyKey: example.com/rack', path: ['topologyKey'], expected: 'example.com/rack' },
    {
      given: 'validation: {resources: [nvidia.com/gpu]}',
      path: ['validation'],
      expected: { resources: ['nvidia.com/gpu'], podSelector: '', gatedPods: false, timeoutSeconds: 600 },
    },
    { given: 'driverTimeout: 1h', path: ['driverTimeout'], expected: '1h' },
    { given: '', path: ['driverTimeout'], expected: '30m' },
    { given: 'afterDrainTimeout: deletePods', path: ['afterDrainTimeout'], expected: 'deletePods' },
    { given: 'onDrainFailure: keep', path: ['onDrainFailure'], expected: 'keep' },
    { given: '', path: ['onDrainFailure'], expected: 'uncordon' },
  ])('$given: $path', ({ given, path, expected }) => {
    const { policy } = built(clusterPolicy(driver('{autoUpgrade: true}')), `  upgrade: {${given}}\n`);
    expect(valueAt(policy.rollout, path)).toEqual(expected);
  });

  it('pauses the whole document', () => {
    const { policy } = built(clusterPolicy(driver('{autoUpgrade: true}')), '  upgrade: {paused: true}\n');
    expect(policy.paused).toBe(true);
    expect(policy.rollout).not.toHaveProperty('paused');
  });
});

describe('`drainer`', () => {
  const nodeMaintenanceOf = (upgrade: string) =>
    built(clusterPolicy(driver('{autoUpgrade: true}')), `  upgrade: {${upgrade}}\n`).policy;

  it('MaintenanceOperator names the NodeMaintenances', () => {
    const { nodeMaintenance, rollout } = nodeMaintenanceOf('drainer: MaintenanceOperator');
    expect(nodeMaintenance).toEqual({
      ...{ namespace: 'default', namePrefix: 'nvidia-operator', requestorID: 'weft.dev.driver-upgrade' },
    });
    expect(rollout).not.toHaveProperty('drainer');
    const others = '{namespace: a, namePrefix: b, requestorID: c.d}';
    expect(nodeMaintenanceOf(`drainer: MaintenanceOperator, nodeMaintenance: ${others}`).nodeMaintenance).toEqual({
      namespace: 'a',
      namePrefix: 'b',
      requestorID: 'c.d',
    });
  });

  it.each(['drainer: Companion', 'nodeMaintenance: {namespace: a}', ''])('leaves them out with %j', (upgrade) => {
    expect(nodeMaintenanceOf(upgrade)).toEqual(nodeMaintenanceOf(''));
    expect(nodeMaintenanceOf(upgrade)).not.toHaveProperty('nodeMaintenance');
  });
});

describe('the driver DaemonSets', () => {
  it('are listed by policy, with the digests that they carry', () => {
    const pools = ['a', 'b']
      .map((pool) => UBUNTU_POOL.replace('workers', pool).replace('}', `, labels: {pool: ${pool}}}`))
      .join('');
    const nodePolicy = (name: string, parallel: number): string =>
      policyText(
        'NicNodePolicy',
        name,
        `  nodeSelector: {pool: ${name}}\n${driver(`{autoUpgrade: true, maxParallelUpgrades: ${parallel}}`)}`,
      );
    const { policy, objects } = built(`${nodePolicy('b', 2)}---\n${nodePolicy('a', 1)}`, '', pools);
    const policies = nodeUpgradePolicies(onlyDriver(policy));
    expect(policies.map(({ name, maxParallelUpgrades }) => [name, maxParallelUpgrades])).toEqual([
      ['nnp-a', 1],
      ['nnp-b', 2],
    ]);
    const rendered = objects.filter(({ kind, metadata }) => kind === 'DaemonSet' && metadata.name.startsWith('mofed'));
    expect(policies.flatMap(({ daemonSets }) => daemonSets)).toEqual(
      rendered.map(({ metadata: { name, annotations } }) => ({
        name,
        digest: annotations?.[INSTALL_DIGEST_ANNOTATION],
      })),
    );
  });

  it('are those of the patched objects', () => {
    const patch =
      '  patches:\n    - target: {kind: DaemonSet, labelSelector: nvidia.com/ofed-driver}\n      patch:\n' +
      '        spec: {template: {spec: {containers: [{name: mofed-container, image: other}]}}}\n';
    const digests = [built(clusterPolicy(driver('{}'))), built(clusterPolicy(driver('{}')), patch)].map(
      ({ policy }) => onlyOfed(policy).policies[0]?.daemonSets[0]?.digest,
    );
    expect(digests[0]).toMatch(/^[0-9a-f]{16}$/);
    expect(digests[1]).toMatch(/^[0-9a-f]{16}$/);
    expect(digests[1]).not.toBe(digests[0]);
  });

  it.each([
    { name: 'the default probe', probe: '', expected: 30 + 10 * 120 },
    {
      name: 'a probe of the policy',
      probe: '    startupProbe: {initialDelaySeconds: 60, periodSeconds: 30, failureThreshold: 100}\n',
      expected: 60 + 30 * 100,
    },
  ])('may start as long as $name lets them', ({ probe, expected }) => {
    const { policy } = built(clusterPolicy(`  ofedDriver:\n    upgradePolicy: {}\n${probe}`));
    expect(nodeUpgradePolicies(onlyDriver(policy))[0]?.startupSeconds).toBe(expected);
  });

  it('are none where the driver is uninstalled', () => {
    const { policy, objects } = built(clusterPolicy(driver('{}')), '  driver: {uninstall: true}\n');
    expect(objects.filter(({ kind }) => kind === 'DaemonSet')).toEqual([]);
    expect(onlyDriver(policy)).toMatchObject({
      uninstall: true,
      policies: [{ daemonSets: [], upgradePolicy: { autoUpgrade: true } }],
    });
  });
});

describe('an uninstall of a part', () => {
  const POOLS = `    - {name: noble, osName: ubuntu, osVersion: "24.04", arch: amd64, kernels: [k1, k2], labels: {rack: r1}}
    - {name: jammy, osName: ubuntu, osVersion: "22.04", arch: amd64, labels: {rack: r2}}
    - {name: tainted, osName: rhel, osVersion: "9.4", arch: amd64, taints: [{key: t, effect: NoSchedule}]}
`;
  const nodePolicy = (rack: string): string =>
    policyText('NicNodePolicy', rack, `  nodeSelector: {rack: ${rack}}\n${driver('{}')}`);
  const labelsOf = (ofedDriver: DriverPolicyOf<'ofed'>) =>
    ofedDriver.policies.map(({ name, uninstall = [], daemonSets }, at) => ({
      ...{
        name,
        autoUpgrade: nodeUpgradePolicies(ofedDriver)[at]?.autoUpgrade,
        daemonSets: daemonSets.map((one) => one.name),
      },
      nodes: uninstall.map(({ nodeSelector }) => nodeSelector[NFD_LABELS.kernel] ?? nodeSelector[NFD_LABELS.osVersion]),
    }));

  it('of a pool has the labels of its nodes, for each kernel, and leaves the DaemonSets of the others', () => {
    const { policy, objects } = built(
      clusterPolicy(driver('{}')),
      '  driver: {uninstall: {nodePools: [noble]}}\n',
      POOLS,
    );
    expect(objects.filter(({ kind }) => kind === 'DaemonSet').map(({ metadata }) => metadata.name)).toEqual([
      'mofed-ubuntu22.04-ds',
    ]);
    expect(onlyOfed(policy).uninstall).toBe(false);
    expect(labelsOf(onlyOfed(policy))).toEqual([
      { name: 'NicClusterPolicy', autoUpgrade: false, daemonSets: ['mofed-ubuntu22.04-ds'], nodes: ['k1', 'k2'] },
    ]);
  });

  it('of a policy has those of all its pools, and does not depend on autoUpgrade', () => {
    const policies = `${nodePolicy('r1')}---\n${nodePolicy('r2')}`;
    const { policy } = built(policies, '  driver: {uninstall: {policies: [r2]}}\n', POOLS);
    expect(labelsOf(onlyOfed(policy))).toEqual([
      { name: 'nnp-r1', autoUpgrade: false, daemonSets: [expect.any(String), expect.any(String)], nodes: [] },
      { name: 'nnp-r2', autoUpgrade: true, daemonSets: [], nodes: ['22.04'] },
    ]);
  });

  it('of a pool whose taint the driver does not tolerate has its labels', () => {
    const { policy } = built(clusterPolicy(driver('{}')), '  driver: {uninstall: {nodePools: [tainted]}}\n', POOLS);
    expect(labelsOf(onlyOfed(policy)).flatMap(({ nodes }) => nodes)).toEqual(['9.4']);
  });

  it('has the node affinity of the policy', () => {
    const affinity =
      '  nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: a, operator: Exists}]}]}}\n';
    const { policy } = built(
      clusterPolicy(affinity + driver('{}')),
      '  driver: {uninstall: {nodePools: [jammy]}}\n',
      POOLS,
    );
    const [going] = onlyOfed(policy).policies[0]?.uninstall ?? [];
    expect(going?.nodeAffinity).toEqual([
      { matchExpressions: [{ key: 'a', operator: 'Exists', values: [] }], matchFields: [] },
    ]);
  });

  it('of everything leaves no DaemonSet', () => {
    const { policy } = built(
      clusterPolicy(driver('{}')),
      '  driver: {uninstall: {policies: [nic-cluster-policy]}}\n',
      POOLS,
    );
    expect(labelsOf(onlyOfed(policy))).toMatchObject([{ daemonSets: [], autoUpgrade: true }]);
  });

  it('changes nothing where none is asked for', () => {
    const text = (cluster: string): string => JSON.stringify(built(clusterPolicy(driver('{}')), cluster, POOLS).policy);
    expect(text('')).not.toContain('"uninstall":[');
    expect(text('  driver: {uninstall: {}}\n')).toBe(text(''));
  });
});

describe('the GPU driver', () => {
  const gpu = (section: string, policy = clusterPolicy(driver('{autoUpgrade: true}'))) =>
    built(policy, `  gpuDriver: ${section}\n`).policy.drivers.find(isGpuDriver);

  it('is none without the section', () => {
    const { policy } = built(clusterPolicy(driver('{autoUpgrade: true}')));
    expect(policy.drivers.map(({ kind }) => kind)).toEqual(['ofed']);
  });

  it('is upgraded by the companion, unless the GPU operator runs', () => {
    const alone = gpu('{upgradePolicy: {autoUpgrade: true}}');
    expect(alone).toMatchObject({
      kind: 'gpu',
      labelPrefix: 'gpu',
      namespace: 'gpu-operator',
      resourcePrefixes: ['nvidia.com/gpu', 'nvidia.com/mig-'],
      controllerPodSelector: 'app.kubernetes.io/component=gpu-operator',
      validationPodSelector: 'app=nvidia-operator-validator',
    });
  });

  it('is restarted by the GPU operator in a flow of its own', () => {
    const ofOperator = gpu('{operator: true, validationPodSelector: "", upgradePolicy: {autoUpgrade: true}}');
    expect(ofOperator).toMatchObject({ kind: 'gpu-operator', labelPrefix: 'weft-gpu' });
    expect(ofOperator).not.toHaveProperty('validationPodSelector');
  });

  it.each([
    { given: '{autoUpgrade: true}', path: ['autoUpgrade'], expected: true },
    { given: '{}', path: ['autoUpgrade'], expected: false },
    { given: '{maxUnavailable: 10%}', path: ['maxUnavailable'], expected: '10%' },
    { given: '{gpuPodDeletion: {force: true}}', path: ['podDeletion', 'force'], expected: true },
    { given: '{podDeletion: {force: true}}', path: ['podDeletion', 'force'], expected: true },
    { given: '{drain: {enable: true, timeoutSeconds: 60}}', path: ['drain', 'timeoutSeconds'], expected: 60 },
    { given: '{}', path: ['drain', 'enable'], expected: false },
  ])('$given: $path = $expected', ({ given, path, expected }) => {
    const one = gpu(`{startupSeconds: 5, upgradePolicy: ${given}}`, clusterPolicy('  nvIpam: {}\n'));
    const [policy] = one === undefined ? [] : nodeUpgradePolicies(one);
    expect(policy).toMatchObject({ name: 'gpuDriver', startupSeconds: 5, daemonSets: [] });
    expect(valueAt(policy, path)).toEqual(expected);
  });
});

describe('virtual functions', () => {
  const sriov = (externalDrainer: string): string =>
    `  sriovNetworkOperator: {deploy: true, operator: {resourcePrefix: example.com, externalDrainer: ${externalDrainer}}}\n`;
  const pool = (name: string, spec: string, namespace = ''): string =>
    `---\napiVersion: sriovnetwork.openshift.io/v1\nkind: SriovNetworkPoolConfig\nmetadata: {name: ${name}${namespace}}\nspec: ${spec}\n`;
  const noDriver = clusterPolicy('  nvIpam: {}\n');
  const policiesOf = (documents: string, externalDrainer = '{enabled: true}') => {
    const { drivers } = built(noDriver + documents, sriov(externalDrainer)).policy;
    return drivers.flatMap(nodeUpgradePolicies);
  };

  it('must be back after a restart of OFED, wherever the operator is deployed', () => {
    const { policy } = built(clusterPolicy(driver('{autoUpgrade: true}')), sriov('{}'));
    expect(policy.sriovNodeStates).toEqual({ namespace: 'nvidia-network-operator', resourcePrefix: 'example.com/' });
    expect(policy.drivers.map(({ kind }) => kind)).toEqual(['ofed']);
    expect(built(clusterPolicy(driver('{}'))).policy).not.toHaveProperty('sriovNodeStates');
  });

  it('are drained for where the operator leaves that to the companion', () => {
    const { policy } = built(noDriver, sriov('{enabled: true}'));
    expect(onlyDriver(policy)).toMatchObject({
      ...{ kind: 'sriov', labelPrefix: 'weft-sriov', namespace: 'nvidia-network-operator' },
      resourcePrefixes: ['example.com/'],
    });
  });

  it.each([
    { name: 'a number', given: '{maxUnavailable: 2}', selector: '', limit: 2 },
    { name: 'none', given: '{maxUnavailable: 0}', selector: '', limit: 0 },
    {
      name: 'a percentage',
      given: '{maxUnavailable: 25%, nodeSelector: {matchLabels: {rack: r1}}}',
      selector: 'rack=r1',
      limit: '25%',
    },
    {
      name: 'no limit',
      given:
        '{nodeSelector: {matchExpressions: [{key: rack, operator: In, values: [r1, r2]}, {key: a, operator: Exists}]}}',
      selector: 'rack in (r1,r2),a',
      limit: undefined,
    },
  ])('of a pool with $name', ({ given, selector, limit }) => {
    expect(policiesOf(pool('a', given))).toMatchObject([
      { name: 'a', nodeSelector: selector, maxInProgress: limit },
      { name: '(no pool)', nodeSelector: undefined, maxInProgress: 1 },
    ]);
  });

  it('of a pool have a budget of their own, whatever the name of the pool is', () => {
    for (const name of ['no-pool', 'none']) {
      const names = policiesOf(pool(name, '{maxUnavailable: 3}')).map((one) => one.name);
      expect(names).toEqual([name, expect.not.stringMatching(/^[a-z0-9.-]*$/)]);
    }
  });

  it.each([
    { name: 'a limit', patch: '{maxUnavailable: many}', selector: 'rack=r1' },
    { name: 'an operator', patch: '{nodeSelector: {matchExpressions: [{key: a, operator: Like, values: [b]}]}}' },
    { name: 'values', patch: '{nodeSelector: {matchExpressions: [{key: a, operator: In}]}}' },
    { name: 'a label', patch: '{nodeSelector: {matchLabels: {a: "b,c=d"}}}' },
  ])('wait where a patch gives a pool $name that is not valid', ({ patch, selector = '' }) => {
    const patches = `  patches: [{target: {kind: SriovNetworkPoolConfig}, patch: {spec: ${patch}}}]\n`;
    const given = pool('a', '{maxUnavailable: 3, nodeSelector: {matchLabels: {rack: r1}}}');
    const { policy } = built(noDriver + given, sriov('{enabled: true}') + patches);
    const [one] = policy.drivers.flatMap(nodeUpgradePolicies);
    expect(one).toMatchObject({ name: 'a', nodeSelector: selector, maxInProgress: 0 });
  });

  it('have no pool by what the operator does not read', () => {
    const others =
      pool('a', '{ovsHardwareOffloadConfig: {name: b}}') + pool('c', '{maxUnavailable: 3}', ', namespace: d');
    expect(policiesOf(others).map(({ name }) => name)).toEqual(['(no pool)']);
  });

  it.each([
    {
      given: 'waitForCompletion: {podSelector: app=a, timeoutSeconds: 60}',
      path: ['waitForCompletion', 'timeoutSeconds'],
      expected: 60,
    },
    { given: 'drain: {force: true}', path: ['podDeletion', 'force'], expected: true },
    { given: 'drain: {podSelector: app=b}', path: ['drain', 'podSelector'], expected: 'app=b' },
    { given: 'drain: {timeoutSeconds: 10}', path: ['podDeletion', 'timeoutSeconds'], expected: 10 },
    { given: 'drain: {deleteEmptyDir: true}', path: ['podDeletion', 'deleteEmptyDir'], expected: true },
  ])('$given is what a decision reads', ({ given, path, expected }) => {
    for (const one of policiesOf(pool('a', '{}'), `{enabled: true, ${given}}`))
      expect(valueAt(one, path)).toEqual(expected);
  });
});

describe('the gate', () => {
  const DRIVER_AND_PLUGIN = `${driver('{autoUpgrade: true}')}  rdmaSharedDevicePlugin: {}\n`;
  it.each([
    { name: 'a driver alone', spec: driver('{}'), cluster: '', expected: undefined },
    {
      name: 'a plugin that waits for the file',
      spec: DRIVER_AND_PLUGIN,
      cluster: '',
      expected: { kind: 'ready-file', podSelectors: ['app=rdma-shared-dp'] },
    },
    {
      name: 'a plugin that waits for the label',
      spec: DRIVER_AND_PLUGIN,
      cluster: '  driver: {gate: label}\n',
      expected: { kind: 'label', podSelectors: ['app=rdma-shared-dp'] },
    },
    {
      name: 'the label, where only others wait for it',
      spec: driver('{}'),
      cluster: '  driver: {gate: label}\n',
      expected: { kind: 'label', podSelectors: [] },
    },
  ])('of $name', ({ spec, cluster, expected }) => {
    const { gate } = onlyOfed(built(clusterPolicy(spec), cluster).policy);
    if (expected === undefined) expect(gate).toBeUndefined();
    else expect(gate).toMatchObject(expected);
  });
});

it('has no driver where no pool gets one', () => {
  const { policy } = built(clusterPolicy('  rdmaSharedDevicePlugin: {}\n'));
  expect(policy.drivers).toEqual([]);
});
