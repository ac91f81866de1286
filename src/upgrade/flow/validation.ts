import * as z from 'zod';
import { matchesSelector, selectorOf } from '../../kubernetes/selection/label-selector.js';
import { parsedJson } from '../../lib/json.js';
import { isFinished, nameOf } from '../model/pod.js';
import { gatedPodLack } from '../view/gate.js';
import { annotation, type NodePlan } from './node-plan.js';

/** The checks after the upgrade of a node; undefined if the policy has none. */
export function validationOf(plan: NodePlan) {
  const validation = plan.context.rollout.validation;
  if (validation === undefined) return undefined;
  const { resources, podSelector, gatedPods } = validation;
  return resources.length === 0 && podSelector === '' && !gatedPods ? undefined : validation;
}

const beforeSchema = z.object({ resources: z.record(z.string(), z.string()), gatedPods: z.number() });
type Before = z.output<typeof beforeSchema>;

const NOTHING_BEFORE: Before = { resources: {}, gatedPods: 0 };

/** The node's resources and gated pods before the upgrade, as an annotation value; undefined if there is nothing to compare. */
export function beforeUpgrade(plan: NodePlan): string | undefined {
  const validation = validationOf(plan);
  if (validation === undefined) return undefined;
  const isAsked = askedBy(validation.resources);
  const resources = Object.entries(plan.view.node.allocatable).filter(
    ([name, amount]) => isSome(amount) && isAsked(name),
  );
  const gatedPods = validation.gatedPods ? plan.view.gatedPods.filter((pod) => !isFinished(pod)).length : 0;
  if (resources.length === 0 && gatedPods === 0) return undefined;
  return JSON.stringify({ resources: Object.fromEntries(resources), gatedPods } satisfies Before);
}

/** Why the validation does not pass yet; undefined if it passes. */
export function validationLack(plan: NodePlan): string | undefined {
  const validation = validationOf(plan);
  if (validation === undefined) return undefined;
  const before = beforeOf(plan);
  return (
    resourceLack(plan, validation.resources, before) ??
    (validation.gatedPods ? gatedPodLack(plan.context.driver, plan.view, before.gatedPods) : undefined) ??
    podLack(plan, validation.podSelector)
  );
}

function resourceLack({ view }: NodePlan, names: readonly string[], before: Before): string | undefined {
  const { allocatable } = view.node;
  const missing = names.find((name) => !isPrefix(name) && !isSome(allocatable[name]));
  if (missing !== undefined) return `the node offers no ${missing}`;
  const isAsked = askedBy(names);
  const less = Object.entries(before.resources).find(
    ([name, amount]) => isAsked(name) && Number(allocatable[name] ?? 0) < Number(amount),
  );
  if (less === undefined) return undefined;
  const [name, amount] = less;
  return `the node offers ${allocatable[name] ?? 'no'} ${name}, and offered ${amount} before its upgrade`;
}

function podLack(plan: NodePlan, podSelector: string): string | undefined {
  if (podSelector === '') return undefined;
  const selector = selectorOf(podSelector);
  const pods = plan.view.pods.filter((pod) => matchesSelector(selector, pod.labels) && !isFinished(pod));
  if (pods.length === 0) return `no validation pod (${podSelector}) is there`;
  const unready = pods.find((pod) => !pod.ready || pod.deletionMs !== undefined);
  return unready === undefined ? undefined : `validation pod ${nameOf(unready)} is not ready`;
}

/** An unreadable annotation is ignored. */
function beforeOf(plan: NodePlan): Before {
  const text = annotation(plan, plan.context.driver.keys.before);
  if (text === undefined) return NOTHING_BEFORE;
  return beforeSchema.safeParse(parsedJson(text)).data ?? NOTHING_BEFORE;
}

/** Whether the policy asks for a resource by its prefix. */
function askedBy(names: readonly string[]): (resource: string) => boolean {
  const prefixes = names.filter(isPrefix).map((name) => name.slice(0, -1));
  return (resource) => prefixes.some((prefix) => resource.startsWith(prefix));
}

function isPrefix(name: string): boolean {
  return name.endsWith('/*');
}

/** Extended resources are whole numbers: Kubernetes' API validation of resource quantities. */
function isSome(quantity: string | undefined): boolean {
  return quantity !== undefined && /[1-9]/.test(quantity);
}
