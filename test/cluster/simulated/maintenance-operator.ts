import { setTimeout as sleep } from 'node:timers/promises';
import { matchesSelector, selectorOf } from '../../../src/shared/kubernetes/selection/label-selector.js';
import type { LiveObject } from '../bed/api-client.js';
import type { ControlPlane } from '../bed/control-plane.js';
import { until } from '../bed/guarded-process.js';
import { nodeOf, podsOf } from './fleet.js';

/** The Maintenance Operator as the API server sees it. */
export interface SimulatedMaintenanceOperator {
  /** Another requestor needs this node: it creates the NodeMaintenance, or joins it. */
  readonly ask: (node: string, id: string) => Promise<void>;
  /** It needs the node no longer. */
  readonly withdraw: (node: string, id: string) => Promise<void>;
  /** The NodeMaintenances that are there, one line each. */
  readonly left: () => Promise<readonly string[]>;
  /** How often each node was cordoned and given back. */
  readonly cordons: () => Readonly<Record<string, number>>;
  readonly returns: () => Readonly<Record<string, number>>;
  /** How often it was asked for each node: the objects that it has seen. */
  readonly requests: () => Readonly<Record<string, number>>;
  readonly stop: () => Promise<void>;
}

interface Options {
  /** The namespace of the NodeMaintenances, and that of the pods that it may evict. */
  readonly namespace: string;
  readonly workloads: string;
  /** Nodes in maintenance at once. */
  readonly maxParallel: number;
}

const PASS_MS = 200;
const API_VERSION = 'maintenance.nvidia.com/v1alpha1';
const FINALIZER = 'maintenance.nvidia.com/finalizer';
const INITIAL_STATE = 'maintenance.nvidia.com/node-initial-state.unschedulable';
const PREFIX = 'nvidia-operator';

interface Spec {
  readonly requestorID: string;
  readonly nodeName: string;
  readonly additionalRequestors?: readonly string[];
  readonly drainSpec?: { readonly podSelector?: string };
}

