import { diagnostic } from '../../diagnostics/codes.js';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Diagnostic } from '../../diagnostics/diagnostic.js';
import { errorCode } from '../../render/tree/disk.js';
import { nodesTextMax, readNodesText, type ClusterNode } from '../../review/pools/nodes.js';

/** Reads the nodes of the one cluster that is compared from a file with the output of `kubectl get nodes -o json`. */
export function readNodesFile(path: string, cwd: string): readonly ClusterNode[] | Diagnostic {
  let content: Buffer;
  try {
    content = readFileSync(resolve(cwd, path));
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined) throw error;
    return unusable(path, `the operating system refuses to read it (${code})`);
  }
  if (content.length > nodesTextMax) return unusable(path, 'it is larger than any list of nodes');
  // PowerShell writes a byte order mark.
  const read = readNodesText(content.toString('utf8').replace(/^\uFEFF/, ''));
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
