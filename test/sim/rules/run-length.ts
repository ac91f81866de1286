import type { Git, GitDriver } from '../scenario/git.js';

/** What a run has to do, and how long the slowest of it takes. */
export interface RunWork {
  readonly git: Git;
  readonly nodes: number;
  /** Nodes that use up a slot and do not go on. */
  readonly stuckNodes: number;
  /** Nodes that stay cordoned, and so use up `maxUnavailable`. */
  readonly cordonedNodes: number;
  /** Nodes whose cordon others lift: each gets its whole time again, three times. */
  readonly repeatedNodes: number;
  /** How long a driver loads. */
  readonly loadMs: number;
  /** How long a job runs. */
  readonly jobMs: number;
  /** How long a pod that was evicted has no node. */
  readonly withoutNodeMs: number;
  /** How far the companion's clock is behind those of the nodes. */
  readonly clockBehindMs: number;
}

const MINUTE_MS = 60_000;
/** A drain that nothing keeps from its end: grace periods, finalizers that are removed late, requests that are repeated. */
const QUICK_DRAIN_MS = 5 * MINUTE_MS;
/** Nodes wait for so long until each evicted pod has a node: an hour, by a clock that may be an hour behind. */
const LONGEST_WITHOUT_NODE_MS = 120 * MINUTE_MS;
/** From the deletion of the driver pod to the ready one, without the load. */
const RESTART_MS = 2 * MINUTE_MS;
/** Patches, waits for caches, back-offs and starts of the companion, for each wave. */
const WAVE_SLACK_MS = 2 * MINUTE_MS;
/** The default of `driverTimeout`. */
const DRIVER_TIMEOUT_MS = 30 * MINUTE_MS;
/** The GPU operator sees a cordon, a ready driver and a ready validator two minutes late, and evicts pods itself. */
const OPERATOR_MS = 12 * MINUTE_MS;
/** A config daemon works, reboots its node, and works again. */
const SRIOV_WORK_MS = 10 * MINUTE_MS;
/** The default time of a validation. */
const VALIDATION_MS = 10 * MINUTE_MS;
/** The windows that are drawn open every 30 minutes for ten. */
const WINDOW_MS = 20 * MINUTE_MS;
/** What began before the faults ended: an operator's flow, a clock that was set back. */
const SLACK_MS = 10 * MINUTE_MS;

/** How long a run takes at most, by the policy and the durations: one wave of nodes after the other, for one driver after the other. */
export function longestRunMs(work: RunWork): number {
  return work.git.drivers.reduce((sum, driver) => sum + longestOf(driver, work), SLACK_MS + longestOfSriov(work));
}

/** Nodes one after the other, twice if a drain of some pods did not suffice. */
function longestOfSriov({ git, nodes, withoutNodeMs }: RunWork): number {
  if (git.sriov === undefined) return 0;
  const { drain } = git.sriov;
  const drainMs = drain.timeoutSeconds === 0 ? QUICK_DRAIN_MS : drain.timeoutSeconds * 1000;
  const windowMs = hasWindows(git) ? WINDOW_MS : 0;
  const waitMs = windowMs + Math.min(LONGEST_WITHOUT_NODE_MS, withoutNodeMs) + WAVE_SLACK_MS;
  // With virtual functions, the validation of OFED has a time.
  return 2 * nodes * (drainMs + SRIOV_WORK_MS + waitMs) + nodes * VALIDATION_MS;
}

/** How long a node that cannot go on keeps its slot at most, if its time-outs end that. */
export function timeOutsMs({ drivers }: Git): number {
  const ofDriver = ({ startupSeconds, drain, podDeletionTimeoutSeconds, jobsTimeoutSeconds }: GitDriver): number => {
    const seconds = drain.timeoutSeconds + podDeletionTimeoutSeconds + jobsTimeoutSeconds;
    return Math.max(DRIVER_TIMEOUT_MS, (startupSeconds + 600) * 1000) + seconds * 1000;
  };
  return drivers.reduce((sum, driver) => sum + ofDriver(driver), 0);
}

function longestOf(driver: GitDriver, work: RunWork): number {
  const { nodes, stuckNodes, repeatedNodes } = work;
  // A node that is out for one driver takes a slot of all.
  const slots = Math.max(1, Math.min(...work.git.drivers.map((one) => slotsOf(one, work))) - stuckNodes);
  const waves = Math.ceil(nodes / slots) + canariesIn(work.git).length + 3 * repeatedNodes;
  const windowMs = hasWindows(work.git) ? WINDOW_MS : 0;
  const waitMs = windowMs + Math.min(LONGEST_WITHOUT_NODE_MS, work.withoutNodeMs) + WAVE_SLACK_MS;
  return waves * (nodeMs(driver, work) + waitMs) + soakMs(work);
}

/** How many nodes are upgraded at a time, at least. */
function slotsOf(
  { prefix, maxParallelUpgrades, maxUnavailable }: GitDriver,
  { git: { rollout, isMaintained }, nodes, cordonedNodes }: RunWork,
): number {
  if (isMaintained === true || rollout.topologyKey !== undefined || rollout.pools !== undefined) return 1;
  const unavailable =
    typeof maxUnavailable === 'number'
      ? maxUnavailable
      : Math.ceil((Number.parseInt(maxUnavailable, 10) * nodes) / 100);
  const left = unavailable - cordonedNodes;
  // The network operator's policy has no `maxUnavailable`.
  return Math.min(maxParallelUpgrades === 0 ? nodes : maxParallelUpgrades, prefix === 'gpu' ? left : nodes);
}

function nodeMs(driver: GitDriver, { git: { rollout, isMaintained }, loadMs, jobMs }: RunWork): number {
  const { prefix, jobsSelector, jobsTimeoutSeconds, drain, podDeletionTimeoutSeconds } = driver;
  const seconds = (prefix === 'gpu' ? podDeletionTimeoutSeconds : 0) + (rollout.validation?.timeoutSeconds ?? 0);
  const waitMs = jobsSelector === '' ? 0 : jobsTimeoutSeconds === 0 ? jobMs : jobsTimeoutSeconds * 1000;
  const drainMs = !drain.enable ? 0 : drain.timeoutSeconds === 0 ? QUICK_DRAIN_MS : drain.timeoutSeconds * 1000;
  const operatorMs = driver.management === 'operator' || isMaintained === true ? OPERATOR_MS : 0;
  return waitMs + drainMs + RESTART_MS + loadMs + seconds * 1000 + operatorMs;
}

/** A soak begins when the driver of the canary became ready by the clock of its node, and ends by the companion's. */
function soakMs({ git, clockBehindMs }: RunWork): number {
  return canariesIn(git).reduce((sum, { soak = '0s' }) => {
    const [, amount = '0', unit = 's'] = /^(\d+)([sm])$/.exec(soak) ?? [];
    return sum + Number(amount) * (unit === 'm' ? MINUTE_MS : 1000) + clockBehindMs;
  }, 0);
}

/** The canaries of the cluster and of upgrade pools. */
function canariesIn({ rollout }: Git) {
  return [rollout, ...(rollout.pools ?? [])].flatMap(({ canary }) => canary ?? []);
}

function hasWindows({ rollout }: Git): boolean {
  return [rollout, ...(rollout.pools ?? [])].some(({ maintenanceWindows = [] }) => maintenanceWindows.length > 0);
}
