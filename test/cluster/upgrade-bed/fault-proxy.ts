import { Agent, createServer, request as httpsRequest } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ControlPlane } from '../bed/control-plane.js';

/** The fate of a request. `lost`: it is carried out, but its response never arrives; `cut`: the request itself never arrives. */
export type Fate = 'passed' | 'lost' | 'cut' | { readonly status: number; readonly body: object };

/** A proxy between the companion and the API server. */
export interface FaultProxy {
  readonly port: number;
  /** Decides about each request from now on. */
  readonly setFate: (fateOf: (method: string, path: string) => Fate) => void;
  /** Open watches stay open without any further event; watches that begin later work. */
  readonly stallWatches: () => void;
  readonly stop: () => Promise<void>;
}

/** Starts a proxy that has the API server's own certificate. */
export async function startFaultProxy({ port, certificate }: ControlPlane): Promise<FaultProxy> {
  const agent = new Agent({ keepAlive: true, ca: certificate.certificate });
  let fateOf: (method: string, path: string) => Fate = () => 'passed';
  let watches: (() => void)[] = [];

  function serve(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const { method = '', url = '', headers } = incoming;
    const fate = fateOf(method, url);
    if (fate === 'cut') return void incoming.socket.destroy();
    if (typeof fate === 'object') {
      outgoing.writeHead(fate.status, { 'content-type': 'application/json' });
      return void outgoing.end(JSON.stringify(fate.body));
    }
    const sent = httpsRequest({ host: '127.0.0.1', port, method, path: url, headers, agent }, (answer) => {
      if (fate === 'lost') {
        answer.resume();
        answer.on('end', () => incoming.socket.destroy());
        return;
      }
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(outgoing);
      if (!url.includes('watch=true')) return;
      watches.push(() => {
        answer.unpipe(outgoing);
        answer.resume();
      });
    });
    sent.on('error', () => incoming.socket.destroy());
    outgoing.on('close', () => sent.destroy());
    incoming.pipe(sent);
  }
  const server = createServer({ cert: certificate.certificate, key: certificate.key }, serve);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    port: (server.address() as AddressInfo).port,
    setFate: (next) => void (fateOf = next),
    stallWatches() {
      for (const stall of watches) stall();
      watches = [];
    },
    async stop() {
      server.closeAllConnections();
      agent.destroy();
      await new Promise((done) => server.close(done));
    },
  };
}
