import { createActuator, type Actuator } from '../../src/companion/runtime/act/actuator.js';
import type { WritePermission } from '../../src/companion/runtime/act/patch.js';
import { createRequestResults } from '../../src/companion/runtime/observe/request-results.js';
import type {
  Action,
  DeleteDaemonSet,
  DeletePod,
  EvictionOutcome,
  EvictPod,
  PatchNode,
  SnapshotNode,
} from '../../src/companion/model/types.js';
import { createFakePorts } from './fake-ports.js';
import { createCluster, NAMESPACE } from './idle-cluster.js';

/** An actuator, an API server whose answers to evictions the test triggers, and the requests that it got. */
export function setUp(concurrency = 2) {
  const cluster = createCluster();
  const ports = createFakePorts(cluster, '');
  const asked: string[] = [];
  const waiting: ((outcome: EvictionOutcome) => void)[] = [];
  ports.cluster.evictPod = ({ uid }) => {
    asked.push(uid);
    return new Promise((resolve) => waiting.push(resolve));
  };
  ports.cluster.deletePod = ({ uid }) => {
    asked.push(uid);
    return Promise.resolve({ kind: 'ok', value: undefined });
  };
  ports.cluster.deleteDaemonSet = ({ uid }) => {
    asked.push(uid);
    return Promise.resolve({ kind: 'ok', value: undefined });
  };
  const permission: { state: ReturnType<WritePermission> } = { state: 'granted' };
  const results = createRequestResults(ports.clock, ports.random);
  const state = { changes: 0, done: [] as Action[], refused: [] as Action[], wasIdle: [] as boolean[] };
  const actuator: Actuator = createActuator(ports, {
    permission: () => permission.state,
    mayBegin: () => Promise.resolve(true),
    results,
    concurrency,
    changed() {
      state.changes += 1;
      state.wasIdle.push(actuator.idle());
    },
    done: (action) => void state.done.push(action),
    refused: (action) => void state.refused.push(action),
    crashed: (error) => {
      throw error;
    },
  });
  const answer = (count: number, outcome: EvictionOutcome) => waiting.splice(0, count).forEach((one) => one(outcome));
  /** Moves the clock forward. */
  const pass = (ms: number) => ports.runUntil(new Promise<void>((resolve) => void ports.clock.after(ms, resolve)));
  return { cluster, ports, actuator, asked, answer, pass, permission, results, state };
}

export const evictionOf = (index: number, node = 'a'): EvictPod => {
  const uid = `uid-${index}`;
  return { kind: 'evictPod', driver: 'ofed', node, namespace: 'apps', name: `p${index}`, uid };
};
export const deletionOf = (index: number, reason: DeletePod['reason'] = 'gated-pod-stale'): DeletePod => ({
  ...evictionOf(index),
  kind: 'deletePod',
  reason,
});
export const retirement: DeleteDaemonSet = {
  ...{ kind: 'deleteDaemonSet', driver: 'ofed', namespace: NAMESPACE, name: 'old', uid: 'uid-old' },
  resourceVersion: '1',
};
export const patchOf = ({ name, uid, resourceVersion }: SnapshotNode, change: Partial<PatchNode> = {}): PatchNode => ({
  ...{ kind: 'patchNode', driver: 'ofed', node: name, uid, resourceVersion },
  ...{ labels: { a: 'b' }, annotations: {}, steps: [], ...change },
});
