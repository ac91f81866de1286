import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCertificate, type TestCertificate } from './certificate.js';

/** A request as it came in. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly body: unknown;
}

export type Handler = (request: Received, response: ServerResponse) => void;

/** An HTTPS server whose answers a test writes, and the folder that a kubelet would mount. */
export interface TestServer {
  readonly port: number;
  readonly folder: string;
  readonly requests: Received[];
  /** Sets the handler of requests from now on. */
  handle: Handler;
  /** Writes another token, and another CA, into the folder. */
  readonly rotate: (token: string, certificateAuthority?: string) => void;
  /** Breaks all connections, and answers again. */
  readonly dropConnections: () => void;
  readonly stop: () => Promise<void>;
}

let shared: TestCertificate | undefined;

export async function startServer(): Promise<TestServer> {
  const certificate = (shared ??= createCertificate());
  const folder = mkdtempSync(join(tmpdir(), 'weft-server-'));
  const requests: Received[] = [];
  const server = createServer({ cert: certificate.certificate, key: certificate.key }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('error', () => undefined);
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const { pathname, searchParams } = new URL(request.url ?? '', 'https://localhost');
      const body: unknown = text === '' ? undefined : JSON.parse(text);
      const one = { method: request.method ?? '', path: pathname, query: searchParams, headers: request.headers, body };
      requests.push(one);
      test.handle(one, response);
    });
  });
  const rotate = (token: string, certificateAuthority = certificate.certificate): void => {
    writeFileSync(join(folder, 'token'), `${token}\n`);
    writeFileSync(join(folder, 'ca.crt'), certificateAuthority);
  };
  rotate('first');
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const test: TestServer = {
    port: (server.address() as AddressInfo).port,
    ...{ folder, requests, rotate },
    handle: (_request, response) => sendJson(response, 404, statusBody(404, 'NotFound', 'not found')),
    dropConnections: () => server.closeAllConnections(),
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return test;
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

/** A `meta/v1` Status. */
export function statusBody(code: number, reason: string, message: string, details: object = {}): object {
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code, reason, message, details };
}
