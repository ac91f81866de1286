import { changeNodeMaintenance } from './node-maintenances.js';
import { COMPANION_NAMES } from '../../shared/contract/labels.js';
import { NETWORK_OPERATOR_LEASE } from '../../shared/contract/network-operator.js';
import { canonicalJson } from '../../shared/lib/json.js';
import type { ClusterPort, LeaseRecord, StatusObject, VersionedLease } from '../../companion/runtime/ports.js';
import type { Answer, Listed } from '../../shared/kube-client/types.js';
import type { SnapshotNode } from '../../companion/model/types.js';
import {
  call,
  deletePod,
  evictionOutcome,
  sendEviction,
  orphanDaemonSet,
  patchSriovNodeState,
  patchNode,
  type ApiResult,
} from './api.js';
import type { StoredConfigMap, StoredLease } from './store.js';
import type { SimulatedCluster } from './simulated-cluster.js';
import type { PortUser, WatchServer } from './watch-server.js';

/** The content of the policy ConfigMap. */
export type PolicyObject = Extract<Awaited<ReturnType<ClusterPort['readPolicy']>>, { kind: 'ok' }>['value'];

interface PortContext {
  readonly cluster: SimulatedCluster;
  readonly watches: WatchServer;
  /** Called when a write is carried out: only the Lease's holder may do so. */
  readonly wrote: (user: PortUser, what: string) => void;
  /** The Lease is written without a check of its resourceVersion: a fault that no API server has. */
  readonly ignoresVersions: boolean;
  /** A response arrived, so promises are settled before the clock moves. */
  readonly answered: () => void;
  /** The policy ConfigMap as it is now; default: that of the cluster's `policy`. */
  readonly readPolicy?: () => PolicyObject;
}

const ok = <Value>(value: Value): Answer<Value> => ({ kind: 'ok', value });

/** An answer, and how long the API server took for it if that is long. */
type SlowAnswer<Value> = Answer<Value> & { readonly tookMs?: number };

/** One request over the network, with the faults of `conditions`. */
function request<Value>(
  { cluster, answered }: PortContext,
  user: PortUser,
  name: string,
  effect: () => SlowAnswer<Value>,
): Promise<Answer<Value>> {
  return new Promise((resolve) => {
    let answer: SlowAnswer<Value> | undefined;
    const carryOut = (): ApiResult => {
      if (!user.alive && cluster.chance.companion.chance(0.5)) return { status: 0, message: 'never sent' };
      answer = effect();
      const { kind, tookMs } = answer;
      return { status: kind === 'ok' ? 200 : 299, message: kind, ...(tookMs === undefined ? {} : { tookMs }) };
    };
    call(cluster, name, carryOut, (result) => {
      if (!user.alive) return;
      answered();
      resolve(result.status === 0 || answer === undefined ? faultOf(result) : answer);
    });
  });
}

function faultOf({ status, message, retryAfterSeconds }: ApiResult): Answer<never> {
  if (status === 409) return { kind: 'conflict', message };
  return { kind: 'retry', message, ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) };
}

function answerOf<Value>({ status, message, tookMs }: ApiResult, value: () => Value): SlowAnswer<Value> {
  if (status === 404) return { kind: 'gone', message };
  if (status === 409) return { kind: 'conflict', message };
  if (status === 422 || status === 403) return { kind: 'error', message };
  if (status >= 500) return { kind: 'retry', message, ...(tookMs === undefined ? {} : { tookMs }) };
  return ok(value());
}

/** The port of the loop to the simulated cluster. */
export function makeClusterPort(port: PortContext, user: PortUser): ClusterPort {
  const { cluster } = port;
  const { store } = cluster;
  const ofCluster = () => ({ text: canonicalJson(cluster.policy), writtenMs: cluster.policyWrittenMs });
  const { readPolicy = ofCluster } = port;
  const ask = <Value>(name: string, effect: () => SlowAnswer<Value>) => request(port, user, name, effect);
  const write = <Value>(name: string, effect: () => SlowAnswer<Value>) =>
    ask(name, () => {
      port.wrote(user, name);
      return effect();
    });
  return {
    ...writePort(port, user, write),
    list: (kind, namespace) =>
      ask(`list ${kind}`, () => {
        const items = port.watches.items(kind, namespace);
        return ok<Listed<(typeof items)[number]>>({ items, resourceVersion: String(store.version()) });
      }),
    watch: (kind, namespace, resourceVersion, onEvent) =>
      port.watches.watch(user, kind, namespace, Number(resourceVersion), onEvent),
    listBudgets: () => ask('list budgets', () => ok([...store.budgets.values()])),
    listGpuOperatorPolicies: () => ask('list GPU operator policies', () => ok([...store.gpuOperatorPolicies.values()])),
    getNode: (name) => ask(`get ${name}`, () => nodeAnswer(cluster, name)),
    listPodsOnNode: (node) =>
      ask(`list pods of ${node}`, () => ok([...store.pods.values()].filter(({ nodeName }) => nodeName === node))),
    getDaemonSet: (namespace, name) =>
      ask(`get ${name}`, () =>
        cluster.foreignDaemonSets.get(`${namespace}/${name}`) === true
          ? ok(undefined)
          : { kind: 'gone', message: 'gone' },
      ),
    isAllowed: () => Promise.resolve(ok(true)),
    getJob: (name) =>
      ask(`get job ${name}`, () => {
        const job = store.jobs.get(name);
        return job === undefined ? gone : ok(job);
      }),
    readPolicy: () => ask('read policy', () => ok(readPolicy())),
    ...statusPort(port, ask),
    ...leasePort(port, user, ask),
    writeEvent: () => ask('event', () => ok(undefined)),
  };
}

