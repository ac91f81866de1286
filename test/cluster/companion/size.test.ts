import { driverKeys } from '../../../src/shared/contract/labels.js';
import { recorded } from '../../kit/records.js';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, openSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bundledForCompanion } from '../../../scripts/build-companion.js';
import { installDigest } from '../../../src/shared/contract/install-digest.js';
import { sendJson, startServer, statusBody, type Received, type TestServer } from '../../kube-server/server.js';
import { peakOf } from '../upgrade-bed/companion-container.js';
import { NAMESPACE } from '../simulated/fleet.js';
import { until } from '../bed/guarded-process.js';
import { report } from '../bed/report.js';
import { folderOf, isFull } from '../bed/test-bed.js';

/**
 * The companion's program against a server that has more nodes than a control plane on one machine: how much memory it takes, and
 * the time from an event to the request that it causes.
 */
const NODES = 5_000;
const PODS_PER_NODE = 20;
const MEMORY_MIB = 256;
const DECISION_MS = 2_000;
const KEYS = driverKeys('ofed');
const WAITING_NODE = 'node-7';

const DRIVER_LABEL = { 'nvidia.com/ofed-driver': '' };
const TEMPLATE = { spec: { containers: [{ name: 'mofed-container', image: 'registry.example.com/driver:2' }] } };
const DIGEST = installDigest(TEMPLATE);

function nodeObject(name: string): object {
  const isWaiting = name === WAITING_NODE;
  const state = isWaiting ? 'pod-restart-required' : 'upgrade-done';
  const labels = {
    [KEYS.state]: state,
    'feature.node.kubernetes.io/pci-15b3.present': 'true',
    'kubernetes.io/hostname': name,
    'example.com/rack': `rack-${name.length}`,
  };
  const annotations = {
    ...(isWaiting && recorded({ cordon: '', wants: { ofed: DIGEST }, restarts: { ofed: Date.now() / 1000 } })),
    'volumes.kubernetes.io/controller-managed-attach-detach': 'true',
  };
  const images = Array.from({ length: 30 }, (_, index) => ({
    names: [`registry.example.com/image-${index}`],
    sizeBytes: 1e8,
  }));
  return {
    metadata: { name, uid: `uid-${name}`, resourceVersion: '1', labels, annotations },
    spec: { unschedulable: isWaiting },
    status: {
      conditions: [{ type: 'Ready', status: 'True' }],
      allocatable: { cpu: '64', memory: '512Gi', 'rdma/rdma_shared_device_a': '63' },
      images,
    },
  };
}

function driverPod(node: string, isReady: boolean): object {
  const ownerReferences = [{ apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'mofed', uid: 'd1', controller: true }];
  return {
    metadata: {
      ...{ namespace: NAMESPACE, name: `mofed-${node}`, uid: `driver-${node}`, resourceVersion: '2', ownerReferences },
      labels: { ...DRIVER_LABEL, 'controller-revision-hash': 'r2' },
    },
    spec: { ...TEMPLATE.spec, nodeName: node },
    status: {
      phase: 'Running',
      containerStatuses: [{ name: 'mofed-container', ready: isReady, restartCount: 0, state: { running: {} } }],
    },
  };
}

function workloadPod(node: string, index: number): object {
  const name = `web-${node}-${index}`;
  const ownerReferences = [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid: 'w1', controller: true }];
  const env = Array.from({ length: 20 }, (_, at) => ({ name: `VARIABLE_${at}`, value: `value of ${name}` }));
  return {
    metadata: {
      namespace: 'work',
      name,
      uid: `uid-${name}`,
      resourceVersion: '2',
      labels: { app: 'web' },
      ownerReferences,
    },
    spec: { nodeName: node, containers: [{ name: 'web', image: 'registry.example.com/web:1', env }] },
    status: {
      phase: 'Running',
      conditions: [{ type: 'Ready', status: 'True' }],
      containerStatuses: [{ name: 'web', ready: true }],
    },
  };
}

const POLICY = {
  ...{ apiVersion: 'weft.dev/v1alpha1', kind: 'UpgradePolicy' },
  drivers: [
    {
      ...{ kind: 'ofed', namespace: NAMESPACE, containerName: 'mofed-container' },
      ...{ daemonSetSelector: 'nvidia.com/ofed-driver', podSelector: 'nvidia.com/ofed-driver' },
      policies: [
        {
          ...{ name: 'NicClusterPolicy', upgradePolicy: { autoUpgrade: true, drain: {} } },
          daemonSets: [{ name: 'mofed', digest: DIGEST }],
        },
      ],
    },
  ],
};
const DAEMON_SET = {
  metadata: {
    ...{ namespace: NAMESPACE, name: 'mofed', uid: 'd1', resourceVersion: '1', generation: 1, labels: DRIVER_LABEL },
    annotations: { 'weft.dev/install-digest': DIGEST },
  },
  spec: { template: TEMPLATE },
  status: { observedGeneration: 1 },
};
const REVISION = {
  metadata: {
    ...{ namespace: NAMESPACE, name: 'mofed-r2', labels: { 'controller-revision-hash': 'r2' } },
    ownerReferences: [{ uid: 'd1', controller: true }],
  },
  data: { spec: { template: TEMPLATE } },
};

/** Collections as JSON texts of their items, and the watches of them. */
const collections = new Map<string, readonly string[]>();
const watches = new Map<string, ServerResponse[]>();

