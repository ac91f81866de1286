import { diagnostic } from '../../../shared/diagnostics/codes.js';
import { COMPANION_COMPONENT, COMPONENT_LABEL } from '../../../shared/contract/labels.js';
import { escapeJson, escapeLine } from '../../../shared/lib/escape.js';
import { compareText, isObject, valueAt } from '../../../shared/lib/json.js';
import { failureOf } from '../../../shared/kube-client/answer.js';
import { collect, openRequest } from '../../../shared/kube-client/exchange.js';
import { createLineSplitter } from '../../../shared/kube-client/lines.js';
import { listAll } from '../../../shared/kube-client/list.js';
import { SHAPES } from '../../../shared/kubernetes/shapes/kinds.js';
import { collectionPath, objectPath } from '../../../shared/kube-client/paths.js';
import { EXIT, type ExitCode, type Io } from '../../io.js';
import { withCluster, type ClusterOptions, type Connection } from '../connect.js';
import { Refusal, noAnswer, valueOf } from '../../../cluster/reader/answers.js';
import { logLine, logRecordOf } from '../log-line.js';

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
    const path = `${objectPath(SHAPES.Pod, options.namespace, pod)}/log?${query.join('&')}`;
    await readLines(connection, path, io, (line) => {
      const text = shown(line, nodes, options.output === 'json');
      if (text !== undefined) io.stdout(`${text}\n`);
    });
    return EXIT.ok;
  });
}

async function newestPod({ client }: Connection, namespace: string): Promise<string> {
  const selector = encodeURIComponent(`${COMPONENT_LABEL}=${COMPANION_COMPONENT}`);
  const path = `${collectionPath(SHAPES.Pod, namespace)}?labelSelector=${selector}`;
  const { items } = valueOf(await listAll(client, path, (pod) => valueAt(pod, ['metadata'])));
  const [newest] = items
    .filter(isObject)
    .map(({ name, creationTimestamp }) => ({ name: String(name), created: String(creationTimestamp) }))
    .sort((a, b) => compareText(b.created, a.created));
  if (newest !== undefined) return newest.name;
  throw new Refusal(
    diagnostic('WEFT0442', {
      message: `no pod of the companion is in the namespace \`${namespace}\``,
      help: 'Jobs keep their last pods, and the CronJob those of its last run; `weft upgrade status` shows the nodes',
    }),
  );
}

/** A line as text, or unchanged; undefined if it is not about one of the nodes. */
function shown(line: string, nodes: readonly string[], isRaw: boolean): string | undefined {
  const record = logRecordOf(line);
  if (nodes.length > 0 && (record === undefined || !nodes.includes(String(record['node'])))) return undefined;
  if (isRaw) return escapeJson(line);
  return escapeLine(record === undefined ? line : logLine(record));
}

/** A followed log does not end, so there is no timeout. */
function readLines({ client }: Connection, path: string, io: Io, onLine: (line: string) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = openRequest(client.endpoint, { method: 'GET', path });
    const broken = ({ message }: Error): void => reject(new Refusal(noAnswer({ kind: 'retry', message })));
    let isStopped = false;
    io.onStop?.(() => {
      isStopped = true;
      request.destroy();
      resolve();
    });
    request.on('error', (error) => (isStopped ? undefined : broken(error)));
    request.on('response', (response) => {
      if (response.statusCode !== 200) {
        collect(response).then((reply) => reject(new Refusal(noAnswer(failureOf(reply)))), broken);
        return;
      }
      const lines = createLineSplitter(onLine);
      response.on('data', lines.write);
      response.on('error', (error) => (isStopped ? undefined : broken(error)));
      response.on('end', () => {
        lines.end();
        resolve();
      });
    });
  });
}
