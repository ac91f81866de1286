import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { WITHOUT_PAUSES } from '../../../../test/kube-server/clock.js';
import {
  sendJson,
  startServer,
  statusBody,
  type Handler,
  type TestServer,
} from '../../../../test/kube-server/server.js';
import { createCertificate } from '../../../../test/kube-server/certificate.js';
import { podEndpoint, type Endpoint } from '../../../shared/kube-client/endpoint.js';
import { createApiClient } from '../../../shared/kube-client/api-client.js';
import { createKubePort } from './kube-port.js';
import { createRateLimit } from '../../../shared/kube-client/rate-limit.js';
import type { ClusterPort, ObjectEvent } from '../ports.js';
import type { EvictPod, PatchNode } from '../../model/types.js';

let server: TestServer;
let port: ClusterPort;
const opened: Endpoint[] = [];

function startPort(callTimeoutMs = 4_000, limit = createRateLimit(1000, 1000), folder = server.folder): ClusterPort {
  const endpoint = podEndpoint('127.0.0.1', server.port, folder);
  opened.push(endpoint);
  return createKubePort(createApiClient(endpoint, limit, callTimeoutMs, WITHOUT_PAUSES), 'net');
}

beforeEach(async () => {
  server = await startServer();
  port = startPort();
});
afterEach(async () => {
  for (const endpoint of opened.splice(0)) endpoint.close();
  await server.stop();
});

const NODE = { metadata: { name: 'n1', uid: 'u1', resourceVersion: '5' } };
const PATCH: PatchNode = {
  ...{ kind: 'patchNode', driver: 'ofed', node: 'n1', uid: 'u1', resourceVersion: '4', steps: [] },
  labels: { a: 'b', c: null },
  annotations: {},
};
const EVICTION: EvictPod = {
  kind: 'evictPod',
  driver: 'ofed',
  node: 'n1',
  namespace: 'default',
  name: 'web',
  uid: 'p1',
};

/** Sends these answers in turn, then repeats the last one. */
function answers(...handlers: readonly Handler[]): Handler {
  let next = 0;
  return (request, response) => {
    const handler = handlers[Math.min(next++, handlers.length - 1)];
    handler?.(request, response);
  };
}

const json =
  (status: number, body: object, headers: Readonly<Record<string, string>> = {}): Handler =>
  (_request, response) =>
    sendJson(response, status, body, headers);
const text =
  (status: number, body: string, headers: Readonly<Record<string, string>> = {}): Handler =>
  (_request, response) => {
    response.writeHead(status, { 'content-type': 'text/plain', ...headers });
    response.end(body);
  };
const tear: Handler = (_request, response) => void response.socket?.destroy();

const NO_RIGHT =
  'nodes "n1" is forbidden: User "sa" cannot patch resource "nodes" in API group "" at the cluster scope';
const WEBHOOK = 'admission webhook "x.example.com" denied the request: no';