/** The objects that the companion wrote: its Lease and its status. */
const objects = new Map<string, object>();
let version = 10;

function fill(): void {
  const names = Array.from({ length: NODES }, (_, index) => `node-${index}`);
  const drivers = names.map((name) => JSON.stringify(driverPod(name, name !== WAITING_NODE)));
  const others = names.flatMap((name) =>
    Array.from({ length: PODS_PER_NODE - 1 }, (_, index) => JSON.stringify(workloadPod(name, index))),
  );
  const own = `/namespaces/${NAMESPACE}`;
  collections.set(
    '/api/v1/nodes',
    names.map((name) => JSON.stringify(nodeObject(name))),
  );
  collections.set('/api/v1/pods', [...drivers, ...others]);
  collections.set(`/api/v1${own}/pods`, drivers);
  collections.set('/apis/policy/v1/poddisruptionbudgets', []);
  collections.set(`/apis/apps/v1${own}/daemonsets`, [JSON.stringify(DAEMON_SET)]);
  collections.set(`/apis/apps/v1${own}/controllerrevisions`, [JSON.stringify(REVISION)]);
}

function answer({ method, path, query, body }: Received, response: ServerResponse): void {
  const collection = collections.get(path);
  if (collection !== undefined && query.get('watch') !== null) {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.flushHeaders();
    watches.set(path, [...(watches.get(path) ?? []), response]);
    return;
  }
  if (collection !== undefined) {
    const from = Number(query.get('continue') ?? 0);
    const to = from + Number(query.get('limit') ?? collection.length);
    const more = to < collection.length ? { continue: String(to) } : {};
    const metadata = JSON.stringify({ resourceVersion: '2', ...more });
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(`{"kind":"List","metadata":${metadata},"items":[${collection.slice(from, to).join(',')}]}`);
    return;
  }
  if (path.endsWith('/weft-companion-policy'))
    return sendJson(response, 200, {
      metadata: { name: 'weft-companion-policy' },
      data: { 'policy.json': JSON.stringify(POLICY) },
    });
  if (method === 'GET' && objects.has(path)) return sendJson(response, 200, objects.get(path));
  if (method === 'GET') return sendJson(response, 404, statusBody(404, 'NotFound', 'not found'));
  const sent = (body ?? {}) as { readonly metadata?: { readonly name?: string } };
  const stored = { ...sent, metadata: { ...sent.metadata, uid: 'u', resourceVersion: String(++version) } };
  objects.set(method === 'POST' ? `${path}/${sent.metadata?.name ?? ''}` : path, stored);
  sendJson(response, method === 'POST' ? 201 : 200, stored);
}

let server: TestServer;
let companion: ChildProcess;
beforeAll(async () => {
  if (!isFull()) return;
  fill();
  server = await startServer();
  server.handle = answer;
  const folder = folderOf('size');
  mkdirSync(folder, { recursive: true });
  const program = join(folder, 'companion.cjs');
  writeFileSync(program, await bundledForCompanion('src/companion/runtime/main.ts'));
  const logFile = openSync(join(folder, 'log'), 'w');
  const env = {
    ...{ PATH: process.env['PATH'], POD_NAME: 'weft-companion-0', POD_NAMESPACE: NAMESPACE, WEFT_MODE: 'job' },
    ...{
      WEFT_CREDENTIALS: server.folder,
      KUBERNETES_SERVICE_HOST: '127.0.0.1',
      KUBERNETES_SERVICE_PORT: String(server.port),
    },
  };
  companion = spawn(process.execPath, [program], { env, stdio: ['ignore', logFile, logFile] });
});
afterAll(async () => {
  if (!isFull()) return;
  if (companion.exitCode === null) {
    companion.kill('SIGKILL');
    await once(companion, 'exit');
  }
  await server.stop();
});

// Only at full size, because the time depends on the machine.
const sized = isFull() ? describe : describe.skip;
sized(`${NODES} nodes with ${PODS_PER_NODE} pods each`, () => {
  it('fit into the memory that is allowed, and an event is acted on within two seconds', async () => {
    await until('it watches the pods', () => (watches.get('/api/v1/pods') ?? [])[0], 180);
    const statusWrites = () =>
      server.requests.filter(({ path, method }) => method === 'POST' && path.endsWith('/configmaps'));
    await until('its first decision is made', () => (statusWrites().length > 0 ? true : undefined), 60);
    const patchesOf = () =>
      server.requests.filter(({ method, path }) => method === 'PATCH' && path.endsWith(`/${WAITING_NODE}`));
    const before = patchesOf().length;
    const fromMs = performance.now();
    const event = { type: 'MODIFIED', object: driverPod(WAITING_NODE, true) };
    for (const watch of watches.get('/api/v1/pods') ?? []) watch.write(`${JSON.stringify(event)}\n`);
    await until('the node goes on', () => (patchesOf().length > before ? true : undefined), 30);
    const tookMs = performance.now() - fromMs;
    const peak = peakOf(companion.pid);
    report(
      `${NODES} nodes with ${PODS_PER_NODE} pods: ${Math.round(peak)} MiB, ${Math.round(tookMs)} ms from an event to the patch`,
    );
    expect(patchesOf().at(-1)?.body).toMatchObject({ metadata: { labels: { [KEYS.state]: 'upgrade-done' } } });
    expect(peak).toBeLessThan(MEMORY_MIB);
    expect(tookMs).toBeLessThan(DECISION_MS);
  });
});
