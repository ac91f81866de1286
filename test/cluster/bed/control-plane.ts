import { execFile } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { createClient, type ApiClient } from './api-client.js';
import { startGuarded, until, type GuardedProcess } from './guarded-process.js';

/** etcd, kube-apiserver, kube-controller-manager and kube-scheduler on loopback. */
export interface ControlPlane {
  readonly client: ApiClient;
  /** Logs, audit log and data. */
  readonly folder: string;
  readonly port: number;
  /** For kubectl: a user who may do everything. */
  readonly kubeconfig: string;
  /** For the kubelet of a node that the options name. */
  readonly writeNodeKubeconfig: (path: string, node: string, server: string) => void;
  /** The API server's own certificate for 127.0.0.1 with its key: a webhook of a test can use it too. */
  readonly certificate: { readonly certificate: string; readonly key: string };
  /** Runs the kubectl that was built with the control plane. Fails as it fails. */
  kubectl(...args: readonly string[]): Promise<{ readonly stdout: string; readonly stderr: string }>;
  /**
   * Ends the API server and the controllers by SIGKILL, as a machine that reboots does, and starts them again after a while, at the
   * same address with the same data. Controllers that go on instead may wait five minutes for the creation of a pod that they have not
   * observed (`ExpectationsTimeout` in `pkg/controller/controller_utils.go` of Kubernetes 1.36). `compacted`: etcd removes all versions
   * but the current ones meanwhile.
   */
  restartApiServer(awaySeconds: number, compacted?: 'compacted'): Promise<void>;
  /** Starts the controllers and the scheduler after `hasControllers: false`. Their first lists have all objects created before. */
  startControllers(): Promise<void>;
  stop(): Promise<void>;
}

export interface ControlPlaneOptions {
  /** The folder with the programs. */
  readonly binaries: string;
  /** Created if it is missing; no file outside of it is written. */
  readonly folder: string;
  /** False: only etcd and the API server, so that only the test changes objects. Default: true. */
  readonly hasControllers?: boolean;
  /** Names of nodes with a kubelet of their own. Default: none. */
  readonly nodes?: readonly string[];
}

const USERS = {
  admin: 'system:masters',
  'system:kube-controller-manager': '',
  'system:kube-scheduler': '',
} as const;
type User = keyof typeof USERS;

/**
 * Logs the requests of the companion with their bodies, and who else wrote which object and when. Bodies of other users are left out,
 * because logging them takes time of the API server that the tests measure.
 */
const AUDIT_POLICY = `apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
  # Every request of the companion, reads too: its rights and the number of its requests are checked by them.
  - level: Request
    userGroups: ["system:serviceaccounts:nvidia-network-operator"]
  - level: None
    verbs: [get, list, watch]
  - level: None
    resources: [{group: coordination.k8s.io}, {group: "", resources: [events]}, {group: events.k8s.io}]
  - level: Metadata
`;

/** Enforces pod security for every namespace without a label of its own, so the rendered Namespace must have that label. */
const ADMISSION = `apiVersion: apiserver.config.k8s.io/v1
kind: AdmissionConfiguration
plugins:
  - name: PodSecurity
    configuration:
      apiVersion: pod-security.admission.config.k8s.io/v1
      kind: PodSecurityConfiguration
      defaults: {enforce: restricted, enforce-version: latest}
`;

