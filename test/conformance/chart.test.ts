import { describe, expect, it } from '@jest/globals';
import { allAddOns } from '../../src/compile/addons/all.js';
import { addOnSectionsOfChart } from '../../src/compile/addons/chart-values.js';
import type { ChartValues } from '../../src/compile/addons/values.js';
import type { KubernetesObject } from '../../src/shared/kubernetes/types.js';
import { compile } from '../golden/compile.js';
import { chartCluster, chartValues } from './chart-cluster.js';
import { CHART_ALLOWANCES } from './chart-differences.js';
import { objectDifferences } from './compare.js';
import { chartCrds, chartNames, chartObjects, type RecordedObject } from './recorded.js';

const OWN_FOLDERS = allAddOns.map(({ id }) => id);
const isHook = ({ metadata }: RecordedObject) => metadata.annotations?.['helm.sh/hook'] !== undefined;

/** The operator itself, its rights and its webhook, which Weft replaces. */
const OPERATOR =
  /^network-operator(?:-(?:webhook-service|validating-webhook-configuration|serving-cert|selfsigned-issuer))?$/;

function rendered(values: ChartValues): Readonly<Record<'objects' | 'crds', readonly KubernetesObject[]>> {
  const { placed, diagnostics } = compile(chartCluster(values));
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  const inFolders = (folders: readonly string[]) =>
    placed.filter(({ folder }) => folders.includes(folder)).map(({ object }) => object);
  return { objects: inFolders(OWN_FOLDERS), crds: inFolders(['crds']) };
}

describe('add-ons are what the operator’s chart renders', () => {
  it.each(chartNames())('%s', (name) => {
    const recorded = chartObjects(name).filter((object) => !OPERATOR.test(object.metadata.name) && !isHook(object));
    const { objects, crds } = rendered(chartValues(name));
    expect(objectDifferences(recorded, objects as unknown as readonly RecordedObject[], CHART_ALLOWANCES)).toEqual([]);
    // The CRDs of the operator's own kinds belong to the operator; that of networks is always in its chart.
    const expected = chartCrds(name).filter((crd) => !/\.(?:mellanox\.com|k8s\.cni\.cncf\.io)$/.test(crd));
    const names = crds.map(({ metadata }) => metadata.name).filter((crd) => !crd.endsWith('.k8s.cni.cncf.io'));
    expect(names).toEqual(expected);
    for (const { metadata } of crds) expect(metadata.annotations?.['helm.sh/resource-policy']).toBe('keep');
  });
});

describe('values of the chart', () => {
  it.each([
    {
      name: 'merges maps into their defaults, and null removes a key',
      values: {
        sriovNetworkOperator: { enabled: true },
        'sriov-network-operator': {
          operator: { nodeSelector: { a: 'b' }, resourcePrefix: null },
          sriovOperatorConfig: { configDaemonNodeSelector: { 'beta.kubernetes.io/os': null, a: 'b' } },
        },
      },
      expected: {
        deploy: true,
        operator: { nodeSelector: { a: 'b' } },
        sriovOperatorConfig: { configDaemonNodeSelector: { a: 'b' } },
      },
    },
    {
      name: 'keeps what is unknown, which the Cluster document is refused for',
      values: { sriovNetworkOperator: { enabled: true }, 'sriov-network-operator': { operater: {} } },
      expected: { deploy: true, operater: {} },
    },
    { name: 'has no section for what is off', values: {}, expected: undefined },
  ])('$name', ({ values, expected }) => {
    expect(addOnSectionsOfChart(values)['sriovNetworkOperator']).toEqual(expected);
  });
});
