import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { chartObjects } from '../../../test/conformance/recorded.js';
import { clusterText, compile, policyText, UBUNTU_POOL } from '../../../test/golden/compile.js';
import { expectGolden, manifestText } from '../../../test/golden/golden-file.js';
import type { KubernetesObject } from '../../kubernetes/types.js';

const DRIVER = policyText('NicClusterPolicy', 'nic-cluster-policy', '  ofedDriver: {}\n');
const MULTUS = policyText('NicClusterPolicy', 'nic-cluster-policy', '  secondaryNetwork: {multus: {}}\n');
const OWN_CONFIG = `apiVersion: sriovnetwork.openshift.io/v1
kind: SriovOperatorConfig
metadata: {name: default, namespace: drivers}
spec: {configDaemonNodeSelector: {feature.node.kubernetes.io/pci-15b3.present: "true"}}
`;

/** Objects in the folder of the add-on. */
function rendered(policy: string, more = ''): readonly KubernetesObject[] {
  const cluster = clusterText(`${more}  release: v26.7\n  nodePools:\n${UBUNTU_POOL}`);
  const { placed, diagnostics } = compile({ 'cluster.yaml': cluster, 'policy.yaml': policy });
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  return placed.filter(({ folder }) => folder === 'node-feature-discovery').map(({ object }) => object);
}

describe('the rule for NVIDIA NICs', () => {
  it('is there for a driver', () => {
    expectGolden(join(__dirname, 'golden/minimal.yaml'), manifestText(rendered(DRIVER)));
  });

  it('is of the API group of OpenShift there', () => {
    const more =
      '  platform: openshift\n  openshift: {useDriverToolkit: false}\n  nodeFeatureDiscovery: {rules: true}\n';
    expectGolden(join(__dirname, 'golden/full.yaml'), manifestText(rendered(DRIVER, more)));
  });

  it('says what the rule of the operator’s chart says', () => {
    const recorded = chartObjects('01-defaults').filter(({ kind }) => kind === 'NodeFeatureRule');
    expect(rendered(DRIVER).map(({ metadata, ...rest }) => ({ ...rest, metadata: { name: metadata.name } }))).toEqual(
      recorded,
    );
  });

  it.each([
    { name: 'where a custom resource of the input selects by the label', policy: OWN_CONFIG, expected: 1 },
    { name: 'not where nothing selects by the label', policy: MULTUS, expected: 0 },
    {
      name: 'not where it is switched off',
      policy: DRIVER,
      more: '  nodeFeatureDiscovery: {rules: false}\n',
      expected: 0,
    },
  ])('is rendered $name: $expected', ({ policy, more, expected }) => {
    expect(rendered(policy, more)).toHaveLength(expected);
  });
});
