import { cordonOwner } from '../flow/cordon.js';
import { hasLabels } from './fleet.js';
import { domainOf, type Fleet, type NodePlan } from '../flow/node-plan.js';

/**
 * The order in which nodes begin: canaries, then topology domains with nodes in progress and the others one by one, then
 * nodes that an administrator cordoned, nodes whose driver is not ready, and the rest by name, `node-2` before `node-10`. Nodes whose
 * last patch was refused come last of all.
 */
export function inOrder<Candidate extends { readonly plan: NodePlan; readonly fleet: Fleet }>(
  candidates: readonly Candidate[],
): readonly Candidate[] {
  return candidates
    .map((one) => ({ one, place: placeOf(one.plan, one.fleet) }))
    .sort((a, b) => compare(a.place, b.place))
    .map(({ one }) => one);
}

/** What comes first is less; compared from the first to the last. */
type Place = readonly (number | string)[];

function placeOf(plan: NodePlan, { rollout, canaries, domains }: Fleet): Place {
  const { node, driverPods, refusal } = plan.view;
  const domain = domainOf(rollout, node);
  const selector = rollout.canary?.nodeSelector;
  const isCanary = canaries.waitReason !== undefined && selector !== undefined && hasLabels(node, selector);
  return [
    refusal?.failures ?? 0,
    isCanary ? 0 : 1,
    domains.has(domain) ? 0 : 1,
    withNumbers(domain),
    cordonOwner(plan) === 'other' ? 0 : 1,
    driverPods.some(({ pod }) => pod.ready) ? 1 : 0,
    withNumbers(node.name),
  ];
}

function compare(a: Place, b: Place): number {
  const index = a.findIndex((one, at) => one !== b[at]);
  return index < 0 ? 0 : (a[index] ?? 0) < (b[index] ?? 0) ? -1 : 1;
}

/** Pads numbers with zeros, so that text order is numeric order. */
function withNumbers(text: string): string {
  return text.replace(/\d+/g, padded);
}

function padded(digits: string): string {
  return digits.padStart(12, '0');
}
