import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildCompanion } from '../../scripts/build-companion.js';
import { COMPANION_NAMES } from '../../src/contract/labels.js';
import type { ControlPlane } from './control-plane.js';
import { NAMESPACE } from './fleet.js';

/** One run of the companion's program, as a container would run it. */
export interface CompanionProcess {
  /** Exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals>;
  readonly isRunning: () => boolean;
  /** What it logged so far. */
  readonly logs: () => readonly Readonly<Record<string, unknown>>[];
  /** The most memory that it had, as the kernel counts it. */
  readonly peakMiB: () => number;
  readonly signal: (signal: NodeJS.Signals) => void;
}

export interface CompanionOptions {
  readonly mode?: 'job' | 'cronjob';
  readonly podName?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Bundles the program as it is delivered, and gives it the token of its ServiceAccount: `(options) => process`. */
export async function companionStarter(
  controlPlane: ControlPlane,
): Promise<(options?: CompanionOptions) => CompanionProcess> {
  const folder = join(controlPlane.folder, 'companion');
  mkdirSync(folder, { recursive: true });
  const program = join(folder, 'companion.cjs');
  await buildCompanion(program);
  const path = `/api/v1/namespaces/${NAMESPACE}/serviceaccounts/${COMPANION_NAMES.account}/token`;
  const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: 7200 } };
  const { body } = await controlPlane.client.ask('POST', path, request);
  writeFileSync(join(folder, 'token'), (body['status'] as { readonly token: string }).token, { mode: 0o600 });
  writeFileSync(join(folder, 'ca.crt'), controlPlane.certificate.certificate);
  let started = 0;

  return ({ mode = 'job', podName = 'weft-companion-test-0', env = {} } = {}) => {
    const logFile = join(folder, `${++started}-${podName}.log`);
    const environment = {
      ...{ POD_NAME: podName, POD_NAMESPACE: NAMESPACE, JOB_NAME: 'weft-companion-test', WEFT_MODE: mode },
      ...{ KUBERNETES_SERVICE_HOST: '127.0.0.1', KUBERNETES_SERVICE_PORT: String(controlPlane.port) },
      ...{ WEFT_CREDENTIALS: folder, ...env },
    };
    // A test that dies leaves none behind: the program reads nothing, but ends with the pipe that it writes to.
    const child = spawn(process.execPath, [program], { env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
    let text = '';
    let isRunning = true;
    let peakMiB = 0;
    const take = (chunk: Buffer): void => {
      text += chunk.toString();
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    const measuring = setInterval(() => (peakMiB = Math.max(peakMiB, peakOf(child.pid))), 250);
    const end = () => child.kill('SIGKILL');
    process.once('exit', end);
    const ended = new Promise<number | NodeJS.Signals>((resolve) => {
      child.once('close', (code, signal) => {
        isRunning = false;
        clearInterval(measuring);
        process.removeListener('exit', end);
        writeFileSync(logFile, text);
        resolve(code ?? signal ?? -1);
      });
    });
    return {
      ended,
      isRunning: () => isRunning,
      logs: () => text.split('\n').flatMap((line) => (line.startsWith('{') ? [parsed(line)] : [])),
      peakMiB: () => peakMiB,
      signal: (signal) => void child.kill(signal),
    };
  };
}

/** The last line may be half there. */
function parsed(line: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(line) as Readonly<Record<string, unknown>>;
  } catch {
    return {};
  }
}

function peakOf(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${String(pid)}/status`, 'utf8');
    return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}
