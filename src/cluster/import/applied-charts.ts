import type { ChartValues } from '../../compile/addons/values.js';
import { diagnostic } from '../../shared/diagnostics/codes.js';
import type { Diagnostic } from '../../shared/diagnostics/diagnostic.js';
import type { NamedObject } from '../../shared/kubernetes/listed-object.js';
import { apiGroup } from '../../shared/kubernetes/names.js';
import { shellWord } from '../../shared/lib/escape.js';
import { isObject, listAt, textAt, valueAt } from '../../shared/lib/json.js';
import { listedNames } from '../../shared/lib/listed.js';
import type { ChartRelease } from './chart.js';
import { OPERATOR_CHART, operatorValues } from './chart-kinds.js';
import { documentsIn } from './read-source.js';
import { isIn, labelOf } from './source.js';

/** What a HelmRelease of Flux or an Application of Argo CD tells of the operator's chart. */
interface AppliedChart {
  /** Absent where it is installed in another namespace than the operator's. */
  readonly release?: ChartRelease;
  readonly findings: readonly Diagnostic[];
}

/** Where an object has what Helm gets. */
interface Applied {
  /** Empty where no chart is named. */
  readonly chart: string;
  readonly version: string | undefined;
  readonly namespace: string | undefined;
  readonly name: string;
  readonly values: ChartValues;
  /** Fields with values that are elsewhere. */
  readonly elsewhere: readonly string[];
}

/** The release of the operator's chart that an object stands for; `undefined` for any other object. */
export function appliedChart(object: NamedObject, namespace: string): AppliedChart | undefined {
  const applied = appliedBy(object);
  if (applied === undefined) return undefined;
  const { chart, version, name, elsewhere } = applied;
  const found = operatorValues(applied.values, chart);
  if (found === undefined) return undefined;
  if (!isIn(applied.namespace, namespace)) return { findings: [installedElsewhere(object, applied.namespace)] };
  // The chart of the operator has its version.
  const [, own] = (chart === OPERATOR_CHART && /^v?(\d+\.\d+\.\d+)$/.exec(version ?? '')) || [];
  return {
    release: { ...found, given: found.values, name, ...(own !== undefined && { appVersion: `v${own}` }) },
    findings: elsewhere.length === 0 ? [] : [valuesElsewhere(object, elsewhere)],
  };
}

function installedElsewhere(object: NamedObject, namespace = ''): Diagnostic {
  const message = `${labelOf(object)} is not carried over: it installs the chart in the namespace \`${namespace}\``;
  return diagnostic('WEFT0560', {
    message,
    help: `if the operator runs there, add \`--namespace ${shellWord(namespace)}\``,
  });
}

function valuesElsewhere(object: NamedObject, fields: readonly string[]): Diagnostic {
  const message = `${listedNames(fields, Infinity)} of ${labelOf(object)} ${fields.length === 1 ? 'is' : 'are'} not carried over: the values are elsewhere`;
  return diagnostic('WEFT0560', { message, help: 'add a file with these values by another `--from`, after this one' });
}

function appliedBy(object: NamedObject): Applied | undefined {
  const { apiVersion, kind, metadata } = object;
  const group = apiGroup(apiVersion);
  if (group === 'helm.toolkit.fluxcd.io' && kind === 'HelmRelease') return ofHelmRelease(object);
  if (group !== 'argoproj.io' || kind !== 'Application') return undefined;
  const spec = valueAt(object, ['spec']);
  const sources = [valueAt(spec, ['source']), ...listAt(spec, 'sources')];
  const read = sources.map((source) => ofSource(source, textAt(spec, 'destination', 'namespace'), metadata.name));
  return read.find(({ chart, values }) => operatorValues(values, chart) !== undefined);
}

function ofSource(source: unknown, namespace: string | undefined, name: string): Applied {
  const values = valueAt(source, ['helm', 'valuesObject']);
  return {
    chart: textAt(source, 'chart') ?? chartAt(textAt(source, 'path')),
    version: textAt(source, 'targetRevision'),
    namespace,
    name: textAt(source, 'helm', 'releaseName') ?? name,
    // Argo CD takes `valuesObject` where both are there (argo-cd, docs/user-guide/helm.md).
    values: isObject(values) ? values : valuesIn(textAt(source, 'helm', 'values')),
    elsewhere: ['valueFiles', 'parameters', 'fileParameters'].filter((key) => listAt(source, 'helm', key).length > 0),
  };
}

/** The name of a chart in a folder, which is that of the folder. */
const chartAt = (path = ''): string => path.split('/').at(-1) ?? '';

/** As Flux's helm-controller names a release (`HelmRelease.GetReleaseName`, api/v2). */
function ofHelmRelease(object: NamedObject): Applied {
  const spec = valueAt(object, ['spec']);
  const target = textAt(spec, 'targetNamespace');
  const values = valueAt(spec, ['values']);
  const { name, namespace } = object.metadata;
  return {
    chart: chartAt(textAt(spec, 'chart', 'spec', 'chart') ?? textAt(spec, 'chartRef', 'name')),
    version: textAt(spec, 'chart', 'spec', 'version'),
    namespace: target ?? namespace,
    name: textAt(spec, 'releaseName') ?? (target === undefined ? name : `${target}-${name}`),
    values: isObject(values) ? values : {},
    elsewhere: listAt(spec, 'valuesFrom').length > 0 ? ['valuesFrom'] : [],
  };
}

function valuesIn(text = ''): ChartValues {
  const read = documentsIn(text);
  const [values] = 'documents' in read ? read.documents : [];
  return isObject(values) ? values : {};
}
