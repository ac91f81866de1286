import { OFED_GATE_LABEL } from '../../shared/contract/labels.js';
import { taintText, type Taint } from '../../shared/kubernetes/selection/taints.js';
import type { NodePool } from '../../compile/model/config.js';
import { lastingTaints, type ClusterNode } from '../pools/nodes.js';
import type { NodeStatus } from './model.js';

/** A live node with the pool that it is in. */
export interface PooledNode {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly Taint[];
  /** Empty: in none. */
  readonly pool: string;
}

/** The pool of each node: of those whose labels and taints it has, the one with most. */
export function pooledNodes(nodes: readonly ClusterNode[], pools: readonly NodePool[]): readonly PooledNode[] {
  const sorted = pools
    .map(({ name, labels, taints }) => ({ name, marks: marksOf(Object.entries(labels), lastingTaints(taints)) }))
    .sort((a, b) => b.marks.length - a.marks.length);
  return nodes.map(({ name, labels, taints }) => {
    const own = new Set(marksOf([...labels], taints));
    const pool = sorted.find(({ marks }) => marks.every((mark) => own.has(mark)))?.name ?? '';
    return { name, labels: Object.fromEntries(labels), taints, pool };
  });
}

function marksOf(labels: readonly (readonly [string, string])[], taints: readonly Taint[]): readonly string[] {
  return [
    ...labels.map(([key, value]) => `label ${key}=${value}`),
    ...taints.map((taint) => `taint ${taintText(taint)}`),
  ];
}

/** What the operator's label says: network-operator, `controllers/mofed_wait_labels.go`. */
export function gateOf({ labels }: PooledNode): NodeStatus['gate'] {
  const value = labels[OFED_GATE_LABEL];
  return value === undefined ? '' : value === 'false' ? 'open' : 'closed';
}
