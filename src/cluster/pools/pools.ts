import { ARCH_LABEL, NFD_LABELS } from '../../shared/contract/labels.js';
import { canonicalJson, compareText } from '../../shared/lib/json.js';
import type { NodePoolInput } from '../../compile/model/input.js';
import type { Taint } from '../../shared/kubernetes/selection/taints.js';
import { isNicNode, type ClusterNode, type ContainerRuntime } from './nodes.js';

type Arch = NodePoolInput['arch'];

/** Why a NIC node is in no pool. */
export type NodeFinding =
  | { readonly kind: 'labels-missing'; readonly node: string; readonly labels: readonly string[] }
  | { readonly kind: 'arch-unknown'; readonly node: string; readonly arch: string };

/** The pools of a live cluster, sorted by name, and the NIC nodes without a pool. */
interface FoundPools {
  readonly pools: readonly NodePoolInput[];
  readonly findings: readonly NodeFinding[];
  /** Number of nodes by name of the pool. */
  readonly nodeCounts: ReadonlyMap<string, number>;
}

/**
 * The common properties of the nodes of one pool; their kernels may differ, for instance during a rolling kernel
 * update.
 */
interface Group {
  readonly osName: string;
  readonly osVersion: string;
  readonly arch: Arch;
  readonly containerRuntime?: ContainerRuntime;
  readonly rhcosVersion?: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly Taint[];
}

type NodeFacts = { readonly group: Group; readonly kernel: string } | { readonly finding: NodeFinding };

/** Labels that the operator reads; it skips a node that lacks one of them (v26.7, pkg/nodeinfo/node_info.go). */
const REQUIRED_LABELS = [NFD_LABELS.osName, NFD_LABELS.osVersion, ARCH_LABEL, NFD_LABELS.kernel] as const;

/** Labels that a pool's fields stand for. */
const IMPLIED_LABELS: ReadonlySet<string> = new Set([ARCH_LABEL, ...Object.values(NFD_LABELS)]);

/** Maximum length of a DNS label. */
const NAME_LENGTH_MAX = 63;

/**
 * The `nodePools` of the nodes with an NVIDIA NIC. The order of the nodes does not matter.
 *
 * @param selectors of NicNodePolicies: a label in one of them goes, with its value, into the pools' labels, and
 *   separates nodes with and without it
 */
export function poolsOf(
  nodes: readonly ClusterNode[],
  selectors: readonly Readonly<Record<string, string>>[] = [],
): FoundPools {
  const findings: NodeFinding[] = [];
  const groups = new Map<string, { readonly group: Group; readonly kernels: Set<string>; count: number }>();
  for (const node of nodes.filter(isNicNode)) {
    const facts = factsOf(node, selectors);
    if ('finding' in facts) {
      findings.push(facts.finding);
      continue;
    }
    const key = canonicalJson(facts.group);
    const known = groups.get(key) ?? { group: facts.group, kernels: new Set(), count: 0 };
    known.kernels.add(facts.kernel);
    known.count += 1;
    groups.set(key, known);
  }
  const sorted = [...groups].sort(([a], [b]) => compareText(a, b)).map(([, value]) => value);
  const names = uniqueNames(sorted.map(({ group }) => group));
  const pools = sorted.map(({ group, kernels }, index) => toPool(names[index] ?? '', group, kernels));
  return {
    pools: pools.sort((a, b) => compareText(a.name, b.name)),
    findings: findings.sort((a, b) => compareText(a.node, b.node)),
    nodeCounts: new Map(sorted.map(({ count }, index) => [names[index] ?? '', count])),
  };
}

function factsOf(node: ClusterNode, selectors: readonly Readonly<Record<string, string>>[]): NodeFacts {
  const { name, labels, taints } = node;
  const [osName, osVersion, arch, kernel] = REQUIRED_LABELS.map((label) => labels.get(label));
  if (!osName || !osVersion || !arch || !kernel) {
    const missing = REQUIRED_LABELS.filter((label) => !labels.get(label));
    return { finding: { kind: 'labels-missing', node: name, labels: missing } };
  }
  if (arch !== 'amd64' && arch !== 'arm64') return { finding: { kind: 'arch-unknown', node: name, arch } };
  const rhcosVersion = labels.get(NFD_LABELS.rhcosVersion);
  const defaultRuntime: ContainerRuntime = rhcosVersion ? 'cri-o' : 'containerd';
  const { containerRuntime = defaultRuntime } = node;
  const group: Group = {
    osName,
    osVersion,
    arch,
    ...(containerRuntime === defaultRuntime ? {} : { containerRuntime }),
    ...(rhcosVersion ? { rhcosVersion } : {}),
    labels: selectedLabels(node, selectors),
    taints,
  };
  return { group, kernel };
}

function selectedLabels(
  { labels }: ClusterNode,
  selectors: readonly Readonly<Record<string, string>>[],
): Readonly<Record<string, string>> {
  const asked = selectors.flatMap((selector) => Object.entries(selector));
  const found = asked.filter(([key, value]) => !IMPLIED_LABELS.has(key) && labels.get(key) === value);
  return Object.fromEntries(found.sort(([a], [b]) => compareText(a, b)));
}

/** In the order in which people write them. */
function toPool(name: string, { labels, taints, ...group }: Group, kernels: ReadonlySet<string>): NodePoolInput {
  const [kernel = '', ...more] = [...kernels].sort(compareText);
  const { osName, osVersion, arch, ...rest } = group;
  return {
    name,
    osName,
    osVersion,
    arch,
    ...(more.length === 0 ? { kernel } : { kernels: [kernel, ...more] }),
    ...rest,
    ...(Object.keys(labels).length === 0 ? {} : { labels }),
    // The API server allows the same effects as the schema.
    ...(taints.length === 0 ? {} : { taints: taints as NonNullable<NodePoolInput['taints']> }),
  };
}

/** A name for each group: a descriptive label value, then the RHCOS version if the names are equal, then a number. */
function uniqueNames(groups: readonly Group[]): readonly string[] {
  const plain = groups.map((group) => nameOf(group, []));
  const used = new Set<string>();
  return groups.map((group, index) => {
    const isShared = plain.filter((name) => name === plain[index]).length > 1;
    const wanted = nameOf(group, isShared && group.rhcosVersion !== undefined ? [group.rhcosVersion] : []);
    let name = wanted;
    for (let number = 2; used.has(name); number += 1) {
      const suffix = `-${number}`;
      name = wanted.slice(0, NAME_LENGTH_MAX - suffix.length) + suffix;
    }
    used.add(name);
    return name;
  });
}

function nameOf(group: Group, more: readonly string[]): string {
  const { osName, osVersion, arch, containerRuntime, labels, taints } = group;
  const features = [...Object.entries(labels), ...taints.map(({ key, value = '' }) => [key, value] as const)].map(
    ([key, value]) => featureName(key, value),
  );
  const parts = [
    osName,
    osVersion,
    arch,
    ...more,
    ...(containerRuntime ? [containerRuntime] : []),
    ...new Set(features),
  ];
  const text = parts.join('-').toLowerCase();
  return text
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, NAME_LENGTH_MAX)
    .replace(/^-|-$/g, '');
}

/**
 * The value of a label is more descriptive than its key (`pool=h100`), unless it is empty or `true`
 * (`node-role.kubernetes.io/infra`).
 */
function featureName(key: string, value: string): string {
  return value === '' || value === 'true' ? (key.split('/').at(-1) ?? key) : value;
}
