import { OFED_DRIVER_LABEL } from '../../../shared/contract/labels.js';
import type { SimulatedCluster, SriovHost, SriovNeed, SriovOperator, SriovOptions } from '../simulated-cluster.js';
import type { SriovNodeState } from '../../../companion/model/sriov.js';
import type { StoredPod } from '../store.js';
import {
  addDaemon,
  askDaemon,
  makeDaemon,
  endDaemon,
  offer,
  withdraw,
  type ConfigDaemon,
} from './sriov-config-daemon.js';

/** How often a config daemon compares the devices with its SriovNetworkNodeState: `DaemonRequeueTime` in `pkg/consts`. */
const COMPARED_EVERY_MS = 30_000;
/** How long the operator takes to write changed policies into the SriovNetworkNodeStates. */
const LONGEST_WRITE_MS = 5000;

/** The SriovNetworkNodeStates of a cluster that is there already. */
export interface KnownNodeStates {
  readonly states: readonly SriovNodeState[];
  /** Of the names of their resources. */
  readonly resourcePrefix: string;
}

/**
 * The SR-IOV operator where the drain is left to another program, with the config daemons of all nodes: sriov-network-operator 249e20012.
 * It has a SriovNetworkNodeState for each node, and raises its generation when policies change.
 *
 * @param known those of the nodes that have one, and no other node gets one. Default: each node gets one, now and later
 */
export function startSriovOperator(
  cluster: SimulatedCluster,
  options: SriovOptions,
  known?: KnownNodeStates,
): SriovOperator {
  const { store, events, chance } = cluster;
  const hosts = new Map<string, SriovHost>();
  const daemons = new Map<string, ConfigDaemon>();
  const daemonOf = (node: string, then: (daemon: ConfigDaemon) => void): void => {
    const daemon = daemons.get(node);
    if (daemon !== undefined) then(daemon);
  };
  const operator: SriovOperator = {
    hosts,
    options,
    failing: new Map(),
    onWork: () => undefined,
    change: (need, labels) => {
      for (const node of [...store.nodes.values()]) {
        if (!Object.entries(labels).every(([key, value]) => node.labels[key] === value)) continue;
        events.after(chance.controllers.int(100, LONGEST_WRITE_MS), () =>
          daemonOf(node.name, (one) => raise(one, need)),
        );
      }
    },
    withdraw: (node) => daemonOf(node, withdraw),
    restart: (node, awayMs) => daemonOf(node, (daemon) => endDaemon(daemon, awayMs)),
  };
  const follow = (daemon: ConfigDaemon): void => {
    hosts.set(daemon.node, daemon.host);
    daemons.set(daemon.node, daemon);
  };
  const add = (node: string): void => {
    if (known === undefined) follow(addDaemon(cluster, operator, node));
  };
  for (const state of known?.states ?? [])
    if (store.nodes.get(state.name) !== undefined)
      follow(joinDaemon(cluster, operator, state, known?.resourcePrefix ?? ''));
  store.nodes.listen((name, before, after) => {
    if (after === undefined) {
      daemonOf(name, (daemon) => endDaemon(daemon, Infinity));
      daemons.delete(name);
      hosts.delete(name);
      return store.sriovNodeStates.remove(name, 'sriov-operator');
    }
    if (before === undefined) add(name);
    else if (before.boots !== after.boots) daemonOf(name, boots);
  });
  store.sriovNodeStates.listen((name, before, after) => {
    const isAsked =
      before?.desired !== after?.desired ||
      before?.current !== after?.current ||
      before?.isExternal !== after?.isExternal ||
      before?.generation !== after?.generation;
    if (isAsked) daemonOf(name, (daemon) => askDaemon(daemon, chance.controllers.int(5, 500)));
  });
  store.pods.listen((_key, before, after) => {
    if (after !== undefined && loadsOfed(before, after)) daemonOf(after.nodeName, loseFunctions);
  });
  for (const { name } of [...store.nodes.values()]) add(name);
  return operator;
}

/** The config daemon of a node in the middle of what its SriovNetworkNodeState says. */
function joinDaemon(
  cluster: SimulatedCluster,
  operator: SriovOperator,
  state: SriovNodeState,
  resourcePrefix: string,
): ConfigDaemon {
  const { name, generation, desired = 'Idle', syncStatus, resources } = state;
  const { allocatable = {} } = cluster.store.nodes.get(name) ?? {};
  const names = resources.map((resource) => `${resourcePrefix}${resource}`);
  const functions = Object.fromEntries(names.map((resource) => [resource, allocatable[resource] ?? '0']));
  const isDone = desired === 'Idle' && syncStatus === 'Succeeded';
  const daemon = makeDaemon(cluster, operator, name, { generation: isDone ? generation : generation - 1, functions });
  if (!isDone) daemon.needs.set(generation, NEEDS[desired] ?? 'nothing');
  cluster.store.sriovNodeStates.put(name, state, 'setup');
  askDaemon(daemon, cluster.chance.controllers.int(100, 5000));
  return daemon;
}

const NEEDS: Readonly<Record<string, SriovNeed>> = { Drain_Required: 'drain', Reboot_Required: 'reboot' };

/** A policy changes what a node is to have. */
function raise({ cluster, node, needs }: ConfigDaemon, need: SriovNeed): void {
  const state = cluster.store.sriovNodeStates.get(node);
  if (state === undefined) return;
  const generation = state.generation + 1;
  needs.set(generation, need);
  cluster.note(`  SR-IOV operator: ${node} needs ${need}`);
  cluster.store.sriovNodeStates.put(node, { ...state, generation }, 'sriov-operator');
}

/** The driver container of OFED starts: it loads the driver, and the virtual functions of the one before are gone. */
function loadsOfed(before: StoredPod | undefined, after: StoredPod): boolean {
  return OFED_DRIVER_LABEL in after.labels && after.phase === 'Running' && before?.phase !== 'Running';
}

function loseFunctions(daemon: ConfigDaemon): void {
  const { cluster, host } = daemon;
  host.hasFunctions = false;
  offer(daemon, false);
  askDaemon(daemon, cluster.chance.controllers.int(100, COMPARED_EVERY_MS));
}

function boots(daemon: ConfigDaemon): void {
  endDaemon(daemon, daemon.cluster.chance.controllers.int(2000, 20_000));
  loseFunctions(daemon);
}
