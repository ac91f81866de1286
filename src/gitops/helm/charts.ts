import type { HelmCharts } from '../../model/gitops.js';
import type { OutputFile } from '../../render/layout.js';
import { toYaml } from '../../render/yaml/yaml.js';

/** Folders of the two charts of a cluster. */
export const CHARTS = ['base', 'main'] as const;
type Chart = (typeof CHARTS)[number];

const DESCRIPTIONS: Readonly<Record<Chart, string>> = {
  base: 'Namespaces and CRDs, which must be there before the rest',
  main: 'Networks, their plugins and drivers',
};

/**
 * What makes a chart of a folder of templates. There are no values: the objects are rendered as they are. `.helmignore` is not
 * needed, because nothing else is in the folder.
 */
export function chartFiles(chart: Chart, cluster: string, { version }: HelmCharts): readonly OutputFile[] {
  const name = chart === 'main' ? cluster : `${cluster}-${chart}`;
  const metadata = { apiVersion: 'v2', name, description: DESCRIPTIONS[chart], type: 'application', version };
  return [
    { path: `${chart}/Chart.yaml`, text: toYaml(metadata) },
    { path: `${chart}/values.yaml`, text: toYaml({}) },
  ];
}
