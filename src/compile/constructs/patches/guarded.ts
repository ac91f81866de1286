import {
  DAEMON_SET_LABELS,
  DS_OWNER_LABEL,
  INSTALL_DIGEST_ANNOTATION,
  isDeliveryAnnotation,
  OFED_DRIVER_LABEL,
} from '../../../shared/contract/labels.js';
import { canonicalJson, isObject, valueAt } from '../../../shared/lib/json.js';
import { formatPath } from '../../model/issues.js';
import type { KubernetesObject } from '../../../shared/kubernetes/types.js';
import type { ObjectProblem } from './problems.js';

const ANNOTATIONS = ['metadata', 'annotations'];
const FIELDS = [
  ['metadata', 'ownerReferences'],
  ['metadata', 'finalizers'],
];
const STRATEGY = ['spec', 'updateStrategy'];

const FROM_TEMPLATE = 'leave it out: it is the digest of the pod template as all patches leave it';
const OF_DELIVERY =
  'leave it out: `gitops` of the Cluster decides how objects are delivered, and Weft which of them are kept; an extra object has its own in its document';
const OF_DRIVER = 'leave it out: the companion replaces the pods of OFED drivers, and no others, node by node';

/** The problem of a patch that changes by what other programs delete, deliver or upgrade an object; `undefined` if it does not. */
export function guardedProblem(object: KubernetesObject, patched: KubernetesObject): ObjectProblem | undefined {
  const isChanged = (path: readonly string[]): boolean =>
    canonicalJson(valueAt(object, path) ?? null) !== canonicalJson(valueAt(patched, path) ?? null);
  const keys = [object, patched].flatMap((side) => {
    const annotations = valueAt(side, ANNOTATIONS);
    return isObject(annotations) ? Object.keys(annotations) : [];
  });
  const digest = [...ANNOTATIONS, INSTALL_DIGEST_ANNOTATION];
  if (isChanged(digest)) return problem(digest, FROM_TEMPLATE);
  const marks = keys.filter(isDeliveryAnnotation).map((key) => [...ANNOTATIONS, key]);
  const delivery = [...FIELDS, ...marks].find(isChanged);
  if (delivery) return problem(delivery, OF_DELIVERY);
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
