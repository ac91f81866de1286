import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { COMPANION_NAMES } from '../../../src/shared/contract/labels.js';
import type { LiveObject } from '../bed/api-client.js';
import type { ControlPlane } from '../bed/control-plane.js';
import { NAMESPACE } from '../simulated/fleet.js';
import { createMemoryGroup, type MemoryGroup } from './memory-group.js';

/** One run of the companion's program, as a container runs it. */
export interface CompanionProcess {
  /** Exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals>;
  readonly isRunning: () => boolean;
  /** Its output so far. */
  readonly text: () => string;
  /** The records of its log so far. */
  readonly logs: () => readonly Readonly<Record<string, unknown>>[];
  /** Its peak memory, as the kernel counts it. */
  readonly peakMiB: () => number;
  /** Whether it has the memory limit of its container. */
  readonly isMemoryLimited: boolean;
  readonly signal: (signal: NodeJS.Signals) => void;
}

/** The pod that a container belongs to. */
export interface PodOfContainer {
  readonly name: string;
  readonly jobName: string;
  /** Absent: the Job is not in the cluster. */
  readonly jobUid?: string;
  /** The token is bound to this pod, so that it ends with it. Absent: there is no such pod in the cluster. */
  readonly uid?: string;
}

/** Differences from a kubelet. */
export interface ContainerOptions {
  /** Variables that replace those of the pod. */
  readonly env?: Readonly<Record<string, string>>;
  /** A proxy in front of the API server. */
  readonly apiPort?: number;
  /** How far the clock of its node is ahead. */
  readonly clockAheadMs?: number;
}

/** The parts of a pod's spec that decide how its container is started. */
export interface CompanionPodSpec {
  readonly serviceAccountName: string;
  readonly containers: readonly {
    readonly image: string;
    readonly command: readonly string[];
    readonly env?: readonly {
      readonly name: string;
      readonly value?: string;
      readonly valueFrom?: { readonly fieldRef: { readonly fieldPath: string } };
    }[];
    readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[];
    readonly resources?: { readonly limits?: { readonly memory?: string } };
  }[];
  readonly volumes?: readonly {
    readonly name: string;
    readonly configMap?: { readonly name: string; readonly items?: readonly { key: string; path: string }[] };
  }[];
}

const TOKEN_SECONDS = 7200;
/** `Date` of a node whose clock is wrong: `require`d before the program. */
const WRONG_CLOCK = `const aheadMs = Number(process.env.WEFT_TEST_CLOCK_AHEAD_MS);
const { now } = Date;
globalThis.Date = class extends Date {
  constructor(...given) { super(...(given.length === 0 ? [now() + aheadMs] : given)); }
  static now() { return now() + aheadMs; }
};
`;

/** Starts the container of a pod of the companion as a process: its command, files, environment and token. */
export async function startContainer(
  controlPlane: ControlPlane,
  spec: CompanionPodSpec,
  pod: PodOfContainer,
  { env = {}, apiPort = controlPlane.port, clockAheadMs = 0 }: ContainerOptions = {},
): Promise<CompanionProcess> {
  const parent = join(controlPlane.folder, 'containers');
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(join(parent, `${pod.name}-`));
  const [container] = spec.containers;
  if (container === undefined) throw new Error('the pod has no container');
  const mounts = await mountVolumes(controlPlane, spec, folder);
  await writeCredentials(controlPlane, spec.serviceAccountName, pod, folder);
  const [command = '', ...args] = container.command.map((part) =>
    mounts.reduce(
      (text, { mountPath, at }) => (text.startsWith(`${mountPath}/`) ? text.replace(mountPath, at) : text),
      part,
    ),
  );
  if (clockAheadMs !== 0) writeFileSync(join(folder, 'clock.cjs'), WRONG_CLOCK);
  const given = Object.fromEntries(
    (container.env ?? []).map(({ name, value, valueFrom }) => [
      name,
      value ?? downward(valueFrom?.fieldRef.fieldPath ?? '', pod),
    ]),
  );
  const environment = {
    ...given,
    // All containers share the network of this machine, where only one can have a port.
    ...{ PATH: process.env['PATH'], WEFT_CREDENTIALS: folder, WEFT_METRICS_PORT: '' },
    ...{ KUBERNETES_SERVICE_HOST: '127.0.0.1', KUBERNETES_SERVICE_PORT: String(apiPort) },
    ...(clockAheadMs !== 0 && {
      NODE_OPTIONS: `--require ${join(folder, 'clock.cjs')}`,
      WEFT_TEST_CLOCK_AHEAD_MS: String(clockAheadMs),
    }),
    ...env,
  };
  const limit = container.resources?.limits?.memory;
  const group = limit === undefined ? undefined : createMemoryGroup(limit);
  const program = [command === 'node' ? process.execPath : command, ...args];
  return follow(program, { env: environment, logFile: join(folder, 'log'), group });
}

