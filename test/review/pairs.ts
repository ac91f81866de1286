import { ARCH_LABEL, NFD_LABELS } from '../../src/shared/contract/labels.js';
import { makeRandom, type Random } from '../../src/forecast/simulation/random.js';
import { clusterText, policyText, type Files } from '../golden/compile.js';

/** Random pairs of inputs: an input, and the same after one to three changes; now and then another input altogether. */

export interface PoolInput {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Empty: every kernel. */
  readonly kernels: readonly string[];
  readonly osVersion: string;
  readonly arch: string;
  readonly isTainted: boolean;
}

export interface PolicyInput {
  /** `nic-cluster-policy` is the NicClusterPolicy; others are NicNodePolicies. */
  readonly name: string;
  readonly nodeSelector: Readonly<Record<string, string>>;
  readonly hasDriver: boolean;
  readonly version: string;
  readonly autoUpgrade: boolean;
  /** `undefined`: no section `drain`. */
  readonly drain: { readonly enable: boolean; readonly force: boolean; readonly podSelector: string } | undefined;
  readonly waitsForJobs: boolean;
  readonly safeLoad: boolean;
  /** Name of a ConfigMap that the driver mounts. */
  readonly certConfig: string | undefined;
  readonly maxParallelUpgrades: number;
  readonly env: string | undefined;
  readonly probeSeconds: number;
  readonly isTolerant: boolean;
}

export interface Input {
  readonly pools: readonly PoolInput[];
  readonly policies: readonly PolicyInput[];
  readonly gate: 'ready-file' | 'label';
  /** The cluster, or names of a pool or a policy. */
  readonly uninstall: boolean | { readonly nodePools?: readonly string[]; readonly policies?: readonly string[] };
  readonly isPaused: boolean;
  readonly failureBudget: number;
  readonly initImage: string;
  readonly namespace: string;
  /** Pods that do not wait for the driver; the version changes their template. */
  readonly discoveryVersion: string;
  /** Resources of the device plugin, which waits for the driver; absent: there is none. */
  readonly resources: number | undefined;
  /** How long canaries soak; absent: none. */
  readonly soak: string | undefined;
  readonly hasWindow: boolean;
  readonly upgradePools: readonly object[];
}

/** A node of the simulated cluster. */
export interface NodeInput {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly isTainted: boolean;
}

export interface Pair {
  readonly seed: number;
  /** The kinds of change that were drawn. */
  readonly changes: readonly string[];
  readonly old: Input;
  readonly next: Input;
  readonly nodes: readonly NodeInput[];
}

const KERNELS = ['6.8.0-31', '6.8.0-45', '6.8.0-60'];
const VERSIONS = ['25.10-1.2.8.0-2', '25.07-0.9.7.0-0', '26.01-1.0.0.0-0'];
const NAMES = ['a', 'b', 'c'];
export const TAINT = { key: 'dedicated', value: 'gpu', effect: 'NoSchedule' };
const CLUSTER_POLICY = 'nic-cluster-policy';
export const NAMESPACE = 'nvidia-network-operator';
/** Label of the pods that a drain evicts. */
export const WORKLOAD = 'app=job';
const MOUNTED = ['corp-ca', 'other-ca'];

export function drawPair(seed: number): Pair {
  const random = makeRandom(seed, 'pair');
  const old = drawInput(random);
  if (random.chance(0.1)) {
    const next = drawInput(random);
    return { seed, changes: ['another input'], old, next, nodes: nodesOf(old, next) };
  }
  const changes = Array.from({ length: random.pick([1, 1, 1, 2, 2, 3]) }, () => random.pick(CHANGES));
  const next = changes.reduce((input, { change }) => change(input, random), old);
  return { seed, changes: changes.map(({ name }) => name), old, next, nodes: nodesOf(old, next) };
}

