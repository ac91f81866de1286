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
 * The files that turn a folder of templates into a chart. There are no values, because the templates are complete
 * manifests. `.helmignore` is not needed, because the folder has no other files.
 */
export function chartFiles(chart: Chart, cluster: string, { version }: HelmCharts): readonly OutputFile[] {
  const name = chart === 'main' ? cluster : `${cluster}-${chart}`;
  const metadata = { apiVersion: 'v2', name, description: DESCRIPTIONS[chart], type: 'application', version };
  return [
    { path: `${chart}/Chart.yaml`, text: toYaml(metadata) },
    { path: `${chart}/values.yaml`, text: toYaml({}) },
  ];
}
