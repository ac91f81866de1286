import { cordonMark, recordedFailure } from '../../kit/records.js';
import { driverKeys } from '../../../src/shared/contract/labels.js';
import { runContinues } from '../../../src/companion/model/wait-kinds.js';
import type { Decision } from '../../../src/companion/model/types.js';
import type { StoredNode, StoredPod } from '../../../src/forecast/simulation/store.js';
import type { SimulatedCluster } from '../../../src/forecast/simulation/simulated-cluster.js';
import type { Simulation } from '../simulation.js';
import type { Invariants } from './invariants.js';
import { IN_PROGRESS, Violation } from './rules.js';
import { longestRunMs, timeOutsMs, type RunWork } from './run-length.js';
import { isTroubled } from './troubled.js';
import { GATE_LABEL, labelPrefixOf, prefixesOf, type Git, type GitDriver } from '../scenario/git.js';

/** How long a driver that is not slow takes to load. */
const LOAD_MS = 20_000;

/** No node can be a canary of one of the drivers: the policy selects none, or they have lost that driver, and the label that says so. */
export function canariesGone(cluster: SimulatedCluster, { rollout, drivers }: Git): boolean {
  const selector = rollout.canary?.nodeSelector;
  if (selector === undefined) return false;
  const has = ({ labels }: StoredNode, wanted: Readonly<Record<string, string>>): boolean =>
    Object.entries(wanted).every(([key, value]) => labels[key] === value);
  // Nodes of an upgrade pool with its own canaries are none of the cluster's.
  const others = (rollout.pools ?? []).filter(({ canary }) => canary !== undefined);
  const matches = (node: StoredNode): boolean =>
    has(node, selector) && !others.some(({ nodeSelector }) => has(node, nodeSelector));
  const canaries = [...cluster.store.nodes.values()].filter(matches);
  const isLost = (driver: GitDriver, node: StoredNode): boolean =>
    isUninstalled(driver, node) && node.labels[driverKeys(labelPrefixOf(driver)).state] === undefined;
  return canaries.length === 0 || drivers.some((driver) => canaries.every((node) => isLost(driver, node)));
}

/** Its config daemon, which was told that the node is drained, never ends. It may boot the node. */
function isConfiguredForEver({ cluster }: Simulation, { name }: StoredNode): boolean {
  const isDrained = cluster.store.sriovNodeStates.get(name)?.current === 'DrainComplete';
  return isDrained && cluster.sriov?.failing.has(name) === true;
}

/** After a time without faults every node is done, skipped, failed with a reason, or waits for such nodes. */
export function checkAfterFaults(simulation: Simulation, latest: Decision | undefined, invariants: Invariants): void {
  const { cluster, git } = simulation;
  for (const driver of git.drivers) {
    const keys = driverKeys(labelPrefixOf(driver));
    const nodes = [...cluster.store.nodes.values()];
    const failed = nodes.filter((node) => node.labels[keys.state] === 'upgrade-failed');
    // A cordon of an administrator, or a companion's cordon whose node lost its label, uses up maxUnavailable.
    const foreign = nodes.some(
      ({ name, unschedulable }) =>
        unschedulable && (invariants.cordonOwner(name) !== 'ours' || invariants.isChangedByOthers(name)),
    );
    const troubled = nodes.filter((node) => isTroubled(simulation, driver, node));
    const skippedNodes = nodes.filter((node) => node.labels[keys.skip] === 'true');
    const skipped = skippedNodes.length > 0;
    // A node that is left out while it is out keeps its place of the Maintenance Operator.
    const isPlaceKept = skippedNodes.some(({ name }) =>
      [...cluster.store.nodeMaintenances.values()].some(({ node, phase }) => node === name && phase !== 'Pending'),
    );
    for (const node of nodes) {
      const state = node.labels[keys.state] ?? '';
      const where = `${labelPrefixOf(driver)} on ${node.name}: ${state}; ${waitOf(latest, driver, node)}`;
      const isFree = !troubled.includes(node);
      // Its cordon is lifted when no driver needs it any more.
      const waits =
        waitsForPerson(latest, driver, node) ||
        (state === 'node-maintenance-required' && isPlaceKept) ||
        (state === 'uncordon-required' &&
          (git.drivers.some((one) => isTroubled(simulation, one, node)) || isConfiguredForEver(simulation, node)));
      if (IN_PROGRESS.has(state) && failed.length === 0 && isFree && !waits) throw new Violation('it ends', where);
      if (state === 'upgrade-failed' && recordedFailure(node.annotations) === undefined) {
        throw new Violation('a failed node has a reason', where);
      }
      const kept =
        canariesGone(cluster, git) ||
        failed.length > 0 ||
        foreign ||
        skipped ||
        troubled.length > 0 ||
        nodes.some((one) =>
          hasPodsThatStay(cluster, { ...driver.drain, deleteEmptyDir: driver.deleteEmptyDir }, one),
        ) ||
        prefixesOf(git).length > 1;
      if (state === 'upgrade-required' && !kept) throw new Violation('it ends', where);
      if (state !== 'upgrade-done') continue;
      if (isFree) checkDone(cluster, driver, node, where);
      const ours = node.unschedulable && invariants.cordonOwner(node.name) === 'ours';
      if (ours && prefixesOf(git).length === 1 && !invariants.isChangedByOthers(node.name)) {
        throw new Violation('no cordon of ours is left behind', where);
      }
    }
  }
}