/** Files of ConfigMaps, as they are in the cluster now. */
async function mountVolumes(
  { client }: ControlPlane,
  spec: CompanionPodSpec,
  folder: string,
): Promise<readonly { readonly mountPath: string; readonly at: string }[]> {
  const mounts: { mountPath: string; at: string }[] = [];
  for (const { name, configMap } of spec.volumes ?? []) {
    const mountPath = spec.containers[0]?.volumeMounts?.find((mount) => mount.name === name)?.mountPath;
    if (configMap === undefined || mountPath === undefined) continue;
    const metadata = { name: configMap.name, namespace: NAMESPACE };
    const found = await client.get({ apiVersion: 'v1', kind: 'ConfigMap', metadata });
    if (found === undefined) throw new Error(`there is no ConfigMap ${configMap.name}`);
    const data = (found['data'] ?? {}) as Readonly<Record<string, string>>;
    const items = configMap.items ?? Object.keys(data).map((key) => ({ key, path: key }));
    const at = join(folder, name);
    mkdirSync(at);
    for (const { key, path } of items) writeFileSync(join(at, path), data[key] ?? '');
    mounts.push({ mountPath, at });
  }
  return mounts;
}

async function writeCredentials(
  { client, certificate }: ControlPlane,
  account: string,
  { name, uid }: PodOfContainer,
  folder: string,
): Promise<void> {
  if (account !== COMPANION_NAMES.account) throw new Error(`the pod runs as ${account}`);
  const path = `/api/v1/namespaces/${NAMESPACE}/serviceaccounts/${account}/token`;
  const boundObjectRef = { apiVersion: 'v1', kind: 'Pod', name, uid };
  const spec = { expirationSeconds: TOKEN_SECONDS, ...(uid !== undefined && { boundObjectRef }) };
  const { body } = await client.ask('POST', path, {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    spec,
  });
  writeFileSync(join(folder, 'token'), (body['status'] as { readonly token: string }).token, { mode: 0o600 });
  writeFileSync(join(folder, 'ca.crt'), certificate.certificate);
}

function downward(fieldPath: string, pod: PodOfContainer): string {
  switch (fieldPath) {
    case 'metadata.name':
      return pod.name;
    case 'metadata.namespace':
      return NAMESPACE;
    case "metadata.labels['batch.kubernetes.io/job-name']":
      return pod.jobName;
    case "metadata.labels['batch.kubernetes.io/controller-uid']":
      return pod.jobUid ?? '';
    default:
      throw new Error(`the downward API is not simulated for ${fieldPath}`);
  }
}

interface FollowOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly logFile: string;
  readonly group: MemoryGroup | undefined;
}

/** If the test process dies, the program ends too, because the pipe that it writes to is closed. */
function follow(program: readonly string[], { env, logFile, group }: FollowOptions): CompanionProcess {
  const inGroup = group === undefined ? [] : ['sh', '-c', 'echo $$ > "$0" && exec "$@"', group.processes];
  const [command = '', ...args] = [...inGroup, ...program];
  const child = spawn(command, args, { env: { ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
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
      group?.remove();
      writeFileSync(logFile, text);
      resolve(code ?? signal ?? -1);
    });
  });
  return {
    ended,
    isRunning: () => isRunning,
    text: () => text,
    logs: () => text.split('\n').flatMap((line) => (line.startsWith('{') ? [parsed(line)] : [])),
    peakMiB: () => peakMiB,
    isMemoryLimited: group !== undefined,
    signal: (signal) => void child.kill(signal),
  };
}

/** The last line may be incomplete. */
function parsed(line: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(line) as Readonly<Record<string, unknown>>;
  } catch {
    return {};
  }
}

/** The peak memory of a process in MiB, as the kernel counts it; 0 if the process has ended. */
export function peakOf(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${String(pid)}/status`, 'utf8');
    return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

/** The pod spec of a rendered Job or CronJob. */
export function podSpecOf({ kind, spec }: LiveObject): CompanionPodSpec {
  if (kind === 'CronJob')
    return (spec as { readonly jobTemplate: { readonly spec: JobSpec } }).jobTemplate.spec.template.spec;
  return (spec as JobSpec).template.spec;
}

interface JobSpec {
  readonly template: { readonly spec: CompanionPodSpec };
}
