import { describe, expect, it } from '@jest/globals';
import { sendJson, type Handler } from '../../../../test/kube-server/server.js';
import { serverForEachTest } from '../../../../test/kube-server/started.js';
import type { WatchEvent } from '../../../shared/kube-client/types.js';
import type { GpuClaim } from '../ports.js';
import { reduceGpuClaim } from './gpu-claims.js';
import { createKubePort } from './kube-port.js';

const server = serverForEachTest();

const GPU = 'gpu.nvidia.com';
const claimOf = (devices: readonly object[], reservedFor: readonly object[]) => ({
  metadata: { namespace: 'default', name: 'gpu' },
  status: { allocation: { devices: { results: devices } }, reservedFor },
});
const podsOf = (...uids: readonly string[]) => uids.map((uid) => ({ resource: 'pods', name: `pod-${uid}`, uid }));

describe('the pods that hold a GPU by a claim', () => {
  it.each<{ name: string; claim: object; expected: readonly string[] }>([
    { name: 'share its devices', claim: claimOf([{ driver: GPU }], podsOf('a', 'b')), expected: ['a', 'b'] },
    {
      name: 'have a device of another driver, too',
      claim: claimOf([{ driver: 'nic.example.com' }, { driver: GPU, adminAccess: false }], podsOf('a')),
      expected: ['a'],
    },
    {
      name: 'are none with another driver',
      claim: claimOf([{ driver: `compute-domain.nvidia.com` }], podsOf('a')),
      expected: [],
    },
    {
      name: 'are none with a look for administrators',
      claim: claimOf([{ driver: GPU, adminAccess: true }], podsOf('a')),
      expected: [],
    },
    {
      name: 'are none of another kind',
      claim: claimOf([{ driver: GPU }], [{ resource: 'others', uid: 'a' }]),
      expected: [],
    },
    { name: 'are none before the allocation', claim: { metadata: { name: 'gpu' }, status: {} }, expected: [] },
    { name: 'are none without a status', claim: { metadata: { name: 'gpu' } }, expected: [] },
  ])('$name', ({ claim, expected }) => {
    expect(reduceGpuClaim(claim).podUids).toEqual(expected);
  });
});

const CLAIMS = { metadata: { resourceVersion: '7' }, items: [claimOf([{ driver: GPU }], podsOf('a'))] };

/** An API server with these versions of ResourceClaims; a watch ends as if its version had gone. */
function serving(versions: readonly string[]): Handler {
  return ({ path, query }, response) => {
    const groups =
      versions.length === 0 ? [] : [{ name: 'resource.k8s.io', versions: versions.map((version) => ({ version })) }];
    if (path === '/apis') return sendJson(response, 200, { groups });
    const isServed = versions.some((version) => path === `/apis/resource.k8s.io/${version}/resourceclaims`);
    if (isServed && !query.has('watch')) return sendJson(response, 200, CLAIMS);
    response.writeHead(404, { 'content-type': 'text/plain' });
    response.end('404 page not found');
  };
}

function portWith(lifetimeSeconds = 250) {
  const times = { startMs: 60_000, silentMs: 60_000, lifetimeSeconds: () => lifetimeSeconds };
  return createKubePort(server.client(), 'net', times);
}

describe('the version of ResourceClaims', () => {
  it.each([
    { served: ['v1beta1', 'v1', 'v1beta2'], version: 'v1' },
    { served: ['v1beta1', 'v1beta2'], version: 'v1beta2' },
    { served: ['v1beta1'], version: 'v1beta1' },
  ])('of $served is $version', async ({ served, version }) => {
    server.serve(serving(served));
    const answer = await portWith().list('gpuClaims');
    const value = { items: [{ namespace: 'default', name: 'gpu', podUids: ['a'] }], resourceVersion: '7' };
    expect(answer).toEqual({ kind: 'ok', value });
    expect(server.requests().map(({ path }) => path)).toEqual([
      '/apis',
      `/apis/resource.k8s.io/${version}/resourceclaims`,
    ]);
  });

  it.each([{ served: [] }, { served: ['v1alpha3'] }])(
    'is none of $served: no claims, asked for again',
    async ({ served }) => {
      server.serve(serving(served));
      const port = portWith(0.01);
      expect(await port.list('gpuClaims')).toEqual({ kind: 'ok', value: { items: [], resourceVersion: '' } });
      const event = await new Promise<WatchEvent<GpuClaim>>(
        (resolve) => void port.watch('gpuClaims', undefined, '', resolve),
      );
      expect(event).toEqual({
        kind: 'end',
        answer: { kind: 'expired', message: 'resourceclaims.resource.k8s.io are not served' },
      });
      expect(server.requests().map(({ path }) => path)).toEqual(['/apis']);
    },
  );

  it.each([
    { kinds: [{ name: 'deviceclasses', kind: 'DeviceClass' }], expected: 'ok' },
    { kinds: [{ name: 'resourceclaims', kind: 'ResourceClaim' }], expected: 'retry' },
  ])('that serves $kinds.0.kind, and answers with 404: $expected', async ({ kinds, expected }) => {
    server.serve((request, response) => {
      const { path } = request;
      if (path === '/apis/resource.k8s.io/v1') return sendJson(response, 200, { resources: kinds });
      return serving(path === '/apis' ? ['v1'] : [])(request, response);
    });
    expect((await portWith().list('gpuClaims')).kind).toBe(expected);
  });

  it('may go while it is watched: then everything is listed again', async () => {
    server.serve(serving(['v1beta1']));
    const port = portWith();
    await port.list('gpuClaims');
    const event = await new Promise<WatchEvent<GpuClaim>>(
      (resolve) => void port.watch('gpuClaims', undefined, '7', resolve),
    );
    expect(event).toEqual({ kind: 'end', answer: { kind: 'expired', message: '404 page not found' } });
  });

  it('is not asked for after the stop', async () => {
    server.serve(serving([]));
    const port = portWith(0.01);
    await port.list('gpuClaims');
    const events: unknown[] = [];
    port.watch('gpuClaims', undefined, '', (event) => events.push(event))();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(events).toEqual([]);
  });
});
