import * as z from 'zod';
import { matchesSelector, selectorOf } from '../../../shared/kubernetes/selection/label-selector.js';
import { parsedJson } from '../../../shared/lib/json.js';
import { isFinished, nameOf } from '../../model/pod.js';
import { gatedPodLack } from '../view/gate.js';
import type { SriovNodeState } from '../../model/sriov.js';
import { configDaemonText, NODE_STATES_UNREAD } from './config-daemon.js';
import { annotation, type NodePlan } from './node-plan.js';

/** What the rollout checks unless it says otherwise. The time is upstream's, `pkg/upgrade/validation_manager.go`. */
const NO_VALIDATION = { resources: [], gatedPods: false, podSelector: '', timeoutSeconds: 600 };

/** The checks after the upgrade of a node, those of the rollout and those of its driver; undefined if there are none. */
export function validationOf(plan: NodePlan) {
  const { rollout, driver } = plan.context;
  const { podSelector, ...validation } = rollout.validation ?? NO_VALIDATION;
  const podSelectors = [podSelector, driver.policy.validationPodSelector ?? ''].filter((one) => one !== '');
  const functions = virtualFunctions(plan);
  return validation.resources.length === 0 &&
    podSelectors.length === 0 &&
    !validation.gatedPods &&
    functions === undefined &&
    !areFunctionsUnread(plan)
    ? undefined
    : { ...validation, podSelectors, functions };
}

type Validation = NonNullable<ReturnType<typeof validationOf>>;

/** What has the virtual functions of the node, which a restart of OFED removes; undefined for another driver, or if it has none. */
function virtualFunctions({ view: { node }, context: { driver, snapshot } }: NodePlan): SriovNodeState | undefined {
  return driver.policy.api === 'network-operator' ? snapshot.sriovNodeStates?.get(node.name) : undefined;
}

/** The node had virtual functions, and the cluster does not say whether they are back. */
function areFunctionsUnread(plan: NodePlan): boolean {
  const { sriovPrefix, snapshot, driver } = plan.context;
  const isUnread = sriovPrefix !== undefined && snapshot.sriovNodeStates === undefined;
  return isUnread && driver.policy.api === 'network-operator' && beforeOf(plan).functions === true;
}

const beforeSchema = z.object({
  resources: z.record(z.string(), z.string()),
  gatedPods: z.number(),
  /** Virtual functions were as their policies want them. */
  functions: z.boolean().optional(),
});
type Before = z.output<typeof beforeSchema>;

const NOTHING_BEFORE: Before = { resources: {}, gatedPods: 0 };

/**
 * The node's resources and gated pods before the upgrade, as an annotation value; undefined if there is nothing to compare. A retried node has
 * those of its first attempt, too, because it may offer less since then.
 */
export function beforeUpgrade(plan: NodePlan): string | undefined {
  const validation = validationOf(plan);
  if (validation === undefined) return undefined;
  const isAsked = askedBy(validation.resources, resourcesOf(plan, validation.functions));
  const first = beforeOf(plan);
  const offered = Object.entries(plan.view.node.allocatable).filter(
    ([name, amount]) => isSome(amount) && isAsked(name),
  );
  const resources = { ...Object.fromEntries(offered), ...first.resources };
  const pods = validation.gatedPods ? plan.view.gatedPods.filter((pod) => !isFinished(pod)).length : 0;
  const gatedPods = Math.max(pods, first.gatedPods);
  const functions = first.functions === true || validation.functions?.syncStatus === 'Succeeded';
  if (Object.keys(resources).length === 0 && gatedPods === 0 && !functions) return undefined;
  return JSON.stringify({ resources, gatedPods, ...(functions && { functions }) } satisfies Before);
}

/** Why the validation does not pass yet; undefined if it passes. */
export function validationLack(plan: NodePlan): string | undefined {
  const validation = validationOf(plan);
  if (validation === undefined) return undefined;
  const before = beforeOf(plan);
  if (areFunctionsUnread(plan)) return NODE_STATES_UNREAD;
  return (
    functionsLack(validation.functions, before) ??
    resourceLack(plan, validation, before) ??
    (validation.gatedPods ? gatedPodLack(plan.context.driver, plan.view, before.gatedPods) : undefined) ??
    validation.podSelectors.flatMap((selector) => podLack(plan, selector) ?? [])[0]
  );
}

/** Names of the resources of virtual functions. One that the node did not offer before its upgrade need not be there. */
function resourcesOf({ context }: NodePlan, functions: SriovNodeState | undefined): readonly string[] {
  const prefix = context.sriovPrefix;
  return prefix === undefined ? [] : (functions?.resources.map((name) => `${prefix}${name}`) ?? []);
}

/** A node whose virtual functions were not as they should be before its upgrade need not have them after it. */
function functionsLack(functions: SriovNodeState | undefined, before: Before): string | undefined {
  return functions === undefined || before.functions !== true || functions.syncStatus === 'Succeeded'
    ? undefined
    : `its virtual functions are not back: ${configDaemonText(functions)}`;
}

function resourceLack(
  plan: NodePlan,
  { resources: names, functions }: Pick<Validation, 'resources' | 'functions'>,
  before: Before,
): string | undefined {
  const { allocatable } = plan.view.node;
  const missing = names.find((name) => !isPrefix(name) && !isSome(allocatable[name]));
  if (missing !== undefined) return `the node offers no ${missing}`;
  const isAsked = askedBy(names, resourcesOf(plan, functions));
  const less = Object.entries(before.resources).find(
    ([name, amount]) => isAsked(name) && Number(allocatable[name] ?? 0) < Number(amount),
  );
  if (less === undefined) return undefined;
  const [name, amount] = less;
  return `the node offers ${allocatable[name] ?? 'no'} ${name}, and offered ${amount} before its upgrade`;
}

function podLack(plan: NodePlan, podSelector: string): string | undefined {
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

/** Whether the policy asks for a resource by its prefix, or it is one of these others. */
function askedBy(names: readonly string[], others: readonly string[]): (resource: string) => boolean {
  const prefixes = names.filter(isPrefix).map((name) => name.slice(0, -1));
  return (resource) => others.includes(resource) || prefixes.some((prefix) => resource.startsWith(prefix));
}

function isPrefix(name: string): boolean {
  return name.endsWith('/*');
}

/** Extended resources are whole numbers: Kubernetes' API validation of resource quantities. */
function isSome(quantity: string | undefined): boolean {
  return quantity !== undefined && /[1-9]/.test(quantity);
}
