import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CompanionProcess } from './companion-container.js';
import type { ControlPlane } from '../bed/control-plane.js';

/** The server from which the API server reads the logs of containers, like a kubelet's. */
export interface ContainerLogs {
  readonly port: number;
  readonly stop: () => void;
}

const POLL_MS = 100;

/**
 * Serves `/containerLogs/NAMESPACE/POD/CONTAINER` with `follow` and `tailLines`, as a kubelet does (Kubernetes v1.36,
 * pkg/kubelet/server/server.go).
 *
 * @param processOf the process of a pod's container
 */
export async function serveContainerLogs(
  { certificate }: ControlPlane,
  processOf: (pod: string) => CompanionProcess | undefined,
): Promise<ContainerLogs> {
  const server = createServer({ cert: certificate.certificate, key: certificate.key }, (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'https://kubelet');
    const [, endpoint, , pod = ''] = pathname.split('/');
    const process = endpoint === 'containerLogs' ? processOf(pod) : undefined;
    if (process === undefined) {
      response.writeHead(404).end(`no container of the pod ${pod} runs here`);
      return;
    }
    const send = async (): Promise<void> => {
      let sent = startOf(process.text(), searchParams.get('tailLines'));
      for (;;) {
        const isOver = !process.isRunning();
        const text = process.text();
        response.write(text.slice(sent));
        sent = text.length;
        if (isOver || searchParams.get('follow') !== 'true' || response.destroyed) break;
        await sleep(POLL_MS);
      }
      response.end();
    };
    void send();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Where the last lines begin. */
function startOf(text: string, tailLines: string | null): number {
  if (tailLines === null) return 0;
  const lines = text.split('\n').slice(0, -1);
  return lines.slice(0, Math.max(0, lines.length - Number(tailLines))).reduce((sum, line) => sum + line.length + 1, 0);
}