describe('answers', () => {
  it.each<{ name: string; handler: Handler; expected: object }>([
    { name: '200', handler: json(200, NODE), expected: { kind: 'ok', value: { name: 'n1', resourceVersion: '5' } } },
    {
      name: '404',
      handler: json(404, statusBody(404, 'NotFound', 'none')),
      expected: { kind: 'gone', message: 'none' },
    },
    {
      name: "a proxy's 404",
      handler: text(404, 'page not found'),
      expected: { kind: 'retry', message: 'page not found' },
    },
    { name: '409', handler: json(409, statusBody(409, 'Conflict', 'modified')), expected: { kind: 'conflict' } },
    {
      name: '422',
      handler: json(422, statusBody(422, 'Invalid', 'bad')),
      expected: { kind: 'error', message: '422: bad' },
    },
    {
      name: '403 of a webhook',
      handler: json(403, statusBody(403, 'Forbidden', WEBHOOK)),
      expected: { kind: 'error', message: WEBHOOK },
    },
    {
      name: '500',
      handler: json(500, statusBody(500, 'InternalError', 'etcd')),
      expected: { kind: 'retry', message: 'etcd' },
    },
    {
      name: '502 of a proxy',
      handler: text(502, '<html>\n<b>Bad Gateway</b>'),
      expected: { kind: 'retry', message: 'Bad Gateway' },
    },
    {
      name: '429 of priority and fairness',
      handler: text(429, 'Too many requests', { 'retry-after': '3' }),
      expected: { kind: 'retry', retryAfterSeconds: 3 },
    },
    {
      name: '503 with a date',
      handler: text(503, '', { 'retry-after': new Date(Date.now() + 5_000).toUTCString() }),
      expected: { kind: 'retry', retryAfterSeconds: expect.any(Number) },
    },
    {
      name: '429 for years',
      handler: text(429, 'Too many requests', { 'retry-after': '1000000000' }),
      expected: { kind: 'retry', retryAfterSeconds: 300 },
    },
    {
      name: '503 until a year far away',
      handler: text(503, '', { 'retry-after': 'Fri, 31 Dec 9999 23:59:59 GMT' }),
      expected: { kind: 'retry', retryAfterSeconds: 300 },
    },
    { name: 'no JSON', handler: text(200, 'hello'), expected: { kind: 'retry' } },
    {
      name: 'a connection that breaks',
      handler: tear,
      expected: { kind: 'retry', message: expect.stringContaining('PATCH /api/v1/nodes/n1') },
    },
  ])('$name', async ({ handler, expected }) => {
    server.handle = handler;
    expect(await port.patchNode(PATCH)).toMatchObject(expected);
  });

  it('gives up on a request that gets no answer, and on an answer that never ends', async () => {
    const quick = startPort(100);
    server.handle = () => undefined;
    expect(await quick.getNode('n1')).toEqual({
      kind: 'retry',
      isLate: true,
      message: 'GET /api/v1/nodes/n1: no answer within 0.1 s',
    });
    server.handle = (_request, response) => void response.writeHead(200).write('{"metadata":');
    expect(await quick.getNode('n1')).toMatchObject({
      kind: 'retry',
      message: expect.stringContaining('no answer within'),
    });
  });

  it('reads again over a new connection when the server closed the old one', async () => {
    server.handle = json(200, NODE);
    await port.getNode('n1');
    server.handle = answers(tear, json(200, NODE));
    expect(await port.getNode('n1')).toMatchObject({ kind: 'ok' });
  });

  it('names the missing right if the server is ready and refuses again', async () => {
    const no = json(403, statusBody(403, 'Forbidden', NO_RIGHT));
    server.handle = (request, response) =>
      request.path === '/readyz' ? text(200, 'ok')(request, response) : no(request, response);
    expect(await port.patchNode(PATCH)).toEqual({ kind: 'forbidden', message: NO_RIGHT });
    expect(server.requests.map(({ path }) => path)).toEqual(['/api/v1/nodes/n1', '/readyz', '/api/v1/nodes/n1']);
  });

  it('does not believe a server that has just started', async () => {
    const no = json(403, statusBody(403, 'Forbidden', NO_RIGHT));
    server.handle = answers(no, text(500, 'starting'));
    expect(await port.patchNode(PATCH)).toMatchObject({ kind: 'retry' });
    server.handle = answers(no, text(200, 'ok'), json(200, NODE));
    expect(await port.patchNode(PATCH)).toMatchObject({ kind: 'ok' });
  });
});

describe('credentials', () => {
  it('reads the token again when the server refuses it', async () => {
    server.handle = (request, response) => {
      const isNew = request.headers.authorization === 'Bearer second';
      if (isNew || request.path === '/readyz') sendJson(response, 200, NODE);
      else sendJson(response, 401, statusBody(401, 'Unauthorized', 'Unauthorized'));
    };
    expect(await port.getNode('n1')).toMatchObject({ kind: 'forbidden' });
    server.rotate('second');
    expect(await port.getNode('n1')).toMatchObject({ kind: 'ok' });
  });

  it('trusts only the CA that is mounted', async () => {
    server.rotate('first', createCertificate().certificate);
    expect(await port.getNode('n1')).toMatchObject({ kind: 'retry', message: expect.stringContaining('certificate') });
  });

  it('says where there are none', async () => {
    const lost = startPort(4_000, createRateLimit(10, 10), `${server.folder}/none`);
    expect(await lost.getNode('n1')).toMatchObject({ kind: 'retry', message: expect.stringContaining('ca.crt') });
  });
});