function drawInput(random: Random): Input {
  const pools = random
    .shuffle(NAMES)
    .slice(0, random.int(1, 3))
    .map((name) => drawPool(random, name));
  return {
    pools,
    policies: drawPolicies(random, pools),
    gate: random.chance(0.8) ? 'ready-file' : 'label',
    uninstall: random.chance(0.03),
    isPaused: random.chance(0.05),
    failureBudget: 1,
    initImage: 'r.example/init:1',
    namespace: NAMESPACE,
    discoveryVersion: 'v1',
    resources: random.chance(0.4) ? 1 : undefined,
    soak: drawSoak(random),
    hasWindow: random.chance(0.1),
    upgradePools: drawUpgradePools(random),
  };
}

function drawPool(random: Random, name: string): PoolInput {
  return {
    name,
    labels: { pool: name, ...(random.chance(0.3) ? { zone: random.pick(['x', 'y']) } : {}) },
    kernels: random.chance(0.15) ? [] : random.shuffle(KERNELS).slice(0, random.int(1, 2)),
    osVersion: random.chance(0.8) ? '24.04' : '22.04',
    arch: random.chance(0.85) ? 'amd64' : 'arm64',
    isTainted: random.chance(0.15),
  };
}

function drawPolicies(random: Random, pools: readonly PoolInput[]): readonly PolicyInput[] {
  if (random.chance(0.5)) return [drawPolicy(random, CLUSTER_POLICY, {})];
  const chosen = random.shuffle(pools).slice(0, 2);
  return [
    { ...drawPolicy(random, CLUSTER_POLICY, {}), hasDriver: false },
    ...chosen.map(({ labels }, at) => drawPolicy(random, ['p', 'q'][at] ?? 'r', { pool: labels['pool'] ?? '' })),
  ];
}

function drawPolicy(random: Random, name: string, nodeSelector: PolicyInput['nodeSelector']): PolicyInput {
  return {
    name,
    nodeSelector,
    hasDriver: true,
    version: random.pick(VERSIONS),
    autoUpgrade: random.chance(0.8),
    drain: drawDrain(random),
    maxParallelUpgrades: random.pick([0, 1, 2]),
    waitsForJobs: random.chance(0.05),
    safeLoad: false,
    certConfig: undefined,
    env: undefined,
    probeSeconds: 10,
    isTolerant: random.chance(0.4),
  };
}

function drawDrain(random: Random): PolicyInput['drain'] {
  if (random.chance(0.1)) return undefined;
  const podSelector = random.chance(0.9) ? '' : random.pick([WORKLOAD, 'app=other']);
  return { enable: random.chance(0.8), force: random.chance(0.5), podSelector };
}

function drawSoak(random: Random): string | undefined {
  return random.chance(0.9) ? undefined : random.pick(['0s', '5m']);
}

function drawUpgradePools(random: Random): Input['upgradePools'] {
  if (random.chance(0.9)) return [];
  const limits = random.pick([{ maxUnavailable: '50%' }, { maxUnavailable: 1 }, { maxParallelUpgrades: 1 }]);
  return [{ name: 'narrow', nodeSelector: { pool: random.pick(NAMES) }, ...limits }];
}

interface Change {
  readonly name: string;
  readonly change: (input: Input, random: Random) => Input;
}

/** A changed pool; the input as it is if it has none. */
function onPool(change: (pool: PoolInput, random: Random, input: Input) => PoolInput): Change['change'] {
  return (input, random) => {
    const chosen = random.int(0, input.pools.length - 1);
    return { ...input, pools: input.pools.map((pool, at) => (at === chosen ? change(pool, random, input) : pool)) };
  };
}

function onPolicy(change: (policy: PolicyInput, random: Random, input: Input) => PolicyInput): Change['change'] {
  return (input, random) => {
    const drivers = input.policies.filter(({ hasDriver }) => hasDriver);
    if (drivers.length === 0) return input;
    const chosen = random.pick(drivers);
    return { ...input, policies: input.policies.map((one) => (one === chosen ? change(one, random, input) : one)) };
  };
}

