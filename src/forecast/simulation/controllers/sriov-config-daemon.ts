import { OFED_DRIVER_LABEL } from '../../../shared/contract/labels.js';
import type { SriovNodeState } from '../../../companion/model/sriov.js';
import { patchNode } from '../api.js';
import { reboot, setUnreachable } from '../kubelet.js';
import type { SimulatedCluster, SriovHost, SriovNeed, SriovOperator } from '../simulated-cluster.js';

export const SRIOV_NAMESPACE = 'sriov';

/** After an error, and while OFED is not loaded, it tries again. */
const RETRY_MS = 30_000;
/** After a failure that it reports. */
const RETRY_FAILED_MS = 60_000;
/** Annotation of a node with what its config daemon asks for; it has the same as the SriovNetworkNodeState. */
const NODE_ANNOTATION = 'sriovnetwork.openshift.io/state';

/** The config daemon of a node: `Reconcile` and what it calls in `pkg/daemon/daemon.go`. It keeps all but the applied generation in objects. */
export interface ConfigDaemon {
  readonly cluster: SimulatedCluster;
  readonly operator: SriovOperator;
  readonly node: string;
  readonly host: SriovHost;
  /** Names and numbers of the resources that the device plugin offers for virtual functions. */
  readonly functions: Readonly<Record<string, string>>;
  /** What each generation needs. */
  readonly needs: Map<number, SriovNeed>;
  /** The generation that this process applied, or failed to apply. */
  applied: number;
  /** It has found out that it has to reboot. */
  isRebootFound: boolean;
  /** Rises when the process ends: what it still had to do is not done. */
  life: number;
  isAway: boolean;
  isBusy: boolean;
  isAsked: boolean;
  /** It reported a failure, and does nothing until then. */
  restsUntilMs: number;
}

/** A config daemon of a node whose SriovNetworkNodeState is there. It is done with this generation. */
export function makeDaemon(
  cluster: SimulatedCluster,
  operator: SriovOperator,
  node: string,
  { generation, functions }: { readonly generation: number; readonly functions: ConfigDaemon['functions'] },
): ConfigDaemon {
  return {
    cluster,
    operator,
    node,
    functions,
    needs: new Map(),
    applied: 0,
    isRebootFound: false,
    host: { generation, hasFunctions: true, working: undefined },
    life: 0,
    isAway: false,
    isBusy: false,
    isAsked: false,
    restsUntilMs: 0,
  };
}

/** A node gets a SriovNetworkNodeState and a config daemon, with virtual functions as its policies want them. */
export function addDaemon(cluster: SimulatedCluster, operator: SriovOperator, node: string): ConfigDaemon {
  const daemon = makeDaemon(cluster, operator, node, { generation: 1, functions: { 'openshift.io/vf': '8' } });
  const state: SriovNodeState = {
    namespace: SRIOV_NAMESPACE,
    name: node,
    uid: cluster.store.makeUid(),
    resourceVersion: '',
    generation: 1,
    isExternal: false,
    syncStatus: '',
    lastSyncError: '',
    resources: ['vf'],
    // A drainer was here before, or none was yet.
    ...(cluster.chance.controllers.chance(0.5) && { desired: 'Idle', current: 'Idle' }),
  };
  cluster.store.sriovNodeStates.put(node, state, 'sriov-operator');
  offer(daemon, true);
  askDaemon(daemon, cluster.chance.controllers.int(100, 5000));
  return daemon;
}

/** The device plugin offers all virtual functions, or none. */
export function offer({ cluster, node: name, functions }: ConfigDaemon, areThere: boolean): void {
  const node = cluster.store.nodes.get(name);
  const offered = Object.entries(functions).map(([resource, amount]) => [resource, areThere ? amount : '0'] as const);
  if (node === undefined || offered.every(([resource, amount]) => node.allocatable[resource] === amount)) return;
  const allocatable = { ...node.allocatable, ...Object.fromEntries(offered) };
  cluster.store.nodes.put(name, { ...node, allocatable }, 'kubelet');
}

/** Asks for a reconcile. */
export function askDaemon(daemon: ConfigDaemon, afterMs: number): void {
  daemon.isAsked = true;
  const { cluster, life } = daemon;
  cluster.events.after(afterMs, () => {
    if (life === daemon.life && !daemon.isAway && !daemon.isBusy && daemon.isAsked) reconcile(daemon);
  });
}

