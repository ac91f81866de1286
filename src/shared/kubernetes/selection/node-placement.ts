import { fromStructured, matchesSelector, type Selector } from './label-selector.js';
import { CONDITION_TAINTS, toleratesAll, type Taint, type Toleration } from './taints.js';

/** What a pod template demands of the node that its pods run on. */
export interface NodeConstraints {
  readonly nodeSelector: Readonly<Record<string, string>>;
  /** `requiredDuringSchedulingIgnoredDuringExecution` of the node affinity: terms of which one must match. Absent: none is required. */
  readonly nodeAffinity?: readonly NodeSelectorTerm[];
  readonly tolerations: readonly Toleration[];
}

export interface NodeSelectorTerm {
  readonly matchExpressions: readonly NodeSelectorRequirement[];
  /** Requirements on `metadata.name`. */
  readonly matchFields: readonly NodeSelectorRequirement[];
}

interface NodeSelectorRequirement {
  readonly key: string;
  readonly operator: string;
  readonly values: readonly string[];
}

/** A node, or all nodes of a pool. */
export interface PlacementNode {
  /** Absent: a pool, whose nodes may have any name. */
  readonly name?: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly Taint[];
  /** `any`: a label that is not listed may be there with any value, as on the nodes of a pool. Default: it is absent. */
  readonly otherLabels?: 'any';
}

/** Why a pod does not run on a node. */
export type Misfit =
  | { readonly kind: 'taint'; readonly taint: Taint }
  /** The node has another value of the label, or none. `wanted`: the values that are accepted; empty where no list of values is asked for. */
  | { readonly kind: 'label'; readonly key: string; readonly wanted: readonly string[] }
  | { readonly kind: 'name' };

/** Where the pods of one template run. */
export interface NodePlacement {
  readonly accepts: (node: PlacementNode) => boolean;
  /** Empty exactly if `accepts` is true. If several terms of an affinity could match, those of the nearest. */
  readonly misfitsOf: (node: PlacementNode) => readonly Misfit[];
}

interface Term {
  readonly labels: Selector;
  readonly names: Selector;
}

/**
 * Parses the constraints once. The rules are those of Kubernetes' scheduler, which the DaemonSet controller shares
 * (`pkg/controller/daemon`, Predicates). A taint with a key of `CONDITION_TAINTS` counts as tolerated, because it goes by itself.
 */
export function nodePlacement({ nodeSelector, nodeAffinity, tolerations }: NodeConstraints): NodePlacement {
  const selector = fromStructured({ matchLabels: nodeSelector });
  const terms = nodeAffinity?.map(readTerm);
  return {
    accepts: (node) =>
      matchesSelector(known(selector, node), node.labels) &&
      (terms === undefined || terms.some((term) => meets(term, node))) &&
      node.taints.every((taint) => toleratesTaint(tolerations, taint)),
    misfitsOf: (node) => [
      ...labelMisfits(selector, node),
      ...(terms === undefined ? [] : affinityMisfits(terms, node)),
      ...node.taints
        .filter((taint) => !toleratesTaint(tolerations, taint))
        .map((taint) => ({ kind: 'taint', taint }) as const),
    ],
  };
}

/** The constraints of a pod's `spec` as the API has it. */
export function constraintsOf({ nodeSelector = {}, affinity, tolerations = [] }: PodSpecPart): NodeConstraints {
  const { nodeAffinity } = (affinity ?? {}) as { readonly nodeAffinity?: RequiredAffinity };
  const terms = nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  return {
    nodeSelector,
    tolerations,
    ...(terms && {
      nodeAffinity: terms.map(({ matchExpressions, matchFields }) => ({
        matchExpressions: requirementsOf(matchExpressions),
        matchFields: requirementsOf(matchFields),
      })),
    }),
  };
}

interface PodSpecPart {
  readonly nodeSelector?: Readonly<Record<string, string>>;
  readonly affinity?: unknown;
  readonly tolerations?: readonly Toleration[];
}

interface RequiredAffinity {
  readonly requiredDuringSchedulingIgnoredDuringExecution?: {
    readonly nodeSelectorTerms?: readonly {
      readonly matchExpressions?: readonly ApiRequirement[] | null;
      readonly matchFields?: readonly ApiRequirement[] | null;
    }[];
  };
}

interface ApiRequirement {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[] | null;
}

function requirementsOf(requirements: readonly ApiRequirement[] | null = []): readonly NodeSelectorRequirement[] {
  return (requirements ?? []).map(({ key, operator, values }) => ({ key, operator, values: values ?? [] }));
}

function readTerm({ matchExpressions, matchFields }: NodeSelectorTerm): Term | undefined {
  // A term without requirements matches nothing: Kubernetes' `nodeaffinity` package.
  if (matchExpressions.length + matchFields.length === 0) return undefined;
  return {
    labels: fromStructured({ matchExpressions }),
    names: fromStructured({ matchExpressions: matchFields }),
  };
}

function meets(term: Term | undefined, node: PlacementNode): boolean {
  return term !== undefined && matchesSelector(known(term.labels, node), node.labels) && meetsName(term, node);
}

function meetsName({ names }: Term, { name }: PlacementNode): boolean {
  return name === undefined || matchesSelector(names, { 'metadata.name': name });
}

/** The requirements on labels whose value is known. */
function known(selector: Selector, { labels, otherLabels }: PlacementNode): Selector {
  return otherLabels === 'any' ? selector.filter(({ key }) => Object.hasOwn(labels, key)) : selector;
}

function labelMisfits(selector: Selector, node: PlacementNode): readonly Misfit[] {
  return known(selector, node)
    .filter((requirement) => !matchesSelector([requirement], node.labels))
    .map(({ key, operator, values }) => ({ kind: 'label', key, wanted: operator === 'in' ? [...values] : [] }));
}

function affinityMisfits(terms: readonly (Term | undefined)[], node: PlacementNode): readonly Misfit[] {
  if (terms.some((term) => meets(term, node))) return [];
  const [nearest] = terms
    .flatMap((term) => (term === undefined ? [] : [termMisfits(term, node)]))
    .sort((a, b) => a.length - b.length);
  // Without a term that could match, no node is accepted, whatever its name.
  return nearest ?? [{ kind: 'name' }];
}

function termMisfits(term: Term, node: PlacementNode): readonly Misfit[] {
  return [...labelMisfits(term.labels, node), ...(meetsName(term, node) ? [] : [{ kind: 'name' } as const])];
}

function toleratesTaint(tolerations: readonly Toleration[], taint: Taint): boolean {
  const isIgnored = taint.effect === 'PreferNoSchedule' || CONDITION_TAINTS.has(taint.key);
  return isIgnored || toleratesAll(tolerations, [taint]);
}
