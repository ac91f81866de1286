import { ARCH_LABEL, NFD_LABELS } from '../../shared/contract/labels.js';
import { hasEntries } from '../../shared/lib/has-entries.js';
import type { NodePool, Origin } from '../model/config.js';
import { within } from '../model/config.js';
import type { ClusterSpec } from '../model/cluster.js';

type PoolSpec = ClusterSpec['nodePools'][number];

/** The pools of a cluster: one for each kernel, with the labels that NFD gives their nodes. */
export function resolvePools(spec: ClusterSpec, origin: Origin): readonly NodePool[] {
  return spec.nodePools.flatMap((pool, index) => {
    const kernels = pool.kernels ?? [pool.kernel];
    return [...new Set(kernels)].map((kernel) =>
      resolvePool(pool, kernel, spec.platform === 'openshift', within(origin, 'spec', 'nodePools', index)),
    );
  });
}

function resolvePool(pool: PoolSpec, kernel: string | undefined, isOpenshift: boolean, origin: Origin): NodePool {
  const rhcosVersion = pool.rhcosVersion ?? '';
  return {
    name: pool.name,
    osName: pool.osName,
    osVersion: pool.osVersion,
    arch: pool.arch,
    ...(kernel === undefined ? {} : { kernel }),
    containerRuntime: pool.containerRuntime ?? (isOpenshift ? 'cri-o' : 'containerd'),
    rhcosVersion,
    labels: {
      ...pool.labels,
      [ARCH_LABEL]: pool.arch,
      [NFD_LABELS.nicPresent]: 'true',
      [NFD_LABELS.osName]: pool.osName,
      [NFD_LABELS.osVersion]: pool.osVersion,
      ...(kernel === undefined ? {} : { [NFD_LABELS.kernel]: kernel }),
      ...(rhcosVersion === '' ? {} : { [NFD_LABELS.rhcosVersion]: rhcosVersion }),
    },
    taints: pool.taints.map(({ key, value, effect }) => ({ key, value, effect })),
    origin,
  };
}

/** True if all nodes of the pool have the labels. Labels that the input does not declare count as missing. */
export function matchesSelector(pool: NodePool, selector: Readonly<Record<string, string>>): boolean {
  return hasEntries(pool.labels, selector);
}
