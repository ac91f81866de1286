import { recordedFailure } from '../../kit/records.js';
import { driverKeys } from '../../../src/shared/contract/labels.js';
import { isFinished } from '../../../src/companion/model/pod.js';
import type { SriovNodeState } from '../../../src/companion/model/sriov.js';
import type { Decision } from '../../../src/companion/model/types.js';
import type { StoredNode, StoredPod } from '../../../src/forecast/simulation/store.js';
import type { SimulatedCluster, SriovOperator } from '../../../src/forecast/simulation/simulated-cluster.js';
import { SRIOV_PREFIX, SRIOV_RESOURCES, type Git } from '../scenario/git.js';
import type { Scenario } from '../scenario/scenario.js';
import type { Simulation } from '../simulation.js';
import type { Invariants } from './invariants.js';
import { IN_PROGRESS, isKeptInDrains, Violation } from './rules.js';
import { canariesGone, hasPodsThatStay, isUninstalled } from './liveness.js';
import { isHeld, isTroubled } from './troubled.js';

const OURS = driverKeys(SRIOV_PREFIX);
const OFED = driverKeys('ofed');
/** What a node offers when it has its virtual functions. */
const RESOURCE = `${SRIOV_RESOURCES}vf`;

/** What happened to a node. */
interface Followed {
  /** How often the companion cordoned and uncordoned it. */
  cordons: number;
  uncordons: number;
  /** It had its virtual functions when its OFED upgrade began, and nothing but that removed them since then. */
  hadFunctions: boolean;
}

interface Watched {
  readonly simulation: Simulation;
  readonly operator: SriovOperator;
  readonly invariants: Invariants;
  readonly nodes: Map<string, Followed>;
  /** The section of SR-IOV is removed in the middle: the companion lifts the cordon under a config daemon that works, and finds it lifted afterwards. */
  readonly isRemoved: boolean;
}

/** The checks of what is left when a part of the run is over. */
export interface SriovChecks {
  afterFaults(latest: Decision | undefined): void;
  repaired(latest: Decision | undefined): void;
}

/** Checks what the companion writes where config daemons leave the drain to it, and what they do meanwhile. */
export function watchSriov(simulation: Simulation, scenario: Scenario, invariants: Invariants): SriovChecks {
  const { cluster } = simulation;
  const operator = cluster.sriov;
  if (operator === undefined) return { afterFaults: () => undefined, repaired: () => undefined };
  const isRemoved = scenario.incidents.some((one) => one.kind === 'section' && one.driver === SRIOV_PREFIX);
  const watched: Watched = { simulation, operator, invariants, nodes: new Map(), isRemoved };
  cluster.store.sriovNodeStates.listen((_name, before, after, actor) => {
    if (actor === 'ours' && before !== undefined && after !== undefined) checkAnswer(watched, before, after);
  });
  cluster.store.nodes.listen((name, before, after, actor) => {
    if (before === undefined || after === undefined) return void watched.nodes.delete(name);
    follow(watched, before, after, actor === 'ours');
  });
  cluster.store.pods.listen((_key, before, after) => {
    if (after !== undefined && isOfedPod(after)) followLoad(watched, before, after);
  });
  operator.onWork = (node, need) => {
    const isCordoned = cluster.store.nodes.get(node)?.unschedulable === true;
    if (need !== 'nothing' && !isCordoned && !isRemoved && !invariants.isChangedByOthers(node))
      throw new Violation('no config daemon works on a node that is not cordoned', `${node}: ${need}`);
  };
  return {
    afterFaults: (latest) => {
      checkCalm(watched, scenario);
      for (const node of cluster.store.nodes.values()) checkLeft(watched, node, latest);
    },
    repaired: (latest) => {
      if (canariesGone(cluster, simulation.git)) return;
      for (const node of cluster.store.nodes.values()) checkEnd(watched, node, latest);
    },
  };
}

