import { cordonOwner } from '../flow/cordon.js';
import { hasEntries } from '../../../shared/lib/has-entries.js';
import { domainOf, type Fleet, type NodePlan } from '../flow/node-plan.js';

/**
 * The order in which nodes begin: canaries, then topology domains with nodes in progress and the others one by one, then
 * nodes that an administrator cordoned or that the Maintenance Operator has out for another requestor, nodes whose driver is not ready, and the rest by name, `node-2` before `node-10`. Nodes whose
 * last patch was refused come last of all.
 */
export function inOrder(candidates: readonly Candidate[]): readonly NodePlan[] {
  return candidates
    .map(({ plan, fleet }) => ({ plan, place: placeOf(plan, fleet) }))
    .sort((a, b) => compare(a.place, b.place))
    .map(({ plan }) => plan);
}

/** A node that may begin, and the fleet of the driver that it may begin for. */
interface Candidate {
  readonly plan: NodePlan;
  readonly fleet: Fleet;
}

/** What comes first is less; compared from the first to the last. */
type Place = readonly (number | string)[];

/** Whose cordon says that the node is out of service already. */
const IS_OUT: ReadonlySet<string> = new Set(['other', 'maintenance']);

function placeOf(plan: NodePlan, { rollout, canaries, domains }: Fleet): Place {
  const { node, driverPods, refusal } = plan.view;
  const domain = domainOf(rollout, node);
  const selector = rollout.canary?.nodeSelector;
  const isCanary = canaries.waitReason !== undefined && selector !== undefined && hasEntries(node.labels, selector);
  return [
    refusal?.failures ?? 0,
    isCanary ? 0 : 1,
    domains.has(domain) ? 0 : 1,
    withNumbers(domain),
    IS_OUT.has(cordonOwner(plan) ?? '') ? 0 : 1,
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
