import { describe, expect, it } from '@jest/globals';
import { clusterText, compile, PLAIN_CLUSTER, policyText, UBUNTU_POOL } from '../../../../test/golden/compile.js';

const policy = (spec: string): string => policyText('NicClusterPolicy', 'nic-cluster-policy', `  ${spec}\n`);
const nodePolicy = (spec: string): string => policyText('NicNodePolicy', 'a', `  ${spec}\n`);
const cluster = (spec: string): string => clusterText(`  ${spec}\n  nodePools:\n${UBUNTU_POOL}`);

const network = (field: string, metadata = 'name: net'): string =>
  `apiVersion: mellanox.com/v1alpha1\nkind: MacvlanNetwork\nmetadata: {${metadata}}\nspec:\n  ${field}\n`;

/** The help for the one unknown key that the input has. */
function helpFor(text: string): string | undefined {
  const files = text.includes('kind: Cluster') ? { 'a.yaml': text } : { 'a.yaml': PLAIN_CLUSTER, 'b.yaml': text };
  const found = compile(files).diagnostics.filter(({ code }) => code === 'WEFT0140');
  expect(found).toHaveLength(1);
  return found[0]?.help;
}

describe('an unknown key', () => {
  it.each([
    { name: 'one level too high', text: policy('multus: {}'), meant: 'spec.secondaryNetwork.multus' },
    { name: 'one level too deep', text: policy('ofedDriver: {tolerations: []}'), meant: 'spec.tolerations' },
    {
      name: 'outside of a configuration',
      text: policy('rdmaSharedDevicePlugin: {configList: []}'),
      meant: 'spec.rdmaSharedDevicePlugin.config.configList',
    },
    { name: 'beside its section', text: policy('upgradePolicy: {}'), meant: 'spec.ofedDriver.upgradePolicy' },
    { name: 'at the top', text: `${cluster('cni: {}')}topologyKey: rack\n`, meant: 'spec.upgrade.topologyKey' },
    { name: 'in an entry of a list', text: cluster('rhcosVersion: a'), meant: 'spec.nodePools[].rhcosVersion' },
    {
      name: 'longer than the key that is known',
      text: clusterText(`  nodePools:\n${UBUNTU_POOL.replace('kernel:', 'kernelVersion:')}`),
      meant: 'kernel',
    },
    { name: 'a typo', text: policy('ofedDrivr: {}'), meant: 'ofedDriver' },
    { name: 'a word less than in the same mapping', text: network('namespace: default'), meant: 'networkNamespace' },
    { name: 'the name', text: network('name: a', ''), meant: 'metadata.name' },
  ])('is looked for elsewhere: $name', ({ text, meant }) => {
    expect(helpFor(text)).toBe(`did you mean \`${meant}\`?`);
  });

  it.each([
    { name: 'the metadata, which is there', text: network('metadata: {}') },
    { name: 'what no network reads', text: network('labels: {}') },
    { name: 'the name, which is there', text: network('name: a') },
  ])('is not sent elsewhere: $name', ({ text }) => {
    expect(helpFor(text)).toMatch(/^known keys: `networkNamespace`, /);
  });

  it('that many places know has no single one', () => {
    expect(helpFor(policy('version: v1'))).toMatch(/^known keys: `global`, /);
  });

  it.each([
    { text: policy('psp: {enabled: false}'), help: /^removed from the API in v24\.1: delete it; .*PodSecurityPolicy/ },
    { text: policy('nvPeerDriver: {}'), help: /^removed from the API in v23\.7: delete it; .*nvidia-peermem/ },
    { text: nodePolicy('nvIpam: {}'), help: /^a section of the NicClusterPolicy, which a NicNodePolicy does not have/ },
    { text: nodePolicy('secondaryNetwork: {}'), help: /^a section of the NicClusterPolicy/ },
    { text: policy('nodeSelector: {a: b}'), help: /^a NicClusterPolicy is for all nodes: write `nodeAffinity`/ },
    { text: policy('nvIpam: {config: ""}'), help: /^removed from the API in v24\.1: .*IPPool/ },
    { text: policy('spectrumXOperator: {sriovObjNamespace: a}'), help: /^removed from the API in v25\.7: delete it/ },
    { text: policy('nodeFeatureDiscovery: {}'), help: /^this is a section of the Cluster document/ },
    { text: policy('whereabouts: {}'), help: /^this is a section of the Cluster document/ },
    { text: policy('secondaryNetwork: {whereabouts: {}}'), help: /^this is a section of the Cluster document/ },
    { text: policy('devicePlugin: {}'), help: /^renamed: write `rdmaSharedDevicePlugin`/ },
    { text: policy('ofedDriver: {deploy: false}'), help: /^a value of the chart up to v24\.7: what has a section/ },
    {
      text: policy('rdmaSharedDevicePlugin: {resources: []}'),
      help: /^a value of the chart up to v24\.7: write `config`/,
    },
    {
      text: policy('secondaryNetwork: {multus: {deploy: true}}'),
      help: /^a value of the chart up to v24\.7: what has/,
    },
    { text: cluster('psp: {}'), help: /^known keys: / },
  ])('that was removed says since when: $text', ({ text, help }) => {
    expect(helpFor(text)).toMatch(help);
  });
});