/** The companion answers, and writes nothing else. */
function checkAnswer(watched: Watched, before: SriovNodeState, after: SriovNodeState): void {
  const { simulation, operator, invariants } = watched;
  const { name, desired, current } = after;
  const fact = `${name}: ${before.current ?? 'nothing'} to ${current ?? 'nothing'} while ${desired ?? 'nothing'} is asked`;
  if (!before.isExternal) throw new Violation('answers only where the drain is left to it', fact);
  if (before.desired !== undefined && desired !== before.desired)
    throw new Violation('never overwrites what a config daemon asks', fact);
  if (before.desired === undefined && desired !== 'Idle') throw new Violation('asks for nothing itself', fact);
  if (before.current === current) return;
  const asks = desired === 'Drain_Required' || desired === 'Reboot_Required';
  if (current !== 'Idle' && !asks) throw new Violation('answers only a config daemon that asks', fact);
  const need = operator.hosts.get(name)?.working;
  if (asks && before.current === 'DrainComplete' && need !== undefined && !invariants.isChangedByOthers(name))
    throw new Violation('takes no answer back that a config daemon works with', `${fact}: ${need}`);
  if (current === 'DrainComplete') checkDrained(watched, after);
  if (current === 'Draining' && simulation.cluster.store.nodes.get(name)?.unschedulable === false)
    if (!watched.isRemoved && !invariants.isChangedByOthers(name))
      throw new Violation('drains a cordoned node only', fact);
}

function checkDrained({ simulation, invariants }: Watched, { name, desired }: SriovNodeState): void {
  const { cluster } = simulation;
  const { store, unreachableNodes } = cluster;
  const node = store.nodes.get(name);
  if (node === undefined || invariants.isChangedByOthers(name)) return;
  if (!node.unschedulable) throw new Violation('a node that is drained is cordoned', name);
  const isReboot = desired === 'Reboot_Required';
  if (unreachableNodes.has(name) || (isReboot && store.nodes.size === 1)) return;
  const isLeft = (pod: StoredPod): boolean => {
    const { kind } = pod.lifecycle;
    const isMovable = kind === 'workload' || kind === 'job' || kind === 'bare';
    if (!isMovable || isFinished(pod) || pod.mirror || pod.toleratesUnschedulable) return false;
    if (isKeptInDrains(pod, cluster.policy) || pod.controller?.name === 'agent') return false;
    return isReboot || pod.resourceNames.some((one) => one.startsWith(SRIOV_RESOURCES));
  };
  const left = [...store.podsOn(name)].filter(isLeft);
  if (left.length > 0)
    throw new Violation(
      'no node counts as drained while a pod has to leave it',
      `${name}: ${left[0]?.name}, ${desired}`,
    );
}

/** OFED is loaded on a node that is not out for it: it removes the virtual functions of a node in service. */
function followLoad(
  { nodes, simulation }: Watched,
  before: StoredPod | undefined,
  { phase, nodeName }: StoredPod,
): void {
  if (phase !== 'Running' || before?.phase === 'Running') return;
  const known = nodes.get(nodeName);
  const state = simulation.cluster.store.nodes.get(nodeName)?.labels[OFED.state] ?? '';
  if (known !== undefined && !IN_PROGRESS.has(state)) known.hadFunctions = false;
}

function follow(watched: Watched, before: StoredNode, after: StoredNode, isOurs: boolean): void {
  const { operator, nodes, simulation, invariants } = watched;
  const { name } = after;
  const known = nodes.get(name) ?? { cordons: 0, uncordons: 0, hadFunctions: false };
  nodes.set(name, known);
  const state = simulation.cluster.store.sriovNodeStates.get(name);
  const host = operator.hosts.get(name);
  if (before.boots !== after.boots) known.hadFunctions = false;
  if (!isOurs || state === undefined || host === undefined) return;
  const begins = !IN_PROGRESS.has(before.labels[OFED.state] ?? '') && IN_PROGRESS.has(after.labels[OFED.state] ?? '');
  if (begins)
    known.hadFunctions = host.hasFunctions && state.syncStatus === 'Succeeded' && after.allocatable[RESOURCE] === '8';
  // Without its section the companion validates no virtual functions, and the section may come back before the node is uncordoned.
  if (!invariants.hasDriver(SRIOV_PREFIX)) known.hadFunctions = false;
  if (!before.unschedulable && after.unschedulable) known.cordons += 1;
  if (!before.unschedulable || after.unschedulable) return;
  known.uncordons += 1;
  checkUncordon(watched, after, state, known);
}

