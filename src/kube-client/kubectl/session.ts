import { createApiClient, type ApiClient } from '../api-client.js';
import { socketEndpoint } from '../endpoint.js';
import { createRateLimit } from '../rate-limit.js';
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
  return {
    client: createApiClient(endpoint, createRateLimit(QPS, BURST)),
    lost: proxy.ended,
    close() {
      endpoint.close();
      proxy.stop();
    },
  };
}
