import { diagnostic } from '../../shared/diagnostics/codes.js';
import type { Diagnostic } from '../../shared/diagnostics/diagnostic.js';
import { readNodesText, type ClusterNode } from '../../cluster/pools/nodes.js';
import { readGiven } from '../given-file.js';
import type { Io } from '../io.js';

/** Reads the nodes of the one cluster that is compared from a file with the output of `kubectl get nodes -o json`. */
export async function readNodesFile(path: string, io: Io): Promise<readonly ClusterNode[] | Diagnostic> {
  const text = await readGiven(path, io);
  if (typeof text !== 'string') return unusable(path, text.problem);
  // PowerShell writes a byte order mark.
  const read = readNodesText(text.replace(/^\uFEFF/, ''));
  return 'nodes' in read ? read.nodes : unusable(path, read.problem);
}

/** Nodes belong to one cluster. */
export function nodesOfSeveral(count: number): Diagnostic {
  const message = `\`--nodes\` has the nodes of one cluster, and ${count} are compared`;
  return diagnostic('WEFT0410', { message, help: 'name the folder of its input with `--folder`' });
}

function unusable(path: string, reason: string): Diagnostic {
  const help = 'write them to a file: `kubectl get nodes -o json > nodes.json`';
  return diagnostic('WEFT0411', { message: `\`${path}\` has no nodes: ${reason}`, help });
}
