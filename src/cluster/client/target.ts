import { execFile } from 'node:child_process';
import { parsedJson, valueAt } from '../../shared/lib/json.js';
import type { KubectlOptions } from './proxy.js';

/** The cluster that kubectl reaches, by its kubeconfig. */
interface KubectlTarget {
  /** Name of the context. */
  readonly context: string;
  /** URL of the API server. */
  readonly server: string;
}

const TIMEOUT_MS = 10_000;

/** Asks kubectl for its kubeconfig, without credentials. Undefined where there is none, as in a pod. */
export function kubectlTarget({
  command = 'kubectl',
  context,
  env,
}: KubectlOptions): Promise<KubectlTarget | undefined> {
  const chosen = context === undefined ? [] : [`--context=${context}`];
  return new Promise((resolve) => {
    execFile(
      command,
      [...chosen, 'config', 'view', '--minify', '-o', 'json'],
      { env: { ...env }, timeout: TIMEOUT_MS },
      (_, stdout) => {
        const view = parsedJson(stdout);
        const [name, server] = [
          valueAt(view, ['current-context']),
          valueAt(view, ['clusters', 0, 'cluster', 'server']),
        ];
        resolve(typeof name === 'string' && typeof server === 'string' ? { context: name, server } : undefined);
      },
    );
  });
}
