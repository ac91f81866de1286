import { COMPANION_NAMES, JOB_KEY, POLICY_HASH_KEY, POLICY_KEY } from '../../../shared/contract/labels.js';
import { NETWORK_OPERATOR_LEASE } from '../../../shared/contract/network-operator.js';
import { valueAt } from '../../../shared/lib/json.js';
import type { ApiClient } from '../../../shared/kube-client/api-client.js';
import { ask } from '../../../shared/kube-client/ask.js';
import { evictionAnswerOf } from './eviction-answer.js';
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
import { listGpuOperatorPolicies } from './gpu-operator.js';
import { listAll } from '../../../shared/kube-client/list.js';
import { SHAPES, type ApiOf, type ShapedKind } from '../../../shared/kubernetes/shapes/kinds.js';
import { checking, type OnMalformed } from '../../../shared/kubernetes/shapes/read.js';
import { dataWrittenMs, reduceBudget, reduceDaemonSet, reduceNode, reducePod, reduceRevision } from './reduce.js';
import { resourceVersionOf, WATCH_TIMES, type WatchTimes } from '../../../shared/kube-client/watch.js';
import { collectionOf, type Collection } from './resources.js';
import { reduceGpuClaim } from './gpu-claims.js';
import { changeNodeMaintenance, reduceNodeMaintenance } from './node-maintenances.js';
import { reduceSriovNodeState } from './sriov-node-states.js';
import { collectionPath, objectPath } from '../../../shared/kube-client/paths.js';
import type {
  ClusterPort,
  JobObject,
  ObjectEvent,
  StatusObject,
  VersionedLease,
  WatchedItems,
  WatchedKind,
} from '../ports.js';
import type { DeletePod, EvictPod } from '../../model/types.js';
import type { Answer } from '../../../shared/kube-client/types.js';
import type { Exchange } from '../../../shared/kube-client/exchange.js';
import type { ApiConfigMap } from '../../../shared/kubernetes/shapes/cluster.js';
import type { ApiJob } from '../../../shared/kubernetes/shapes/workloads.js';

const EVENTS = { apiVersion: 'v1', plural: 'events' };
const MERGE_PATCH = 'application/merge-patch+json';

/**
 * The cluster of the companion, through an API server.
 *
 * @param namespace of the Lease, the policy and the status
 * @param onMalformed about fields that have another type than in the API: of custom resources, and the data of ControllerRevisions
 */
export function createKubePort(
  client: ApiClient,
  namespace: string,
  times: WatchTimes = WATCH_TIMES,
  onMalformed: OnMalformed = () => undefined,
): ClusterPort {
  const collections = collectionsOf(client, times, onMalformed);
  return {
    list: (kind, namespace) => collections[kind].list(namespace),
    watch: (kind, namespace, resourceVersion, onEvent) => collections[kind].watch(namespace, resourceVersion, onEvent),
    async listBudgets() {
      const reduce = checking('PodDisruptionBudget', reduceBudget, onMalformed);
      const answer = await listAll(client, collectionPath(SHAPES.PodDisruptionBudget), reduce);
      return answer.kind === 'ok' ? { kind: 'ok', value: answer.value.items } : answer;
    },
    listGpuOperatorPolicies: () => listGpuOperatorPolicies(client, onMalformed),
    ...nodeCalls(client, onMalformed),
    ...podCalls(client, onMalformed),
    ...daemonSetCalls(client),
    patchSriovNodeState({ namespace, name, resourceVersion, annotations }) {
      const path = objectPath(SHAPES.SriovNetworkNodeState, namespace, name);
      const body = { metadata: { resourceVersion, annotations } };
      return ask(client, { method: 'PATCH', path, body, contentType: MERGE_PATCH }, nothing);
    },
    changeNodeMaintenance: (action) => changeNodeMaintenance(client, action),
    ...accessCalls(client),
    ...jobCalls(client, namespace, onMalformed),
    ...configMapCalls(client, namespace, onMalformed),
    ...leaseCalls(client, namespace, onMalformed),
    writeEvent: (event) => writeEvent(client, event),
  };
}

type Collections = { readonly [Kind in WatchedKind]: Collection<WatchedItems[Kind]> };

