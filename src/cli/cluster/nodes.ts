import { listAll } from '../../shared/kube-client/list.js';
import type { Session } from '../../cluster/client/session.js';
import { readNodes, type ClusterNode } from '../../cluster/pools/nodes.js';
import { noAnswer, Refusal, valueOf } from '../../cluster/reader/answers.js';

/** The nodes of a live cluster. `help`: what to do where they may not be listed. */
export async function listNodes({ client }: Session, help?: string): Promise<readonly ClusterNode[]> {
  const { items } = valueOf(await listAll(client, '/api/v1/nodes', (node) => node), help);
  const read = readNodes({ kind: 'NodeList', items });
  if ('nodes' in read) return read.nodes;
  throw new Refusal(noAnswer({ kind: 'error', message: `the list of nodes cannot be used: ${read.problem}` }));
}
