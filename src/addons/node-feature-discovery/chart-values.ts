import { mapAt, without, type ChartValues } from '../values.js';

/** The section that stands for values of the chart. What only a hook, or the way to make a checksum, depends on is left out. */
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