function collectionsOf(client: ApiClient, times: WatchTimes, onMalformed: OnMalformed): Collections {
  const all = <Kind extends ShapedKind, Item>(kind: Kind, reduce: (object: ApiOf<Kind>) => Item) =>
    collectionOf(client, kind, reduce, times, onMalformed);
  return {
    nodes: all('Node', reduceNode),
    pods: all('Pod', reducePod),
    daemonSets: all('DaemonSet', reduceDaemonSet),
    revisions: all('ControllerRevision', reduceRevision),
    gpuClaims: all('ResourceClaim', reduceGpuClaim),
    sriovNodeStates: all('SriovNetworkNodeState', reduceSriovNodeState),
    nodeMaintenances: all('NodeMaintenance', reduceNodeMaintenance),
  };
}

function nodeCalls(client: ApiClient, onMalformed: OnMalformed): Pick<ClusterPort, 'getNode' | 'patchNode'> {
  const pathOf = (name: string): string => objectPath(SHAPES.Node, undefined, name);
  const reduce = checking('Node', reduceNode, onMalformed);
  return {
    getNode: (name) => ask(client, { method: 'GET', path: pathOf(name) }, reduce),
    patchNode(action) {
      const path = pathOf(action.node);
      return ask(client, { method: 'PATCH', path, body: nodePatch(action), contentType: MERGE_PATCH }, reduce);
    },
  };
}

function podCalls(
  client: ApiClient,
  onMalformed: OnMalformed,
): Pick<ClusterPort, 'listPodsOnNode' | 'evictPod' | 'deletePod'> {
  const pathOf = ({ namespace, name }: { readonly namespace: string; readonly name: string }): string =>
    objectPath(SHAPES.Pod, namespace, name);
  // Without a grace period, that of the pod applies.
  const deletion = (pod: EvictPod | DeletePod) => {
    const body = { apiVersion: 'v1', kind: 'DeleteOptions', preconditions: { uid: pod.uid } };
    return { method: 'DELETE', path: pathOf(pod), body } as const;
  };
  return {
    async listPodsOnNode(node) {
      const selector = encodeURIComponent(`spec.nodeName=${node}`);
      const path = `${collectionPath(SHAPES.Pod)}?fieldSelector=${selector}`;
      const answer = await listAll(client, path, checking('Pod', reducePod, onMalformed));
      return answer.kind === 'ok' ? { kind: 'ok', value: answer.value.items } : answer;
    },
    async evictPod(action) {
      const { namespace, name, uid } = action;
      if (action.isDeletion === true) return evictionAnswerOf(await client.call(deletion(action)));
      // Without a grace period, that of the pod applies.
      const body = {
        apiVersion: 'policy/v1',
        kind: 'Eviction',
        metadata: { namespace, name },
        deleteOptions: { preconditions: { uid } },
      };
      return evictionAnswerOf(await client.call({ method: 'POST', path: `${pathOf(action)}/eviction`, body }));
    },
    deletePod: (action) => ask(client, deletion(action), nothing),
  };
}

function daemonSetCalls(client: ApiClient): Pick<ClusterPort, 'getDaemonSet' | 'deleteDaemonSet'> {
  const pathOf = (namespace: string, name: string): string => objectPath(SHAPES.DaemonSet, namespace, name);
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
  const path = collectionPath({ apiVersion: 'authorization.k8s.io/v1', plural: 'selfsubjectaccessreviews' });
  return {
    isAllowed: (access) => ask(client, { method: 'POST', path, body: accessReview(access) }, isAllowed),
  };
}

function isAllowed(object: object): boolean {
  return valueAt(object, ['status', 'allowed']) === true;
}

