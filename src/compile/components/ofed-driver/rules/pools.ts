import { NODE_POLICY_NAME_MAX } from '../../../model/shapes/object-name.js';
import { within, type Violation, type Instance, type NodePool, type Rule } from '../../../model/config.js';
import { misspeltName } from '../../../model/misspelt-system.js';
import { isDnsSubdomain, isLabelValue } from '../../../../shared/kubernetes/names.js';
import { driverPools } from '../pool.js';
import { driverInstances } from './instances.js';

const COMPARED = ['containerRuntime', 'rhcosVersion'] as const;

/** The mounts of a subscription depend on the container runtime, only on Red Hat's OS. */
function matters(key: (typeof COMPARED)[number], { osName }: NodePool): boolean {
  return key !== 'containerRuntime' || osName === 'rhel';
}

function isSameSystem(a: NodePool, b: NodePool): boolean {
  return a.osName === b.osName && a.osVersion === b.osVersion && a.arch === b.arch;
}

/** Pools with the same OS, version, kernel and architecture get one DaemonSet, so their other fields must be equal. */
export const poolsAgree: Rule = {
  code: 'WEFT0216',
  severity: 'error',
  title: 'pools that share a driver DaemonSet differ',
  *check(config) {
    for (const instance of driverInstances(config)) {
      yield* pairs(instance, (first, second) => {
        if (!isSameSystem(first, second) || first.kernel !== second.kernel) return undefined;
        const differing = COMPARED.filter((key) => first[key] !== second[key] && matters(key, first));
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

/** A DaemonSet for every kernel also selects the nodes of a DaemonSet for one kernel. */
export const poolsApart: Rule = {
  code: 'WEFT0217',
  severity: 'error',
  title: 'a pool without a kernel covers another pool',
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

/** The OS is part of the DaemonSet's name and of a label, so it must be valid in both. */
export const poolNameable: Rule = {
  code: 'WEFT0221',
  severity: 'error',
  title: 'a pool gives its driver DaemonSet a name that Kubernetes refuses',
  *check(config) {
    for (const instance of driverInstances(config)) {
      for (const { pool, app } of driverPools(instance)) {
        if ((isDnsSubdomain(`${app}-ds`) && isLabelValue(app)) || misspeltName(pool)) continue;
        // Another rule reports such a name.
        if (instance.owner.kind === 'NicNodePolicy' && instance.owner.name.length > NODE_POLICY_NAME_MAX) continue;
        yield {
          origin: within(pool.origin, 'osName'),
          message: `node pool \`${pool.name}\` gives its driver DaemonSet the name \`${app}-ds\`, which Kubernetes refuses`,
          help:
            instance.owner.kind === 'NicNodePolicy' && isLabelValue(`mofed-${pool.osName}${pool.osVersion}`)
              ? `shorten the name of NicNodePolicy \`${instance.owner.name}\`: both together have at most 63 characters`
              : '`osName` and `osVersion` must be lower-case letters, digits, `-` and `.`, and not too long',
        };
      }
    }
  },
};

function* pairs(
  { pools }: Instance,
  problem: (first: NodePool, second: NodePool) => { message: string; help: string } | undefined,
): Iterable<Violation> {
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
