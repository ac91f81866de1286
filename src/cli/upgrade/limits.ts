import { counted } from '../../shared/lib/listed.js';
import { groupBy } from '../../shared/lib/group-by.js';
import type { Waiting } from '../../companion/model/types.js';
import { waitKind } from '../../companion/model/wait-kinds.js';

/** Nodes that one limit keeps from beginning. */
interface Limit extends Pick<Waiting, 'kind' | 'message'> {
  readonly nodes: number;
}

/** Which limit holds how many nodes, most first: what hundreds of nodes may wait for at a time has one message for all of them. */
export function limitsOf(waiting: readonly Waiting[]): readonly Limit[] {
  const queued = waiting.filter(({ kind, state }) => state === 'upgrade-required' && waitKind(kind).isQueued === true);
  return [...groupBy(queued, ({ kind, message }) => `${kind} ${message}`).values()]
    .flatMap((own) => {
      const nodes = new Set(own.map(({ node }) => node)).size;
      return own.slice(0, 1).map(({ kind, message }) => ({ kind, message, nodes }));
    })
    .sort((a, b) => b.nodes - a.nodes);
}

/** `12 nodes wait (window): the next maintenance window opens at …`. */
export function limitLines(limits: readonly Limit[]): readonly string[] {
  return limits.map(
    ({ kind, message, nodes }) => `${counted(nodes, 'node waits', 'nodes wait')} (${kind}): ${message}`,
  );
}
