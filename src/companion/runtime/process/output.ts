import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { LOG_LEVELS, type LogLevel } from '../../../shared/contract/companion-env.js';
import { escapeJson } from '../../../shared/lib/escape.js';
import { shorten } from '../../../shared/lib/text.js';
import type { LogRecord, Output } from '../ports.js';
import { textBefore } from '../../../shared/lib/text.js';

/** The file from which the kubelet reads the termination message; Kubernetes `core/v1`, TerminationMessagePathDefault. */
const TERMINATION_LOG = '/dev/termination-log';

interface OutputOptions {
  readonly logLevel: LogLevel;
  readonly write: (line: string) => void;
  /** Absent: no port is opened. */
  readonly metricsPort?: number;
}

/** Output of a container: JSON lines, metrics over HTTP, and the termination message. */
interface ContainerOutput extends Output {
  readonly close: () => void;
}

export function containerOutput(options: OutputOptions): ContainerOutput {
  let metrics = '';
  const least = LOG_LEVELS.indexOf(options.logLevel);
  const log = (record: LogRecord): void => {
    if (LOG_LEVELS.indexOf(record.level) >= least) options.write(`${logText(record)}\n`);
  };
  const { metricsPort } = options;
  const server = metricsPort === undefined ? undefined : serveMetrics(metricsPort, () => metrics, log);
  return {
    log,
    metrics: (text) => void (metrics = text),
    summary: (text) => writeTerminationMessage(text),
    close() {
      server?.close().closeAllConnections();
    },
  };
}

/** Others make as many different messages as they like; this many are enough to see what is wrong. */
const MESSAGES_MAX = 1_000;

/** Passes on each message the first time. */
export function eachOnce(say: (message: string) => void): (message: string) => void {
  const said = new Set<string>();
  return (message) => {
    if (said.has(message) || said.size === MESSAGES_MAX) return;
    said.add(message);
    say(message);
  };
}

/** One line of JSON, for a terminal that follows the log as well. Texts of objects have no limit. */
function logText(record: LogRecord): string {
  return escapeJson(
    JSON.stringify(record, (_key, value: unknown) => (typeof value === 'string' ? shorten(value) : value)),
  );
}

/** The kubelet creates the file. Outside of a container it does not exist, and is not created. */
function writeTerminationMessage(text: string): void {
  try {
    writeFileSync(TERMINATION_LOG, text, { flag: 'r+' });
  } catch {
    // The last line of the log has the same text.
  }
}

/** `/metrics` for Prometheus, `/healthz` for a probe. If the port is in use, the run continues without them. */
function serveMetrics(port: number, metrics: () => string, log: Output['log']): Server {
  const server = createServer((request, response) => {
    const path = textBefore(request.url ?? '', '?');
    const body = path === '/metrics' ? metrics() : path === '/healthz' ? 'ok\n' : undefined;
    const type = path === '/metrics' ? 'text/plain; version=0.0.4; charset=utf-8' : 'text/plain; charset=utf-8';
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': type });
    response.end(body ?? 'not found\n');
  });
  server.on('error', (error) => {
    log({ time: new Date().toISOString(), level: 'warning', message: `no metrics are served: ${error.message}` });
  });
  return server.listen(port);
}