const CHANGES: readonly Change[] = [
  {
    name: 'pool added',
    change: (input, random) => {
      const free = NAMES.filter((name) => input.pools.every((pool) => pool.name !== name));
      return free.length === 0 ? input : { ...input, pools: [...input.pools, drawPool(random, random.pick(free))] };
    },
  },
  {
    name: 'pool removed',
    change: (input, random) =>
      input.pools.length < 2 ? input : { ...input, pools: random.shuffle(input.pools).slice(1) },
  },
  { name: 'pool renamed', change: onPool((pool) => ({ ...pool, name: `${pool.name}-new` })) },
  { name: 'pool retainted', change: onPool((pool) => ({ ...pool, isTainted: !pool.isTainted })) },
  {
    name: 'pool relabelled',
    change: onPool((pool, random) => {
      const { zone, ...rest } = pool.labels;
      return { ...pool, labels: zone === undefined ? { ...rest, zone: random.pick(['x', 'y']) } : rest };
    }),
  },
  {
    name: 'kernel added',
    change: onPool((pool, random) => ({
      ...pool,
      kernels: pool.kernels.length === 0 ? [] : [...new Set([...pool.kernels, random.pick(KERNELS)])],
    })),
  },
  {
    name: 'kernel replaced',
    change: onPool((pool, random) => ({
      ...pool,
      kernels: [...new Set(pool.kernels.map((one, at) => (at === 0 ? random.pick(KERNELS) : one)))],
    })),
  },
  { name: 'kernel removed', change: onPool((pool) => ({ ...pool, kernels: pool.kernels.slice(1) })) },
  { name: 'kernels listed', change: onPool((pool, random) => ({ ...pool, kernels: [random.pick(KERNELS)] })) },
  {
    name: 'OS changed',
    change: onPool((pool) => ({ ...pool, osVersion: pool.osVersion === '24.04' ? '22.04' : '24.04' })),
  },
  { name: 'arch changed', change: onPool((pool) => ({ ...pool, arch: otherArch(pool) })) },
  {
    name: 'arch of all pools changed',
    change: (input) => {
      const arch = otherArch(input.pools[0]);
      return { ...input, pools: input.pools.map((pool) => ({ ...pool, arch })) };
    },
  },
  {
    name: 'policy added',
    change: (input, random) => {
      const used = new Set(input.policies.map(({ nodeSelector }) => nodeSelector['pool']));
      const free = input.pools.filter(({ labels }) => !used.has(labels['pool']));
      const name = ['p', 'q', 'r'].find((one) => input.policies.every((policy) => policy.name !== one)) ?? 'r';
      if (free.length === 0) return input;
      const added = drawPolicy(random, name, { pool: random.pick(free).labels['pool'] ?? '' });
      return { ...input, policies: [...input.policies, added] };
    },
  },
  {
    name: 'policy removed',
    change: (input, random) => {
      const nodePolicies = input.policies.filter(({ name }) => name !== CLUSTER_POLICY);
      if (nodePolicies.length === 0) return input;
      const gone = random.pick(nodePolicies);
      return { ...input, policies: input.policies.filter((one) => one !== gone) };
    },
  },
  { name: 'section removed', change: onPolicy((policy) => ({ ...policy, hasDriver: false })) },
  {
    name: 'policy renamed',
    change: onPolicy((policy) => (policy.name === CLUSTER_POLICY ? policy : { ...policy, name: `${policy.name}-new` })),
  },
  {
    name: 'selector changed',
    change: onPolicy((policy, random, { pools }) => {
      if (policy.name === CLUSTER_POLICY) return policy;
      const { labels } = random.pick(pools);
      const choices: PolicyInput['nodeSelector'][] = [{ pool: labels['pool'] ?? '' }, labels];
      const { zone } = labels;
      return { ...policy, nodeSelector: random.pick(zone === undefined ? choices : [...choices, { zone }]) };
    }),
  },
  {
    name: 'label and selector changed',
    change: (input, random) => {
      const { labels } = random.pick(input.pools);
      const value = labels['pool'] ?? '';
      const moved = (map: Readonly<Record<string, string>>) =>
        map['pool'] === value ? { ...map, pool: `${value}2` } : map;
      return {
        ...input,
        pools: input.pools.map((pool) => ({ ...pool, labels: moved(pool.labels) })),
        policies: input.policies.map((policy) => ({ ...policy, nodeSelector: moved(policy.nodeSelector) })),
      };
    },
  },
  { name: 'version', change: onPolicy((policy, random) => ({ ...policy, version: random.pick(VERSIONS) })) },
  { name: 'env', change: onPolicy((policy, random) => ({ ...policy, env: random.pick(['1', '2']) })) },
  { name: 'probe', change: onPolicy((policy, random) => ({ ...policy, probeSeconds: random.pick([10, 20]) })) },
  { name: 'tolerations', change: onPolicy((policy) => ({ ...policy, isTolerant: !policy.isTolerant })) },
  { name: 'autoUpgrade', change: onPolicy((policy) => ({ ...policy, autoUpgrade: !policy.autoUpgrade })) },
  { name: 'drain', change: onPolicy((policy, random) => ({ ...policy, drain: drawDrain(random) })) },
  {
    name: 'maxParallelUpgrades',
    change: onPolicy((policy, random) => ({ ...policy, maxParallelUpgrades: random.pick([0, 1, 2]) })),
  },
  { name: 'waitForCompletion', change: onPolicy((policy) => ({ ...policy, waitsForJobs: !policy.waitsForJobs })) },
  {
    name: 'safeLoad',
    change: (input) => ({
      ...input,
      policies: input.policies.map((policy) => ({ ...policy, safeLoad: policy.autoUpgrade && !policy.safeLoad })),
    }),
  },
  { name: 'mount', change: onPolicy((policy, random) => ({ ...policy, certConfig: random.pick(MOUNTED) })) },
  { name: 'canary', change: (input, random) => ({ ...input, soak: random.pick(['0s', '5m', undefined]) }) },
  { name: 'maintenance window', change: (input) => ({ ...input, hasWindow: !input.hasWindow }) },
  { name: 'upgrade pools', change: (input, random) => ({ ...input, upgradePools: drawUpgradePools(random) }) },
  { name: 'feature discovery', change: (input) => ({ ...input, discoveryVersion: 'v2' }) },
  { name: 'device plugin', change: (input, random) => ({ ...input, resources: random.pick([1, 2, undefined]) }) },
  { name: 'namespace', change: (input) => ({ ...input, namespace: 'other' }) },
  { name: 'paused', change: (input) => ({ ...input, isPaused: !input.isPaused }) },
  { name: 'uninstall', change: (input) => ({ ...input, uninstall: input.uninstall === false }) },
  {
    name: 'uninstall of a pool',
    change: (input, random) => ({ ...input, uninstall: { nodePools: [random.pick(input.pools).name] } }),
  },
  {
    name: 'uninstall of a policy',
    change: (input, random) => ({ ...input, uninstall: { policies: [random.pick(input.policies).name] } }),
  },
  { name: 'gate', change: (input) => ({ ...input, gate: input.gate === 'label' ? 'ready-file' : 'label' }) },
  { name: 'failureBudget', change: (input, random) => ({ ...input, failureBudget: random.int(1, 3) }) },
  {
    name: 'init container',
    change: (input, random) => ({ ...input, initImage: random.pick(['r.example/init:1', 'r.example/init:2', '']) }),
  },
];