/** The process ends, and another one starts so long after. */
export function endDaemon(daemon: ConfigDaemon, awayMs: number): void {
  const life = ++daemon.life;
  daemon.host.working = undefined;
  Object.assign(daemon, { isAway: true, isBusy: false, applied: 0, isRebootFound: false, restsUntilMs: 0 });
  daemon.cluster.events.after(awayMs, () => {
    if (life !== daemon.life) return;
    daemon.isAway = false;
    askDaemon(daemon, 100);
  });
}

/** The change is not wanted any more: the daemon has nothing to ask for. */
export function withdraw(daemon: ConfigDaemon): void {
  const state = stateOf(daemon);
  if (state === undefined || daemon.isAway || daemon.host.working !== undefined) return;
  if (state.desired !== 'Drain_Required' && state.desired !== 'Reboot_Required') return;
  daemon.host.generation = state.generation;
  // It applies what is wanted now, whatever it had failed to apply.
  daemon.applied = 0;
  daemon.isBusy = true;
  annotate(daemon, 'Idle');
}

const stateOf = ({ cluster, node }: ConfigDaemon): SriovNodeState | undefined =>
  cluster.store.sriovNodeStates.get(node);

/** Does something after so long, if the process still runs. */
function then(daemon: ConfigDaemon, ms: number, what: () => void): void {
  const { life, cluster } = daemon;
  cluster.events.after(ms, () => {
    if (life === daemon.life && stateOf(daemon) !== undefined) what();
  });
}

function finish(daemon: ConfigDaemon, againMs?: number): void {
  daemon.isBusy = false;
  if (againMs !== undefined) askDaemon(daemon, againMs);
  else if (daemon.isAsked) askDaemon(daemon, 100);
}

function reconcile(daemon: ConfigDaemon): void {
  const { cluster, host } = daemon;
  const state = stateOf(daemon);
  Object.assign(daemon, { isAsked: false });
  if (state === undefined) return;
  const rests = daemon.restsUntilMs > cluster.events.now() && daemon.applied === state.generation;
  if (rests) return askDaemon(daemon, daemon.restsUntilMs - cluster.events.now());
  daemon.isBusy = true;
  const { desired, current, isExternal, generation } = state;
  const isIdle = desired === current && (desired === undefined || desired === 'Idle');
  if (!isExternal && isIdle) {
    write(daemon, { isExternal: true });
    return finish(daemon);
  }
  if (desired === undefined || current === undefined) return finish(daemon);
  const isInSync = host.generation === generation && host.hasFunctions;
  if (daemon.applied === generation && isInSync) return finish(daemon);
  write(daemon, { syncStatus: 'InProgress' });
  then(daemon, cluster.chance.controllers.int(5, 100), () => drain(daemon));
}

/** Asks for a drain, waits for it, or goes on. */
function drain(daemon: ConfigDaemon): void {
  const state = stateOf(daemon);
  if (state === undefined) return;
  const { desired, current } = state;
  const need = needOf(daemon, state);
  const [needsDrain, needsReboot] = [need !== 'nothing', need === 'reboot'];
  if (!needsDrain && current === 'Idle') return desired === 'Idle' ? apply(daemon, need) : finish(daemon);
  if (current === 'Idle') return annotate(daemon, needsReboot ? 'Reboot_Required' : 'Drain_Required');
  // A drain of some pods does not suffice for a reboot.
  if (needsReboot && desired !== 'Reboot_Required')
    return desired === 'Idle' ? finish(daemon) : annotate(daemon, 'Idle');
  if (current === 'DrainComplete') apply(daemon, need);
  else finish(daemon);
}

/** What the changes since the last one that was applied need together. */
function needOf(daemon: ConfigDaemon, { generation, current }: SriovNodeState): SriovNeed {
  const { cluster, operator, host, needs } = daemon;
  const due = [...needs].filter(([of]) => of > host.generation && of <= generation).map(([, need]) => need);
  if (host.generation === generation && !host.hasFunctions && operator.options.drainsAfterReload) due.push('drain');
  const isFound = current === 'DrainComplete' || (current === 'Draining' && cluster.chance.controllers.chance(0.5));
  if (due.includes('late-reboot') && isFound) daemon.isRebootFound = true;
  if (due.includes('reboot') || (due.includes('late-reboot') && daemon.isRebootFound)) return 'reboot';
  return due.some((need) => need !== 'nothing') ? 'drain' : 'nothing';
}

