import { isObject } from '../../lib/json.js';
import { toleratesAll, type Taint, type Toleration } from './taints.js';

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

/** The node constraints of a pod. */
interface NodeChoice {
  readonly nodeSelector?: Readonly<Record<string, string>>;
  readonly affinity?: unknown;
  readonly tolerations?: readonly Toleration[];
}

/** Nodes that have these labels, and perhaps others. */
interface SimilarNodes {
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly Taint[];
}

/**
 * False where the scheduler puts no such pod on the nodes: another value of a label is selected, or a taint is not tolerated. A
 * label that is not known of the nodes may be there.
 */
export function mayRunOn({ nodeSelector = {}, affinity, tolerations = [] }: NodeChoice, nodes: SimilarNodes): boolean {
  const hard = nodes.taints.filter(({ effect }) => effect !== 'PreferNoSchedule');
  const isSelected = Object.entries(nodeSelector).every(([key, value]) => (nodes.labels[key] ?? value) === value);
  return isSelected && toleratesAll(tolerations, hard) && requiredTerms(affinity).some((term) => mayMatch(term, nodes));
}

interface Expression {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

/** The terms of a required node affinity, of which one must match. Without any, one term that matches everything. */
function requiredTerms(affinity: unknown): readonly (readonly Expression[])[] {
  const { nodeAffinity } = (affinity ?? {}) as {
    nodeAffinity?: {
      requiredDuringSchedulingIgnoredDuringExecution?: {
        nodeSelectorTerms?: readonly { readonly matchExpressions?: readonly Expression[] }[];
      };
    };
  };
  const terms = nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  return terms?.map(({ matchExpressions = [] }) => matchExpressions) ?? [[]];
}

function mayMatch(expressions: readonly Expression[], { labels }: SimilarNodes): boolean {
  return expressions.every(({ key, operator, values = [] }) => {
    const own = labels[key];
    if (own === undefined) return true;
    if (operator === 'In') return values.includes(own);
    if (operator === 'NotIn') return !values.includes(own);
    return operator !== 'DoesNotExist';
  });
}