/** Whether the node has pods that the policy may forbid to evict: it is not taken out before somebody removes them. */
export function hasPodsThatStay(
  { store }: SimulatedCluster,
  { force, deleteEmptyDir }: { readonly force: boolean; readonly deleteEmptyDir: boolean },
  { name }: StoredNode,
): boolean {
  return [...store.podsOn(name)].some(
    ({ emptyDir, controller, lifecycle }) =>
      (emptyDir && !deleteEmptyDir) || (!force && (controller === undefined || lifecycle.kind === 'bare')),
  );
}

/** The run that was left when the faults ended took no longer than its policy and its nodes need. */
export function checkLength(
  { cluster, git, meddledNodes }: Simulation,
  tookMs: number,
  waits: Pick<RunWork, 'withoutNodeMs' | 'clockBehindMs'>,
): void {
  const nodes = [...cluster.store.nodes.values()];
  const isStuck = (node: StoredNode): boolean =>
    git.drivers.some((driver) => isTroubled({ cluster, git, meddledNodes }, driver, node));
  const stuckNodes = nodes.filter(isStuck).length;
  const longestMs = longestRunMs({
    git,
    nodes: nodes.length,
    ...{ stuckNodes, ...waits },
    cordonedNodes: nodes.filter(({ unschedulable }) => unschedulable).length,
    repeatedNodes: meddledNodes.size,
    loadMs: Math.max(LOAD_MS, ...cluster.loadMs.values()),
    jobMs: Math.max(0, ...cluster.workloads.map(({ runsMs }) => runsMs).filter(Number.isFinite)),
  });
  const most = longestMs + stuckNodes * timeOutsMs(git);
  const minutes = (ms: number): string => (ms / 60_000).toFixed(1);
  if (tookMs > most)
    throw new Violation(
      'a run is no longer than its policy and its nodes need',
      `${minutes(tookMs)} min after the faults, at most ${minutes(most)}`,
    );
}

/** After the repair no node waits. */
export function checkRepaired(cluster: SimulatedCluster, git: Git, latest: Decision | undefined): void {
  for (const driver of git.drivers) {
    if (canariesGone(cluster, git)) continue;
    const keys = driverKeys(labelPrefixOf(driver));
    for (const node of cluster.store.nodes.values()) {
      const state = node.labels[keys.state] ?? '';
      const where = `${labelPrefixOf(driver)} on ${node.name}: ${state}; ${waitOf(latest, driver, node)}`;
      if (isUninstalled(driver, node)) {
        if (driverPods(cluster, driver, node).length > 0) throw new Violation('an uninstalled driver goes', where);
      } else {
        if (state !== 'upgrade-done') throw new Violation('a repaired cluster ends done', where);
        checkDone(cluster, driver, node, where);
      }
      const { initialState, done } = keys;
      const left = Object.keys(node.annotations).filter((key) => key.startsWith('weft.dev/') && key !== done);
      if (state === 'upgrade-done' && prefixesOf(git).length === 1 && left.length > 0)
        throw new Violation('a done node keeps the record of its last upgrade only', `${where}; ${left.join(', ')}`);
      const kept = cordonMark(node.annotations) !== undefined || initialState in node.annotations;
      if (node.unschedulable) throw new Violation('no cordon is left behind', `${where}; ${kept ? 'recorded' : ''}`);
    }
  }
}

