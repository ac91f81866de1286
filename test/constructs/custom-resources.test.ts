import { describe, expect, it } from '@jest/globals';
import { App, Chart, Testing } from 'cdk8s';
import {
  type CIDRPoolDocument,
  Cluster,
  type ClusterDocument,
  type InputDocument,
  type IPPoolDocument,
  MacvlanNetwork,
  type NodeFeatureRuleDocument,
  type NodeMaintenanceDocument,
  type SriovNetworkNodePolicyDocument,
} from 'weft-gitops';
import { diagnosticsOf } from './results.js';

const CLUSTER: ClusterDocument = {
  apiVersion: 'weft.dev/v1alpha1',
  kind: 'Cluster',
  metadata: { name: 'east' },
  spec: { release: 'v26.4', nodePools: [{ name: 'a', osName: 'ubuntu', osVersion: '24.04', arch: 'amd64' }] },
};
const POOL: IPPoolDocument = {
  apiVersion: 'nv-ipam.nvidia.com/v1alpha1',
  kind: 'IPPool',
  metadata: { name: 'rail' },
  spec: { subnet: '192.168.0.0/16', perNodeBlockSize: 100, gateway: '192.168.0.1' },
};
const RULE: NodeFeatureRuleDocument = {
  apiVersion: 'nfd.k8s-sigs.io/v1alpha1',
  kind: 'NodeFeatureRule',
  metadata: { name: 'own' },
  spec: { rules: [{ name: 'a', labels: { a: 'b' }, matchFeatures: [{ feature: 'pci.device' }] }] },
};
const MAINTENANCE: NodeMaintenanceDocument = {
  apiVersion: 'maintenance.nvidia.com/v1alpha1',
  kind: 'NodeMaintenance',
  metadata: { name: 'a', namespace: 'default' },
  spec: { nodeName: 'a', requestorID: 'example.com', drainSpec: { podEvictionFilters: [{}] } },
};
const POLICY: SriovNetworkNodePolicyDocument = {
  apiVersion: 'sriovnetwork.openshift.io/v1',
  kind: 'SriovNetworkNodePolicy',
  metadata: { name: 'a' },
  // @ts-expect-error -- a misspelt key is an error of the compiler
  spec: { resourceName: 'vf', numVfs: 4, nodeSelector: {}, nicSelector: { vendr: '15b3' } },
};
const CIDR_POOL: CIDRPoolDocument = {
  apiVersion: 'nv-ipam.nvidia.com/v1alpha1',
  kind: 'CIDRPool',
  metadata: { name: 'rail' },
  // @ts-expect-error -- and so is a value of another type
  spec: { cidr: '10.0.0.0/16', perNodeNetworkPrefix: '24' },
};

function clusterOf(...documents: readonly InputDocument[]) {
  const chart = new Chart(new App(), 'chart');
  return { chart, cluster: new Cluster(chart, 'east', { documents: [CLUSTER, ...documents] }) };
}

describe('custom resources among the documents of a cluster', () => {
  it('go to the output', () => {
    const { chart } = clusterOf(POOL, RULE, MAINTENANCE);
    const written = Testing.synth(chart) as readonly { readonly kind: string; readonly spec: unknown }[];
    const kinds = ['IPPool', 'NodeFeatureRule', 'NodeMaintenance'];
    const specs = written.filter(({ kind }) => kinds.includes(kind)).map(({ spec }) => spec);
    expect(specs).toEqual([POOL.spec, RULE.spec, MAINTENANCE.spec]);
  });

  it('are checked against their definitions', () => {
    const found = diagnosticsOf(() => clusterOf(POLICY, CIDR_POOL));
    expect(found.map(({ code, path, location }) => [code, path?.join('.'), location?.file]).sort()).toEqual([
      ['WEFT0140', 'spec.nicSelector.vendr', 'SriovNetworkNodePolicy/a'],
      ['WEFT0142', 'spec.perNodeNetworkPrefix', 'CIDRPool/rail'],
    ]);
  });

  it('are checked by the rules of the webhook', () => {
    const refused: SriovNetworkNodePolicyDocument = {
      apiVersion: 'sriovnetwork.openshift.io/v1',
      kind: 'SriovNetworkNodePolicy',
      metadata: { name: 'a' },
      spec: { resourceName: 'vf', numVfs: 4, nodeSelector: {}, nicSelector: { pfNames: ['ens1#0-4'] } },
    };
    const found = diagnosticsOf(() => clusterOf(refused));
    expect(found.map(({ code, path, location }) => [code, path?.join('.'), location?.file])).toEqual([
      ['WEFT0531', 'spec.nicSelector.pfNames.0', 'SriovNetworkNodePolicy/a'],
    ]);
  });

  it('are known to the rules about constructs', () => {
    const { chart, cluster } = clusterOf(POOL);
    new MacvlanNetwork(chart, 'one', { cluster, ipam: { type: 'nv-ipam', poolName: 'rail' } });
    expect(cluster.diagnostics.map(({ code }) => code)).not.toContain('WEFT0263');
    new MacvlanNetwork(chart, 'two', { cluster, ipam: { type: 'nv-ipam', poolName: 'raill' } });
    const [found] = cluster.diagnostics.filter(({ code }) => code === 'WEFT0263');
    expect([found?.location?.file, found?.help]).toEqual(['chart/two', 'did you mean `rail`?']);
  });
});
