import { hasForeignCordon } from './begin-guards.js';
import { hasLabels, type Fleet } from './fleet.js';
import type { Turn } from './turn.js';

/**
 * The order in which nodes begin: canaries, then topology domains that are at work already and the others one by one, then
 * nodes that an admin emptied, nodes whose driver is not ready, and the rest by name, `node-2` before `node-10`.
 */
export function inOrder(turns: readonly Turn[], fleet: Fleet): readonly Turn[] {
  return turns
    .map((turn) => ({ turn, key: keyOf(turn, fleet) }))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ turn }) => turn);
}

function keyOf(turn: Turn, { rollout, canaries, domains }: Fleet): string {
  const { node, driverPods } = turn.view;
  const domain = rollout.topologyKey === undefined ? '' : (node.labels[rollout.topologyKey] ?? '');
  const first = rollout.canary?.nodeSelector !== undefined && hasLabels(node, rollout.canary.nodeSelector);
  const flags = [canaries.hold !== undefined && first, domains.has(domain)];
  const later = [hasForeignCordon(turn), !driverPods.some(({ pod }) => pod.ready)];
  return [bits(flags), withNumbers(domain), bits(later), withNumbers(node.name)].join('\u0000');
}

/** What is true comes first. */
function bits(flags: readonly boolean[]): string {
  return flags.map((flag) => (flag ? '0' : '1')).join('');
}

function withNumbers(text: string): string {
  return text.replace(/\d+/g, (digits) => digits.padStart(12, '0'));
}
