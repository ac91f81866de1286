import { isObject, valueAt } from '../../lib/json.js';
import { fromStructured, matchesSelector } from './label-selector.js';
import { apiGroup } from '../names.js';

const KINDS = ['DaemonSet', 'Deployment', 'ReplicaSet', 'StatefulSet'];
const SELECTOR = ['spec', 'selector'];
const LABELS = ['spec', 'template', 'metadata', 'labels'];

/**
 * Whether a workload's selector leaves out the pods of its own template, which the API server refuses (kubernetes v1.36,
 * pkg/apis/apps/validation/validation.go). False for objects of other kinds, and for a workload that lacks one of the two.
 */
export function missesItsPods(object: Readonly<Record<string, unknown>>): boolean {
  const { apiVersion, kind } = object;
  if (apiGroup(String(apiVersion)) !== 'apps' || !KINDS.includes(String(kind))) return false;
  const selector = valueAt(object, SELECTOR);
  if (!isObject(selector) || !isObject(valueAt(object, ['spec', 'template']))) return false;
  const labels = valueAt(object, LABELS);
  return !matchesSelector(
    fromStructured(selector),
    isObject(labels) ? (labels as Readonly<Record<string, string>>) : {},
  );
}