describe('evictions', () => {
  const conflict = (message: string) => json(409, statusBody(409, 'Conflict', message));
  it.each<{ name: string; handler: Handler; expected: object }>([
    { name: 'accepted', handler: json(201, {}), expected: { kind: 'accepted' } },
    { name: 'gone', handler: json(404, statusBody(404, 'NotFound', '')), expected: { kind: 'gone' } },
    {
      name: 'another pod under the name',
      handler: conflict('Precondition failed: UID in precondition: p1, UID in object meta: p2'),
      expected: { kind: 'gone' },
    },
    {
      name: 'two evictions on one budget',
      handler: conflict(
        'Operation cannot be fulfilled on poddisruptionbudgets.policy "b": the object has been modified',
      ),
      expected: { kind: 'retry' },
    },
    {
      name: 'a budget that allows nothing',
      handler: json(
        429,
        statusBody(429, 'TooManyRequests', 'Cannot evict pod', {
          causes: [{ reason: 'DisruptionBudget' }],
          retryAfterSeconds: 10,
        }),
      ),
      expected: { kind: 'refused', message: 'Cannot evict pod', retryAfterSeconds: 10 },
    },
    {
      name: 'priority and fairness',
      handler: text(429, 'Too many requests', { 'retry-after': '1' }),
      expected: { kind: 'retry' },
    },
    {
      name: 'several budgets',
      handler: json(
        500,
        statusBody(
          500,
          '',
          'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
        ),
      ),
      expected: { kind: 'error' },
    },
    { name: 'another 500', handler: json(500, statusBody(500, '', 'etcd')), expected: { kind: 'retry' } },
    {
      name: 'a namespace that is being deleted',
      handler: json(
        403,
        statusBody(403, 'Forbidden', 'being terminated', { causes: [{ reason: 'NamespaceTerminating' }] }),
      ),
      expected: { kind: 'retry' },
    },
    { name: 'a webhook', handler: json(403, statusBody(403, 'Forbidden', WEBHOOK)), expected: { kind: 'error' } },
  ])('$name', async ({ handler, expected }) => {
    server.handle = handler;
    expect(await port.evictPod(EVICTION)).toMatchObject(expected);
    const [{ path, body } = { path: '', body: {} }] = server.requests;
    expect(path).toBe('/api/v1/namespaces/default/pods/web/eviction');
    expect(body).toMatchObject({ kind: 'Eviction', deleteOptions: { preconditions: { uid: 'p1' } } });
  });
});

it('lists the pods of one node by a field selector, page by page', async () => {
  const page = (name: string, token: string) =>
    json(200, { metadata: { resourceVersion: '9', continue: token }, items: [{ metadata: { name, namespace: 'a' } }] });
  server.handle = answers(page('p1', 'more'), page('p2', ''));
  const answer = await port.listPodsOnNode('node 1');
  expect(answer).toMatchObject({ kind: 'ok', value: [{ name: 'p1' }, { name: 'p2' }] });
  expect(server.requests.map(({ path, query }) => [path, query.get('fieldSelector'), query.get('continue')])).toEqual([
    ['/api/v1/pods', 'spec.nodeName=node 1', null],
    ['/api/v1/pods', 'spec.nodeName=node 1', 'more'],
  ]);
});

