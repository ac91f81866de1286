import { within, type Violation, type Origin, type Rule } from '../../../model/config.js';

/** Names of pools must be unique, and a pool has either `kernel` or `kernels`. */
export const nodePoolsConsistent: Rule = {
  code: 'WEFT0237',
  severity: 'error',
  title: 'node pools contradict each other',
  *check({ cluster }) {
    const origin = within(cluster.origin, 'spec', 'nodePools');
    yield* duplicateNames(cluster.spec.nodePools, origin);
    for (const [index, { kernel, kernels, name }] of cluster.spec.nodePools.entries()) {
      if (kernel === undefined || kernels === undefined) continue;
      yield {
        origin: within(origin, index, 'kernel'),
        at: 'key',
        message: `node pool \`${name}\` has both \`kernel\` and \`kernels\``,
        help: 'keep `kernels`, with all of them',
      };
    }
  },
};

function* duplicateNames(specs: readonly { readonly name: string }[], origin: Origin): Iterable<Violation> {
  const first = new Map<string, number>();
  for (const [index, { name }] of specs.entries()) {
    const known = first.get(name);
    if (known === undefined) {
      first.set(name, index);
      continue;
    }
    yield {
      origin: within(origin, index, 'name'),
      message: `there are two node pools \`${name}\``,
      help: 'give each pool its own name',
      related: { origin: within(origin, known, 'name'), message: 'the first is here' },
    };
  }
}
