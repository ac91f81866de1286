import { labelValue } from '../../kubernetes/selection/label-selector.js';
import { cordonOwner } from '../flow/cordon.js';
import { hasLabels } from './fleet.js';
import type { Fleet, NodePlan } from '../flow/node-plan.js';

/**
 * The order in which nodes begin: canaries, then topology domains with nodes in progress and the others one by one, then
 * nodes that an administrator cordoned, nodes whose driver is not ready, and the rest by name, `node-2` before `node-10`. Nodes whose
 * last patch was refused come last of all.
 */
export function inOrder(plans: readonly NodePlan[], fleet: Fleet): readonly NodePlan[] {
  return plans
    .map((plan) => placeOf(plan, fleet))
    .sort(compare)
    .map(({ plan }) => plan);
}

interface Place {
  readonly plan: NodePlan;
  /** Compared in this order. */
  readonly refused: number;
  readonly early: number;
  readonly domain: string;
  readonly late: number;
  readonly name: string;
}

function placeOf(plan: NodePlan, { rollout, canaries, domains }: Fleet): Place {
  const { view } = plan;
  const { node, driverPods } = view;
  const domain = rollout.topologyKey === undefined ? '' : (labelValue(node.labels, rollout.topologyKey) ?? '');
  const first = rollout.canary?.nodeSelector !== undefined && hasLabels(node, rollout.canary.nodeSelector);
  return {
    plan,
    refused: view.refusal?.failures ?? 0,
    early: rank(canaries.waitReason !== undefined && first, domains.has(domain)),
    domain: withNumbers(domain),
    late: rank(cordonOwner(plan) === 'other', !driverPods.some(({ pod }) => pod.ready)),
    name: withNumbers(node.name),
  };
}

/** Sorts by each criterion in turn, true first. */
function rank(first: boolean, second: boolean): number {
  return (first ? 0 : 2) + (second ? 0 : 1);
}

function compare(a: Place, b: Place): number {
  if (a.refused !== b.refused) return a.refused - b.refused;
  if (a.early !== b.early) return a.early - b.early;
  if (a.domain !== b.domain) return a.domain < b.domain ? -1 : 1;
  if (a.late !== b.late) return a.late - b.late;
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}

/** Pads numbers with zeros, so that text order is numeric order. */
function withNumbers(text: string): string {
  return text.replace(/\d+/g, padded);
}

function padded(digits: string): string {
  return digits.padStart(12, '0');
}