function jobCalls(
  client: ApiClient,
  namespace: string,
  onMalformed: OnMalformed,
): Pick<ClusterPort, 'getJob' | 'deleteJob'> {
  const pathOf = (name: string): string => objectPath(SHAPES.Job, namespace, name);
  return {
    getJob: (name) => ask(client, { method: 'GET', path: pathOf(name) }, checking('Job', jobOf, onMalformed)),
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
  onMalformed: OnMalformed,
): Pick<ClusterPort, 'readPolicy' | 'readStatus' | 'createStatus' | 'updateStatus'> {
  const { policyConfigMap, statusConfigMap } = COMPANION_NAMES;
  const collection = collectionPath(SHAPES.ConfigMap, namespace);
  const pathOf = (name: string): string => objectPath(SHAPES.ConfigMap, namespace, name);
  const asConfigMap = checking('ConfigMap', (object) => object, onMalformed);
  const readStatus = checking('ConfigMap', statusOf, onMalformed);
  return {
    async readPolicy() {
      const answer = await ask(client, { method: 'GET', path: pathOf(policyConfigMap) }, asConfigMap);
      if (answer.kind !== 'ok') return answer;
      const text = answer.value.data?.[POLICY_KEY];
      const job = answer.value.data?.[JOB_KEY];
      const writtenMs = dataWrittenMs(answer.value);
      const hash = answer.value.data?.[POLICY_HASH_KEY];
      const facts = {
        ...(writtenMs !== undefined && { writtenMs }),
        ...(job !== undefined && { job }),
        ...(hash !== undefined && { hash }),
      };
      if (text !== undefined) return { kind: 'ok', value: { text, ...facts } };
      return { kind: 'gone', message: `ConfigMap ${namespace}/${policyConfigMap} has no key ${POLICY_KEY}` };
    },
    readStatus: () => ask(client, { method: 'GET', path: pathOf(statusConfigMap) }, readStatus),
    createStatus(data) {
      const body = configMapObject(namespace, statusConfigMap, data);
      return ask(client, { method: 'POST', path: collection, body }, readStatus);
    },
    updateStatus({ annotations, data, resourceVersion }) {
      const body = configMapObject(namespace, statusConfigMap, data, { annotations, resourceVersion });
      return ask(client, { method: 'PUT', path: pathOf(statusConfigMap), body }, readStatus);
    },
  };
}

function leaseCalls(
  client: ApiClient,
  namespace: string,
  onMalformed: OnMalformed,
): Pick<ClusterPort, 'readLease' | 'readOperatorLease' | 'createLease' | 'updateLease'> {
  const collection = collectionPath(SHAPES.Lease, namespace);
  const pathOf = (name: string): string => objectPath(SHAPES.Lease, namespace, name);
  const path = pathOf(COMPANION_NAMES.lease);
  const read = checking('Lease', leaseOf, onMalformed);
  const lease = (exchange: Exchange): Promise<Answer<VersionedLease>> => ask(client, exchange, read, 'unlimited');
  return {
    readLease: () => lease({ method: 'GET', path }),
    readOperatorLease: () => lease({ method: 'GET', path: pathOf(NETWORK_OPERATOR_LEASE) }),
    createLease: (record) => lease({ method: 'POST', path: collection, body: leaseObject(namespace, { record }) }),
    updateLease: (update) => lease({ method: 'PUT', path, body: leaseObject(namespace, update) }),
  };
}

/** Creates the Event, or patches the one that an earlier occurrence, or an earlier pod of the same Job, created. */
async function writeEvent(client: ApiClient, event: ObjectEvent): Promise<Answer<undefined>> {
  const collection = collectionPath(EVENTS, eventNamespace(event));
  const create: Exchange = { method: 'POST', path: collection, body: eventObject(event) };
  const path = `${collection}/${encodeURIComponent(event.key)}`;
  const patch: Exchange = { method: 'PATCH', path, body: eventPatch(event), contentType: MERGE_PATCH };
  const isFirst = event.count === 1;
  const answer = await ask(client, isFirst ? create : patch, nothing);
  // The API server deletes Events after an hour.
  if (answer.kind === 'gone' && !isFirst) return ask(client, create, nothing);
  return answer.kind === 'conflict' && isFirst ? ask(client, patch, nothing) : answer;
}

function nothing(): undefined {
  return undefined;
}

function jobOf({ metadata, status }: ApiJob): JobObject {
  const conditions = status?.conditions ?? [];
  const isFailed = conditions.some((one) => one.type === 'Failed' && one.status === 'True');
  return { uid: metadata?.uid ?? '', isFailed };
}

function statusOf(object: ApiConfigMap): StatusObject {
  const { metadata, data } = object;
  const writtenMs = dataWrittenMs(object);
  return {
    annotations: metadata?.annotations ?? {},
    data: data ?? {},
    resourceVersion: resourceVersionOf({ ...(metadata && { metadata }) }),
    ...(writtenMs !== undefined && { writtenMs }),
  };
}
