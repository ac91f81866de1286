import { digestOf } from '../../kit/digests.js';
import { companionPrefix } from '../../../src/shared/contract/labels.js';
import type { UpgradePolicyInput } from '../../../src/shared/contract/upgrade-policy.js';
import { GPU_VALIDATOR } from '../../../src/forecast/simulation/controllers/gpu-operator-steps.js';
import { SRIOV_NAMESPACE } from '../../../src/forecast/simulation/controllers/sriov-config-daemon.js';
import type { Random } from '../../../src/forecast/simulation/random.js';

/** A driver DaemonSet in git. */
interface GitDaemonSet {
  readonly name: string;
  readonly policy: string;
  readonly digest: string;
  /** Value of the node label `group` of its nodes. */
  readonly group: string;
}

/** One driver in git. */
export interface GitDriver {
  readonly prefix: 'ofed' | 'gpu';
  /**
   * For the GPU driver, whose DaemonSets the policy does not list. `operator`: the GPU operator restarts it, else the companion.
   */
  readonly management?: 'selected' | 'operator';
  readonly autoUpgrade: boolean;
  /** Names of policies that are switched off alone. */
  readonly offPolicies: readonly string[];
  readonly uninstall: boolean;
  /** Groups of nodes that the driver is uninstalled from. */
  readonly uninstalledGroups: readonly string[];
  readonly sets: readonly GitDaemonSet[];
  /** Whether its DaemonSets tolerate all taints. */
  readonly tolerates: boolean;
  /** How long the startup probe lets the driver load; 0: without a probe. */
  readonly startupSeconds: number;
  readonly maxParallelUpgrades: number;
  readonly maxUnavailable: number | string;
  readonly drain: { readonly enable: boolean; readonly force: boolean; readonly timeoutSeconds: number };
  readonly deleteEmptyDir: boolean;
  readonly drainPodSelector: string;
  readonly podDeletionTimeoutSeconds: number;
  readonly jobsSelector: string;
  readonly jobsTimeoutSeconds: number;
  readonly gate?: 'ready-file' | 'label';
}

type GitRollout = NonNullable<UpgradePolicyInput['rollout']>;

/** A SriovNetworkPoolConfig. */
export interface GitPool {
  readonly name: string;
  /** One label, as `key=value`. */
  readonly nodeSelector: string;
  /** Absent: no limit. */
  readonly maxUnavailable?: number | string;
}

/** Virtual functions in git, whose drains the SR-IOV operator leaves to the companion. */
export interface GitSriov {
  /** Nodes of no pool have a limit of one. */
  readonly pools: readonly GitPool[];
  readonly drain: Omit<GitDriver['drain'], 'enable'> & { readonly deleteEmptyDir: boolean };
  /** Rises with each change of its policies. */
  readonly change: number;
}

export interface Git {
  readonly paused: boolean;
  readonly rollout: GitRollout;
  readonly drivers: readonly GitDriver[];
  readonly sriov?: GitSriov | undefined;
  /** The Maintenance Operator drains. */
  readonly isMaintained?: boolean | undefined;
  /** What the names of NodeMaintenances begin with. Default: that of the policy document. */
  readonly namePrefix?: string;
  /** The label prefixes of drivers whose sections are removed from the Cluster document. */
  readonly removed?: readonly string[];
}

/** The label prefix of the companion's flow for SR-IOV. */
export const SRIOV_PREFIX = 'weft-sriov';
/** What names of resources of virtual functions begin with. */
export const SRIOV_RESOURCES = 'openshift.io/';

/** A commit that changes settings: of one driver, or of the rollout. */
export type GitChange = Partial<GitDriver> & Partial<Pick<Git, 'rollout'>>;

/** The label prefix of the companion's flow for a driver. */
export function labelPrefixOf({ prefix, management }: Pick<GitDriver, 'prefix' | 'management'>): string {
  return management === 'operator' ? companionPrefix(prefix) : prefix;
}

/** The label prefixes of all flows of the companion. */
export function prefixesOf({ drivers, sriov }: Pick<Git, 'drivers' | 'sriov'>): readonly string[] {
  return [...drivers.map(labelPrefixOf), ...(sriov === undefined ? [] : [SRIOV_PREFIX])];
}

export const NAMESPACE = 'driver-ns';
export const GATE_LABEL = 'network.nvidia.com/operator.mofed.wait';

export function drawGit(random: Random): Git {
  const gpuOnly = random.chance(0.2);
  const both = !gpuOnly && random.chance(0.15);
  const drivers = [
    ...(gpuOnly ? [] : [drawDriver(random, 'ofed')]),
    ...(gpuOnly || both ? [drawDriver(random, 'gpu')] : []),
  ];
  return { paused: false, rollout: drawRollout(random, drivers), drivers };
}

