import { describe, expect, it } from '@jest/globals';
import { ApiObject, App, Chart } from 'cdk8s';
import * as library from 'weft-gitops';
import type { InputDocument } from 'weft-gitops';
import { allComponents } from '../../src/compile/components/all.js';
import { networkKinds } from '../../src/compile/networks/all.js';
import { placedObjects } from '../../src/compile/constructs/folder.js';
import { buildObjects } from '../../src/compile/synth.js';
import { resolveConfig } from '../kit/resolve-config.js';
import { documents } from '../example-program/documents.js';

const { Cluster, NicClusterPolicy } = library;

const policy = documents.find(({ kind }) => kind === 'NicClusterPolicy') as library.NicClusterPolicyDocument;

const newChart = (): Chart => new Chart(new App(), 'test');

interface Named {
  readonly kind: string;
  readonly metadata: { readonly name: string };
}
describe('constructs', () => {
  it('are exported: one for each component and each kind of network', () => {
    const exported = Object.keys(library).map((name) => name.toLowerCase());
    const wanted = [...allComponents, ...networkKinds].map(({ id }) => id.replaceAll('-', ''));
    expect(wanted.filter((name) => !exported.includes(name))).toEqual([]);
  });

  it('add nothing where the configuration has nothing for them', () => {
    const [cluster] = documents;
    const chart = newChart();
    new Cluster(chart, 'cluster', { documents: [cluster as InputDocument] });
    expect(chart.toJson().map(({ kind, metadata }: Named) => `${kind} ${metadata.name}`)).toEqual([
      'Namespace network',
    ]);
  });

  it('protect the namespace, and let privileged pods in', () => {
    const chart = newChart();
    new Cluster(chart, 'cluster', { documents: documents.slice(0, 1) });
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
    const cluster = new Cluster(newChart(), 'cluster', { documents: documents.slice(0, 1) });
    new NicClusterPolicy(chart, 'policy', { cluster, spec: policy.spec ?? {} });
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
