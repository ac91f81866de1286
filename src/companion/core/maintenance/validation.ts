import type { NodeBefore } from '../../../shared/contract/maintenance-record.js';
import { unitsOf } from '../../../shared/kubernetes/quantity.js';
import { matchesSelector, selectorOf } from '../../../shared/kubernetes/selection/label-selector.js';
import { isFinished, nameOf } from '../../model/pod.js';
import type { WaitReason } from '../../model/types.js';
import { startTime, stopTime, validationTime } from './clock.js';
import { membersOf, type NodePlan, type PlannedPart } from './plan.js';

const NOTHING_BEFORE: NodeBefore = { resources: {}, gatedPods: 0 };

/** What the validation of a node asks for: the rollout, and its members. */
function validationOf(plan: NodePlan) {
  const { validation } = plan.shared.rollout;
  // What the driver offered, and pods that wait for it, do not come back without it.
  const members = membersOf(plan).filter(({ part }) => !part.isUninstalled);
  const podSelectors = [
    validation?.podSelector ?? '',
    ...members.flatMap(({ answers }) => answers.validationPodSelectors),
  ];
  return {
    names: validation?.resources ?? [],
    gatedPods: validation?.gatedPods ?? false,
    podSelectors: [...new Set(podSelectors.filter((one) => one !== ''))],
    /** A resource of these need not be there if it was not before. */
    others: plan.parts.flatMap(({ answers }) => answers.resources),
    members,
  };
}

/** Whether there is anything to validate. */
function isValidated(plan: NodePlan): boolean {
  const { names, podSelectors, gatedPods, members } = validationOf(plan);
  const before = plan.record.before ?? NOTHING_BEFORE;
  // Only its cordon is left, which a section that was removed would wait for.
  if (members.length === 0) return false;
  return (
    names.length > 0 || podSelectors.length > 0 || gatedPods || members.some(({ answers }) => answers.validates(before))
  );
}

/** The time of the validation runs while nothing else on the node has to end first. */
export function runValidationTime(plan: NodePlan): void {
  if (isValidated(plan) && dueOutside(plan) === undefined) startTime(plan, 'validation-required');
  else stopTime(plan, 'validation-required');
}

/** The participant that is due on the node and cannot take part in its maintenance: what the validation asks for may be its work. */
function dueOutside({ parts }: NodePlan): PlannedPart | undefined {
  return parts.find(({ isMember, state }) => !isMember && state === 'upgrade-required');
}

/**
 * The node's resources and pods before its maintenance; undefined if there is nothing to compare. A node that is tried again has those of its first
 * attempt, too, because it may offer less since then.
 */
export function nodeBefore(plan: NodePlan): NodeBefore | undefined {
  const { names, others, members } = validationOf(plan);
  const first = plan.record.before ?? NOTHING_BEFORE;
  const isAsked = askedBy(names, others);
  const offered = Object.entries(plan.node.allocatable).filter(([name, amount]) => isSome(amount) && isAsked(name));
  const resources = { ...Object.fromEntries(offered), ...first.resources };
  const before = members.reduce((found, { answers }) => answers.remember(found), { ...first, resources });
  const isNothing = Object.keys(before.resources).length === 0 && before.gatedPods === 0 && before.functions !== true;
  return isNothing ? undefined : before;
}

/** What the validation lacks; undefined: it passes. */
export function validationWait(plan: NodePlan): WaitReason | undefined {
  if (!isValidated(plan)) return undefined;
  const { names, others, members, podSelectors } = validationOf(plan);
  const before = plan.record.before ?? NOTHING_BEFORE;
  const message =
    members.flatMap(({ answers }) => answers.validationLack(plan, before) ?? [])[0] ??
    resourceLack(plan, names, others, before) ??
    podSelectors.flatMap((selector) => podLack(plan, selector) ?? [])[0];
  if (message === undefined) return undefined;
  const other = dueOutside(plan);
  const reason = other?.wait ?? other?.part.suspended;
  if (other === undefined || reason === undefined) return { kind: 'validation', message, ...validationTime(plan) };
  // A person may have to act for the other one.
  return { ...reason, message: `${message}; ${other.name} waits: ${reason.message}` };
}

function resourceLack(
  { node: { allocatable } }: NodePlan,
  names: readonly string[],
  others: readonly string[],
  before: NodeBefore,
): string | undefined {
  const missing = names.find((name) => !isPrefix(name) && !isSome(allocatable[name]));
  if (missing !== undefined) return `the node offers no ${missing}`;
  const isAsked = askedBy(names, others);
  const less = Object.entries(before.resources).find(
    ([name, amount]) => isAsked(name) && offeredOf(allocatable[name]) < offeredOf(amount),
  );
  if (less === undefined) return undefined;
  const [name, amount] = less;
  return `the node offers ${allocatable[name] ?? 'no'} ${name}, and offered ${amount} before its upgrade`;
}

function podLack({ pods: all, shared }: NodePlan, podSelector: string): string | undefined {
  const selector = selectorOf(podSelector);
  const { validationNamespaces: namespaces } = shared;
  const pods = all.filter(
    (pod) => namespaces.has(pod.namespace) && matchesSelector(selector, pod.labels) && !isFinished(pod),
  );
  if (pods.length === 0) return `no validation pod (${podSelector}) is there in ${[...namespaces].join(', ')}`;
  const unready = pods.find((pod) => !pod.ready || pod.deletionMs !== undefined);
  return unready === undefined ? undefined : `validation pod ${nameOf(unready)} is not ready`;
}

/** Whether the policy asks for a resource by its prefix, or it is one of these others. */
function askedBy(names: readonly string[], others: readonly string[]): (resource: string) => boolean {
  const prefixes = names.filter(isPrefix).map((name) => name.slice(0, -1));
  return (resource) => others.includes(resource) || prefixes.some((prefix) => resource.startsWith(prefix));
}

function isPrefix(name: string): boolean {
  return name.endsWith('/*');
}

function isSome(quantity: string | undefined): boolean {
  return offeredOf(quantity) > 0;
}

function offeredOf(quantity = '0'): number {
  return unitsOf(quantity) ?? 0;
}
