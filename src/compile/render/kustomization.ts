import type { OutputFile } from './layout.js';
import { toYaml } from './yaml/yaml.js';

/**
 * The list that makes kubectl, Argo CD and Flux apply exactly these files. Without it Flux would apply every YAML file
 * of the folder, and Argo CD in directory mode only those of its top level.
 *
 * @param paths files and folders, relative to the folder of the list
 * @param folder that of the list. Default: the top
 */
export function kustomization(paths: readonly string[], folder?: string): OutputFile {
  const content = {
    apiVersion: 'kustomize.config.k8s.io/v1beta1',
    kind: 'Kustomization',
    resources: [...paths].sort(),
  };
  return { path: `${folder === undefined ? '' : `${folder}/`}kustomization.yaml`, text: toYaml(content) };
}