function checkUncordon(
  { operator, invariants, simulation }: Watched,
  node: StoredNode,
  { desired, current }: SriovNodeState,
  { hadFunctions }: Followed,
): void {
  const { name, labels } = node;
  // Without its section the companion knows nothing of virtual functions.
  if (!invariants.hasDriver(SRIOV_PREFIX)) return;
  const host = operator.hosts.get(name);
  const asks = desired !== undefined && desired !== 'Idle';
  const isFailed = labels[OURS.state] === 'upgrade-failed';
  if (invariants.isChangedByOthers(name)) return;
  if (asks && current === 'DrainComplete' && !isFailed)
    throw new Violation('uncordons only when the config daemon is idle', `${name}: ${desired}`);
  if (host?.working !== undefined && host.working !== 'nothing')
    throw new Violation('uncordons no node that a config daemon works on', `${name}: ${host.working}`);
  const ofed = simulation.git.drivers.find(({ prefix }) => prefix === 'ofed');
  const hasOfed =
    ofed !== undefined && !isUninstalled(ofed, node) && [...simulation.cluster.store.podsOn(name)].some(isOfedPod);
  if (labels[OFED.state] === 'upgrade-done' && hadFunctions && hasOfed && !(host?.hasFunctions ?? true))
    throw new Violation('uncordons after a restart of OFED only with virtual functions', name);
}

const isOfedPod = ({ labels }: StoredPod): boolean => 'nvidia.com/ofed-driver' in labels;

/** A node that was due for both was taken out once. */
function checkCalm({ simulation, nodes }: Watched, { isCalm, incidents }: Scenario): void {
  const { git, cluster } = simulation;
  const hasBoth = ['rollout', 'sriov-change', 'pause-policy'].every((kind) =>
    incidents.some((one) => one.kind === kind),
  );
  if (isCalm !== true || !hasBoth || git.paused) return;
  for (const { name } of cluster.store.nodes.values()) {
    const { cordons, uncordons } = nodes.get(name) ?? { cordons: 0, uncordons: 0 };
    if (cordons !== 1 || uncordons !== 1)
      throw new Violation(
        'a node that is due for OFED and virtual functions is cordoned and uncordoned once',
        `${name}: ${cordons} cordons, ${uncordons} uncordons`,
      );
  }
}

const factOf = (node: StoredNode, state: SriovNodeState, latest: Decision | undefined): string => {
  const { desired = 'nothing', current = 'nothing', syncStatus } = state;
  const wait = latest?.waiting.find((one) => one.driver === SRIOV_PREFIX && one.node === node.name);
  const why = wait === undefined ? 'waits for nothing' : `${wait.kind}: ${wait.message}`;
  return `${node.name}: ${node.labels[OURS.state] ?? 'no state'}, ${desired}, ${current}, ${syncStatus}; ${why}`;
};

/** Without faults every node comes to rest, fails with a reason, or waits for something that lasts. */
function checkLeft(watched: Watched, node: StoredNode, latest: Decision | undefined): void {
  const { simulation, operator, invariants } = watched;
  const { cluster } = simulation;
  const state = cluster.store.sriovNodeStates.get(node.name);
  if (state === undefined) return;
  const flow = node.labels[OURS.state] ?? '';
  const fact = factOf(node, state, latest);
  if (flow === 'upgrade-failed') {
    if (recordedFailure(node.annotations) === undefined) throw new Violation('a failed node has a reason', fact);
    return;
  }
  if (lasts(simulation) || operator.failing.size > 0) return;
  if (IN_PROGRESS.has(flow)) throw new Violation('it ends', fact);
  const { sriov } = simulation.git;
  const arePodsLeft = sriov !== undefined && hasPodsThatStay(cluster, sriov.drain, node);
  if (flow === 'upgrade-required' && (arePodsLeft || isKept(simulation, invariants))) return;
  // A config daemon that failed need not try again by itself. The run names it.
  const isNamed = latest === undefined || fact.includes('config-failed');
  if (state.syncStatus === 'Failed' && state.desired === 'Idle' && isNamed) return;
  checkIdle(watched, node, state, fact);
}

