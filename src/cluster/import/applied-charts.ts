import type { ChartValues } from '../../compile/addons/values.js';
import { OPERATOR_CHART } from '../../shared/contract/network-operator.js';
import { diagnostic } from '../../shared/diagnostics/codes.js';
import type { Diagnostic } from '../../shared/diagnostics/diagnostic.js';
import { appliedCharts, type AppliedChart } from '../../shared/kubernetes/applied-charts.js';
import type { NamedObject } from '../../shared/kubernetes/listed-object.js';
import { shellWord } from '../../shared/lib/escape.js';
import { isObject } from '../../shared/lib/json.js';
import { listedNames } from '../../shared/lib/listed.js';
import type { ChartRelease } from './chart.js';
import { operatorValues } from './chart-kinds.js';
import { documentsIn } from './read-source.js';
import { isIn, labelOf } from './source.js';

/** What a HelmRelease of Flux or an Application of Argo CD tells of the operator's chart. */
interface OperatorRelease {
  /** Absent where it is installed in another namespace than the operator's. */
  readonly release?: ChartRelease;
  readonly findings: readonly Diagnostic[];
}

/** The release of the operator's chart that an object stands for; `undefined` for any other object. */
export function appliedChart(object: NamedObject, namespace: string): OperatorRelease | undefined {
  const read = appliedCharts(object).map((applied) => ({ ...applied, found: foundIn(applied) }));
  const applied = read.find(({ found }) => found !== undefined);
  if (applied?.found === undefined) return undefined;
  const { chart, version, name, elsewhere, found } = applied;
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

function foundIn({ chart, values }: AppliedChart): ReturnType<typeof operatorValues> {
  return operatorValues(typeof values === 'string' ? valuesIn(values) : values, chart);
}

function valuesIn(text: string): ChartValues {
  const read = documentsIn(text);
  const [values] = 'documents' in read ? read.documents : [];
  return isObject(values) ? values : {};
}
