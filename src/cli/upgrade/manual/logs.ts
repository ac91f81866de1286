import { diagnostic } from '../../../shared/diagnostics/codes.js';
import { COMPANION_COMPONENT, COMPONENT_LABEL } from '../../../shared/contract/labels.js';
import { escapeJson, escapeLine } from '../../../shared/lib/escape.js';
import { compareText, textAt } from '../../../shared/lib/json.js';
import { EXIT, type ExitCode, type Io } from '../../io.js';
import { withCluster, type ClusterOptions, type Connection } from '../connect.js';
import { Refusal } from '../../../cluster/reader/answers.js';
import { readPodLog } from '../../../cluster/reader/pod-log.js';
import { read } from '../../../cluster/reader/read.js';
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
    const onLine = (line: string): void => {
      const text = shown(line, nodes, options.output === 'json');
      if (text !== undefined) io.stdout(`${text}\n`);
    };
    await readPodLog(connection, { namespace: options.namespace, pod, query: query.join('&') }, onLine, io.onStop);
    return EXIT.ok;
  });
}

async function newestPod({ client }: Connection, namespace: string): Promise<string> {
  const want = { kind: 'Pod', namespace, labels: `${COMPONENT_LABEL}=${COMPANION_COMPONENT}` } as const;
  const { items } = await read(client, [want]);
  const created = (pod: object): string => textAt(pod, 'metadata', 'creationTimestamp') ?? '';
  const [newest] = [...items].sort((a, b) => compareText(created(b), created(a)));
  if (newest !== undefined) return newest.metadata.name;
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
  if (nodes.length > 0 && (record === undefined || !nodes.includes(textAt(record, 'node') ?? ''))) return undefined;
  if (isRaw) return escapeJson(line);
  return escapeLine(record === undefined ? line : logLine(record));
}
