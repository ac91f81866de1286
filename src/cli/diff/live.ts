import type { Diagnostic } from '../../diagnostics/diagnostic.js';
import { addressesOfPod } from '../../review/impact/used-addresses.js';
import { readNodes } from '../../review/pools/nodes.js';
import { listAll } from '../../upgrade/runtime/kube-port/list.js';
import type { ApiClient } from '../../upgrade/runtime/kube-port/api-client.js';
import type { Io } from '../io.js';
import { connect } from '../upgrade/connect.js';
import type { Next } from './compare.js';
import type { DiffOptions } from './options.js';

type Inventory = Required<Pick<Next, 'nodes' | 'addresses'>>;

/** Reads the nodes of the live cluster and the addresses that its running pods have. */
export async function readLive(
  { context, kubectl = 'kubectl', format }: DiffOptions,
  io: Io,
): Promise<Inventory | Diagnostic> {
  // With `--format json` standard error must be one document, so the output of kubectl is dropped.
  const quiet = format === 'json' ? { ...io, stderr: () => undefined } : io;
  const connection = await connect({ namespace: 'default', kubectl, ...(context !== undefined && { context }) }, quiet);
  if ('code' in connection) return connection;
  try {
    return await read(connection.client);
  } finally {
    connection.close();
  }
}

const RUNNING = '/api/v1/pods?fieldSelector=status.phase!%3DSucceeded%2Cstatus.phase!%3DFailed';

async function read(client: ApiClient): Promise<Inventory | Diagnostic> {
  const nodes = await listAll(client, '/api/v1/nodes', (node) => node);
  if (nodes.kind !== 'ok') return notRead(nodes.message);
  const found = readNodes({ kind: 'NodeList', items: nodes.value.items });
  if ('problem' in found) return notRead(found.problem);
  const pods = await listAll(client, RUNNING, addressesOfPod);
  if (pods.kind !== 'ok') return notRead(pods.message);
  return { nodes: found.nodes, addresses: pods.value.items.flat() };
}

function notRead(message: string): Diagnostic {
  const help =
    '`--live` lists nodes and pods; where you may list nodes alone: `kubectl get nodes -o json > nodes.json` and `--nodes nodes.json`';
  return { code: 'WEFT0391', severity: 'error', message, help };
}