function otherArch(pool: PoolInput | undefined): string {
  return pool?.arch === 'amd64' ? 'arm64' : 'amd64';
}

/** The documents of an input. */
export function filesOf(input: Input): Files {
  const pools = input.pools.map(({ name, kernels, osVersion, arch, isTainted, labels }) => ({
    ...{ name, osName: 'ubuntu', osVersion, arch, labels },
    ...(kernels.length > 0 ? { kernels } : {}),
    ...(isTainted ? { taints: [TAINT] } : {}),
  }));
  const spec = {
    release: 'v26.4',
    nodePools: pools,
    driver: {
      initContainerImage: input.initImage,
      gate: input.gate,
      uninstall: input.uninstall,
    },
    namespace: input.namespace,
    existingConfigMaps: MOUNTED.map((name) => ({ name, keys: ['root.crt'] })),
    upgrade: {
      ...{ paused: input.isPaused, failureBudget: input.failureBudget, pools: input.upgradePools },
      ...(input.soak === undefined ? {} : { canary: { nodes: 1, soak: input.soak } }),
      ...(input.hasWindow ? { maintenanceWindows: [{ schedule: '0 22 * * *', duration: '6h' }] } : {}),
    },
  };
  return {
    'cluster.yaml': clusterText(asYaml(spec)),
    ...Object.fromEntries(input.policies.map((policy) => [`${policy.name}.yaml`, policyFile(policy, input)])),
  };
}

