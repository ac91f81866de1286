import { COMPANION_NAMES, JOB_KEY, POLICY_KEY } from '../../../contract/labels.js';
import { createApiClient, CALL_TIMEOUT_MS, type ApiClient } from './api-client.js';
import { failureOf, evictionAnswerOf } from './answer.js';
import {
  accessReview,
  configMapObject,
  eventNamespace,
  eventObject,
  eventPatch,
  leaseObject,
  leaseOf,
  nodePatch,
} from './bodies.js';
import { listAll } from './list.js';
import { dataWrittenMs, reduceBudget, reduceNode, resourceVersionOf } from './reduce.js';
import { collectionPath, objectPath, RESOURCES } from './resources.js';
import { watchCollection, WATCH_TIMES, type WatchTimes } from './watch.js';
import type { Answer, ClusterPort, JobObject, ObjectEvent, StatusObject, VersionedLease } from '../ports.js';
import type { Endpoint } from './endpoint.js';
import type { Exchange } from './exchange.js';
import type { ApiConfigMap, ApiJob } from './objects.js';
import type { RateLimit } from './rate-limit.js';

interface KubePortOptions {
  readonly endpoint: Endpoint;
  /** Namespace of the Lease, the policy and the status. */
  readonly namespace: string;
  readonly limit: RateLimit;
  /** Default: `CALL_TIMEOUT_MS`. */
  readonly callTimeoutMs?: number;
  /** Default: `WATCH_TIMES`. */
  readonly watchTimes?: WatchTimes;
}

/** A cluster port that sends requests to an API server. */
export interface KubePort extends ClusterPort {
  /** Closes all connections; no call may follow. */
  readonly close: () => void;
}

const CORE = '/api/v1';
const APPS = '/apis/apps/v1';
const BATCH = '/apis/batch/v1';
const POLICY = '/apis/policy/v1';
const COORDINATION = '/apis/coordination.k8s.io/v1';
const MERGE_PATCH = 'application/merge-patch+json';

/** The real client behind the runtime's ports. */
export function createKubePort(options: KubePortOptions): KubePort {
  const client = createApiClient(options.endpoint, options.limit, options.callTimeoutMs ?? CALL_TIMEOUT_MS);
  const times = options.watchTimes ?? WATCH_TIMES;
  return {
    list: (kind, namespace) => {
      const { reduce } = RESOURCES[kind];
      return listAll(client, collectionPath(RESOURCES[kind], namespace), reduce);
    },
    watch: (kind, namespace, resourceVersion, onEvent) => {
      const { reduce } = RESOURCES[kind];
      return watchCollection(
        client,
        collectionPath(RESOURCES[kind], namespace),
        resourceVersion,
        reduce,
        onEvent,
        times,
      );
    },
    async listBudgets() {
      const path = collectionPath({ group: POLICY, plural: 'poddisruptionbudgets' });
      const answer = await listAll(client, path, reduceBudget);
      return answer.kind === 'ok' ? { kind: 'ok', value: answer.value.items } : answer;
    },
    ...nodeCalls(client),
    ...podCalls(client),
    ...daemonSetCalls(client),
    ...accessCalls(client),
    ...jobCalls(client, options.namespace),
    ...configMapCalls(client, options.namespace),
    ...leaseCalls(client, options.namespace),
    writeEvent: (event) => writeEvent(client, event),
    close: () => options.endpoint.close(),
  };
}

function nodeCalls(client: ApiClient): Pick<ClusterPort, 'getNode' | 'patchNode'> {
  const pathOf = (name: string): string => `${CORE}/nodes/${encodeURIComponent(name)}`;
  const asNode = (node: object) => reduceNode(node);
  return {
    getNode: (name) => ask(client, { method: 'GET', path: pathOf(name) }, asNode),
    patchNode(action) {
      const path = pathOf(action.node);
      return ask(client, { method: 'PATCH', path, body: nodePatch(action), contentType: MERGE_PATCH }, asNode);
    },
  };
}

