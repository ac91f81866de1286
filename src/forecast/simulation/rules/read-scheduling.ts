import type { LabelSelector } from '../../../shared/kubernetes/selection/label-selector.js';
import { constraintsOf, type NodeSelectorTerm } from '../../../shared/kubernetes/selection/node-placement.js';
import type { Toleration } from '../../../shared/kubernetes/selection/taints.js';
import { hostPortsOf } from './host-ports.js';
import type { AntiAffinityTerm } from './pod-affinity.js';
import { requestsOf } from './resources.js';
import type { PodScheduling } from './scheduling.js';
import type { SpreadConstraint } from './topology-spread.js';

type Labels = Readonly<Record<string, string>>;

/** The parts of a pod's `spec` that the scheduler reads. */
type SchedulingSpec = Parameters<typeof requestsOf>[0] &
  Parameters<typeof hostPortsOf>[0] & {
    readonly nodeSelector?: Labels;
    readonly tolerations?: readonly Toleration[];
    readonly affinity?: {
      readonly nodeAffinity?: unknown;
      readonly podAntiAffinity?: { readonly requiredDuringSchedulingIgnoredDuringExecution?: readonly ApiTerm[] };
    };
    readonly topologySpreadConstraints?: readonly ApiSpread[];
  };

interface ApiTerm {
  readonly labelSelector?: LabelSelector;
  readonly namespaces?: readonly string[];
  readonly namespaceSelector?: LabelSelector;
  readonly matchLabelKeys?: readonly string[];
  readonly topologyKey?: string;
}

interface ApiSpread extends ApiTerm {
  readonly maxSkew?: number;
  readonly minDomains?: number;
  readonly whenUnsatisfiable?: string;
}

/**
 * More than a pod needs. A tenant may write as many as an object holds, and a plan compares each with all nodes and pods of its namespace, for each
 * change of a node.
 */
export const REQUIREMENTS_MAX = 100;

/**
 * What the scheduler reads of a pod. One with more than `REQUIREMENTS_MAX` requirements counts as one without any.
 *
 * @param volumes the node affinity of its volumes
 */
export function schedulingOf(
  spec: SchedulingSpec,
  labels: Labels,
  volumes: readonly (readonly NodeSelectorTerm[])[],
): PodScheduling {
  const read = allOf(spec, labels, volumes);
  return requirementsIn(read) > REQUIREMENTS_MAX ? { ...allOf({}, {}, []), hasTooMany: true } : read;
}

/** Counts terms and constraints with the requirements of their selectors. */
function requirementsIn({
  requests,
  constraints,
  antiAffinity,
  spread,
  hostPorts,
  volumes,
}: Omit<PodScheduling, 'hasTooMany'>): number {
  const { nodeSelector, nodeAffinity = [], tolerations } = constraints;
  const terms = [...nodeAffinity, ...volumes.flat()].map(
    ({ matchExpressions, matchFields }) => 1 + matchExpressions.length + matchFields.length,
  );
  const selectors = [...antiAffinity, ...spread].map(
    ({ labelSelector: { matchLabels = {}, matchExpressions = [] } = {} }) =>
      1 + Object.keys(matchLabels).length + matchExpressions.length,
  );
  const others = [Object.keys(requests), Object.keys(nodeSelector), tolerations, hostPorts].map(({ length }) => length);
  return [...terms, ...selectors, ...others].reduce((sum, count) => sum + count, 0);
}

function allOf(spec: SchedulingSpec, labels: Labels, volumes: readonly (readonly NodeSelectorTerm[])[]): PodScheduling {
  const { affinity, topologySpreadConstraints = [] } = spec;
  const required = affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
  return {
    requests: requestsOf(spec),
    constraints: constraintsOf(spec),
    antiAffinity: required.map((term) => antiAffinityOf(term, labels)),
    spread: topologySpreadConstraints
      .filter(({ whenUnsatisfiable }) => whenUnsatisfiable === 'DoNotSchedule')
      .map((one) => spreadOf(one, labels)),
    hostPorts: hostPortsOf(spec),
    volumes,
  };
}

function antiAffinityOf(term: ApiTerm, labels: Labels): AntiAffinityTerm {
  const { namespaces, namespaceSelector, topologyKey = '' } = term;
  const isAll = namespaceSelector !== undefined && isEmpty(namespaceSelector);
  return {
    topologyKey,
    ...selectorOf(term, labels),
    ...(isAll
      ? { namespaces: new Set<string>() }
      : namespaces !== undefined && namespaces.length > 0
        ? { namespaces: new Set(namespaces) }
        : {}),
  };
}

function spreadOf(one: ApiSpread, labels: Labels): SpreadConstraint {
  const { topologyKey = '', maxSkew = 1, minDomains } = one;
  return { topologyKey, maxSkew, ...(minDomains !== undefined && { minDomains }), ...selectorOf(one, labels) };
}

/** `matchLabelKeys` add the values that the pod has: the pods of its own revision. */
function selectorOf(
  { labelSelector, matchLabelKeys = [] }: ApiTerm,
  labels: Labels,
): { readonly labelSelector?: LabelSelector } {
  if (labelSelector === undefined) return {};
  const own = matchLabelKeys.flatMap((key) => (labels[key] === undefined ? [] : [[key, labels[key]] as const]));
  if (own.length === 0) return { labelSelector };
  return {
    labelSelector: { ...labelSelector, matchLabels: { ...labelSelector.matchLabels, ...Object.fromEntries(own) } },
  };
}

function isEmpty({ matchLabels = {}, matchExpressions = [] }: LabelSelector): boolean {
  return Object.keys(matchLabels).length + matchExpressions.length === 0;
}
