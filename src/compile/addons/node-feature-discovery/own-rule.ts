import { NFD_LABELS } from '../../../shared/contract/labels.js';
import { isObject, listAt, textAt, valueAt } from '../../../shared/lib/json.js';
import type { KubernetesObject } from '../../../shared/kubernetes/types.js';

/** NFD puts its prefix before names of labels that have none (node-feature-discovery v0.18.3, pkg/nfd-master). */
const PREFIX = 'feature.node.kubernetes.io/';

/** Whether an object is a NodeFeatureRule that sets the label by which NIC nodes are selected. */
export function setsNicLabel(object: KubernetesObject): boolean {
  return nicLabelPath(object) !== undefined;
}

/** The path of the label in a NodeFeatureRule; `undefined` if it is not there. */
export function nicLabelPath(object: object): readonly (string | number)[] | undefined {
  if (valueAt(object, ['kind']) !== 'NodeFeatureRule') return undefined;
  for (const [index, rule] of listAt(object, 'spec', 'rules').entries()) {
    const labels = valueAt(rule, ['labels']);
    const name = isObject(labels) ? Object.keys(labels).find(isNicLabel) : undefined;
    if (name !== undefined) return ['spec', 'rules', index, 'labels', name];
    const lines = (textAt(rule, 'labelsTemplate') ?? '').split('\n');
    if (lines.some((line) => isNicLabel(line.split('=')[0]?.trim() ?? ''))) {
      return ['spec', 'rules', index, 'labelsTemplate'];
    }
  }
  return undefined;
}

const isNicLabel = (name: string): boolean => (name.includes('/') ? name : PREFIX + name) === NFD_LABELS.nicPresent;
