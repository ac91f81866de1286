import { failureOf } from '../../shared/kube-client/answer.js';
import { collect, openRequest } from '../../shared/kube-client/exchange.js';
import { createLineSplitter } from '../../shared/kube-client/lines.js';
import { objectPath } from '../../shared/kube-client/paths.js';
import { SHAPES } from '../../shared/kubernetes/shapes/kinds.js';
import type { Session } from '../client/session.js';
import { noAnswer, Refusal } from './answers.js';

interface PodLog {
  readonly namespace: string;
  readonly pod: string;
  /** Of the request, as `tailLines=5&follow=true`. */
  readonly query: string;
}

/**
 * Reads a log line by line until its end. A followed one does not end, so there is no timeout.
 *
 * @param onStop is given what stops it
 */
export function readPodLog(
  { client }: Pick<Session, 'client'>,
  { namespace, pod, query }: PodLog,
  onLine: (line: string) => void,
  onStop?: (stop: () => void) => void,
): Promise<void> {
  const path = `${objectPath(SHAPES.Pod, namespace, pod)}/log?${query}`;
  return new Promise((resolve, reject) => {
    const request = openRequest(client.endpoint, { method: 'GET', path });
    const broken = ({ message }: Error): void => reject(new Refusal(noAnswer({ kind: 'retry', message })));
    let isStopped = false;
    onStop?.(() => {
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
      response.on('data', (chunk: Buffer) => {
        try {
          lines.write(chunk);
        } catch (error) {
          request.destroy(error as Error);
        }
      });
      response.on('error', (error) => (isStopped ? undefined : broken(error)));
      response.on('end', () => {
        lines.end();
        resolve();
      });
    });
  });
}
