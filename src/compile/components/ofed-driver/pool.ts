import type { Instance, NodePool } from '../../model/config.js';
import { shortHash } from '../../../shared/lib/hash.js';
import { imageReference, isDigest } from '../../../shared/kubernetes/image-reference.js';
import type { OfedDriverSpec } from './schema.js';

/** How the driver is installed on the nodes of a pool. */
type DriverImage =
  | { readonly kind: 'digest'; readonly image: string }
  | { readonly kind: 'precompiled'; readonly image: string }
  | { readonly kind: 'compiled'; readonly image: string };

/**
 * Tag of the image with a driver that is compiled for the pool's kernel; `undefined` for a pool of many kernels
 * (network-operator b06827e0, pkg/state/state_ofed.go `precompiledTagFormat`).
 */
export function precompiledTag(version: string, pool: NodePool): string | undefined {
  return pool.kernel === undefined
    ? undefined
    : `${version}-${pool.kernel}-${pool.osName}${pool.osVersion}-${pool.arch}`;
}

/**
 * The driver image of a pool: the given digest, a precompiled image if the registry has it, else the image that
 * compiles.
 */
export function driverImage(spec: OfedDriverSpec, pool: NodePool, precompiledTags: readonly string[]): DriverImage {
  const reference = (version: string) => imageReference({ ...spec, version });
  if (isDigest(spec.version)) return { kind: 'digest', image: reference(spec.version) };
  const tag = precompiledTag(spec.version, pool);
  if (tag !== undefined && precompiledTags.includes(tag)) return { kind: 'precompiled', image: reference(tag) };
  return { kind: 'compiled', image: reference(`${spec.version}-${pool.osName}${pool.osVersion}-${pool.arch}`) };
}

/** One driver DaemonSet: the pools of an instance that share it, and its name. */
export interface DriverPool {
  /** The first of `pools`; they differ in labels and taints only. */
  readonly pool: NodePool;
  readonly pools: readonly NodePool[];
  /** Value of the label `app`, and the DaemonSet's name without `-ds`. */
  readonly app: string;
}

/** True if the operator's names and selectors are the same for nodes of both pools, which need other images. */
function isToldApartByArch(pool: NodePool, other: NodePool): boolean {
  return (
    pool.arch !== other.arch &&
    pool.osName === other.osName &&
    pool.osVersion === other.osVersion &&
    (pool.kernel === other.kernel || pool.kernel === undefined || other.kernel === undefined)
  );
}

/**
 * One DaemonSet for each OS, OS version, kernel and architecture among the pools of an instance. Names and selectors
 * are the operator's, which ignore the architecture. If pools of two architectures would collide, the names of other
 * architectures than amd64 contain it.
 */
export function driverPools(instance: Instance): readonly DriverPool[] {
  const byApp = new Map<string, DriverPool & { readonly pools: NodePool[] }>();
  for (const pool of instance.pools) {
    const isNamedByArch = instance.pools.some((other) => isToldApartByArch(pool, other));
    const parts = [
      `mofed-${pool.osName}${pool.osVersion}`,
      ...(pool.kernel === undefined ? [] : [`-${shortHash(pool.kernel)}`]),
      instance.daemonSetSuffix,
      isNamedByArch && pool.arch !== 'amd64' ? `-${pool.arch}` : '',
    ];
    const app = parts.join('');
    // Pools that differ only in labels or taints share a DaemonSet; a rule checks that their other fields are equal.
    const known = byApp.get(app);
    if (known) known.pools.push(pool);
    else byApp.set(app, { pool, pools: [pool], app });
  }
  return [...byApp.values()];
}

/** Name of the DaemonSet of a driver pool. */
export function daemonSetName({ app }: DriverPool): string {
  return `${app}-ds`;
}
