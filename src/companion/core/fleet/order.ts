import { cordonOwner } from '../maintenance/cordon.js';
import { refusalOf } from '../maintenance/node-facts.js';
import { domainOf, type NodePlan } from '../maintenance/plan.js';
import { isDue } from '../maintenance/take-part.js';

/**
 * The order in which nodes begin: canaries, then topology domains with nodes in maintenance and the others one by one, then nodes that are out of
 * service already, nodes whose driver is not ready, and the rest by name, `node-2` before `node-10`. Nodes whose last patch was refused come last of all.
 */
export function inOrder(candidates: readonly NodePlan[]): readonly NodePlan[] {
  return candidates
    .map((plan) => ({ plan, place: placeOf(plan) }))
    .sort((a, b) => compare(a.place, b.place))
    .map(({ plan }) => plan);
}

/** What comes first is less; compared from the first to the last. */
type Place = readonly (number | string)[];

/** Whose cordon says that the node is out of service already. */
const IS_OUT: ReadonlySet<string> = new Set(['other', 'mode']);

function placeOf(plan: NodePlan): Place {
  const { node, shared, parts } = plan;
  const { rollout, fleet } = shared;
  const domain = domainOf(rollout, node);
  const due = parts.filter(isDue);
  const isCanary = due.some(({ name }) => {
    const canaries = fleet.canariesOf(name, node);
    return canaries?.isChosen === true && canaries.isCanary(node) && canaries.wait !== undefined;
  });
  return [
    refusalOf(plan)?.failures ?? 0,
    isCanary ? 0 : 1,
    fleet.domains.has(domain) ? 0 : 1,
    withNumbers(domain),
    IS_OUT.has(cordonOwner(plan) ?? '') ? 0 : 1,
    due.every(({ part }) => part.isReady) ? 1 : 0,
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