/** A driver that moves one node at a time. */
export const PLAIN_DRIVER: Omit<GitDriver, 'sets'> = {
  ...{ prefix: 'ofed', autoUpgrade: true, offPolicies: [], uninstall: false, uninstalledGroups: [] },
  ...{ tolerates: true, startupSeconds: 0, maxParallelUpgrades: 1, maxUnavailable: '100%' },
  drain: { enable: true, force: true, timeoutSeconds: 300 },
  ...{ deleteEmptyDir: true, drainPodSelector: '', podDeletionTimeoutSeconds: 300 },
  ...{ jobsSelector: '', jobsTimeoutSeconds: 0 },
};

export function drawDriver(random: Random, prefix: 'ofed' | 'gpu'): GitDriver {
  const gate = prefix === 'ofed' ? random.pick([undefined, undefined, 'ready-file', 'label'] as const) : undefined;
  return {
    ...PLAIN_DRIVER,
    prefix,
    ...(prefix === 'gpu' && { management: 'selected' as const }),
    sets: ['a', 'b'].map((group) => ({
      name: `${prefix}-${group}`,
      policy: group === 'a' || random.chance(0.5) || prefix === 'gpu' ? 'main' : 'side',
      digest: digestOf(`${prefix}-1`),
      group,
    })),
    maxParallelUpgrades: random.pick([0, 1, 1, 2, 3]),
    maxUnavailable: random.pick(['25%', '50%', 1, 2, '100%']),
    drain: { enable: random.chance(0.85), force: random.chance(0.7), timeoutSeconds: random.pick([0, 60, 300, 300]) },
    deleteEmptyDir: random.chance(0.7),
    drainPodSelector: random.chance(0.1) ? 'drain=me' : '',
    podDeletionTimeoutSeconds: random.pick([60, 300]),
    jobsSelector: random.chance(0.25) ? 'job=yes' : '',
    jobsTimeoutSeconds: random.pick([0, 120]),
    ...(gate === undefined ? {} : { gate }),
  };
}

export function drawRollout(random: Random, drivers: readonly GitDriver[]): GitRollout {
  const gated = drivers.some(({ gate }) => gate !== undefined);
  const pool = { name: 'narrow', nodeSelector: { group: 'a' } };
  return {
    failureBudget: random.pick([1, 1, 2, '50%', '100%']),
    ...(random.chance(0.15) ? { pools: [{ ...pool, maxUnavailable: random.pick([1, '50%']) }] } : {}),
    ...(random.chance(0.1) ? { pools: [{ ...pool, maxParallelUpgrades: 1 }] } : {}),
    ...(random.chance(0.15) ? { canary: { nodes: 1, soak: random.pick(['0s', '2m']) } } : {}),
    ...(random.chance(0.1) ? { canary: { nodeSelector: { rack: 'rack-1' }, soak: '1m' } } : {}),
    ...(random.chance(0.1) ? { topologyKey: 'rack' } : {}),
    ...(random.chance(0.1) ? { maintenanceWindows: [{ schedule: '*/30 * * * *', duration: '10m' }] } : {}),
    ...(random.chance(0.25) ? { validation: drawValidation(random, gated) } : {}),
  };
}

/** In one of eight, pods are deleted when the time of a drain is over. */
export function withDrainTimeout(git: Git, random: Random): Git {
  if (!random.chance(1 / 8)) return git;
  const afterDrainTimeout = random.pick(['deletePods', 'deletePodsIgnoringBudgets'] as const);
  return { ...git, rollout: { ...git.rollout, afterDrainTimeout } };
}

/** An upgrade pool that has limits of its own. */
export function withOwnLimits(git: Git, random: Random): Git {
  if (!random.chance(0.15)) return git;
  const pool = {
    ...{ name: 'own', nodeSelector: { group: random.pick(['a', 'b']) } },
    ...(random.chance(0.5) && {
      maintenanceWindows: random.pick([[], [{ schedule: '15-59/30 * * * *', duration: '10m' }]]),
    }),
    ...(random.chance(0.5) && { canary: { nodes: 1, soak: random.pick(['0s', '2m']) } }),
    ...(random.chance(0.5) && { failureBudget: random.pick([1, 2, '50%']) }),
  };
  return { ...git, rollout: { ...git.rollout, pools: [...(git.rollout.pools ?? []), pool] } };
}

function drawValidation(random: Random, gated: boolean): GitRollout['validation'] {
  const podSelector = gated && random.chance(0.5) ? 'gated=yes' : '';
  return { resources: ['rdma/rdma_shared_device_a'], podSelector, timeoutSeconds: random.pick([60, 600]) };
}

