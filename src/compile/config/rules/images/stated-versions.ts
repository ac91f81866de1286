import { compareVersions } from '../../../../shared/lib/version.js';
import { within, type Cluster, type NodePool, type Origin } from '../../../model/config.js';

/** A version that a cluster runs, and its name in messages. */
export interface PlatformVersion {
  readonly platform: 'Kubernetes' | 'OpenShift';
  readonly version: string;
}

/** A version in the Cluster document. */
export interface StatedVersion extends PlatformVersion {
  readonly origin: Origin;
  /** The subject in messages: `this is`, or a pool. */
  readonly owner: string;
}

/**
 * The Kubernetes of a version: OpenShift 4.17 has 1.30, and each has one more, from 4.3 on (openshift/openshift-docs,
 * "About this release" of the release notes: 4.3 has 1.16, 4.12 has 1.25, 4.17 has 1.30).
 */
export function kubernetesOf({ platform, version }: PlatformVersion): string {
  if (platform === 'Kubernetes') return version;
  const [, minor = '0'] = /^4\.(\d+)/.exec(version) ?? [];
  return `1.${Number(minor) + 13}`;
}

/** The fields of the Cluster document that have its version: `kubernetesVersion` and, on OpenShift, the node image of each pool. */
export function statedVersions({ spec, origin, isOpenshift, pools }: Cluster): readonly StatedVersion[] {
  const { kubernetesVersion: version } = spec;
  const own: readonly StatedVersion[] =
    version === undefined
      ? []
      : [{ platform: 'Kubernetes', version, owner: 'this is', origin: within(origin, 'spec', 'kubernetesVersion') }];
  const byPool = new Map(isOpenshift ? pools.map((pool) => [pool.name, openshiftOf(pool)]) : []);
  return [...own, ...[...byPool.values()].flat()];
}

/**
 * The OpenShift version of a pool: `4.16` from the OS version of its nodes, or `416.94.202406172220-0` from their
 * image. Since 4.19 both are versions of RHEL, so there is none. If the two differ, the older one counts.
 */
function openshiftOf({ name, osName, osVersion, rhcosVersion, origin }: NodePool): readonly StatedVersion[] {
  const stated = (key: string, minor: string | undefined): readonly StatedVersion[] =>
    minor === undefined
      ? []
      : [{ platform: 'OpenShift', version: `4.${minor}`, owner: `pool \`${name}\` has`, origin: within(origin, key) }];
  return [
    ...stated('osVersion', osName === 'rhcos' ? /^4\.(\d+)/.exec(osVersion)?.[1] : undefined),
    ...stated('rhcosVersion', /^4(\d{1,2})\.\d/.exec(rhcosVersion)?.[1]),
  ]
    .sort((a, b) => compareVersions(a.version, b.version))
    .slice(0, 1);
}