/** Starts a separate control plane, on free ports. */
export async function startControlPlane(options: ControlPlaneOptions): Promise<ControlPlane> {
  const { folder } = options;
  mkdirSync(folder, { recursive: true });
  const [etcdPort, etcdPeerPort, port] = await freePorts(3);
  const { nodes = [] } = options;
  const tokens = writeSecrets(folder, nodes);
  const started: GuardedProcess[] = [];
  const start = (program: string, args: readonly string[]) => {
    const logFile = join(folder, `${program}.log`);
    const command = join(options.binaries, program === 'etcd' ? 'server' : program);
    const one = startGuarded(program, command, args, { logFile, workingDirectory: folder });
    started.push(one);
    return one;
  };
  const stop = async () => {
    for (const one of [...started].reverse()) await one.stop();
  };
  try {
    start('etcd', etcdFlags(etcdPort, etcdPeerPort));
    let apiServer = start('kube-apiserver', apiServerFlags(port, etcdPort));
    const certificate = await until('the certificate of the API server', () => readCertificate(folder));
    const client = createClient({ port, token: tokens['admin'] ?? '', certificateAuthority: certificate.certificate });
    const server = `https://127.0.0.1:${port}`;
    for (const user of Object.keys(USERS) as User[]) {
      writeKubeconfig(join(folder, fileOf(user)), server, tokens[user] ?? '', certificate.certificate);
    }
    await until('the API server is ready', async () => {
      failIfEnded(started);
      return (await client.send('GET', '/readyz')).status === 200 ? true : undefined;
    });
    let controllers: GuardedProcess | undefined;
    const startControllers = async () => {
      controllers = start('kube-controller-manager', CONTROLLER_MANAGER_FLAGS);
      start('kube-scheduler', SCHEDULER_FLAGS);
      // From here on pods can be created: admission needs the default ServiceAccount.
      await until('the controllers run', async () => {
        failIfEnded(started);
        return (
          (await client.send('GET', '/api/v1/namespaces/default/serviceaccounts/default')).status === 200 || undefined
        );
      });
    };
    if (options.hasControllers !== false) await startControllers();
    const kubeconfig = join(folder, fileOf('admin'));
    return {
      client,
      folder,
      port,
      kubeconfig,
      certificate,
      startControllers,
      writeNodeKubeconfig: (path, node, address) =>
        writeKubeconfig(path, address, tokens[nodeUser(node)] ?? '', certificate.certificate),
      kubectl: (...args) => runKubectl(join(options.binaries, 'kubectl'), kubeconfig, args),
      restartApiServer: async (awaySeconds, compacted) => {
        for (const one of [apiServer, ...(controllers === undefined ? [] : [controllers])]) {
          await one.kill();
          started.splice(started.indexOf(one), 1);
        }
        if (compacted !== undefined) await compactEtcd(etcdPort);
        await sleep(awaySeconds * 1000);
        apiServer = start('kube-apiserver', apiServerFlags(port, etcdPort));
        await until('the API server is ready again', async () =>
          (await client.send('GET', '/readyz')).status === 200 ? true : undefined,
        );
        if (controllers !== undefined) controllers = start('kube-controller-manager', CONTROLLER_MANAGER_FLAGS);
      },
      stop: async () => {
        client.close();
        await stop();
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Uses etcd's gateway of JSON over HTTP. */
async function compactEtcd(port: number): Promise<void> {
  const ask = async (path: string, body: object): Promise<unknown> => {
    const answer = await fetch(`http://127.0.0.1:${port}/v3/${path}`, { method: 'POST', body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`etcd: ${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
  const { header } = (await ask('maintenance/status', {})) as { readonly header: { readonly revision: string } };
  await ask('kv/compaction', { revision: header.revision, physical: true });
}

function runKubectl(program: string, kubeconfig: string, args: readonly string[]) {
  // A separate cache: the one in the home folder belongs to the user's own clusters.
  const cache = join(kubeconfig, '../kubectl-cache');
  return promisify(execFile)(program, ['--kubeconfig', kubeconfig, '--cache-dir', cache, ...args], {
    maxBuffer: 256 * 1024 * 1024,
    // ApplySet is an alpha feature of kubectl.
    env: { ...process.env, KUBECTL_APPLYSET: 'true' },
  });
}

function fileOf(user: User): string {
  return `${user.replace('system:', '')}.kubeconfig`;
}

function failIfEnded(started: readonly GuardedProcess[]): void {
  const ended = started.find((one) => !one.isRunning());
  if (!ended) return;
  const lines = readFileSync(ended.logFile, 'utf8').trimEnd().split('\n').slice(-15);
  throw new Error(`${ended.name} ended by itself:\n${lines.join('\n')}`);
}

function etcdFlags(port: number, peerPort: number): readonly string[] {
  const [url, peerUrl] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peerPort}`];
  return [
    '--name=test',
    '--data-dir=etcd',
    `--listen-client-urls=${url}`,
    `--advertise-client-urls=${url}`,
    `--listen-peer-urls=${peerUrl}`,
    `--initial-advertise-peer-urls=${peerUrl}`,
    `--initial-cluster=test=${peerUrl}`,
    '--log-level=warn',
    // The data is deleted after the run.
    '--unsafe-no-fsync',
  ];
}

function apiServerFlags(port: number, etcdPort: number): readonly string[] {
  return [
    '--bind-address=127.0.0.1',
    '--advertise-address=127.0.0.1',
    `--secure-port=${port}`,
    // It writes a self-signed certificate there.
    '--cert-dir=certificates',
    '--endpoint-reconciler-type=none',
    `--etcd-servers=http://127.0.0.1:${etcdPort}`,
    '--service-cluster-ip-range=10.96.0.0/16',
    '--token-auth-file=tokens.csv',
    '--authorization-mode=Node,RBAC',
    '--allow-privileged=true',
    '--service-account-issuer=https://kubernetes.default.svc',
    '--service-account-key-file=service-accounts.key',
    '--service-account-signing-key-file=service-accounts.key',
    '--admission-control-config-file=admission.yaml',
    '--audit-policy-file=audit-policy.yaml',
    '--audit-log-path=audit.log',
    // In megabytes: the log must not be rotated, because tests read only one file.
    '--audit-log-maxsize=4000',
    '--profiling=false',
    // Names of simulated nodes cannot be resolved.
    '--kubelet-preferred-address-types=InternalIP',
  ];
}

/** The defaults of 20 and 50 requests a second would make the tests slow. */
const CLIENT_FLAGS = ['--leader-elect=false', '--kube-api-qps=1000', '--kube-api-burst=2000', '--profiling=false'];

const CONTROLLER_MANAGER_FLAGS = [
  ...CLIENT_FLAGS,
  '--kubeconfig=kube-controller-manager.kubeconfig',
  '--secure-port=0',
  '--service-account-private-key-file=service-accounts.key',
  '--use-service-account-credentials=true',
  // Simulated nodes renew no leases: a test says itself when a node stops reporting.
  '--node-monitor-grace-period=24h',
];

const SCHEDULER_FLAGS = [...CLIENT_FLAGS, '--kubeconfig=kube-scheduler.kubeconfig', '--secure-port=0'];

function nodeUser(node: string): string {
  return `system:node:${node}`;
}

/** Returns the token of each user. */
function writeSecrets(folder: string, nodes: readonly string[]): Readonly<Record<string, string>> {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const secret = { mode: 0o600 };
  writeFileSync(join(folder, 'service-accounts.key'), privateKey.export({ type: 'pkcs1', format: 'pem' }), secret);
  const users = { ...USERS, ...Object.fromEntries(nodes.map((node) => [nodeUser(node), 'system:nodes'])) };
  const tokens: Record<string, string> = {};
  const lines = Object.entries(users).map(([user, group]) => {
    tokens[user] = randomBytes(16).toString('hex');
    return `${tokens[user]},${user},${user},"${group}"\n`;
  });
  writeFileSync(join(folder, 'tokens.csv'), lines.join(''), secret);
  writeFileSync(join(folder, 'audit-policy.yaml'), AUDIT_POLICY);
  writeFileSync(join(folder, 'admission.yaml'), ADMISSION);
  return tokens;
}

function readCertificate(folder: string): ControlPlane['certificate'] | undefined {
  try {
    const read = (name: string) => readFileSync(join(folder, 'certificates', name), 'utf8');
    const found = { certificate: read('apiserver.crt'), key: read('apiserver.key') };
    return found.key.includes('END') ? found : undefined;
  } catch {
    return undefined;
  }
}

/** Writes a kubeconfig, as JSON, which is YAML. */
export function writeKubeconfig(path: string, server: string, token: string, certificateAuthority: string): void {
  const authority = Buffer.from(certificateAuthority).toString('base64');
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'test', cluster: { server, 'certificate-authority-data': authority } }],
    users: [{ name: 'test', user: { token } }],
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'test' } }],
    'current-context': 'test',
  };
  writeFileSync(path, JSON.stringify(config, null, 2), { mode: 0o600 });
}

/** Different ports that were free a moment ago. */
async function freePorts(count: 3): Promise<readonly [number, number, number]> {
  const servers = Array.from({ length: count }, () => createServer());
  const ports = await Promise.all(
    servers.map(
      (server) =>
        new Promise<number>((done, failed) => {
          server.once('error', failed);
          server.listen(0, '127.0.0.1', () => {
            const address = server.address();
            if (address === null || typeof address === 'string') failed(new Error('no port'));
            else done(address.port);
          });
        }),
    ),
  );
  await Promise.all(servers.map((server) => new Promise((done) => server.close(done))));
  return ports as unknown as readonly [number, number, number];
}
