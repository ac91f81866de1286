import { StringDecoder } from 'node:string_decoder';
import { COMPANION_COMPONENT, COMPONENT_LABEL } from '../../../contract/labels.js';
import { escapeJson, escapeLine } from '../../../diagnostics/render/escape.js';
import { compareText, isObject, valueAt } from '../../../lib/json.js';
import { failureOf } from '../../../upgrade/runtime/kube-port/answer.js';
import { collect, openRequest } from '../../../upgrade/runtime/kube-port/exchange.js';
import { collectionPath, objectPath } from '../../../upgrade/runtime/kube-port/resources.js';
import type { LogRecord } from '../../../upgrade/runtime/ports.js';
import { EXIT, type ExitCode, type Io } from '../../io.js';
import { noAnswer, type ClusterOptions, type Connection } from '../connect.js';
import { logLine } from '../log-line.js';
import { readObject, Refusal, withCluster } from './session.js';

export interface LogsOptions extends ClusterOptions {
  readonly follow?: boolean;
  readonly tail?: string;
  readonly output?: 'json';
}

/** `weft upgrade logs`: the log of the newest companion pod, as text or unchanged. */
export async function upgradeLogs(nodes: readonly string[], options: LogsOptions, io: Io): Promise<ExitCode> {
  return withCluster(options, io, async (connection) => {
    const pod = await newestPod(connection, options.namespace);
    if (options.output !== 'json') io.stderr(`pod ${escapeLine(pod)}\n`);
    const query = [
      `container=${COMPANION_COMPONENT}`,
      ...(options.follow === true ? ['follow=true'] : []),
      ...(options.tail === undefined ? [] : [`tailLines=${encodeURIComponent(options.tail)}`]),
    ];
    const path = `${objectPath('/api/v1', options.namespace, 'pods', pod)}/log?${query.join('&')}`;
    await readLines(connection, path, io, (line) => {
      const text = shown(line, nodes, options.output === 'json');
      if (text !== undefined) io.stdout(`${text}\n`);
    });
    return EXIT.ok;
  });
}

async function newestPod({ client }: Connection, namespace: string): Promise<string> {
  const selector = encodeURIComponent(`${COMPONENT_LABEL}=${COMPANION_COMPONENT}`);
  const path = `${collectionPath({ group: '/api/v1', plural: 'pods' }, namespace)}?labelSelector=${selector}`;
  const items = valueAt(await readObject(client, path), ['items']);
  const metadata = (Array.isArray(items) ? (items as readonly unknown[]) : []).map((pod) => valueAt(pod, ['metadata']));
  const [newest] = metadata
    .filter(isObject)
    .map(({ name, creationTimestamp }) => ({ name: String(name), created: String(creationTimestamp) }))
    .sort((a, b) => compareText(b.created, a.created));
  if (newest !== undefined) return newest.name;
  throw new Refusal({
    code: 'WEFT0442',
    severity: 'error',
    message: `no pod of the companion is in the namespace \`${namespace}\``,
    help: 'Jobs keep their last pods, and the CronJob those of its last run; `weft upgrade status` shows the nodes',
  });
}

/** A line as text, or unchanged; undefined if it is not about one of the nodes. */
function shown(line: string, nodes: readonly string[], isRaw: boolean): string | undefined {
  const record = recordOf(line);
  if (nodes.length > 0 && (record === undefined || !nodes.includes(String(record['node'])))) return undefined;
  if (isRaw) return escapeJson(line);
  return escapeLine(record === undefined ? line : logLine(record));
}

/** Node itself writes other lines, for instance when it runs out of memory. */
function recordOf(line: string): LogRecord | undefined {
  try {
    const record: unknown = JSON.parse(line);
    return isObject(record) && typeof record['time'] === 'string' && typeof record['message'] === 'string'
      ? (record as LogRecord)
      : undefined;
  } catch {
    return undefined;
  }
}

/** A followed log does not end, so there is no timeout. */
function readLines({ client }: Connection, path: string, io: Io, onLine: (line: string) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = openRequest(client.endpoint, { method: 'GET', path });
    const broken = (error: Error): void => reject(new Refusal(noAnswer(error.message)));
    let isStopped = false;
    io.onStop?.(() => {
      isStopped = true;
      request.destroy();
      resolve();
    });
    request.on('error', (error) => (isStopped ? undefined : broken(error)));
    request.on('response', (response) => {
      if (response.statusCode !== 200) {
        collect(response).then((reply) => broken(new Error(failureOf(reply).message)), broken);
        return;
      }
      const decoder = new StringDecoder('utf8');
      let rest = '';
      response.on('data', (chunk: Buffer) => {
        const lines = (rest + decoder.write(chunk)).split('\n');
        rest = lines.pop() ?? '';
        lines.forEach(onLine);
      });
      response.on('error', (error) => (isStopped ? undefined : broken(error)));
      response.on('end', () => {
        if (rest !== '') onLine(rest);
        resolve();
      });
    });
  });
}