function apply(daemon: ConfigDaemon, need: SriovNeed): void {
  const { cluster, operator, host, node } = daemon;
  const state = stateOf(daemon);
  if (state === undefined) return;
  if (!isOfedLoaded(daemon)) return finish(daemon, RETRY_MS);
  operator.onWork(node, need);
  host.working = need;
  if (need !== 'nothing') offer(daemon, false);
  const workMs = cluster.chance.controllers.int(1000, operator.options.workMs);
  const { boots } = cluster.store.nodes.get(node) ?? { boots: 0 };
  then(daemon, workMs, () => {
    const how = operator.failing.get(node);
    if (how === 'repeats' || !isOfedLoaded(daemon)) {
      host.working = undefined;
      return finish(daemon, RETRY_MS);
    }
    if (how === 'reports') return end(daemon, state.generation, 'Failed');
    host.generation = Math.max(host.generation, state.generation);
    if (need === 'reboot') return rebootNode(daemon, boots);
    host.hasFunctions = true;
    // The device plugin starts again.
    then(daemon, cluster.chance.controllers.int(500, 10_000), () => host.hasFunctions && offer(daemon, true));
    end(daemon, state.generation, 'Succeeded');
  });
}

/** It goes back to `Idle`, and then says how it ended. */
function end(daemon: ConfigDaemon, generation: number, syncStatus: 'Succeeded' | 'Failed'): void {
  const { cluster, host } = daemon;
  host.working = undefined;
  daemon.isRebootFound = false;
  annotate(daemon, 'Idle', () => {
    const isFailed = syncStatus === 'Failed';
    write(daemon, { syncStatus, lastSyncError: isFailed ? 'no such device' : '' });
    daemon.applied = generation;
    if (!isFailed) return finish(daemon);
    daemon.restsUntilMs = cluster.events.now() + RETRY_FAILED_MS;
    finish(daemon, RETRY_FAILED_MS);
  });
}

/** The kubelet stops, the node boots, and another process of the daemon starts there. */
function rebootNode(daemon: ConfigDaemon, boots: number): void {
  const { cluster, node, host } = daemon;
  cluster.note(`  config daemon: ${node} boots`);
  endDaemon(daemon, Infinity);
  host.working = 'reboot';
  setUnreachable(cluster, node, true);
  cluster.events.after(cluster.chance.controllers.int(10_000, 120_000), () => {
    // Something else may have made it boot.
    if (cluster.store.nodes.get(node)?.boots === boots) reboot(cluster, node);
    setUnreachable(cluster, node, false);
  });
}

/** Whether the node has no OFED, or has it loaded: virtual functions are those of a loaded driver. */
function isOfedLoaded({ cluster, node }: ConfigDaemon): boolean {
  return [...cluster.store.podsOn(node)].every((pod) => !(OFED_DRIVER_LABEL in pod.labels) || pod.ready);
}

/** First the node, then the SriovNetworkNodeState. */
function annotate(daemon: ConfigDaemon, desired: string, done = () => finish(daemon)): void {
  const { cluster, node } = daemon;
  const { chance } = cluster;
  cluster.note(`  config daemon: ${node} ${desired}`);
  if (cluster.store.nodes.get(node)?.annotations[NODE_ANNOTATION] !== desired)
    patchNode(cluster, node, { annotations: { [NODE_ANNOTATION]: desired } }, 'sriov-operator');
  then(daemon, chance.controllers.int(5, 300), () => {
    write(daemon, { desired });
    then(daemon, chance.controllers.int(5, 300), done);
  });
}

/** Nothing is written that is there already. */
function write({ cluster, node }: ConfigDaemon, change: Partial<SriovNodeState>): void {
  const state = cluster.store.sriovNodeStates.get(node);
  if (state === undefined) return;
  const isSame = (Object.keys(change) as (keyof SriovNodeState)[]).every((key) => state[key] === change[key]);
  if (isSame) return;
  if (change.syncStatus !== undefined) cluster.note(`  config daemon: ${node} is ${change.syncStatus}`);
  cluster.store.sriovNodeStates.put(node, { ...state, ...change }, 'sriov-operator');
}
