import { NFD_LABELS } from '../../../shared/contract/labels.js';
import { isObject, listAt, valueAt } from '../../../shared/lib/json.js';
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
    if (!isObject(labels)) continue;
    const name = Object.keys(labels).find((key) => (key.includes('/') ? key : PREFIX + key) === NFD_LABELS.nicPresent);
    if (name !== undefined) return ['spec', 'rules', index, 'labels', name];
  }
  return undefined;
}
