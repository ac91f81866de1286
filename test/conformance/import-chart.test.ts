import { gzipSync } from 'node:zlib';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { allAddOns } from '../../src/compile/addons/all.js';
import { filesOf } from '../../src/cluster/import/files.js';
import { newestRelease } from '../../src/cluster/import/helm-release.js';
import { importCluster, type ImportSource } from '../../src/cluster/import/import.js';
import { readSource } from '../../src/cluster/import/read-source.js';
import type { NamedObject } from '../../src/shared/kubernetes/listed-object.js';
import { shareOf } from '../kit/shares.js';
import { compile } from '../golden/compile.js';
import { chartCluster, chartValues } from './chart-cluster.js';
import { CHART_ALLOWANCES } from './chart-differences.js';
import { objectDifferences } from './compare.js';
import { clusterOf } from './import-source.js';
import { CHARTS, chartNames, chartObjects, readCase, type RecordedObject } from './recorded.js';

/** `npm test` imports every sixth set of values, and `WEFT_ALL_CASES=1` all of them. */
const SHARE = 6;

const OWN_FOLDERS = allAddOns.map(({ id }) => id);
/** A cluster with nodes and with a policy that has a driver, but without the operator. */
const CLUSTER = clusterOf(readCase('ofed-minimal')).filter(({ kind }) => kind !== 'Deployment');

const readValues = (text: string) => {
  const read = readSource(text);
  if ('problem' in read || !read.chart) throw new Error(`not read: ${JSON.stringify(read)}`);
  return read.chart;
};

function imported(source: Omit<ImportSource, 'name'>) {
  const { documents, findings } = importCluster({ name: 'east', ...source });
  const files = Object.fromEntries(filesOf(documents).map((file) => [file.name, file.text]));
  const { placed, diagnostics } = compile(files);
  return {
    files,
    findings,
    errors: [...findings, ...diagnostics].filter(({ severity }) => severity === 'error'),
    addOns: placed.filter(({ folder }) => OWN_FOLDERS.includes(folder)).map(({ object }) => object),
  };
}

/** The add-ons of a Cluster document that a person wrote for the values, which `chart.test.ts` compares with the chart. */
function expectedAddOns(name: string, release: string): readonly object[] {
  const { placed } = compile(chartCluster(chartValues(name), { release }));
  return placed.filter(({ folder }) => OWN_FOLDERS.includes(folder)).map(({ object }) => object);
}

const textOf = (name: string) => readFileSync(join(CHARTS, name, 'values.yaml'), 'utf8');

describe('an import of recorded values compiles, and renders the add-ons of the chart', () => {
  it.each(shareOf(chartNames(), SHARE))('%s: values.yaml', (name) => {
    const { files, errors, addOns } = imported({ objects: CLUSTER, chart: readValues(textOf(name)) });
    expect(errors).toEqual([]);
    const [, release = ''] = /^ {2}release: (.*)$/m.exec(files['cluster.yaml'] ?? '') ?? [];
    expect(addOns).toEqual(expectedAddOns(name, release));
  });

  it.each(shareOf(chartNames(), SHARE))('%s: the release, beside all objects of the chart', (name) => {
    const chart = newestRelease([secretOf(chartValues(name))]);
    if ('problem' in chart) throw new Error(chart.problem);
    const objects = chartObjects(name).map((object) => inNamespace(object));
    const { errors, addOns } = imported({ objects: [...CLUSTER, ...objects], chart });
    expect(errors).toEqual([]);
    expect(
      objectDifferences(
        addOns as RecordedObject[],
        expectedAddOns(name, 'v26.7') as RecordedObject[],
        CHART_ALLOWANCES,
      ),
    ).toEqual([]);
  });

  it('names each value that a person set and that is not carried over, with the reason', () => {
    const { findings } = imported({ objects: CLUSTER, chart: readValues(textOf('40-everything')) });
    expect(findings.map(({ message }) => message)).toEqual([
      'the values `upgradeCRDs`, `keepNCP` of the chart are not carried over: only hooks of Helm use that',
      'the value `imagePullSecrets` of the chart is not carried over: Weft has no pod of the operator',
      'the value `operator.admissionController.enabled` of the chart is not carried over: `weft synth` checks the same without a webhook',
      'the value `operator.maintenanceOperator.useRequestor` of the chart is not carried over: the operator asks the Maintenance Operator to empty nodes, and the companion empties them itself by default',
      'the value `operator.maintenanceOperator.useDrainControllerRequestor` of the chart is not carried over: the operator empties nodes for the SR-IOV operator, which waits for it; the companion does so where `externalDrainer` is enabled, without a NodeMaintenance',
      'the value `node-feature-discovery.postDeleteCleanup` of the chart is not carried over: nothing that Weft renders depends on that',
    ]);
  });
});

/** Helm sets the namespace of the release. */
function inNamespace(object: RecordedObject): NamedObject {
  return { ...object, metadata: { namespace: 'nvidia-network-operator', ...object.metadata } };
}

/** A Secret of Helm as it stores a release. */
function secretOf(config: object): NamedObject {
  const release = {
    ...{ name: 'network-operator', namespace: 'nvidia-network-operator', version: 3 },
    chart: {
      metadata: { name: 'network-operator', appVersion: 'v26.7.0' },
      values: { nfd: { enabled: true }, upgradeCRDs: true },
    },
    config,
  };
  const packed = gzipSync(JSON.stringify(release)).toString('base64');
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    type: 'helm.sh/release.v1',
    metadata: {
      name: 'sh.helm.release.v1.network-operator.v3',
      labels: { name: 'network-operator', owner: 'helm', status: 'deployed', version: '3' },
    },
    data: { release: Buffer.from(packed).toString('base64') },
  };
}
