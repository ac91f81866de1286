import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { chartObjects } from '../../../../test/conformance/recorded.js';
import { clusterText, compile, policyText, UBUNTU_POOL } from '../../../../test/golden/compile.js';
import { expectGolden, manifestText } from '../../../../test/golden/golden-file.js';
import { KEPT } from './names.js';
import type { KubernetesObject } from '../../../shared/kubernetes/types.js';

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

const IMAGE = '{repository: registry.example.com/nfd/node-feature-discovery, tag: v0.18.3}';

describe('the rule for NICs', () => {
  const own = (label: string): string =>
    `${DRIVER}---\napiVersion: nfd.k8s-sigs.io/v1alpha1\nkind: NodeFeatureRule\nmetadata: {name: own}\nspec: {rules: [{name: own, labels: {${label}: "true"}}]}\n`;

  it('is left out where a rule of the input sets its label', () => {
    expect(rendered(own('example.com/a')).map(({ metadata }) => metadata.name)).toEqual(['nvidia-nics-rules']);
    expect(rendered(own('feature.node.kubernetes.io/pci-15b3.present'))).toEqual([]);
  });
});

describe('what is deployed', () => {
  it('is what the chart installs by default', () => {
    const more = `  nodeFeatureDiscovery: {deploy: true, image: ${IMAGE}}\n`;
    expectGolden(join(__dirname, 'golden/deployed.yaml'), manifestText(rendered(MULTUS, more)));
  });

  it('is everything where it is asked for', () => {
    const more = `  nodeFeatureDiscovery:
    deploy: true
    image: ${IMAGE}
    namespaceOverride: nfd
    fullnameOverride: nfd
    priorityClassName: system-node-critical
    master: {replicaCount: 2, networkPolicy: {enabled: true}, podDisruptionBudget: {enable: true}}
    worker: {ownerRefs: [pod, ds, node], mountUsrSrc: true, config: {core: {sleepInterval: 90s}}}
    gc: {enable: false}
    topologyUpdater: {enable: true, createCRDs: true, kubeletConfigPath: /var/lib/kubelet/config.yaml}
    prometheus: {enable: true}
`;
    expectGolden(join(__dirname, 'golden/deployed-full.yaml'), manifestText(rendered(MULTUS, more)));
  });

  it('keeps all of it from pruning, and says that labels depend on it', () => {
    for (const { kind, metadata } of rendered(MULTUS, `  nodeFeatureDiscovery: {deploy: true, image: ${IMAGE}}\n`)) {
      expect([kind, metadata.annotations]).toEqual([kind, expect.objectContaining(KEPT)]);
    }
  });

  it.each([
    { section: '{deploy: true}', expected: '`spec.nodeFeatureDiscovery` needs an image: `image`' },
    { section: '{master: {replicas: 2}}', expected: '`spec.nodeFeatureDiscovery.master` has no key `replicas`' },
    {
      section: '{master: {podSecurityContext: {runAsUsr: 1}}}',
      expected: '`spec.nodeFeatureDiscovery.master.podSecurityContext` has no key `runAsUsr`',
    },
    {
      section: '{gc: {securityContext: {runAsUser: root}}}',
      expected: '`spec.nodeFeatureDiscovery.gc.securityContext.runAsUser` must be',
    },
    {
      section: '{gc: {affinity: {nodeAfinity: {}}}}',
      expected: '`spec.nodeFeatureDiscovery.gc.affinity` has no key `nodeAfinity`',
    },
    {
      section:
        '{gc: {affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: a, operator: in, values: [b]}]}]}}}}}',
      expected: 'nodeSelectorTerms[0].matchExpressions[0].operator` must be `In`',
    },
    {
      section: '{worker: {initContainers: [{image: a}]}}',
      expected: '`spec.nodeFeatureDiscovery.worker.initContainers[0].name` is missing',
    },
    { section: '{worker: {updateStrategy: {rollingupdate: {}}}}', expected: 'has no key `rollingupdate`' },
    {
      section: '{worker: {networkPolicy: {egress: [{port: []}]}}}',
      expected: '`spec.nodeFeatureDiscovery.worker.networkPolicy.egress[0]` has no key `port`',
    },
    { section: '{worker: {ownerRefs: [me]}}', expected: '`spec.nodeFeatureDiscovery.worker.ownerRefs[0]`' },
  ])('refuses $section', ({ section, expected }) => {
    const cluster = clusterText(`  nodeFeatureDiscovery: ${section}\n  nodePools:\n${UBUNTU_POOL}`);
    const messages = compile({ 'cluster.yaml': cluster }).diagnostics.map(({ message }) => message);
    expect(messages).toEqual([expect.stringContaining(expected)]);
  });
});

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
