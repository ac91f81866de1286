import { describe, expect, it } from '@jest/globals';
import { compile, PLAIN_CLUSTER, policyText } from '../../../test/golden/compile.js';

describe('an instance', () => {
  it('takes `global.imagePullSecrets` where the release fills a repository, in NicNodePolicies too', () => {
    const { config } = compile({
      'cluster.yaml': PLAIN_CLUSTER,
      'policy.yaml': policyText(
        'NicClusterPolicy',
        'nic-cluster-policy',
        '  global: {repository: mirror.example/nvidia, imagePullSecrets: [s]}\n  nvIpam: {}\n',
      ),
      'node.yaml': policyText(
        'NicNodePolicy',
        'a',
        '  ofedDriver: {}\n  rdmaSharedDevicePlugin: {repository: mirror.example/nvidia}\n  sriovDevicePlugin: {imagePullSecrets: [t]}\n',
      ),
    });
    const secrets = [...(config?.instances ?? [])].flatMap(([id, instances]) =>
      instances.map(({ spec }) => [id, (spec as { imagePullSecrets: unknown }).imagePullSecrets]),
    );
    expect(Object.fromEntries(secrets)).toEqual({
      'nv-ipam-cni': ['s'],
      'ofed-driver': ['s'],
      // The operator fills nothing of a NicNodePolicy, so a section that it takes stays as it is.
      'rdma-shared-device-plugin': [],
      'sriov-device-plugin': ['t'],
    });
  });
});
