import { constraintsOf, type NodeConstraints } from '../kubernetes/selection/node-placement.js';
import { isObject, listAt, valueAt } from '../lib/json.js';
import { OFED_GATE_LABEL, OFED_READY_FILE, OFED_WAIT_CONTAINER } from './labels.js';

/**
 * What keeps a pod waiting for the driver of its node: the node label that it selects, or the file of the driver, for which an init
 * container waits. Pods of other programs, and of output of older versions of Weft, mount the file.
 *
 * @param spec of a pod, of which any field may be malformed
 */
export function podGate(spec: unknown): 'label' | 'ready-file' | 'none' {
  if (valueAt(spec, ['nodeSelector', OFED_GATE_LABEL]) !== undefined) return 'label';
  const waits = listAt(spec, 'initContainers').some((one) => valueAt(one, ['name']) === OFED_WAIT_CONTAINER);
  const mounts = listAt(spec, 'volumes').some((one) => valueAt(one, ['hostPath', 'path']) === OFED_READY_FILE);
  return waits || mounts ? 'ready-file' : 'none';
}

/** The constraints of a pod's `spec` without the node label that it waits for. */
export function ungatedConstraints(spec: unknown): NodeConstraints {
  const { nodeSelector, ...others } = constraintsOf(isObject(spec) ? spec : {});
  const labels = Object.entries(nodeSelector).filter(([key]) => key !== OFED_GATE_LABEL);
  return { nodeSelector: Object.fromEntries(labels), ...others };
}
