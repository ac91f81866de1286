import { releaseNames, renderedRelease } from './catalog.js';

/** What the operator does otherwise since a release. Commits are of Mellanox/network-operator. */
interface Change {
  readonly since: string;
  readonly commits: readonly string[];
  /** What it does since then, and what before. */
  readonly now: string;
  readonly before: string;
  /** What the change does to a cluster where it is applied: nodes are drained, pods restart, or neither. */
  readonly effect: 'drain' | 'restart' | 'none';
}

/**
 * All that differs between the releases of the catalog, newest release first. Code asks for a change by its name, and the
 * reference is generated from the table.
 */
export const changes = {
  'hashed-policy-names': {
    since: 'v26.10',
    commits: ['45bedbf5'],
    now: 'DaemonSets of a NicNodePolicy (driver, RDMA and SR-IOV device plugin) have a hash of its name in theirs',
    before: 'the name of the policy',
    effect: 'drain',
  },
  'toolkit-stops-on-signal': {
    since: 'v26.10',
    commits: ['2868eff3'],
    now: 'the container of the OpenShift Driver Toolkit ends when it is told to, with a trap in its script',
    before: 'a script without a trap, which the kubelet kills at the end of the grace period',
    effect: 'drain',
  },
  'meta-plugins': {
    since: 'v26.10',
    commits: ['d278cf75'],
    now: '`metaPlugins` of MacvlanNetwork and HostDeviceNetwork chain CNI plugins after the main one',
    before: 'the field is not known',
    effect: 'none',
  },
  'vf-state-follow': {
    since: 'v26.10',
    commits: ['c698477a'],
    now: 'SpectrumXRailPoolConfig has `vfStateFollow`',
    before: 'the field is not known',
    effect: 'none',
  },
  'spectrum-x-writes-drop-ins': {
    since: 'v26.7',
    commits: ['401254ca'],
    now: 'Spectrum-X mounts `/var/lib/spectrum-x` and the drop-ins of the service of Open vSwitch',
    before: 'neither',
    effect: 'restart',
  },
  'spectrum-x-reads-cidr-pools': {
    since: 'v26.7',
    commits: ['3ac4b189'],
    now: 'Spectrum-X may read CIDRPools',
    before: 'no right to',
    effect: 'none',
  },
  'spectrum-x-node-states': {
    since: 'v26.7',
    commits: ['7156d778'],
    now: 'the status of a SpectrumXRailPoolConfig has `nodeStates`, and `kubectl get` prints columns of it',
    before: 'neither',
    effect: 'none',
  },
  'nic-configuration-watches-config-maps': {
    since: 'v26.7',
    commits: ['506c4a0f'],
    now: 'the NIC configuration operator may list and watch ConfigMaps',
    before: 'only get them',
    effect: 'none',
  },
  'nic-configuration-fields': {
    since: 'v26.7',
    commits: ['67a19fc1', '093cd549'],
    now:
      'NicConfigurationTemplate and NicDevice have `force`, `networkBay`, `runtimePerformanceOptimized` and more of `roceOptimized`, do not need ' +
      '`linkType`, take any `spectrumXOptimized.version`, and limit `rawNvConfig`; the status of templates has `conditions`',
    before: 'none of it: `linkType` is required, and `version` is one of RA1.3 to RA2.2',
    effect: 'none',
  },
  'telemetry-without-indexes': {
    since: 'v26.7',
    commits: ['7bfc2d00'],
    now: 'the default configuration of the DOCA telemetry service has no indexes for Prometheus',
    before: '`prometheus-fset-indexes` and comments about it',
    effect: 'none',
  },
} as const satisfies Readonly<Record<string, Change>>;

export type ChangeName = keyof typeof changes;

type PostponableChange = {
  [Name in ChangeName]: (typeof changes)[Name]['effect'] extends 'drain' ? Name : never;
}[ChangeName];

/** Changes for which drivers are replaced, and so nodes drained: a Cluster can have them later than its release. */
export const postponableChanges = (Object.keys(changes) as ChangeName[]).filter(
  (name): name is PostponableChange => changes[name].effect === 'drain',
);

/** The part of a Cluster that chooses the release. */
export interface ChoosesRelease {
  readonly spec: { readonly release?: string | undefined; readonly postponedChanges?: readonly string[] };
}

/**
 * Whether the operator of the cluster's release has a change, and the Cluster does not postpone it. Without a release the newest final one counts; a rule reports a name that is
 * not in the catalog.
 */
export function since({ spec }: ChoosesRelease, name: ChangeName): boolean {
  if (spec.postponedChanges?.includes(name)) return false;
  const { release } = renderedRelease(spec.release);
  return releaseNames.indexOf(release) <= releaseNames.indexOf(changes[name].since);
}
