import { describe, expect, it } from '@jest/globals';
import { ApiObject, App, Chart } from 'cdk8s';
import type { Construct } from 'constructs';
import * as library from 'weft-gitops';
import type { InputDocument } from 'weft-gitops';
import { allComponents } from '../src/components/all.js';
import { networkKinds } from '../src/networks/all.js';
import { placedObjects } from '../src/constructs/folder.js';
import { buildObjects } from '../src/synth.js';
import { documents } from './example-program/documents.js';

const { Cluster, NicClusterPolicy, NicNodePolicies, OperatorNamespace, resolveConfig } = library;

const newChart = (): Chart => new Chart(new App(), 'test');

interface Named {
  readonly kind: string;
  readonly metadata: { readonly name: string };
}
const names = (scope: Construct): readonly string[] =>
  scope.node
    .findAll()
    .filter((node): node is ApiObject => ApiObject.isApiObject(node))
    .map((node) => node.toJson() as Named)
    .map(({ kind, metadata }) => `${kind} ${metadata.name}`);

describe('constructs', () => {
  it('are exported: one for each component and each kind of network', () => {
    const exported = Object.keys(library).map((name) => name.toLowerCase());
    const wanted = [...allComponents, ...networkKinds].map(({ id }) => id.replaceAll('-', ''));
    expect(wanted.filter((name) => !exported.includes(name))).toEqual([]);
  });

  it('add nothing where the configuration has nothing for them', () => {
    const [cluster] = documents;
    const config = resolveConfig([cluster as InputDocument]);
    const chart = newChart();
    new NicClusterPolicy(chart, 'cluster-policy', { config });
    new NicNodePolicies(chart, 'node-policies', { config });
    expect(names(chart)).toEqual([]);
    const whole = newChart();
    new Cluster(whole, 'cluster', { config });
    expect(names(whole)).toEqual(['Namespace network']);
  });

  it('keep the policies of the two kinds apart', () => {
    const config = resolveConfig(documents);
    const [first, second] = [newChart(), newChart()];
    new NicClusterPolicy(first, 'policy', { config });
    new NicNodePolicies(second, 'policies', { config });
    expect(names(first)).toEqual(['ConfigMap rdma-devices', 'DaemonSet rdma-shared-dp-ds']);
    expect(names(second).filter((name) => name.startsWith('DaemonSet'))).toEqual([
      'DaemonSet mofed-ubuntu22.04-85d688476f-ds',
      'DaemonSet mofed-ubuntu24.04-55f9554bcc-ds',
    ]);
  });

  it('protect the namespace, and let privileged pods in', () => {
    const chart = newChart();
    new OperatorNamespace(chart, 'namespace', { name: 'network' });
    expect(chart.toJson()).toMatchObject([
      {
        kind: 'Namespace',
        metadata: {
          name: 'network',
          labels: { 'pod-security.kubernetes.io/enforce': 'privileged' },
          annotations: { 'argocd.argoproj.io/sync-options': 'Prune=false,Delete=false' },
        },
      },
    ]);
  });

  it('build the same objects every time, from a configuration that stays as it is', () => {
    const config = resolveConfig(documents);
    const one = buildObjects(config).objects;
    expect(buildObjects(config).objects).toEqual(one);
    expect(one.length).toBeGreaterThan(8);
  });

  it('name every object and its selector themselves', () => {
    for (const { object } of buildObjects(resolveConfig(documents)).objects) {
      expect(object.metadata.name).not.toMatch(/^(?:test|east)-|-c8[0-9a-f]{6}$/);
      expect(JSON.stringify(object)).not.toContain('cdk8s.io/');
    }
  });

  it("place a user's own objects in a folder of their own", () => {
    const chart = newChart();
    new ApiObject(chart, 'own', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'own' } });
    new NicClusterPolicy(chart, 'policy', { config: resolveConfig(documents) });
    expect(placedObjects(chart).map(({ folder }) => folder)).toEqual([
      'objects',
      'rdma-shared-device-plugin',
      'rdma-shared-device-plugin',
    ]);
  });

  it('are built for a cluster of any name, even one that every JavaScript object has', () => {
    const config = resolveConfig(documents);
    const named = { ...config, cluster: { ...config.cluster, name: 'constructor' } };
    expect(buildObjects(named)).toEqual(buildObjects(config));
  });
});
