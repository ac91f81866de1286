import type { ApiPod } from '../../../shared/kubernetes/shapes/pod.js';
import { groupBy } from '../../../shared/lib/group-by.js';
import { reduceGpuClaim } from '../../../companion/runtime/kube-port/gpu-claims.js';
import type { SnapshotObjects } from '../snapshot/objects.js';

/** Devices of dynamic resource allocation, counted by the driver that has them. */
export interface ReadDevices {
  /** What the claims of a pod have, as amounts of resources. */
  requestsOf(pod: ApiPod): Readonly<Record<string, number>>;
  /** What a node has, as amounts of resources. */
  allocatableOf(node: string): Readonly<Record<string, string>>;
  /** Whether the pod holds a GPU by a claim. */
  hasGpuClaim(pod: ApiPod): boolean;
  /** Whether where a pod with claims can go is not known: no device is allocated to it, or its devices are of no node. */
  readonly isUnknown: (pod: ApiPod) => boolean;
}

/** The name of a resource that stands for the devices of a driver. No other resource has a space in its name. */
const resourceOf = (driver: string): string => `devices of ${driver}`;

/**
 * Reads the devices that claims have and those that nodes have. A device that several pods share is one of the first of them. Devices that
 * are of no node, such as those of a fabric, do not keep a pod off a node, and neither does access for administrators.
 */
export function readDevices({ ResourceClaim, ResourceSlice }: SnapshotObjects): ReadDevices {
  const global = new Set(
    ResourceSlice.flatMap(({ spec }) => (spec?.nodeName === undefined ? (spec?.driver ?? []) : [])),
  );
  const slices = ResourceSlice.filter(({ spec }) => !global.has(spec?.driver ?? ''));
  const local = new Set(slices.flatMap(({ spec }) => spec?.driver ?? []));
  const onNode = groupBy(slices, ({ spec }) => spec?.nodeName ?? '');
  const byPod = new Map<string, { readonly drivers: readonly string[]; readonly isGpu: boolean }[]>();
  for (const claim of ResourceClaim) {
    const pods =
      claim.status?.reservedFor?.flatMap(({ resource, uid }) => (resource === 'pods' ? (uid ?? []) : [])) ?? [];
    const results = claim.status?.allocation?.devices?.results ?? [];
    const drivers = results.flatMap(({ driver, adminAccess }) => (adminAccess === true ? [] : (driver ?? [])));
    const isGpu = reduceGpuClaim(claim).podUids.length > 0;
    pods.forEach((uid, index) => {
      const known = byPod.get(uid) ?? [];
      byPod.set(uid, [...known, { drivers: index === 0 ? drivers : [], isGpu }]);
    });
  }
  const claimsOf = ({ metadata }: ApiPod) => byPod.get(metadata?.uid ?? '') ?? [];
  const driversOf = (pod: ApiPod): readonly string[] => claimsOf(pod).flatMap(({ drivers }) => drivers);
  return {
    requestsOf: (pod) =>
      countsOf(
        driversOf(pod)
          .filter((driver) => local.has(driver))
          .map(resourceOf),
      ),
    allocatableOf: (node) => {
      const own = onNode.get(node) ?? [];
      const devices = own.flatMap(({ spec }) => (spec?.devices ?? []).map(() => resourceOf(spec?.driver ?? '')));
      return Object.fromEntries(Object.entries(countsOf(devices)).map(([name, count]) => [name, String(count)]));
    },
    hasGpuClaim: (pod) => claimsOf(pod).some(({ isGpu }) => isGpu),
    isUnknown: (pod) => {
      const claims = pod.spec?.resourceClaims ?? [];
      const isAllocated = claimsOf(pod).length >= claims.length;
      return claims.length > 0 && (!isAllocated || driversOf(pod).some((driver) => !local.has(driver)));
    },
  };
}

function countsOf(names: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
