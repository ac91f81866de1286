import type { ApiNode } from '../../shared/kubernetes/shapes/cluster.js';
import { compareText } from '../../shared/lib/json.js';
import type { Session } from '../client/session.js';
import { clusterNode, type ClusterNode } from '../pools/nodes.js';
import { read } from './read.js';

/** The nodes of a live cluster, sorted by name. `help`: what to do where they may not be listed. */
export async function listNodes({ client }: Session, help?: string): Promise<readonly ClusterNode[]> {
  const { items } = await read(client, [{ kind: 'Node' }], { help });
  return items.map((node) => clusterNode(node as ApiNode)).sort((a, b) => compareText(a.name, b.name));
}