/** Starts its controller: maintenance-operator e15d07b, `internal/controller/nodemaintenance_controller.go`. */
export async function startMaintenanceOperator(
  { client }: ControlPlane,
  { namespace, workloads, maxParallel }: Options,
): Promise<SimulatedMaintenanceOperator> {
  const objects = `/apis/${API_VERSION}/namespaces/${namespace}/nodemaintenances`;
  await until('NodeMaintenances are served', async () => (await client.list(objects)).length === 0);
  const counts = { cordons: new Map<string, number>(), returns: new Map<string, number>(), seen: new Set<string>() };
  const asked = new Map<string, number>();
  let isStopped = false;
  const rise = (counter: Map<string, number>, key: string): void => void counter.set(key, (counter.get(key) ?? 0) + 1);
  const patchNode = (name: string, unschedulable: true | null) =>
    client.ask('PATCH', `/api/v1/nodes/${name}`, { spec: { unschedulable } }, 'merge');
  const patch = (name: string, change: object) => client.ask('PATCH', `${objects}/${name}`, change, 'merge');
  const pathOf = (node: string): string => `${objects}/${PREFIX}-${node}`;

  async function report(name: string, reason: string): Promise<void> {
    const status = reason === 'Ready' ? 'True' : 'False';
    const ready = { type: 'Ready', status, reason, message: '', lastTransitionTime: new Date().toISOString() };
    await client.ask('PATCH', `${objects}/${name}/status`, { status: { conditions: [ready] } }, 'merge');
  }

  async function cordon({ metadata: { name } }: LiveObject, { nodeName }: Spec): Promise<void> {
    const node = await client.get({ apiVersion: 'v1', kind: 'Node', metadata: { name: nodeName } });
    const wasCordoned = (node?.['spec'] as { readonly unschedulable?: boolean }).unschedulable === true;
    const annotations = { [INITIAL_STATE]: String(wasCordoned) };
    await patch(name, { metadata: { finalizers: [FINALIZER], annotations } });
    if (!wasCordoned) {
      await patchNode(nodeName, true);
      rise(counts.cordons, nodeName);
    }
    await report(name, 'Draining');
  }

  /** Evicts what its selector lets it, which is all of the workloads. */
  async function drain({ metadata: { name } }: LiveObject, { nodeName, drainSpec }: Spec): Promise<void> {
    const selector = selectorOf(drainSpec?.podSelector ?? '');
    const left = (await podsOf(client, workloads)).filter(
      (pod) => nodeOf(pod) === nodeName && matchesSelector(selector, pod.metadata.labels ?? {}),
    );
    if (left.length === 0 || drainSpec === undefined) return report(name, 'Ready');
    for (const { metadata } of left) {
      const path = `/api/v1/namespaces/${workloads}/pods/${metadata.name}/eviction`;
      const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: metadata.name } };
      // A budget may refuse the eviction at the moment.
      if (metadata.deletionTimestamp === undefined) await client.send('POST', path, eviction);
    }
  }

  async function giveBack({ metadata }: LiveObject, { nodeName }: Spec): Promise<void> {
    if (metadata.annotations?.[INITIAL_STATE] === 'false') {
      await patchNode(nodeName, null);
      rise(counts.returns, nodeName);
    }
    await patch(metadata.name, { metadata: { finalizers: null } });
  }

  async function step(one: LiveObject, out: number): Promise<void> {
    const spec = one['spec'] as Spec;
    const { uid = '', name, deletionTimestamp } = one.metadata;
    if (!counts.seen.has(uid)) rise(asked, spec.nodeName);
    counts.seen.add(uid);
    const reason = reasonOf(one);
    if (deletionTimestamp !== undefined) {
      const isKept = reason === 'Ready' && (spec.additionalRequestors ?? []).length > 0;
      return isKept ? undefined : giveBack(one, spec);
    }
    if (reason === '') return report(name, 'Pending');
    if (reason === 'Pending' && out < maxParallel) return cordon(one, spec);
    if (reason === 'Draining') return drain(one, spec);
  }

  async function run(): Promise<void> {
    while (!isStopped) {
      for (const { metadata } of await client.list(objects)) {
        const all = await client.list(objects);
        const one = all.find(({ metadata: { uid } }) => uid === metadata.uid);
        if (one !== undefined) await step(one, all.filter((other) => OUT.has(reasonOf(other))).length);
      }
      await sleep(PASS_MS);
    }
  }

  const requestorsOf = (one: LiveObject): readonly string[] => (one['spec'] as Spec).additionalRequestors ?? [];
  const find = async (node: string): Promise<LiveObject | undefined> =>
    (await client.list(objects)).find(({ metadata: { name } }) => name === `${PREFIX}-${node}`);
  const setRequestors = (node: string, ids: readonly string[]) =>
    client.ask('PATCH', pathOf(node), { spec: { additionalRequestors: ids } }, 'merge');

  async function ask(node: string, id: string): Promise<void> {
    const found = await find(node);
    if (found !== undefined) {
      await setRequestors(node, [...requestorsOf(found), id]);
      return;
    }
    const metadata = { name: `${PREFIX}-${node}`, namespace };
    const spec = { requestorID: id, nodeName: node, cordon: true };
    await client.create({ apiVersion: API_VERSION, kind: 'NodeMaintenance', metadata, spec });
  }

  async function withdraw(node: string, id: string): Promise<void> {
    const found = await find(node);
    if (found === undefined) return;
    if ((found['spec'] as Spec).requestorID === id) await client.delete(found);
    else
      await setRequestors(
        node,
        requestorsOf(found).filter((one) => one !== id),
      );
  }

  const ended = run();
  return {
    ...{ ask, withdraw },
    left: async () => (await client.list(objects)).map((one) => `${one.metadata.name}: ${reasonOf(one)}`),
    cordons: () => Object.fromEntries(counts.cordons),
    returns: () => Object.fromEntries(counts.returns),
    requests: () => Object.fromEntries(asked),
    stop: async () => {
      isStopped = true;
      await ended;
    },
  };
}

const OUT: ReadonlySet<string> = new Set(['Draining', 'Ready']);

/** How far it is with an object; empty: it has not seen it. */
function reasonOf(one: LiveObject): string {
  interface Status {
    readonly conditions?: readonly { readonly type: string; readonly reason: string }[];
  }
  const { conditions = [] } = (one['status'] ?? {}) as Status;
  return conditions.find(({ type }) => type === 'Ready')?.reason ?? '';
}
