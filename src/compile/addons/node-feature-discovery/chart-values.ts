import { isObject } from '../../../shared/lib/json.js';
import { mapAt, without, type ChartValues } from '../values.js';

/** The section for values of the chart, without values that only hooks and the chart's own checksum use. */
export function ofChartValues(values: ChartValues): ChartValues {
  const nfd = mapAt(values, 'nfd');
  const given = mapAt(values, 'node-feature-discovery');
  const { imagePullSecrets } = mapAt(values, 'global');
  return {
    deploy: nfd['enabled'] ?? true,
    rules: nfd['deployNodeFeatureRules'] ?? true,
    ...(imagePullSecrets === undefined ? {} : { imagePullSecrets }),
    ...withoutRoles(without(given, 'postDeleteCleanup', 'global', 'enableNodeFeatureApi', 'checksumValuesOnly')),
  };
}

/** Roles are always rendered with their programs. Where the values turn them off, the section is refused. */
function withoutRoles(section: ChartValues): ChartValues {
  const entries = Object.entries(section).map(([key, value]): [string, unknown] => {
    const isUsual = isObject(value) && mapAt(value, 'rbac')['create'] === true;
    return [key, isUsual ? without(value, 'rbac') : value];
  });
  return Object.fromEntries(entries);
}
