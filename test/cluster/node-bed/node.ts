import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { ControlPlane } from '../bed/control-plane.js';
import { startGuarded, until, type GuardedProcess } from '../bed/guarded-process.js';
import { binaries } from '../bed/test-bed.js';
import { writeSettings } from './settings.js';

interface PodName {
  readonly namespace: string;
  readonly name: string;
}

/** A machine with containerd and a kubelet, in namespaces of its own, which has joined a control plane. */
export interface RealNode {
  readonly name: string;
  /** Logs, and what outlasts a reboot. */
  readonly folder: string;
  /** Runs a command on the machine. Fails as it fails. */
  run(...command: readonly string[]): Promise<string>;
  /** Runs a command in a running container. */
  exec(pod: PodName, container: string, ...command: readonly string[]): Promise<string>;
  /** Ends a running container by SIGKILL, as the kernel does when memory is short. Its kubelet decides what follows. */
  kill(pod: PodName, container: string): Promise<void>;
  /** What a container has printed, over all its starts. */
  logs(pod: PodName, container: string): string;
  /** Files below a path of the machine that its pods, kubelet or containerd wrote. */
  written(path: string): readonly string[];
  /** Switches the machine off, as by its power button. */
  powerOff(): Promise<void>;
  /** Switches it on again with an empty `/run`, and waits until its node is ready. */
  powerOn(): Promise<void>;
  stop(): Promise<void>;
}

export interface NodeOptions {
  readonly name: string;
  readonly folder: string;
  /** From 1, for its addresses. */
  readonly index: number;
  /** Archives of images. */
  readonly images: readonly string[];
  /** The image of the container that holds a pod's namespaces. */
  readonly sandboxImage: string;
  readonly labels?: Readonly<Record<string, string>>;
  /** Shell commands at each boot, for network devices. */
  readonly devices?: string;
}

const HERE = resolve('test/cluster/node-bed');

/** Takes connections at one address and passes them on to another: a path of a socket, or host and port. */
const RELAY = `
const net = require('node:net');
const [from, to] = process.argv.slice(1).map((text) => {
  const [host, port] = text.split(':');
  return port === undefined ? { path: host } : { host, port: Number(port) };
});
net.createServer((client) => {
  const server = net.connect(to);
  client.on('error', () => server.destroy()).pipe(server);
  server.on('error', () => client.destroy()).pipe(client);
}).listen(from);
`;

/** Starts a machine, and waits until its node is ready. The control plane must know its user. */
export async function startNode(controlPlane: ControlPlane, options: NodeOptions): Promise<RealNode> {
  const { name, folder } = options;
  mkdirSync(folder, { recursive: true });
  const { client } = controlPlane;
  const environment = writeSettings(controlPlane, options);
  const run = (...command: readonly string[]) => runInside(folder, command);
  const guarded = (title: string, command: string, args: readonly string[]) =>
    startGuarded(title, command, args, { logFile: join(folder, `${title}.log`), workingDirectory: folder });
  const relay = guarded('api-relay', process.execPath, [
    '-e',
    RELAY,
    join(folder, 'api.sock'),
    `127.0.0.1:${controlPlane.port}`,
  ]);
  let machine: GuardedProcess | undefined;

  async function powerOn(): Promise<void> {
    const before = (await statusOf(client, name)).nodeInfo?.bootID;
    const settings = { ...environment, WEFT_RELAY: RELAY, WEFT_KUBELET: join(binaries().kubelet, 'kubelet') };
    const assigned = Object.entries(settings).map(([key, value]) => `${key}=${value}`);
    machine = guarded('machine', 'env', [...assigned, 'sh', join(HERE, 'machine.sh'), folder, name]);
    await until(`containerd runs on ${name}`, () => {
      if (machine?.isRunning() !== true) throw new Error(readFileSync(join(folder, 'machine.log'), 'utf8'));
      return run('ctr', 'version');
    });
    if (before === undefined) {
      for (const archive of options.images) await run('ctr', '-n', 'k8s.io', 'images', 'import', archive);
    }
    await until(`${name} is ready`, async () => {
      const { conditions = [], nodeInfo } = await statusOf(client, name);
      const isReady = conditions.some(({ type, status }) => type === 'Ready' && status === 'True');
      return isReady && nodeInfo?.bootID !== before ? true : undefined;
    });
    // A kubelet may not write labels of this domain itself.
    await client.ask('PATCH', `/api/v1/nodes/${name}`, { metadata: { labels: options.labels ?? {} } }, 'merge');
  }
  async function powerOff(): Promise<void> {
    await machine?.stop();
  }
  async function stop(): Promise<void> {
    await powerOff();
    await relay.stop();
  }
  await powerOn().catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  return {
    ...{ name, folder, run, powerOn, powerOff, stop },
    // `ctr tasks exec` loses what a short command prints, if it ends before its output is read.
    exec: async (pod, container, ...command) => {
      const id = await containerId(client, pod, container);
      const tasks = await run('ctr', '-n', 'k8s.io', 'tasks', 'list');
      const pid = new RegExp(`^${id}\\s+(\\d+)`, 'm').exec(tasks)?.[1];
      if (pid === undefined) throw new Error(`${container} of ${pod.name} does not run`);
      return run('nsenter', '--target', pid, '--mount', '--uts', '--ipc', '--net', '--pid', '--root', ...command);
    },
    kill: async (pod, container) => {
      const id = await containerId(client, pod, container);
      await run('ctr', '-n', 'k8s.io', 'tasks', 'kill', '--signal', 'SIGKILL', id);
    },
    logs: (pod, container) => readLogs(folder, pod, container),
    written: (path) => filesBelow(join(folder, 'written', path)),
  };
}

interface NodeStatus {
  readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  readonly nodeInfo?: { readonly bootID: string };
}

async function statusOf(client: ControlPlane['client'], name: string): Promise<NodeStatus> {
  return ((await client.get({ apiVersion: 'v1', kind: 'Node', metadata: { name } }))?.['status'] ?? {}) as NodeStatus;
}

async function containerId(client: ControlPlane['client'], pod: PodName, container: string): Promise<string> {
  const live = await client.get({ apiVersion: 'v1', kind: 'Pod', metadata: pod });
  const { containerStatuses = [] } = (live?.['status'] ?? {}) as {
    readonly containerStatuses?: readonly { readonly name: string; readonly containerID?: string }[];
  };
  const id = containerStatuses.find(({ name }) => name === container)?.containerID;
  if (id === undefined) throw new Error(`${pod.name} has no container ${container}`);
  return id.replace('containerd://', '');
}

/** In all namespaces of the machine's first process. */
async function runInside(folder: string, command: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('sh', [join(HERE, 'inside.sh'), folder, ...command], {
    maxBuffer: 1 << 26,
  });
  return stdout;
}

/** Without the time and stream at the beginning of each line, which the format of CRI has. */
function readLogs(folder: string, pod: PodName, container: string): string {
  const root = join(folder, 'written/var/log/pods');
  const ofPod = readdirSync(root).filter((name) => name.startsWith(`${pod.namespace}_${pod.name}_`));
  const files = ofPod.flatMap((name) => [...filesBelow(join(root, name, container))].sort());
  const lines = files.flatMap((file) => readFileSync(file, 'utf8').split('\n'));
  return lines.map((line) => line.replace(/^\S+ \S+ \S+ /, '')).join('\n');
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name));
}
