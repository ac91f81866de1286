import { mapAt, without, type ChartValues } from '../values.js';

/** The section for values of the chart, without values that only hooks or the computation of a checksum use. */
export function ofChartValues(values: ChartValues): ChartValues {
  const nfd = mapAt(values, 'nfd');
  const given = mapAt(values, 'node-feature-discovery');
  const { imagePullSecrets } = mapAt(values, 'global');
  return {
    deploy: nfd['enabled'] ?? true,
    rules: nfd['deployNodeFeatureRules'] ?? true,
    ...(imagePullSecrets === undefined ? {} : { imagePullSecrets }),
    ...without(given, 'postDeleteCleanup', 'checksumValuesOnly', 'global', 'enableNodeFeatureApi'),
  };
}
