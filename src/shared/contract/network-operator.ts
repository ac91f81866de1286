import { isObject, listAt, textAt, valueAt } from '../lib/json.js';
import { textAfterLast, textBefore } from '../lib/text.js';

/**
 * By what the controller of the NVIDIA Network Operator is recognized. Its Helm chart sets the first label, whose value is
 * `nameOverride` if a user sets that; the bundle for OLM sets only the second (`bundle/manifests`, b06827e0). A mirror may change
 * the registry and the path of the image, but seldom its name.
 */
const NETWORK_OPERATOR_LABELS: Readonly<Record<string, string>> = {
  'app.kubernetes.io/name': 'network-operator',
  'control-plane': 'nvidia-network-operator-controller',
};
/** The last part of the image's path, in every release. */
const NETWORK_OPERATOR_IMAGE = 'network-operator';
/** Name of its chart, and of its values in those of a chart that depends on it. */
export const OPERATOR_CHART = 'network-operator';
/** Namespace of the operator's chart, and of what a Cluster document renders where it names none. */
export const DEFAULT_NAMESPACE = 'nvidia-network-operator';

/** What the Operator Lifecycle Manager calls it: `bundle/metadata/annotations.yaml`, b06827e0. */
export const OPERATOR_PACKAGE = 'nvidia-network-operator';
/** Its Lease, in its own namespace: `LeaderElectionID` in `main.go`, b06827e0. */
export const NETWORK_OPERATOR_LEASE = '12620820.mellanox.com';
/** API group of its custom resources. */
export const NETWORK_OPERATOR_GROUP = 'mellanox.com';
/** The version that all of them have. */
export const NETWORK_OPERATOR_API_VERSION = `${NETWORK_OPERATOR_GROUP}/v1alpha1`;
/** The annotation by which it skips objects that it holds for current: `pkg/state/state_skel.go`, b06827e0. */
export const NETWORK_OPERATOR_REVISION = 'nvidia.network-operator.revision';

/** What is read of a pod, or of the pod template of a Deployment. */
export interface PodMarks {
  readonly labels: Readonly<Record<string, string>>;
  /** Images of all containers. */
  readonly images: readonly string[];
}

/** Whether a pod is one of the operator's controller: it has one of the labels or the image. Jobs of its chart's hooks are, too. */
export function isNetworkOperatorPod({ labels, images }: PodMarks): boolean {
  for (const key in NETWORK_OPERATOR_LABELS) if (labels[key] === NETWORK_OPERATOR_LABELS[key]) return true;
  return images.some(isNetworkOperatorImage);
}

/** The same of a pod as the API server has it, or of the pod template of a Deployment. */
export function isNetworkOperatorTemplate(template: unknown): boolean {
  const labels = valueAt(template, ['metadata', 'labels']);
  const images = listAt(template, 'spec', 'containers').map((container) => textAt(container, 'image') ?? '');
  return isNetworkOperatorPod({ labels: isObject(labels) ? (labels as PodMarks['labels']) : {}, images });
}

/** Whether the last part of the path of an image, without tag and digest, is the operator's. */
function isNetworkOperatorImage(image: string): boolean {
  return textBefore(textAfterLast(textBefore(image, '@'), '/'), ':') === NETWORK_OPERATOR_IMAGE;
}
