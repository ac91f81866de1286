import { unitsOf } from '../../../shared/kubernetes/quantity.js';

/** Amounts by the name of the resource: processors, bytes, or pieces. */
export type Amounts = Readonly<Record<string, number>>;

interface ContainerPart {
  readonly restartPolicy?: string;
  readonly resources?: {
    readonly requests?: Readonly<Record<string, string | number>>;
    readonly limits?: Readonly<Record<string, string | number>>;
  };
}

/** The parts of a pod's `spec` that say what it takes of a node. */
interface ResourceSpec {
  readonly containers?: readonly ContainerPart[];
  readonly initContainers?: readonly ContainerPart[];
  readonly overhead?: Readonly<Record<string, string | number>>;
}

/** A list of resources as numbers; what is no quantity is left out. */
export function amountsOf(list: Readonly<Record<string, string | number>> = {}): Amounts {
  return Object.fromEntries(
    Object.entries(list).flatMap(([name, text]) => {
      const units = unitsOf(text);
      return units === undefined ? [] : [[name, units]];
    }),
  );
}

/**
 * What the scheduler counts for a pod: the sum of its containers and of its sidecars (init containers that go on), or the largest init
 * container with the sidecars before it where that is more, and its overhead. Kubernetes' `PodRequests` in
 * `k8s.io/component-helpers/resource`, v1.34. A limit without a request is the request: the API server sets it so.
 */
export function requestsOf({ containers = [], initContainers = [], overhead }: ResourceSpec): Amounts {
  let sidecars: Amounts = {};
  let starting: Amounts = {};
  for (const one of initContainers) {
    const own = requestsOfContainer(one);
    if (one.restartPolicy === 'Always') {
      sidecars = plus(sidecars, own);
      starting = most(starting, sidecars);
    } else starting = most(starting, plus(sidecars, own));
  }
  const running = containers.map(requestsOfContainer).reduce(plus, sidecars);
  return plus(most(running, starting), amountsOf(overhead));
}

function requestsOfContainer({ resources = {} }: ContainerPart): Amounts {
  return amountsOf({ ...resources.limits, ...resources.requests });
}

export function plus(a: Amounts, b: Amounts): Amounts {
  return combined(a, b, (one, other) => one + other);
}

function most(a: Amounts, b: Amounts): Amounts {
  return combined(a, b, Math.max);
}

function combined(a: Amounts, b: Amounts, combine: (one: number, other: number) => number): Amounts {
  const sum: Record<string, number> = { ...a };
  for (const [name, amount] of Object.entries(b)) sum[name] = combine(sum[name] ?? 0, amount);
  return sum;
}

/** Rounding of sums of decimal fractions. */
const TOLERANCE = 1e-6;

/**
 * The first resource of which a node has too little left for the requests; undefined if they fit. A request of zero fits a full node.
 * `pods` is what is left for pods: the plug-in `NodeResourcesFit`, Kubernetes' `fitsRequest` in
 * `pkg/scheduler/framework/plugins/noderesources/fit.go`, v1.34.
 */
export function lackingResource(requests: Amounts, used: Amounts, allocatable: Amounts): string | undefined {
  const isLacking = (name: string, amount: number): boolean =>
    amount > 0 && (used[name] ?? 0) + amount > (allocatable[name] ?? 0) + TOLERANCE;
  // A node that says nothing about the number of pods has no limit of them.
  if ('pods' in allocatable && isLacking('pods', 1)) return 'pods';
  return Object.entries(requests).find(([name, amount]) => isLacking(name, amount))?.[0];
}
