import { isObject, listAt, textAt, valueAt } from '../lib/json.js';
import type { NamedObject } from './listed-object.js';
import { apiGroup } from './names.js';

/** A chart that an object of Flux or Argo CD installs: what Helm gets for it. */
export interface AppliedChart {
  /** The last part of its path; empty where none is named. */
  readonly chart: string;
  readonly version: string | undefined;
  readonly namespace: string | undefined;
  /** Of the release. */
  readonly name: string;
  /** YAML text where the object has it so. */
  readonly values: Readonly<Record<string, unknown>> | string;
  /** Fields with values that are elsewhere. */
  readonly elsewhere: readonly string[];
}

/** The charts that a HelmRelease of Flux or an Application of Argo CD installs. Any other object installs none. */
export function appliedCharts(object: NamedObject): readonly AppliedChart[] {
  const { apiVersion, kind, metadata } = object;
  const group = apiGroup(apiVersion);
  if (group === 'helm.toolkit.fluxcd.io' && kind === 'HelmRelease') return [ofHelmRelease(object)];
  if (group !== 'argoproj.io' || kind !== 'Application') return [];
  const spec = valueAt(object, ['spec']);
  const sources = [valueAt(spec, ['source']), ...listAt(spec, 'sources')];
  return sources.map((source) => ofSource(source, textAt(spec, 'destination', 'namespace'), metadata.name));
}

function ofSource(source: unknown, namespace: string | undefined, name: string): AppliedChart {
  const values = valueAt(source, ['helm', 'valuesObject']);
  return {
    chart: textAt(source, 'chart') ?? chartAt(textAt(source, 'path')),
    version: textAt(source, 'targetRevision'),
    namespace,
    name: textAt(source, 'helm', 'releaseName') ?? name,
    // Argo CD takes `valuesObject` where both are there (argo-cd, docs/user-guide/helm.md).
    values: isObject(values) ? values : (textAt(source, 'helm', 'values') ?? ''),
    elsewhere: ['valueFiles', 'parameters', 'fileParameters'].filter((key) => listAt(source, 'helm', key).length > 0),
  };
}

/** The name of a chart in a folder, which is that of the folder. */
const chartAt = (path = ''): string => path.split('/').at(-1) ?? '';

/** As Flux's helm-controller names a release (`HelmRelease.GetReleaseName`, api/v2). */
function ofHelmRelease(object: NamedObject): AppliedChart {
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