function policyFile(policy: PolicyInput, { discoveryVersion, resources }: Input): string {
  const { name, nodeSelector, hasDriver, version, autoUpgrade, drain, maxParallelUpgrades, env } = policy;
  const { safeLoad, waitsForJobs, certConfig } = policy;
  const waitForCompletion = waitsForJobs && { podSelector: WORKLOAD, timeoutSeconds: 60 };
  const ofedDriver = {
    version,
    upgradePolicy: {
      ...{ autoUpgrade, maxParallelUpgrades, safeLoad },
      ...(drain && { drain }),
      ...(waitForCompletion && { waitForCompletion }),
    },
    ...(certConfig === undefined ? {} : { certConfig: { name: certConfig } }),
    ...(env === undefined ? {} : { env: [{ name: 'DEBUG', value: env }] }),
    startupProbe: { initialDelaySeconds: 30, periodSeconds: policy.probeSeconds },
    repository: 'r.example',
    image: 'doca-driver',
  };
  const configList = [{ resourceName: 'a', rdmaHcaMax: resources, selectors: { vendors: ['15b3'] } }];
  const plugin = resources === undefined ? {} : { rdmaSharedDevicePlugin: { config: { configList } } };
  const isClusterWide = name === CLUSTER_POLICY;
  const spec = {
    ...(hasDriver ? { ofedDriver } : {}),
    ...(isClusterWide ? { nicFeatureDiscovery: { version: discoveryVersion }, ...plugin } : { nodeSelector }),
    ...(policy.isTolerant ? { tolerations: [{ key: TAINT.key, operator: 'Exists' }] } : {}),
  };
  return policyText(isClusterWide ? 'NicClusterPolicy' : 'NicNodePolicy', name, asYaml(spec));
}

/** The fields of an object below `spec:`; JSON is YAML. */
function asYaml(spec: object): string {
  return Object.entries(spec)
    .map(([key, value]) => `  ${key}: ${JSON.stringify(value)}\n`)
    .join('');
}

/** Nodes of every pool of both sides at every kernel and taint, and some that no pool names. */
function nodesOf(old: Input, next: Input): readonly NodeInput[] {
  const pools = [...old.pools, ...next.pools];
  const found = [
    ...pools.flatMap((pool) => [...pool.kernels, '5.15.0-1'].map((kernel) => nodeIn(pool, kernel, pool.isTainted))),
    ...pools.map((pool) => nodeIn(pool, pool.kernels[0] ?? '5.15.0-1', !pool.isTainted)),
    ...pools.slice(0, 2).map((pool) => nodeIn({ ...pool, labels: { pool: 'none' } }, pool.kernels[0] ?? '', false)),
  ];
  const unique = new Map(found.map((node) => [JSON.stringify(node), node]));
  return [...unique.values()].map((node, at) => ({ ...node, name: `node-${String(at + 1).padStart(2, '0')}` }));
}

export function nodeIn(
  { labels, osVersion, arch }: PoolInput,
  kernel: string,
  isTainted: boolean,
): Omit<NodeInput, 'name'> {
  const system = {
    [ARCH_LABEL]: arch,
    [NFD_LABELS.nicPresent]: 'true',
    [NFD_LABELS.osName]: 'ubuntu',
    [NFD_LABELS.osVersion]: osVersion,
    [NFD_LABELS.kernel]: kernel,
  };
  return { labels: { ...labels, ...system }, isTainted };
}
