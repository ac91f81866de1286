import { setTimeout as sleep } from 'node:timers/promises';
import { SRIOV_DRAIN_KEYS, SRIOV_GROUP } from '../../../src/shared/contract/labels.js';
import type { LiveObject } from '../bed/api-client.js';
import { applyAll } from '../bed/apply-set.js';
import type { ControlPlane } from '../bed/control-plane.js';
import { NAMESPACE } from './fleet.js';

/** The config daemons of the SR-IOV operator as the API server sees them. */
export interface ConfigDaemons {
  /** Policies give every node other virtual functions, for which it has to be drained. */
  readonly change: () => Promise<void>;
  /** Nodes that do not have the virtual functions of the policies, one line each. */
  readonly behind: () => Promise<readonly string[]>;
  /** Nodes that a config daemon was let loose on although they were not cordoned. */
  readonly unsafe: () => readonly string[];
  readonly stop: () => Promise<void>;
}

const PASS_MS = 200;
const STATES = `/apis/${SRIOV_GROUP}/v1/namespaces/${NAMESPACE}/sriovnetworknodestates`;
const { desired: DESIRED, current: CURRENT, external: EXTERNAL } = SRIOV_DRAIN_KEYS;

/** Starts one on each node, with a SriovNetworkNodeState: sriov-network-operator 249e20012, `pkg/daemon/daemon.go`. */
export async function startConfigDaemons({ client }: ControlPlane): Promise<ConfigDaemons> {
  const configured = new Map<string, number>();
  const unsafe: string[] = [];
  let [isStopped, numVfs] = [false, 4];
  const patch = (path: string, change: object) => client.ask('PATCH', path, change, 'merge');
  const report = (name: string, syncStatus: string) => patch(`${STATES}/${name}/status`, { status: { syncStatus } });

  async function ask(name: string, desired: string): Promise<void> {
    await patch(`/api/v1/nodes/${name}`, { metadata: { annotations: { [`${SRIOV_GROUP}/state`]: desired } } });
    await patch(`${STATES}/${name}`, { metadata: { annotations: { [DESIRED]: desired } } });
  }

  async function configure(name: string, generation: number): Promise<void> {
    const node = await client.get({ apiVersion: 'v1', kind: 'Node', metadata: { name } });
    const spec = node?.['spec'] as { readonly unschedulable?: boolean } | undefined;
    if (spec?.unschedulable !== true) unsafe.push(name);
    configured.set(name, generation);
    await ask(name, 'Idle');
    await report(name, 'Succeeded');
  }

  async function step({ metadata }: LiveObject): Promise<unknown> {
    const { name, annotations = {}, generation = 0 } = metadata;
    const { [DESIRED]: desired, [CURRENT]: current } = annotations;
    if (annotations[EXTERNAL] !== 'true')
      return patch(`${STATES}/${name}`, { metadata: { annotations: { [EXTERNAL]: 'true' } } });
    if (!configured.has(name)) {
      configured.set(name, generation);
      return report(name, 'Succeeded');
    }
    if (configured.get(name) === generation) return undefined;
    if (desired === 'Drain_Required' && current === 'DrainComplete') return configure(name, generation);
    if (desired !== 'Idle' || current !== 'Idle') return undefined;
    await report(name, 'InProgress');
    return ask(name, 'Drain_Required');
  }

  async function change(): Promise<void> {
    numVfs += 1;
    const nodes = await client.list('/api/v1/nodes');
    const states = nodes.map(({ metadata: { name } }) => ({
      apiVersion: `${SRIOV_GROUP}/v1`,
      kind: 'SriovNetworkNodeState',
      metadata: { name, namespace: NAMESPACE },
      spec: { interfaces: [{ pciAddress: '0000:3b:00.0', numVfs, vfGroups: [{ resourceName: 'vf' }] }] },
    }));
    const { problems } = await applyAll(client, states, 'sriov-network-operator');
    if (problems.length > 0) throw new Error(problems.join('\n'));
  }

  async function behind(): Promise<readonly string[]> {
    return (await client.list(STATES)).flatMap((state) => {
      const { name, annotations = {}, generation } = state.metadata;
      const { syncStatus = '' } = (state['status'] ?? {}) as { readonly syncStatus?: string };
      const isDone = annotations[DESIRED] === 'Idle' && annotations[CURRENT] === 'Idle' && syncStatus === 'Succeeded';
      return isDone && configured.get(name) === generation
        ? []
        : [`${name}: ${annotations[DESIRED] ?? ''}, ${annotations[CURRENT] ?? ''}, ${syncStatus}`];
    });
  }

  async function run(): Promise<void> {
    while (!isStopped) {
      for (const state of await client.list(STATES)) await step(state);
      await sleep(PASS_MS);
    }
  }
  await change();
  const ended = run();
  const stop = async (): Promise<void> => {
    isStopped = true;
    await ended;
  };
  return { change, behind, unsafe: () => unsafe, stop };
}