/** The policy document that the generator would render. */
export function policyDocument(git: Git): UpgradePolicyInput {
  const { namePrefix, removed = [] } = git;
  const drivers = git.drivers.filter((driver) => !removed.includes(labelPrefixOf(driver)));
  const sriov = removed.includes(SRIOV_PREFIX) ? undefined : git.sriov;
  return {
    apiVersion: 'weft.dev/v1alpha1',
    kind: 'UpgradePolicy',
    paused: git.paused,
    rollout: git.rollout,
    ...(git.isMaintained === true && { nodeMaintenance: namePrefix === undefined ? {} : { namePrefix } }),
    ...(sriov !== undefined && {
      sriovNodeStates: { namespace: SRIOV_NAMESPACE, resourcePrefix: SRIOV_RESOURCES },
    }),
    drivers: [...drivers.map(driverDocument), ...(sriov === undefined ? [] : [sriovDocument(sriov)])],
  };
}

function sriovDocument({ pools, change, drain }: GitSriov): UpgradePolicyInput['drivers'][number] {
  const policyOf = ({
    name,
    nodeSelector,
    maxUnavailable,
  }: Omit<GitPool, 'nodeSelector'> & { nodeSelector?: string }) => ({
    ...{ name, ...(nodeSelector !== undefined && { nodeSelector }) },
    upgradePolicy: { drain, ...(maxUnavailable !== undefined && { maxUnavailable }) },
  });
  return {
    ...{ kind: 'sriov', namespace: SRIOV_NAMESPACE, change: String(change), resourcePrefixes: [SRIOV_RESOURCES] },
    policies: [...pools, { name: 'other nodes', maxUnavailable: 1 }].map(policyOf),
  };
}

function driverDocument(driver: GitDriver): UpgradePolicyInput['drivers'][number] {
  const { prefix, gate } = driver;
  const common = {
    namespace: NAMESPACE,
    daemonSetSelector: `nvidia.com/${prefix}-driver`,
    podSelector: `nvidia.com/${prefix}-driver`,
  };
  if (prefix === 'ofed') {
    const controllerPodSelector = 'app.kubernetes.io/name=network-operator';
    const policies = policiesOf(driver).map((one) => ({ ...one, upgradePolicy: upgradePolicyOf(driver, one.name) }));
    const gated = gate === undefined ? {} : { gate: { kind: gate, label: GATE_LABEL, podSelectors: ['gated=yes'] } };
    const own = { ...common, ...gated, uninstall: driver.uninstall, controllerPodSelector, policies };
    return { kind: 'ofed', ...own, containerName: 'mofed-container' };
  }
  const { deleteEmptyDir, podDeletionTimeoutSeconds: timeoutSeconds, maxUnavailable } = driver;
  const podDeletion = { force: driver.drain.force, timeoutSeconds, deleteEmptyDir };
  const name = 'main';
  const upgradePolicy = { ...upgradePolicyOf(driver, name), maxUnavailable, podDeletion };
  return {
    kind: driver.management === 'operator' ? 'gpu-operator' : 'gpu',
    ...common,
    ...{ containerName: 'nvidia-driver-ctr', resourcePrefixes: ['nvidia.com/gpu'] },
    validationPodSelector: `app=${GPU_VALIDATOR}`,
    policies: [{ name, startupSeconds: driver.startupSeconds, upgradePolicy }],
  };
}

interface PolicyOfSets {
  readonly name: string;
  readonly startupSeconds: number;
  readonly daemonSets: { name: string; digest: string }[];
  readonly uninstall?: { nodeSelector: Record<string, string> }[];
}

/** The DaemonSets that git renders. */
export function renderedSets({ uninstall, uninstalledGroups, sets }: GitDriver): readonly GitDaemonSet[] {
  return uninstall ? [] : sets.filter(({ group }) => !uninstalledGroups.includes(group));
}

function policiesOf(driver: GitDriver): PolicyOfSets[] {
  const rendered = renderedSets(driver);
  return [...new Set(driver.sets.map(({ policy }) => policy))].map((name) => {
    const gone = driver.sets.filter(({ policy, group }) => policy === name && driver.uninstalledGroups.includes(group));
    const uninstall = gone.map(({ group }) => ({ nodeSelector: { group } }));
    return {
      name,
      startupSeconds: driver.startupSeconds,
      daemonSets: rendered
        .filter(({ policy }) => policy === name)
        .map((set) => ({ name: set.name, digest: set.digest })),
      ...(driver.uninstall || uninstall.length === 0 ? {} : { uninstall }),
    };
  });
}

function upgradePolicyOf(driver: GitDriver, policy: string) {
  return {
    autoUpgrade: driver.autoUpgrade && !driver.offPolicies.includes(policy),
    maxParallelUpgrades: driver.maxParallelUpgrades,
    ...(driver.jobsSelector === ''
      ? {}
      : { waitForCompletion: { podSelector: driver.jobsSelector, timeoutSeconds: driver.jobsTimeoutSeconds } }),
    drain: { ...driver.drain, podSelector: driver.drainPodSelector, deleteEmptyDir: driver.deleteEmptyDir },
  };
}
