import { describe, expect, it } from '@jest/globals';
import { clusterText, compile, policyText, UBUNTU_POOL } from '../../test/golden/compile.js';
import { INSTALL_DIGEST_ANNOTATION } from '../contract/labels.js';
import { nodeUpgradePolicies, type DriverPolicy, type UpgradePolicy } from '../contract/upgrade-policy.js';
import { valueAt } from '../lib/json.js';
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
    { given: 'onDrainFailure: keep', path: ['onDrainFailure'], expected: 'keep' },
    { given: '', path: ['onDrainFailure'], expected: 'uncordon' },
  ])('$given: $path', ({ given, path, expected }) => {
    const { policy } = built(clusterPolicy(driver('{autoUpgrade: true}')), `  upgrade: {${given}}\n`);
    expect(valueAt(onlyDriver(policy).rollout, path)).toEqual(expected);
  });

  it('pauses the whole document', () => {
    const { policy } = built(clusterPolicy(driver('{autoUpgrade: true}')), '  upgrade: {paused: true}\n');
    expect(policy.paused).toBe(true);
    expect(onlyDriver(policy).rollout).not.toHaveProperty('paused');
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
      ({ policy }) => onlyDriver(policy).policies[0]?.daemonSets[0]?.digest,
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
    const { gate } = onlyDriver(built(clusterPolicy(spec), cluster).policy);
    if (expected === undefined) expect(gate).toBeUndefined();
    else expect(gate).toMatchObject(expected);
  });
});

it('has no driver where no pool gets one', () => {
  const { policy } = built(clusterPolicy('  rdmaSharedDevicePlugin: {}\n'));
  expect(policy.drivers).toEqual([]);
});
