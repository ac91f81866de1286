import {
  DAEMON_SET_LABELS,
  DS_OWNER_LABEL,
  INSTALL_DIGEST_ANNOTATION,
  isDeliveryAnnotation,
  isDeliveryLabel,
  MIRROR_ANNOTATION_PREFIX,
  OFED_DRIVER_LABEL,
} from '../../../shared/contract/labels.js';
import { canonicalJson, isObject, valueAt } from '../../../shared/lib/json.js';
import { formatPath } from '../../model/issues.js';
import type { KubernetesObject } from '../../../shared/kubernetes/types.js';
import type { ObjectProblem } from './problems.js';

const ANNOTATIONS = ['metadata', 'annotations'];
const LABELS = ['metadata', 'labels'];
const FIELDS = [
  ['metadata', 'ownerReferences'],
  ['metadata', 'finalizers'],
];
const POD_ANNOTATIONS = ['spec', 'template', 'metadata', 'annotations'];
const STRATEGY = ['spec', 'updateStrategy'];
const NODE_NAME = ['spec', 'template', 'spec', 'nodeName'];

const FROM_TEMPLATE = 'leave it out: it is the digest of the pod template as all patches leave it';
const OF_MIRRORS =
  'leave it out: `spec.mirrors` and `weft.lock` decide which image counts as which, so a patch could make another driver count as the same';
const OF_DELIVERY =
  'leave it out: `gitops` of the Cluster decides how objects are delivered, and Weft which of them are kept; an extra object has its own in its document';
/** Kubernetes, pkg/controller/daemon/daemon_controller.go, NodeShouldRunDaemonPod. */
const OF_ONE_NODE =
  'leave it out, or select nodes by `nodeSelector`: the controller of the DaemonSet ends its pods on all other nodes at once';
const OF_DRIVER = 'leave it out: the companion replaces the pods of OFED drivers, and no others, node by node';

/** The problem of a patch that changes by what other programs delete, deliver or upgrade an object; `undefined` if it does not. */
export function guardedProblem(object: KubernetesObject, patched: KubernetesObject): ObjectProblem | undefined {
  const isChanged = (path: readonly string[]): boolean =>
    canonicalJson(valueAt(object, path) ?? null) !== canonicalJson(valueAt(patched, path) ?? null);
  const keysAt = (path: readonly string[]): readonly string[] =>
    [object, patched].flatMap((side) => {
      const marks = valueAt(side, path);
      return isObject(marks) ? Object.keys(marks) : [];
    });
  const digest = [...ANNOTATIONS, INSTALL_DIGEST_ANNOTATION];
  if (isChanged(digest)) return problem(digest, FROM_TEMPLATE);
  const marks = [
    ...keysAt(ANNOTATIONS)
      .filter(isDeliveryAnnotation)
      .map((key) => [...ANNOTATIONS, key]),
    ...keysAt(LABELS)
      .filter(isDeliveryLabel)
      .map((key) => [...LABELS, key]),
  ];
  const mirror = keysAt(POD_ANNOTATIONS)
    .filter((key) => key.startsWith(MIRROR_ANNOTATION_PREFIX))
    .map((key) => [...POD_ANNOTATIONS, key])
    .find(isChanged);
  if (mirror) return problem(mirror, OF_MIRRORS);
  const delivery = [...FIELDS, ...marks].find(isChanged);
  if (delivery) return problem(delivery, OF_DELIVERY);
  if (object.kind === 'DaemonSet' && isChanged(NODE_NAME)) return problem(NODE_NAME, OF_ONE_NODE);
  const labels = DAEMON_SET_LABELS.flatMap((path) => [OFED_DRIVER_LABEL, DS_OWNER_LABEL].map((key) => [...path, key]));
  const isDriver = DAEMON_SET_LABELS.some((path) => valueAt(object, [...path, OFED_DRIVER_LABEL]) !== undefined);
  const ofDriver = [...labels, ...(isDriver ? [STRATEGY] : [])].find(isChanged);
  return ofDriver && problem(ofDriver, OF_DRIVER);
}

function problem(path: readonly string[], help: string): ObjectProblem {
  return {
    code: 'WEFT0277',
    path: ['patch'],
    messageFor: (objects) => `changes \`${formatPath(path)}\` of ${objects}`,
    help,
  };
}
