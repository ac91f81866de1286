import { durationMs } from '../../../shared/contract/duration.js';
import { driverKeys, OFED_LABEL_PREFIX, type DriverKeys } from '../../../shared/contract/labels.js';
import type { NodeState } from '../../../shared/contract/node-states.js';
import { asksInVain, isConfigured } from './config-daemon.js';
import { annotation, removeAnnotations, type NodePlan } from './node-plan.js';
import { daemonSetsReady } from './successor-guards.js';
import { validationOf } from './validation.js';

/** The time that a node may be in a state. */
interface Clock {
  /** The annotation with its start, in Unix seconds. */
  readonly key: keyof DriverKeys;
  /** 0: no time-out. */
  readonly timeoutSeconds: (plan: NodePlan) => number;
  /** Whether the time runs. */
  readonly runs: (plan: NodePlan) => boolean;
  /** Upstream writes and reads whole seconds. */
  readonly isUpstreams?: true;
  /** If late pods return a node to this state, its time goes on. */
  readonly goesOn?: true;
}

/** What a driver may need beyond its startup probe: to pull its image, and to become ready. */
const AFTER_STARTUP_SECONDS = 600;

const CLOCKS: Partial<Record<NodeState, Clock>> = {
  // The Maintenance Operator drains without a time-out.
  'node-maintenance-required': { key: 'maintenanceStart', timeoutSeconds: () => 0, runs: () => true },
  'wait-for-jobs-required': {
    key: 'waitStart',
    timeoutSeconds: ({ policy }) => policy.waitForCompletion.timeoutSeconds,
    runs: ({ policy }) => policy.waitForCompletion.podSelector !== '',
    isUpstreams: true,
  },
  'pod-deletion-required': {
    key: 'podDeletionStart',
    timeoutSeconds: ({ policy }) => policy.podDeletion.timeoutSeconds,
    runs: ({ policy }) => policy.resourcePrefixes.length > 0,
    goesOn: true,
  },
  'drain-required': {
    key: 'drainStart',
    timeoutSeconds: ({ policy }) => policy.drain.timeoutSeconds,
    runs: ({ policy }) => policy.drain.enable,
    goesOn: true,
  },
  'pod-restart-required': {
    key: 'restartStart',
    // `driverTimeout`, or what the startup probe of the driver allows if that is more.
    timeoutSeconds: ({ context, policy }) => {
      const seconds = durationMs(context.rollout.driverTimeout) / 1000;
      return seconds === 0 ? 0 : Math.max(seconds, policy.startupSeconds + AFTER_STARTUP_SECONDS);
    },
    // What restarts the driver may be gone together with its DaemonSet.
    runs: (plan) => (plan.view.operatorState !== undefined || daemonSetsReady(plan) === true) && !isRestartHeld(plan),
  },
  'validation-required': {
    key: 'validationStart',
    timeoutSeconds: (plan) => validationOf(plan)?.timeoutSeconds ?? 0,
    runs: (plan) => validationOf(plan) !== undefined && !isValidationHeld(plan),
    isUpstreams: true,
  },
};

/** The config daemon boots the node, or a GPU driver waits for OFED, as k8s-driver-manager does. Each has a time of its own. */
function isRestartHeld(plan: NodePlan): boolean {
  const { view, context } = plan;
  const isBooted = isConfigured(plan) && view.node.ready !== 'True';
  return isBooted || (context.driver.policy.api === 'gpu-operator' && isRestarted(plan, OFED_LABEL_PREFIX));
}

/** What the validation asks for comes back only when another driver is done, or when the config daemon may go on. */
function isValidationHeld(plan: NodePlan): boolean {
  const { ownDrivers, sriovDriver } = plan.context;
  const others = [...ownDrivers].filter((one) => one !== sriovDriver);
  return isConfigured(plan) || asksInVain(plan) || others.some((one) => isRestarted(plan, one));
}

/** Another driver of the companion is being restarted on the node. */
function isRestarted({ view: { node }, context: { ownDrivers, driver } }: NodePlan, prefix: string): boolean {
  const isOther = ownDrivers.has(prefix) && prefix !== driver.policy.labelPrefix;
  return isOther && node.labels[driverKeys(prefix).state] === 'pod-restart-required';
}

/** Starts the clock of the plan's state if the node enters the state now, or has no valid start time. */
export function runClock(plan: NodePlan, enters: boolean): void {
  const clock = CLOCKS[plan.state];
  if (clock === undefined) return;
  const key = plan.context.driver.keys[clock.key];
  const seconds = plan.context.nowMs / 1000;
  const startsAgain = enters && clock.goesOn !== true;
  if (!clock.runs(plan)) removeAnnotations(plan, key);
  else if (startsAgain || timeIn(plan).sinceMs === undefined)
    plan.annotations[key] = clock.isUpstreams === true ? String(Math.floor(seconds)) : seconds.toFixed(3);
}

/** Removes all start times, because they belong to another upgrade. */
export function stopClocks(plan: NodePlan): void {
  const { keys } = plan.context.driver;
  removeAnnotations(plan, ...Object.values(CLOCKS).map(({ key }) => keys[key]));
}

/** Since when and until when a node is in the state, as parts of a WaitReason; empty if no time runs. */
export function timeIn(plan: NodePlan, state = plan.state): { readonly sinceMs?: number; readonly untilMs?: number } {
  const clock = CLOCKS[state];
  const start = clock && annotation(plan, plan.context.driver.keys[clock.key]);
  const sinceMs = start === undefined ? undefined : timeOf(start, plan.context.nowMs);
  if (clock === undefined || sinceMs === undefined) return {};
  const timeoutSeconds = clock.timeoutSeconds(plan);
  return timeoutSeconds > 0 ? { sinceMs, untilMs: sinceMs + timeoutSeconds * 1000 + 1 } : { sinceMs };
}

export function isTimedOut(plan: NodePlan, state = plan.state): boolean {
  return plan.context.nowMs >= (timeIn(plan, state).untilMs ?? Infinity);
}

/** A start time that is further in the future counts as missing, because it was written before the clock was set back. */
const CLOCK_SKEW_MS = 300_000;

/** A time in Unix seconds, as an annotation has it; undefined if it is not valid, or ahead of the clock. */
export function timeOf(text: string, nowMs: number): number | undefined {
  if (!/^\d{1,12}(\.\d{1,3})?$/.test(text)) return undefined;
  const start = Number(text) * 1000;
  return start > nowMs + CLOCK_SKEW_MS ? undefined : start;
}
