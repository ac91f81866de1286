import { within, type Finding, type Instance, type NodePool, type Rule } from '../../../config/config.js';
import { driverInstances } from './instances.js';

type Comparable = 'containerRuntime' | 'rhcosVersion';

function isSameSystem(a: NodePool, b: NodePool): boolean {
  return a.osName === b.osName && a.osVersion === b.osVersion && a.arch === b.arch;
}

/** Pools of one OS, version, kernel and architecture get one DaemonSet, which cannot be two things at once. */
export const poolsAgree: Rule = {
  code: 'WEFT0216',
  *check(config) {
    for (const instance of driverInstances(config)) {
      yield* pairs(instance, (first, second) => {
        if (!isSameSystem(first, second) || first.kernel !== second.kernel) return undefined;
        const differing = (['containerRuntime', 'rhcosVersion'] satisfies Comparable[]).filter(
          (key) => first[key] !== second[key],
        );
        return differing.length === 0
          ? undefined
          : {
              message: `node pools \`${first.name}\` and \`${second.name}\` share a driver DaemonSet, but differ in ${differing.join(' and ')}`,
              help: 'give the pools a policy each, by their labels',
            };
      });
    }
  },
};

/** A DaemonSet for every kernel selects the nodes of one that is pinned to a kernel too. */
export const poolsApart: Rule = {
  code: 'WEFT0217',
  *check(config) {
    for (const instance of driverInstances(config)) {
      yield* pairs(instance, (first, second) =>
        isSameSystem(first, second) && (first.kernel === undefined) !== (second.kernel === undefined)
          ? {
              message: `node pools \`${first.name}\` and \`${second.name}\` overlap: only one of them names its kernel`,
              help: 'name the kernels of both, or of neither',
            }
          : undefined,
      );
    }
  },
};

function* pairs(
  { pools }: Instance,
  problem: (first: NodePool, second: NodePool) => { message: string; help: string } | undefined,
): Iterable<Finding> {
  for (const [index, second] of pools.entries()) {
    for (const first of pools.slice(0, index)) {
      const found = problem(first, second);
      if (!found) continue;
      yield {
        origin: within(second.origin, 'name'),
        ...found,
        related: { origin: within(first.origin, 'name'), message: `\`${first.name}\` is here` },
      };
    }
  }
}
