import { isObject } from '../../lib/json.js';

/**
 * Whether something in an object selects nodes by a label: a `nodeSelector`, or an expression of a selector or an affinity, of
 * workloads and of custom resources alike.
 */
export function selectsByLabel(value: unknown, label: string): boolean {
  if (Array.isArray(value)) return value.some((inner) => selectsByLabel(inner, label));
  if (!isObject(value)) return false;
  return Object.entries(value).some(([key, inner]) => {
    if (/nodeselector$/i.test(key) && isObject(inner) && Object.hasOwn(inner, label)) return true;
    return key === 'matchExpressions' && hasExpression(inner, label) ? true : selectsByLabel(inner, label);
  });
}

function hasExpression(expressions: unknown, label: string): boolean {
  return Array.isArray(expressions) && expressions.some((one) => isObject(one) && one['key'] === label);
}
