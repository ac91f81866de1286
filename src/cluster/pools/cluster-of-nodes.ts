import { WEFT_API_VERSION } from '../../compile/model/cluster.js';
import type { NodePoolInput } from '../../compile/model/input.js';
import { proposedRelease } from '../../compile/releases/catalog.js';
import type { Comment } from '../../compile/render/yaml/input-document.js';
import { OFED_GATE_LABEL } from '../../shared/contract/labels.js';
import type { ClusterNode } from './nodes.js';

/** A document that people go on to edit. */
export interface InputDocument {
  readonly value: object;
  readonly comments: readonly Comment[];
}

const GATE_COMMENTS = {
  label: 'As the operator has it: its label is on the nodes, and device plugins select by it.',
  'ready-file': 'Device plugins wait for a file of the driver on their node.',
} as const;

/** A Cluster document that compiles without changes, with the choices that each cluster has to make. */
export function clusterOfNodes(
  name: string,
  nodes: readonly ClusterNode[],
  pools: readonly NodePoolInput[],
): InputDocument {
  const gate = gateOf(nodes);
  const isOpenshift = pools.some(({ rhcosVersion }) => rhcosVersion !== undefined);
  const spec = {
    release: proposedRelease.release,
    driver: { gate },
    ...(isOpenshift && { platform: 'openshift' }),
    nodePools: pools,
  };
  return {
    value: { apiVersion: WEFT_API_VERSION, kind: 'Cluster', metadata: { name }, spec },
    comments: [
      { path: ['spec', 'release'], text: 'Fills the images that a policy leaves out: the newest final release.' },
      { path: ['spec', 'driver', 'gate'], text: GATE_COMMENTS[gate] },
    ],
  };
}

/** Nodes with the operator's gate label have device plugins that select by it: with `label` their pods stay as they are. */
function gateOf(nodes: readonly ClusterNode[]): 'ready-file' | 'label' {
  return nodes.some(({ labels }) => labels.has(OFED_GATE_LABEL)) ? 'label' : 'ready-file';
}