function checkEnd(watched: Watched, node: StoredNode, latest: Decision | undefined): void {
  const state = watched.simulation.cluster.store.sriovNodeStates.get(node.name);
  if (state !== undefined) checkIdle(watched, node, state, factOf(node, state, latest));
}

function checkIdle({ operator }: Watched, node: StoredNode, state: SriovNodeState, fact: string): void {
  const host = operator.hosts.get(node.name);
  const isIdle = state.desired === 'Idle' && state.current === 'Idle' && state.syncStatus === 'Succeeded';
  if (!isIdle) throw new Violation('every config daemon is idle and in sync', fact);
  if (host?.generation !== state.generation || !host.hasFunctions)
    throw new Violation('every node has the virtual functions of its policies', fact);
  const flow = node.labels[OURS.state] ?? '';
  if (flow !== '' && flow !== 'upgrade-done') throw new Violation('a node that is idle is done', fact);
}

/** Whether something lasts on any node that may keep another one waiting. */
function lasts(simulation: Simulation): boolean {
  const { cluster, meddledNodes, git } = simulation;
  const nodes = [...cluster.store.nodes.values()];
  return (
    meddledNodes.size > 0 ||
    cluster.webhooks.size > 0 ||
    nodes.some((node) => node.taints.length > 0 || git.drivers.some((one) => isTroubled(simulation, one, node))) ||
    [...cluster.store.pods.values()].some((pod) => isHeld(simulation, { jobsSelector: '' }, pod))
  );
}

/** Whether a node may wait before it begins. */
function isKept({ git, cluster }: Simulation, invariants: Invariants): boolean {
  const nodes = [...cluster.store.nodes.values()];
  const isFailed = ({ labels }: StoredNode): boolean => Object.values(labels).includes('upgrade-failed');
  const isSkipped = ({ labels }: StoredNode): boolean =>
    Object.keys(labels).some((key) => key.endsWith('-upgrade.skip'));
  const isForeign = ({ unschedulable, name }: StoredNode): boolean =>
    unschedulable && (invariants.cordonOwner(name) !== 'ours' || invariants.isChangedByOthers(name));
  return (
    git.drivers.length > 0 ||
    git.rollout.canary?.nodeSelector !== undefined ||
    nodes.some((node) => isFailed(node) || isSkipped(node) || isForeign(node)) ||
    isClosed(git, cluster)
  );
}

/** Whether a pool lets no node out, or a node is in two. */
function isClosed({ sriov }: Git, { store }: SimulatedCluster): boolean {
  const pools = sriov?.pools ?? [];
  const members = (selector: string) => [...store.nodes.values()].filter((node) => isOfPool(node, selector));
  const isShut = ({ maxUnavailable, nodeSelector }: (typeof pools)[number]): boolean =>
    limitOf(maxUnavailable, members(nodeSelector).length) < 1;
  const inTwo = [...store.nodes.values()].some(
    (node) => pools.filter(({ nodeSelector }) => isOfPool(node, nodeSelector)).length > 1,
  );
  return inTwo || pools.some(isShut);
}

export function isOfPool({ labels }: Pick<StoredNode, 'labels'>, nodeSelector: string): boolean {
  const [key = '', value] = nodeSelector.split('=');
  return labels[key] === value;
}

/** Upstream rounds a percentage down. */
export function limitOf(maxUnavailable: number | string | undefined, nodes: number): number {
  if (maxUnavailable === undefined) return Infinity;
  if (typeof maxUnavailable === 'number') return maxUnavailable;
  return Math.floor((nodes * Number.parseInt(maxUnavailable, 10)) / 100);
}
