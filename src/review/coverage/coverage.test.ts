import { describe, expect, it } from '@jest/globals';
import { clusterText, compile, policyText } from '../../../test/golden/compile.js';
import { programDaemonSets } from '../../compile/coverage/daemon-sets.js';
import { coverageLine, readCoverageLine } from '../../shared/contract/driver-coverage.js';
import { driverCoverage } from './coverage.js';

const POOLS = `  release: v26.4
  nodePools:
    - {name: a, osName: ubuntu, osVersion: "24.04", arch: amd64, kernels: [k1, k2], labels: {rack: r1}}
    - {name: b, osName: ubuntu, osVersion: "24.04", arch: amd64, kernel: k1, labels: {rack: r2}}
    - {name: c, osName: rhel, osVersion: "9.4", arch: amd64, taints: [{key: t, value: v, effect: NoSchedule}]}
`;
const TOLERATE = '  tolerations: [{key: t, operator: Exists, effect: NoSchedule}]\n';
const DRIVER = '  ofedDriver: {upgradePolicy: {autoUpgrade: true}}\n';
const NIC_CLUSTER = ['NicClusterPolicy', 'nic-cluster-policy'] as const;

function coverage(cluster: string, policy: string) {
  const { config, placed, diagnostics } = compile({
    'cluster.yaml': clusterText(POOLS + cluster),
    'policy.yaml': policyText(...NIC_CLUSTER, policy),
  });
  if (!config) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
  return driverCoverage(config, programDaemonSets(config, placed));
}

const short = (cluster: string, policy: string) =>
  coverage(cluster, policy).map(({ pool, kernel, daemonSet }) => `${pool} ${kernel} ${daemonSet.split('-')[3] ?? ''}`);

const patch = (value: string) =>
  `  patches: [{target: {kind: DaemonSet, labelSelector: nvidia.com/ofed-driver}, patch: {spec: {template: {spec: ${value}}}}}]\n`;
const affinity = (expression: string) =>
  `  nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [${expression}]}]}}\n`;

describe('what the configuration says about drivers', () => {
  it('has a line for each pool and kernel', () => {
    const found = coverage('', TOLERATE + DRIVER);
    expect(found.map(({ pool, kernel }) => [pool, kernel])).toEqual([
      ['a', 'k1'],
      ['a', 'k2'],
      ['b', 'k1'],
      ['c', ''],
    ]);
    expect(found[3]).toEqual({
      ...{ pool: 'c', osName: 'rhel', osVersion: '9.4', rhcosVersion: '', arch: 'amd64', kernel: '' },
      ...{ labels: [], taints: ['t=v:NoSchedule'] },
      ...{ policy: 'NicClusterPolicy nic-cluster-policy', autoUpgrade: true, gate: 'ready-file' },
      daemonSet: 'nvidia-network-operator/mofed-rhel9.4-ds',
      image: expect.stringMatching(/doca-driver:.*-rhel9\.4-amd64$/) as unknown,
      digest: expect.stringMatching(/^[0-9a-f]{16}$/) as unknown,
    });
    expect(found[0]).toMatchObject({ labels: ['rack=r1'], daemonSet: found[2]?.daemonSet });
  });

  it.each([
    { name: 'a taint that is not tolerated', cluster: '', policy: DRIVER, expected: ['a', 'a', 'b'] },
    { name: 'no driver', cluster: '', policy: '  nicFeatureDiscovery: {}\n', expected: [] },
    {
      name: 'a patched node selector',
      cluster: patch('{nodeSelector: {rack: r2}}'),
      policy: TOLERATE + DRIVER,
      expected: ['b', 'c'],
    },
    {
      name: 'an affinity by a label of some pools',
      cluster: '',
      policy: affinity('{key: rack, operator: NotIn, values: [r1]}') + TOLERATE + DRIVER,
      expected: ['b', 'c'],
    },
    {
      name: 'an affinity by a label that no pool declares',
      cluster: '',
      policy: affinity('{key: zone, operator: In, values: [z1]}') + TOLERATE + DRIVER,
      expected: ['a', 'a', 'b', 'c'],
    },
  ])('leaves out what $name excludes', ({ cluster, policy, expected }) => {
    expect(short(cluster, policy).map((line) => line.split(' ')[0])).toEqual(expected);
  });
});

describe('a line of the index', () => {
  it('is read as it was written', () => {
    for (const one of coverage('', TOLERATE + DRIVER)) expect(readCoverageLine(coverageLine(one))).toEqual(one);
  });

  it.each(['driver {', 'driver {}', 'driver []', 'driver {"pool":"a","labels":"b"}'])('is not %s', (line) => {
    expect(readCoverageLine(line)).toBeUndefined();
  });
});