type WritePort = Pick<
  ClusterPort,
  | 'patchNode'
  | 'patchSriovNodeState'
  | 'changeNodeMaintenance'
  | 'evictPod'
  | 'deletePod'
  | 'deleteDaemonSet'
  | 'deleteJob'
>;

function writePort({ cluster }: PortContext, user: PortUser, write: Ask): WritePort {
  const { jobs } = cluster.store;
  return {
    patchNode: (action) =>
      write(`${user.identity} patches ${action.node} ${JSON.stringify(action.labels)}`, () => {
        const result = patchNode(cluster, action.node, action, 'ours');
        return result.status === 200 ? nodeAnswer(cluster, action.node) : answerOf(result, () => never());
      }),
    evictPod: async (action) => {
      let result: ApiResult | undefined;
      const answer = await write(`evict ${action.name}`, () => {
        result = sendEviction(cluster, action);
        const { tookMs } = result;
        return { ...ok(result), ...(tookMs === undefined ? {} : { tookMs }) };
      });
      if (answer.kind === 'ok') return evictionOutcome(answer.value);
      return { kind: 'retry', message: 'message' in answer ? answer.message : '' };
    },
    deletePod: (action) =>
      write(`delete ${action.name}: ${action.reason}`, () =>
        answerOf(deletePod(cluster, action, 'ours'), () => undefined),
      ),
    deleteDaemonSet: (action) =>
      write(`orphan ${action.name}`, () => answerOf(orphanDaemonSet(cluster, action, 'ours'), () => undefined)),
    changeNodeMaintenance: (action) =>
      write(`NodeMaintenance ${action.name}`, () =>
        answerOf(changeNodeMaintenance(cluster, action, 'ours'), () => undefined),
      ),
    patchSriovNodeState: (action) =>
      write(`answer ${action.node}`, () => answerOf(patchSriovNodeState(cluster, action, 'ours'), () => undefined)),
    deleteJob: (name, uid) =>
      write(`delete job ${name}`, () => {
        const job = jobs.get(name);
        if (job === undefined) return gone;
        if (job.uid !== uid) return conflict;
        jobs.remove(name, 'ours');
        return ok(undefined);
      }),
  };
}

function never(): never {
  throw new Error('a failed patch has no node');
}

function nodeAnswer(cluster: SimulatedCluster, name: string): Answer<SnapshotNode> {
  const node = cluster.store.nodes.get(name);
  return node === undefined ? { kind: 'gone', message: `node ${name} not found` } : ok(node);
}

type Ask = <Value>(name: string, effect: () => SlowAnswer<Value>) => Promise<Answer<Value>>;
type StatusPort = Pick<ClusterPort, 'readStatus' | 'createStatus' | 'updateStatus'>;

const STATUS = COMPANION_NAMES.statusConfigMap;
const gone = { kind: 'gone', message: 'not found' } as const;
const conflict = { kind: 'conflict', message: 'it has been modified' } as const;

function statusPort({ cluster }: PortContext, ask: Ask): StatusPort {
  const { configMaps } = cluster.store;
  const put = (annotations: StatusObject['annotations'], data: StatusObject['data']): Answer<StoredConfigMap> =>
    ok(configMaps.put(STATUS, { name: STATUS, resourceVersion: '', annotations, data }, 'ours'));
  return {
    readStatus: () =>
      ask('read status', () => {
        const status = configMaps.get(STATUS);
        return status === undefined ? gone : ok(status);
      }),
    createStatus: (data) =>
      ask('create status', () => (configMaps.get(STATUS) === undefined ? put({}, data) : conflict)),
    updateStatus: ({ annotations, data, resourceVersion }) =>
      ask('update status', () =>
        configMaps.get(STATUS)?.resourceVersion === resourceVersion ? put(annotations, data) : conflict,
      ),
  };
}

type LeasePort = Pick<ClusterPort, 'readLease' | 'readOperatorLease' | 'createLease' | 'updateLease'>;

function leasePort({ cluster, ignoresVersions }: PortContext, user: PortUser, ask: Ask): LeasePort {
  const { leases } = cluster.store;
  const versioned = ({ spec, resourceVersion }: StoredLease): Answer<VersionedLease> =>
    ok({ record: spec, resourceVersion });
  const put = (record: LeaseRecord): Answer<VersionedLease> => {
    cluster.note(`  ${user.identity}: the Lease is ${record.holderIdentity ?? 'free'}`);
    return versioned(leases.put('lease', { name: 'lease', resourceVersion: '', spec: record }, 'ours'));
  };
  const read = (name: string): Answer<VersionedLease> => {
    const lease = leases.get(name);
    return lease === undefined ? gone : versioned(lease);
  };
  return {
    readLease: () => ask('read lease', () => read('lease')),
    readOperatorLease: () => ask('read operator lease', () => read(NETWORK_OPERATOR_LEASE)),
    createLease: (record) =>
      ask('create lease', () => (leases.get('lease') === undefined || ignoresVersions ? put(record) : conflict)),
    updateLease: ({ record, resourceVersion }) =>
      ask('update lease', () =>
        leases.get('lease')?.resourceVersion === resourceVersion || ignoresVersions ? put(record) : conflict,
      ),
  };
}
