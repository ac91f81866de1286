import { createApiClient, type ApiClient } from '../../shared/kube-client/api-client.js';
import { socketEndpoint } from '../../shared/kube-client/endpoint.js';
import type { Exchange } from '../../shared/kube-client/exchange.js';
import { createRateLimit } from '../../shared/kube-client/rate-limit.js';
import { startKubectlProxy, type KubectlFailure, type KubectlOptions } from './proxy.js';

/** A cluster with the login and the rights that the user's kubectl has. */
export interface Session {
  readonly client: ApiClient;
  /** Resolves with the last output of kubectl when it ends without a call of `close`. */
  readonly lost: Promise<string>;
  readonly close: () => void;
}

/** client-go's defaults for kubectl. */
const QPS = 50;
const BURST = 300;

/** Starts kubectl and waits until the cluster answers through it, or returns why it does not. */
export async function openSession(options: KubectlOptions): Promise<Session | KubectlFailure> {
  const proxy = await startKubectlProxy(options);
  if ('kind' in proxy) return proxy;
  const endpoint = socketEndpoint(proxy.socketPath);
  const client = createApiClient(endpoint, createRateLimit(QPS, BURST));
  return {
    client: options.use === 'write' ? client : withoutChanges(client),
    lost: proxy.ended,
    close() {
      endpoint.close();
      proxy.stop();
    },
  };
}

/** kubectl rejects methods, and cannot see whether a request is a dry run. */
function withoutChanges(client: ApiClient): ApiClient {
  return {
    ...client,
    call(exchange, unlimited) {
      if (changesCluster(exchange)) throw new Error(`${exchange.method} ${exchange.path} in a session without changes`);
      return client.call(exchange, unlimited);
    },
  };
}

function changesCluster({ method, path }: Exchange): boolean {
  const isDryRun = /[?&]dryRun=All(?:&|$)/.test(path) || path.endsWith('/selfsubjectaccessreviews');
  return method !== 'GET' && !isDryRun;
}
