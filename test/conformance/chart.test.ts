import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import type { KubernetesObject } from '../../src/kubernetes/types.js';
import { compile } from '../golden/compile.js';
import { nodeFeatureDiscoveryOf } from './chart-values.js';
import { CHART_ALLOWANCES } from './chart-differences.js';
import { objectDifferences } from './compare.js';
import { chartNames, chartObjects, CHARTS, type RecordedObject } from './recorded.js';

/** What Node Feature Discovery is in the chart, and in the output. */
const OWN_FOLDERS = ['node-feature-discovery', 'crds'];
const isHook = ({ metadata }: RecordedObject) => metadata.annotations?.['helm.sh/hook'] !== undefined;
const isOfDiscovery = (object: RecordedObject) =>
  object.kind === 'NodeFeatureRule' || object.metadata.labels?.['app.kubernetes.io/name'] === 'node-feature-discovery';

function cluster(section: unknown): string {
  return JSON.stringify({
    apiVersion: 'weft.dev/v1alpha1',
    kind: 'Cluster',
    metadata: { name: 'east' },
    spec: {
      release: 'v26.7',
      nodePools: [{ name: 'a', osName: 'ubuntu', osVersion: '24.04', arch: 'amd64' }],
      nodeFeatureDiscovery: section,
    },
  });
}

/** Something that needs the rule, which the chart renders always. */
const NEEDS_THE_RULE = JSON.stringify({
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  metadata: { name: 'needs-the-rule', namespace: 'a' },
  spec: {
    selector: { matchLabels: { a: 'b' } },
    template: {
      metadata: { labels: { a: 'b' } },
      spec: {
        nodeSelector: { 'feature.node.kubernetes.io/pci-15b3.present': 'true' },
        containers: [{ name: 'a', image: 'a' }],
      },
    },
  },
});

function rendered(section: unknown): readonly KubernetesObject[] {
  const { placed, diagnostics } = compile({ 'cluster.yaml': cluster(section), 'object.yaml': NEEDS_THE_RULE });
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  return placed.filter(({ folder }) => OWN_FOLDERS.includes(folder)).map(({ object }) => object);
}

const valuesOf = (name: string) =>
  parse(readFileSync(join(CHARTS, name, 'values.yaml'), 'utf8')) as Readonly<Record<string, unknown>>;

describe('Node Feature Discovery is what the operator’s chart renders', () => {
  it.each(chartNames())('%s', (name) => {
    const recorded = chartObjects(name).filter((object) => isOfDiscovery(object) && !isHook(object));
    const objects = rendered(nodeFeatureDiscoveryOf(valuesOf(name))) as unknown as readonly RecordedObject[];
    const ours = objects.filter(({ kind }) => kind !== 'CustomResourceDefinition');
    expect(objectDifferences(recorded, ours, CHART_ALLOWANCES)).toEqual([]);
  });

  it.each([
    { name: '02-nfd-disabled', expected: [] },
    { name: '01-defaults', expected: ['nodefeaturegroups', 'nodefeaturerules', 'nodefeatures'] },
    {
      name: '06-nfd-topology-updater',
      expected: ['nodefeaturegroups', 'nodefeaturerules', 'nodefeatures', 'noderesourcetopologies'],
    },
  ])('$name brings its CRDs, kept from pruning', ({ name, expected }) => {
    const crds = rendered(nodeFeatureDiscoveryOf(valuesOf(name))).filter(
      ({ kind }) => kind === 'CustomResourceDefinition',
    );
    expect(crds.map(({ metadata }) => metadata.name.split('.')[0])).toEqual(expected);
    for (const { metadata } of crds) expect(metadata.annotations?.['helm.sh/resource-policy']).toBe('keep');
  });
});
