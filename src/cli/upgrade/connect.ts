import { startKubectlProxy, type KubectlProxy } from '../../kubectl/proxy.js';
import type { Diagnostic } from '../../diagnostics/diagnostic.js';
import { createApiClient, type ApiClient } from '../../upgrade/runtime/kube-port/api-client.js';
import { socketEndpoint } from '../../upgrade/runtime/kube-port/endpoint.js';
import { createKubePort, type KubePort } from '../../upgrade/runtime/kube-port/kube-port.js';
import { createRateLimit } from '../../upgrade/runtime/kube-port/rate-limit.js';
import type { Io } from '../io.js';

/** Options of every command that connects to a cluster. */
export interface ClusterOptions {
  /** Namespace of the companion. */
  readonly namespace: string;
  readonly context?: string;
  readonly kubectl: string;
}

/** A cluster, through `kubectl proxy`. */
export interface Connection {
  readonly port: KubePort;
  readonly client: ApiClient;
  /** Resolves when kubectl ends without a call of `stop`. */
  readonly lost: Promise<string>;
  readonly close: () => void;
}

/** client-go's defaults for kubectl. */
const QPS = 50;
const BURST = 300;

/** Starts kubectl. Returns a diagnostic if the cluster cannot be reached. */
export async function connect(options: ClusterOptions, io: Io): Promise<Connection | Diagnostic> {
  const { namespace, context, kubectl: command } = options;
  const proxy = await startKubectlProxy({
    ...{ command, env: io.env, onOutput: io.stderr },
    ...(context !== undefined && { context }),
  });
  if ('kind' in proxy) {
    return proxy.kind === 'not-started'
      ? problem('WEFT0390', proxy.message, 'install kubectl, or name it with `--kubectl`; on Windows use WSL')
      : problem('WEFT0391', proxy.message, 'try `kubectl version` with the same context');
  }
  return connection(proxy, namespace);
}

function connection({ socketPath, ended, stop }: KubectlProxy, namespace: string): Connection {
  const endpoint = socketEndpoint(socketPath);
  const limit = createRateLimit(QPS, BURST);
  const port = createKubePort({ endpoint, namespace, limit });
  return {
    ...{ port, client: createApiClient(endpoint, limit), lost: ended },
    close() {
      port.close();
      stop();
    },
  };
}

/** The policy is missing or cannot be read. */
export function noPolicy(message: string, { namespace }: ClusterOptions): Diagnostic {
  return problem(
    'WEFT0392',
    message,
    `is the companion applied? Its namespace is taken to be \`${namespace}\`; name another one with \`--namespace\``,
  );
}

/** The cluster does not answer, or refuses the request. */
export function noAnswer(message: string): Diagnostic {
  return problem('WEFT0391', message, 'try the same with kubectl, and ask for the rights of the companion');
}

function problem(code: string, message: string, help: string): Diagnostic {
  return { code, severity: 'error', message, help };
}
