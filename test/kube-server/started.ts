import { afterEach, beforeEach } from '@jest/globals';
import { WITHOUT_PAUSES } from './clock.js';
import { createApiClient, type ApiClient } from '../../src/shared/kube-client/api-client.js';
import { podEndpoint, type Endpoint } from '../../src/shared/kube-client/endpoint.js';
import { createRateLimit } from '../../src/shared/kube-client/rate-limit.js';
import { startServer, type Handler, type TestServer } from './server.js';

/** A server of its own for each test of a file, and a client of it. */
export interface StartedServer {
  /** Answers requests from now on. */
  readonly serve: (handle: Handler) => void;
  readonly requests: () => TestServer['requests'];
  readonly client: () => ApiClient;
}

/** Starts the server before each test of the file that calls this, and stops it after it. */
export function serverForEachTest(): StartedServer {
  let server: TestServer;
  let endpoint: Endpoint;
  beforeEach(async () => {
    server = await startServer();
    endpoint = podEndpoint('127.0.0.1', server.port, server.folder);
  });
  afterEach(async () => {
    endpoint.close();
    await server.stop();
  });
  return {
    serve: (handle) => void (server.handle = handle),
    requests: () => server.requests,
    client: () => createApiClient(endpoint, createRateLimit(1000, 1000), 10_000, WITHOUT_PAUSES),
  };
}