function checkDone(cluster: SimulatedCluster, driver: GitDriver, node: StoredNode, where: string): void {
  if (isUninstalled(driver, node) || node.annotations[driverKeys(labelPrefixOf(driver)).requested] !== undefined)
    return;
  // The GPU operator may have taken the node by itself, because an administrator had cordoned it.
  if (driver.management === 'operator' && isFailedByOperator(node)) return;
  const listed = driver.sets.find(({ group }) => node.labels['group'] === group);
  const [pod, ...more] = driverPods(cluster, driver, node);
  if (listed === undefined || pod === undefined) throw new Violation('a done node has its driver', where);
  const facts = `${where}; ${pod.name} of ${pod.lifecycle.digest}, ${pod.phase}`;
  if (more.length > 0) throw new Violation('a done node has one driver pod', facts);
  if (pod.lifecycle.digest !== listed.digest) throw new Violation('a done node has the driver that git has', facts);
  if (!pod.ready) throw new Violation('a done node has a ready driver', facts);
  if (driver.gate !== undefined) checkGate(cluster, driver.gate, node, pod);
}

const isFailedByOperator = ({ labels }: StoredNode): boolean => labels[driverKeys('gpu').state] === 'upgrade-failed';

/** If the driver is loaded, the gate is open, and gated pods started after the driver. */
function checkGate(
  cluster: SimulatedCluster,
  gate: 'ready-file' | 'label',
  node: StoredNode,
  driverPod: StoredPod,
): void {
  const label = node.labels[GATE_LABEL];
  if (gate === 'label' && label !== 'false') throw new Violation('the gate label is kept', `${node.name}: ${label}`);
  const gated = [...cluster.store.pods.values()].filter(
    (pod) => pod.nodeName === node.name && pod.lifecycle.kind === 'gated',
  );
  const loadedMs = driverPod.containers[0]?.startedMs ?? 0;
  const passedMs = ({ initContainers: [wait], containers }: StoredPod): number =>
    wait?.finishedMs ?? containers[0]?.startedMs ?? 0;
  const stale = gated.some((pod) => !pod.ready || passedMs(pod) < loadedMs);
  if (gated.length !== 1 || stale) throw new Violation('gated pods are kept fresh', `${node.name}: ${gated.length}`);
}

export function isUninstalled({ uninstall, uninstalledGroups }: GitDriver, { labels }: StoredNode): boolean {
  return uninstall || uninstalledGroups.includes(labels['group'] ?? '');
}

function driverPods(cluster: SimulatedCluster, driver: GitDriver, node: StoredNode): StoredPod[] {
  const label = `nvidia.com/${driver.prefix}-driver`;
  return [...cluster.store.pods.values()].filter((pod) => pod.nodeName === node.name && label in pod.labels);
}

/** The companion says that a person, or a time, has to end what keeps the node. After the repair no such wait is left. */
function waitsForPerson(latest: Decision | undefined, driver: GitDriver, node: StoredNode): boolean {
  const wait = latest?.waiting.find((one) => one.driver === labelPrefixOf(driver) && one.node === node.name);
  return wait !== undefined && !runContinues(wait.kind, 'job');
}

/** What the node waits for, by each of its participants: what one waits for may be another's fault. */
function waitOf(latest: Decision | undefined, driver: GitDriver, node: StoredNode): string {
  const waits = (latest?.waiting ?? []).filter((one) => one.node === node.name);
  const texts = waits.map(({ driver: name, kind, message, blockers }) => {
    const left = blockers.map(({ pod, reason }) => `${pod}: ${reason}`).join(', ');
    return `${name === labelPrefixOf(driver) ? '' : `${name} `}${kind}: ${message} ${left}`;
  });
  return texts.length === 0 ? 'waits for nothing' : texts.join('; ');
}
