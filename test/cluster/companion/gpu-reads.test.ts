import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createApiClient } from '../../../src/shared/kube-client/api-client.js';
import { podEndpoint, type Endpoint } from '../../../src/shared/kube-client/endpoint.js';
import { createRateLimit } from '../../../src/shared/kube-client/rate-limit.js';
import type { WatchEvent } from '../../../src/shared/kube-client/types.js';
import { createKubePort } from '../../../src/companion/runtime/kube-port/kube-port.js';
import type { ClusterPort, GpuClaim } from '../../../src/companion/runtime/ports.js';
import type { LiveObject } from '../bed/api-client.js';
import type { ControlPlane } from '../bed/control-plane.js';
import { until } from '../bed/guarded-process.js';
import { startTestBed } from '../bed/test-bed.js';

/** What the companion reads for GPU drivers, as an API server answers: kinds that may be missing, and claims of dynamic resource allocation. */
let controlPlane: ControlPlane;
let endpoint: Endpoint;
let port: ClusterPort;

beforeAll(async () => {
  controlPlane = await startTestBed('gpu-reads', { hasControllers: false });
  const folder = join(controlPlane.folder, 'credentials');
  mkdirSync(folder);
  const admin = /^([^,]+),admin,/m.exec(readFileSync(join(controlPlane.folder, 'tokens.csv'), 'utf8'))?.[1] ?? '';
  writeFileSync(join(folder, 'token'), admin);
  writeFileSync(join(folder, 'ca.crt'), controlPlane.certificate.certificate);
  endpoint = podEndpoint('127.0.0.1', controlPlane.port, folder);
  port = createKubePort(createApiClient(endpoint, createRateLimit(1000, 1000)), 'net');
});
afterAll(async () => {
  endpoint.close();
  await controlPlane.stop();
});

function crd(version: string, kind: string, plural: string): LiveObject {
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  return {
    ...{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' },
    metadata: { name: `${plural}.nvidia.com` },
    spec: {
      ...{ group: 'nvidia.com', scope: 'Cluster', names: { kind, plural, singular: kind.toLowerCase() } },
      versions: [{ name: version, served: true, storage: true, schema }],
    },
  };
}

const names = async (): Promise<readonly string[] | string> => {
  const answer = await port.listGpuOperatorPolicies();
  return answer.kind === 'ok' ? answer.value.map(({ kind, name }) => `${kind} ${name}`) : answer.message;
};

it('ClusterPolicies and NVIDIADrivers are none until their CRDs are there', async () => {
  const { client } = controlPlane;
  expect(await names()).toEqual([]);
  // Another program's kind of the same group and version.
  await client.create(crd('v1alpha1', 'Other', 'others'));
  await client.create(crd('v1', 'ClusterPolicy', 'clusterpolicies'));
  const apiVersion = 'nvidia.com/v1';
  const spec = { driver: { upgradePolicy: { autoUpgrade: true, maxUnavailable: 0 } } };
  await until('the CRD is served', async () => {
    const object = { apiVersion, kind: 'ClusterPolicy', metadata: { name: 'cluster-policy' }, spec };
    return (await client.send('POST', '/apis/nvidia.com/v1/clusterpolicies', object)).status < 300 || undefined;
  });
  await until('discovery has it', async () => (await names()).length > 0 || undefined);
  expect(await names()).toEqual(['ClusterPolicy cluster-policy']);
});

it('ResourceClaims are listed and watched in the version that is served, with the pods that hold a GPU', async () => {
  const { client } = controlPlane;
  const listed = await port.list('gpuClaims');
  if (listed.kind !== 'ok') throw new Error(listed.message);
  expect(listed.value.items).toEqual([]);
  const events: WatchEvent<GpuClaim>[] = [];
  const stop = port.watch('gpuClaims', undefined, listed.value.resourceVersion, (event) => events.push(event));
  const claims = '/apis/resource.k8s.io/v1/namespaces/default/resourceclaims';
  const created = await client.send('POST', claims, {
    ...{ apiVersion: 'resource.k8s.io/v1', kind: 'ResourceClaim', metadata: { name: 'gpu' } },
    spec: { devices: { requests: [{ name: 'gpu', exactly: { deviceClassName: 'gpu.nvidia.com' } }] } },
  });
  expect(created.status).toBe(201);
  const result = { request: 'gpu', driver: 'gpu.nvidia.com', pool: 'node-1', device: 'gpu-0' };
  const status = {
    allocation: { devices: { results: [result] } },
    reservedFor: [{ resource: 'pods', name: 'user', uid: 'uid-user' }],
  };
  const changed = await client.send('PUT', `${claims}/gpu/status`, { ...created.body, status });
  expect([changed.status, changed.body['message']]).toEqual([200, undefined]);
  await until('the watch shows it', () => Promise.resolve(events.length >= 2 || undefined));
  stop();
  const puts = events.flatMap((event) => (event.kind === 'put' ? [event.item] : []));
  expect(puts).toEqual([
    { namespace: 'default', name: 'gpu', podUids: [] },
    { namespace: 'default', name: 'gpu', podUids: ['uid-user'] },
  ]);
  const again = await port.list('gpuClaims');
  expect(again.kind === 'ok' && again.value.items.map(({ podUids }) => podUids)).toEqual([['uid-user']]);
});