function podCalls(client: ApiClient): Pick<ClusterPort, 'listPodsOnNode' | 'evictPod' | 'deletePod'> {
  const pathOf = ({ namespace, name }: { readonly namespace: string; readonly name: string }): string =>
    objectPath(CORE, namespace, 'pods', name);
  return {
    async listPodsOnNode(node) {
      const selector = encodeURIComponent(`spec.nodeName=${node}`);
      const path = `${collectionPath(RESOURCES.pods)}?fieldSelector=${selector}`;
      const answer = await listAll(client, path, RESOURCES.pods.reduce);
      return answer.kind === 'ok' ? { kind: 'ok', value: answer.value.items } : answer;
    },
    async evictPod(action) {
      const { namespace, name, uid } = action;
      // Without a grace period, that of the pod applies.
      const body = {
        apiVersion: 'policy/v1',
        kind: 'Eviction',
        metadata: { namespace, name },
        deleteOptions: { preconditions: { uid } },
      };
      return evictionAnswerOf(await client.call({ method: 'POST', path: `${pathOf(action)}/eviction`, body }));
    },
    deletePod(action) {
      const body = { apiVersion: 'v1', kind: 'DeleteOptions', preconditions: { uid: action.uid } };
      return ask(client, { method: 'DELETE', path: pathOf(action), body }, nothing);
    },
  };
}

function daemonSetCalls(client: ApiClient): Pick<ClusterPort, 'getDaemonSet' | 'deleteDaemonSet'> {
  const pathOf = (namespace: string, name: string): string => objectPath(APPS, namespace, 'daemonsets', name);
  return {
    getDaemonSet: (namespace, name) => ask(client, { method: 'GET', path: pathOf(namespace, name) }, nothing),
    deleteDaemonSet({ namespace, name, uid, resourceVersion }) {
      const preconditions = { uid, resourceVersion };
      const body = { apiVersion: 'v1', kind: 'DeleteOptions', propagationPolicy: 'Orphan', preconditions };
      return ask(client, { method: 'DELETE', path: pathOf(namespace, name), body }, nothing);
    },
  };
}

function accessCalls(client: ApiClient): Pick<ClusterPort, 'isAllowed'> {
  const path = collectionPath({ group: '/apis/authorization.k8s.io/v1', plural: 'selfsubjectaccessreviews' });
  return {
    isAllowed: (access) => ask(client, { method: 'POST', path, body: accessReview(access) }, isAllowed),
  };
}

function isAllowed(object: object): boolean {
  const { status }: { readonly status?: { readonly allowed?: boolean } } = object;
  return status?.allowed === true;
}

function jobCalls(client: ApiClient, namespace: string): Pick<ClusterPort, 'getJob' | 'deleteJob'> {
  const pathOf = (name: string): string => objectPath(BATCH, namespace, 'jobs', name);
  return {
    getJob: (name) => ask(client, { method: 'GET', path: pathOf(name) }, jobOf),
    deleteJob(name, uid) {
      const preconditions = { uid };
      const body = { apiVersion: 'v1', kind: 'DeleteOptions', propagationPolicy: 'Background', preconditions };
      return ask(client, { method: 'DELETE', path: pathOf(name), body }, nothing);
    },
  };
}

