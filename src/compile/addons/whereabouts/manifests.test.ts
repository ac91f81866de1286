import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { addOnObjects } from '../../../../test/golden/add-on.js';
import { clusterText, compile, policyText, UBUNTU_POOL } from '../../../../test/golden/compile.js';
import { expectGolden, manifestText } from '../../../../test/golden/golden-file.js';

const FOLDER = 'whereabouts';
const FULL = `  cni: {binDirectory: /var/lib/cni/bin, networkDirectory: /run/cni/net.d}
  whereabouts:
    deploy: true
    image: registry.example.com/whereabouts:v1
    imagePullSecrets: [registry]
    namespaceOverride: kube-system
    logLevel: error
    nodeSelector: {pool: a}
    reconciler: {schedule: "0 * * * *", nodeSelector: {pool: infra}}
    nodeSliceController: {enabled: true}
`;
const OLDER = policyText(
  'NicClusterPolicy',
  'nic-cluster-policy',
  '  secondaryNetwork: {ipamPlugin: {image: whereabouts, repository: nvcr.io/nvidia/mellanox, version: v0.7.0}}\n',
);
const NETWORK = `apiVersion: mellanox.com/v1alpha1
kind: MacvlanNetwork
metadata: {name: net}
spec: {master: ens1, ipam: {type: whereabouts, range: 192.168.0.0/24}}
`;

function warnings(spec: string, policy?: string): readonly string[] {
  const cluster = clusterText(`${spec}  release: v26.4\n  nodePools:\n${UBUNTU_POOL}`);
  const files = { 'cluster.yaml': cluster, 'network.yaml': NETWORK, ...(policy && { 'policy.yaml': policy }) };
  return compile(files).diagnostics.map(({ code, message }) => `${code} ${message}`);
}

describe('whereabouts', () => {
  it.each([
    { name: 'minimal', spec: '  whereabouts: {deploy: true}\n' },
    { name: 'full', spec: FULL },
  ])('$name', ({ name, spec }) => {
    expectGolden(join(__dirname, `golden/${name}.yaml`), manifestText(addOnObjects(FOLDER, spec)));
  });

  it('is not rendered by default', () => {
    expect(addOnObjects(FOLDER, '')).toEqual([]);
  });

  it('is turned on by `secondaryNetwork.ipamPlugin` of an older policy, with its own image', () => {
    const minimal = addOnObjects(FOLDER, '  whereabouts: {deploy: true}\n');
    expect(addOnObjects(FOLDER, '', OLDER)).toEqual(minimal);
  });

  it('keeps what the Cluster document says beside such a policy', () => {
    const [, , , daemonSet] = addOnObjects(FOLDER, '  whereabouts: {image: "registry.example.com/w:v1"}\n', OLDER);
    expect(JSON.stringify(daemonSet)).toContain('"image":"registry.example.com/w:v1"');
  });

  it('is missed where a network takes its addresses from it', () => {
    const needed = 'WEFT0265 network `net` needs whereabouts, which the input does not install';
    expect(warnings('')).toContain(needed);
    expect(warnings('  whereabouts: {deploy: true}\n')).not.toContain(needed);
    expect(warnings('', OLDER)).not.toContain(needed);
  });
});