describe('writes', () => {
  beforeEach(() => {
    server.handle = json(200, {});
  });
  const sent = () => server.requests.map(({ method, path, body }) => ({ method, path, body }));

  it('patches a node as it was seen', async () => {
    await port.patchNode({ ...PATCH, unschedulable: true });
    const body = {
      metadata: { resourceVersion: '4', labels: { a: 'b', c: null }, annotations: {} },
      spec: { unschedulable: true },
    };
    expect(sent()).toEqual([{ method: 'PATCH', path: '/api/v1/nodes/n1', body }]);
    expect(server.requests[0]?.headers['content-type']).toBe('application/merge-patch+json');
  });

  it('deletes with the UID as precondition', async () => {
    const pod = { kind: 'deletePod', driver: 'ofed', node: 'n1', namespace: 'net', name: 'p', uid: 'p1' } as const;
    await port.deletePod({ ...pod, reason: 'driver-restart' });
    const set = { kind: 'deleteDaemonSet', driver: 'ofed', namespace: 'net', name: 'd', uid: 'd1' } as const;
    await port.deleteDaemonSet({ ...set, resourceVersion: '9' });
    await port.evictPod({ ...EVICTION, isDeletion: true });
    expect(sent()).toMatchObject([
      { path: '/api/v1/namespaces/net/pods/p', body: { preconditions: { uid: 'p1' } } },
      {
        path: '/apis/apps/v1/namespaces/net/daemonsets/d',
        body: { propagationPolicy: 'Orphan', preconditions: { uid: 'd1', resourceVersion: '9' } },
      },
      { method: 'DELETE', path: '/api/v1/namespaces/default/pods/web', body: { preconditions: { uid: 'p1' } } },
    ]);
  });

  it('finds a failed Job, and deletes the one that it found', async () => {
    const conditions = [{ type: 'FailureTarget', status: 'True' }];
    server.handle = json(200, { metadata: { uid: 'j1' }, status: { conditions } });
    expect(await port.getJob('run')).toEqual({ kind: 'ok', value: { uid: 'j1', isFailed: false } });
    conditions.push({ type: 'Failed', status: 'True' });
    server.handle = json(200, { metadata: { uid: 'j1' }, status: { conditions } });
    expect(await port.getJob('run')).toEqual({ kind: 'ok', value: { uid: 'j1', isFailed: true } });
    await port.deleteJob('run', 'j1');
    const path = '/apis/batch/v1/namespaces/net/jobs/run';
    expect(sent().at(-1)).toMatchObject({
      ...{ method: 'DELETE', path },
      body: { propagationPolicy: 'Background', preconditions: { uid: 'j1' } },
    });
  });

  it.each([
    { status: { allowed: true }, value: true },
    { status: { allowed: false, reason: 'no' }, value: false },
    { status: undefined, value: false },
  ])('asks whether it has a right: $value', async ({ status, value }) => {
    server.handle = json(201, { status });
    const access = { group: '', resource: 'pods/eviction', verb: 'create' };
    expect(await port.isAllowed(access)).toEqual({ kind: 'ok', value });
    expect(sent().at(-1)).toMatchObject({
      ...{ method: 'POST', path: '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews' },
      body: {
        ...{ apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectAccessReview' },
        spec: { resourceAttributes: { group: '', resource: 'pods', subresource: 'eviction', verb: 'create' } },
      },
    });
  });

  it('writes a Lease with microseconds, and reads it back', async () => {
    const record = {
      holderIdentity: 'a',
      leaseDurationSeconds: 30,
      acquireMs: 1_700_000_000_123,
      renewMs: 1_700_000_001_000,
    };
    server.handle = (request, response) => {
      sendJson(response, 200, { ...(request.body as object), metadata: { resourceVersion: '8' } });
    };
    expect(await port.updateLease({ record, resourceVersion: '7' })).toEqual({
      kind: 'ok',
      value: { record, resourceVersion: '8' },
    });
    expect(sent()[0]).toMatchObject({
      method: 'PUT',
      path: '/apis/coordination.k8s.io/v1/namespaces/net/leases/weft-companion',
      body: { metadata: { resourceVersion: '7' }, spec: { acquireTime: '2023-11-14T22:13:20.123000Z' } },
    });
  });

  it('sends the annotations of the status back, and asks for the version', async () => {
    await port.updateStatus({ annotations: { 'weft.dev/paused': 'true' }, data: { a: 'b' }, resourceVersion: '3' });
    expect(sent()[0]).toMatchObject({
      method: 'PUT',
      path: '/api/v1/namespaces/net/configmaps/weft-companion-status',
      body: { metadata: { annotations: { 'weft.dev/paused': 'true' }, resourceVersion: '3' }, data: { a: 'b' } },
    });
  });

  it('creates an Event once, patches it later, and creates it again when the server has forgotten it', async () => {
    const event: ObjectEvent = {
      ...{
        key: 'n1.abc',
        about: { apiVersion: 'v1', kind: 'Node', name: 'n1', uid: 'u1' },
        type: 'Normal',
        reason: 'OFEDDriverUpgrade',
        message: 'm',
      },
      ...{ count: 1, firstMs: 1_700_000_000_123, lastMs: 1_700_000_000_123 },
    };
    await port.writeEvent(event);
    expect(sent()[0]).toMatchObject({
      method: 'POST',
      path: '/api/v1/namespaces/default/events',
      body: {
        eventTime: '2023-11-14T22:13:20.123000Z',
        involvedObject: { uid: 'u1' },
        lastTimestamp: '2023-11-14T22:13:20Z',
      },
    });
    server.handle = answers(json(409, statusBody(409, 'AlreadyExists', '')), json(200, {}));
    expect(await port.writeEvent(event)).toMatchObject({ kind: 'ok' });
    server.handle = answers(json(404, statusBody(404, 'NotFound', '')), json(201, {}));
    expect(await port.writeEvent({ ...event, count: 2 })).toMatchObject({ kind: 'ok' });
    expect(sent().map(({ method }) => method)).toEqual(['POST', 'POST', 'PATCH', 'PATCH', 'POST']);
  });

  it('creates the Event of a Job in its namespace, with the rows that were taken', async () => {
    const about = { apiVersion: 'batch/v1', kind: 'Job', namespace: 'net', name: 'j', uid: 'u' } as const;
    const text = { key: 'j.1', type: 'Normal', reason: 'UpgradeEnded', message: 'm' } as const;
    await port.writeEvent({ ...text, about, rows: ['begin', 'cordon'], count: 1, firstMs: 0, lastMs: 0 });
    expect(sent()[0]).toMatchObject({
      path: '/api/v1/namespaces/net/events',
      body: {
        metadata: { namespace: 'net', annotations: { 'weft.dev/transitions': 'begin cordon' } },
        involvedObject: about,
      },
    });
  });

  it.each([
    { of: 'its creation', managedFields: undefined, writtenMs: Date.UTC(2026, 0, 1) },
    {
      of: 'the last write of its data',
      managedFields: [
        { time: '2026-01-02T00:00:00Z', fieldsV1: { 'f:data': { 'f:policy.json': {} } } },
        { time: '2026-01-03T00:00:00Z', fieldsV1: { 'f:data': { 'f:policy.json': {} } } },
        { time: '2026-01-04T00:00:00Z', fieldsV1: { 'f:metadata': {} } },
      ],
      writtenMs: Date.UTC(2026, 0, 3),
    },
  ])('the time of the policy is that of $of', async ({ managedFields, writtenMs }) => {
    const metadata = { creationTimestamp: '2026-01-01T00:00:00Z', ...(managedFields && { managedFields }) };
    server.handle = json(200, { metadata, data: { 'policy.json': '{}' } });
    expect(await port.readPolicy()).toEqual({ kind: 'ok', value: { text: '{}', writtenMs } });
  });

  it('finds the policy by its key', async () => {
    server.handle = json(200, { data: { 'policy.json': '{}' } });
    expect(await port.readPolicy()).toEqual({ kind: 'ok', value: { text: '{}' } });
    server.handle = json(200, { data: { 'policy.json': '{}', job: 'run' } });
    expect(await port.readPolicy()).toEqual({ kind: 'ok', value: { text: '{}', job: 'run' } });
    server.handle = json(200, { data: {} });
    expect(await port.readPolicy()).toMatchObject({ kind: 'gone', message: expect.stringContaining('policy.json') });
  });
});

describe('the client limit', () => {
  it('spreads requests after the burst, but not those of the Lease', async () => {
    server.handle = json(200, NODE);
    const pauses: number[] = [];
    let endPauses = () => {};
    const ended = new Promise<void>((resolve) => (endPauses = resolve));
    const pause = (ms: number) => (pauses.push(ms), ended);
    const slow = startPort(4_000, createRateLimit(10, 2, { nowMs: () => 0, pause }));
    const nodes = [1, 2, 3, 4].map(() => slow.getNode('n1'));
    expect(await slow.readLease()).toMatchObject({ kind: 'ok' });
    expect(pauses).toEqual([100, 200]);
    endPauses();
    expect((await Promise.all(nodes)).map(({ kind }) => kind)).toEqual(['ok', 'ok', 'ok', 'ok']);
  });

  it('sends no request whose time-out ends while it waits in the queue', async () => {
    server.handle = json(200, NODE);
    const slow = startPort(300, createRateLimit(1, 1));
    const found = await Promise.all([slow.getNode('n1'), slow.getNode('n1')]);
    expect(found.map(({ kind }) => kind)).toEqual(['ok', 'retry']);
    expect(server.requests).toHaveLength(1);
  });
});