function configMapCalls(
  client: ApiClient,
  namespace: string,
): Pick<ClusterPort, 'readPolicy' | 'readStatus' | 'createStatus' | 'updateStatus'> {
  const { policyConfigMap, statusConfigMap } = COMPANION_NAMES;
  const collection = collectionPath({ group: CORE, plural: 'configmaps' }, namespace);
  const pathOf = (name: string): string => objectPath(CORE, namespace, 'configmaps', name);
  return {
    async readPolicy() {
      const answer = await ask(client, { method: 'GET', path: pathOf(policyConfigMap) }, asConfigMap);
      if (answer.kind !== 'ok') return answer;
      const text = answer.value.data?.[POLICY_KEY];
      const job = answer.value.data?.[JOB_KEY];
      const writtenMs = dataWrittenMs(answer.value);
      const facts = { ...(writtenMs !== undefined && { writtenMs }), ...(job !== undefined && { job }) };
      if (text !== undefined) return { kind: 'ok', value: { text, ...facts } };
      return { kind: 'gone', message: `ConfigMap ${namespace}/${policyConfigMap} has no key ${POLICY_KEY}` };
    },
    readStatus: () => ask(client, { method: 'GET', path: pathOf(statusConfigMap) }, statusOf),
    createStatus(data) {
      const body = configMapObject(namespace, statusConfigMap, data);
      return ask(client, { method: 'POST', path: collection, body }, statusOf);
    },
    updateStatus({ annotations, data, resourceVersion }) {
      const body = configMapObject(namespace, statusConfigMap, data, { annotations, resourceVersion });
      return ask(client, { method: 'PUT', path: pathOf(statusConfigMap), body }, statusOf);
    },
  };
}

function leaseCalls(
  client: ApiClient,
  namespace: string,
): Pick<ClusterPort, 'readLease' | 'createLease' | 'updateLease'> {
  const collection = collectionPath({ group: COORDINATION, plural: 'leases' }, namespace);
  const path = objectPath(COORDINATION, namespace, 'leases', COMPANION_NAMES.lease);
  const lease = (exchange: Exchange): Promise<Answer<VersionedLease>> =>
    ask(client, exchange, (object) => leaseOf(object), 'unlimited');
  return {
    readLease: () => lease({ method: 'GET', path }),
    createLease: (record) => lease({ method: 'POST', path: collection, body: leaseObject(namespace, { record }) }),
    updateLease: (update) => lease({ method: 'PUT', path, body: leaseObject(namespace, update) }),
  };
}

/** Creates the Event, or patches the one that an earlier occurrence, or an earlier pod of the same Job, created. */
async function writeEvent(client: ApiClient, event: ObjectEvent): Promise<Answer<undefined>> {
  const collection = collectionPath({ group: CORE, plural: 'events' }, eventNamespace(event));
  const create: Exchange = { method: 'POST', path: collection, body: eventObject(event) };
  const path = `${collection}/${encodeURIComponent(event.key)}`;
  const patch: Exchange = { method: 'PATCH', path, body: eventPatch(event), contentType: MERGE_PATCH };
  const isFirst = event.count === 1;
  const answer = await ask(client, isFirst ? create : patch, nothing);
  // The API server deletes Events after an hour.
  if (answer.kind === 'gone' && !isFirst) return ask(client, create, nothing);
  return answer.kind === 'conflict' && isFirst ? ask(client, patch, nothing) : answer;
}

/** The answer of one request; `read` converts the object of the response. */
async function ask<Value>(
  client: ApiClient,
  exchange: Exchange,
  read: (object: object) => Value,
  unlimited?: 'unlimited',
): Promise<Answer<Value>> {
  const reply = await client.call(exchange, unlimited);
  if (reply.kind === 'broken' || reply.status < 200 || reply.status >= 300) return failureOf(reply);
  try {
    return { kind: 'ok', value: read(JSON.parse(reply.body) as object) };
  } catch {
    return { kind: 'retry', message: `${exchange.method} ${exchange.path}: the answer is no JSON` };
  }
}

function nothing(): undefined {
  return undefined;
}

function asConfigMap(object: object): ApiConfigMap {
  return object;
}

function jobOf(object: object): JobObject {
  const { metadata, status }: ApiJob = object;
  const conditions = status?.conditions ?? [];
  const isFailed = conditions.some((one) => one.type === 'Failed' && one.status === 'True');
  return { uid: metadata?.uid ?? '', isFailed };
}

function statusOf(object: object): StatusObject {
  const { metadata, data } = asConfigMap(object);
  const writtenMs = dataWrittenMs(object);
  return {
    annotations: metadata?.annotations ?? {},
    data: data ?? {},
    resourceVersion: resourceVersionOf({ ...(metadata && { metadata }) }),
    ...(writtenMs !== undefined && { writtenMs }),
  };
}
