import type { NodeState } from '../../../shared/contract/node-states.js';
import { durationMs } from '../../../shared/contract/duration.js';
import { membersOf, remember, type NodePlan, type PlannedPart } from './plan.js';

/** Since when and until when something lasts, as parts of a WaitReason; empty if no time runs. */
export interface Span {
  readonly sinceMs?: number;
  readonly untilMs?: number;
}

/** Since when the node is in a state; undefined: no time runs. */
export function sinceMs(plan: NodePlan, state: NodeState): number | undefined {
  return validMs(plan.record.since?.[state], plan.shared.nowMs);
}

/** Starts the time of a state, unless it runs. */
export function startTime(plan: NodePlan, state: NodeState): void {
  if (sinceMs(plan, state) !== undefined) return;
  remember(plan, { since: { ...plan.record.since, [state]: plan.shared.nowMs / 1000 } });
}

/** Stops the time of a state. */
export function stopTime(plan: NodePlan, state: NodeState): void {
  const { [state]: stopped, ...since } = plan.record.since ?? {};
  if (stopped !== undefined) remember(plan, { since });
}

/** The time in a state with a limit; 0: no limit. */
export function timeIn(plan: NodePlan, state: NodeState, limitSeconds: number): Span {
  return span(sinceMs(plan, state), limitSeconds);
}

/** The time of the restart of a participant. */
export function restartTime(plan: NodePlan, { name, answers }: PlannedPart): Span {
  return span(validMs(plan.record.restarts?.[name], plan.shared.nowMs), answers.restartSeconds(plan));
}

/** When the restarts of participants began, in Unix seconds, without times that are ahead of the clock: they begin anew. */
export function runningRestarts({ record, shared }: NodePlan): Readonly<Record<string, number>> {
  const times = Object.entries(record.restarts ?? {});
  return Object.fromEntries(times.filter(([, seconds]) => validMs(seconds, shared.nowMs) !== undefined));
}

export function isOver({ untilMs = Infinity }: Span, nowMs: number): boolean {
  return nowMs >= untilMs;
}

function span(startMs: number | undefined, limitSeconds: number): Span {
  if (startMs === undefined) return {};
  return limitSeconds > 0 ? { sinceMs: startMs, untilMs: startMs + limitSeconds * 1000 + 1 } : { sinceMs: startMs };
}

/** How long a validation may take: what the rollout says. */
export function validationTime(plan: NodePlan): Span {
  const { rollout } = plan.shared;
  return timeIn(plan, 'validation-required', (rollout.validation ?? DEFAULT_VALIDATION).timeoutSeconds);
}

/** Upstream's time for a validation, k8s-operator-libs 11e747a, `pkg/upgrade/validation_manager.go`. */
const DEFAULT_VALIDATION = { timeoutSeconds: 600 };

/** What a driver may need beyond its startup probe: to pull its image, and to become ready. */
const AFTER_STARTUP_SECONDS = 600;

/** `driverTimeout`, or what the startup probe of the driver allows if that is more; 0: no limit. */
export function driverSeconds(plan: NodePlan, startupSeconds: number): number {
  const seconds = durationMs(plan.shared.rollout.driverTimeout) / 1000;
  return seconds === 0 ? 0 : Math.max(seconds, startupSeconds + AFTER_STARTUP_SECONDS);
}

/** The times of the node and of its members begin anew. */
export function renewTimes(plan: NodePlan): void {
  remember(plan, { since: undefined, restarts: undefined });
}

/** Something else is desired than what the record has. */
export function isOtherDesired({ record }: NodePlan, { name, part: { wants } }: PlannedPart): boolean {
  const recorded = record.wants?.[name];
  return recorded !== undefined && wants !== undefined && recorded !== wants;
}

/** What the members of a node are to get, as the record has it. At the end it has what the validation was for. */
export function recordWants(plan: NodePlan): void {
  if (plan.phase === 'uncordon') return;
  const wants = { ...plan.record.wants };
  for (const { name, part } of membersOf(plan)) if (part.wants !== undefined) wants[name] = part.wants;
  remember(plan, { wants });
}

/** A start time that is further in the future counts as missing, because it was written before the clock was set back. */
const CLOCK_SKEW_MS = 300_000;

function validMs(seconds: number | undefined, nowMs: number): number | undefined {
  const start = seconds === undefined ? undefined : seconds * 1000;
  return start === undefined || start > nowMs + CLOCK_SKEW_MS ? undefined : start;
}

/** A time in Unix seconds, as an annotation has it; undefined if it is not valid, or ahead of the clock. */
export function timeOf(text: string, nowMs: number): number | undefined {
  return /^\d{1,12}(\.\d{1,3})?$/.test(text) ? validMs(Number(text), nowMs) : undefined;
}
