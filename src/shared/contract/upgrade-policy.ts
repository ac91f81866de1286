import * as z from 'zod';
import { count, labelMap, selectorText } from '../kubernetes/fields.js';
import {
  gpuUpgradePolicy,
  ofedUpgradePolicy,
  podDeletion,
  sriovUpgradePolicy,
  type OfedUpgradePolicy,
} from './operator-upgrade-policy.js';
import { nodeMaintenance } from './node-maintenance.js';
import { driversOf } from './old-upgrade-policy.js';
import { paused, rollout } from './upgrade-settings.js';
import { sha256 } from '../lib/hash.js';
import { canonicalJson } from '../lib/json.js';
import { strictObject } from '../lib/strict-object.js';

const selector = selectorText.default('');

const daemonSet = strictObject(() => ({
  name: z.string(),
  digest: z.string().describe('The install digest that this DaemonSet carries once GitOps has applied it'),
}));

const requirement = strictObject(() => ({ key: z.string(), operator: z.string(), values: z.array(z.string()) }));

const uninstalledNodes = strictObject(() => ({
  nodeSelector: labelMap.describe('Labels of the nodes'),
  nodeAffinity: z
    .array(strictObject(() => ({ matchExpressions: z.array(requirement), matchFields: z.array(requirement) })))
    .optional()
    .describe('Terms of which one must match'),
}));

const policyFields = {
  name: z.string().describe('Name of the policy in messages, metrics and the label `ds-owner`, as NicClusterPolicy'),
  startupSeconds: count
    .default(0)
    .describe('How long the startup probes of its drivers let them load; a driver may take ten minutes more'),
};

const ofedPolicy = strictObject(() => ({
  ...policyFields,
  upgradePolicy: ofedUpgradePolicy,
  daemonSets: z.array(daemonSet).describe('Driver DaemonSets of this policy; others of the driver are retired'),
  uninstall: z
    .array(uninstalledNodes)
    .optional()
    .describe('Nodes from which the driver of this policy goes, unless a listed DaemonSet puts one there'),
}));

const gpuPolicy = strictObject(() => ({ ...policyFields, upgradePolicy: gpuUpgradePolicy }));

const sriovPolicy = strictObject(() => ({
  name: policyFields.name,
  upgradePolicy: sriovUpgradePolicy,
  nodeSelector: selectorText
    .optional()
    .describe('Label selector of its nodes: a node is in one pool at most. Absent: nodes of no other policy'),
}));

const gate = strictObject(() => ({
  kind: z.enum(['ready-file', 'label']).describe('What keeps gated pods off a node until its driver is loaded'),
  label: z.string().describe('Label of the node, kept for kind `label`'),
  podSelectors: z.array(selectorText).describe('Label selectors of gated pods, in the namespace of the driver'),
})).describe('The driver gate; absent: the companion keeps none');

/** A driver is known by its kind: the label prefix says it again, for who reads the document. */
function kindFields<const Kind extends string, const Prefix extends string>(kind: Kind, prefix: Prefix) {
  return {
    kind: z.literal(kind),
    labelPrefix: z
      .literal(prefix)
      .default(prefix as never)
      .describe('What the keys of its flow begin with'),
  };
}

const resourcePrefixes = z
  .array(z.string())
  .default([])
  .describe('Pods that ask for a resource whose name begins so hold the driver; empty: no pod deletion');

/** Where a driver that pods install is found. */
const podFields = {
  namespace: z.string().describe('Namespace of the driver DaemonSets, their pods and the gated pods'),
  daemonSetSelector: selectorText.describe('Label selector of driver DaemonSets in that namespace'),
  podSelector: selectorText.describe('Label selector of driver pods in that namespace'),
  containerName: z.string().describe('The container whose readiness says that the driver is loaded'),
  resourcePrefixes,
  validationPodSelector: selectorText
    .optional()
    .describe('Pods on the node that must be Ready before its driver counts as validated, beside those of the rollout'),
};

const controllerPodSelector = selector.describe(
  'Pods of a controller that owns the driver, in the namespace of the driver; while one runs, nothing is done. Empty: no controller. Pods ' +
    'of the network operator are also found by their other labels and their image, those of the GPU operator also in its own namespace',
);

const driver = z.discriminatedUnion('kind', [
  strictObject(() => ({
    ...kindFields('ofed', 'ofed'),
    ...podFields,
    controllerPodSelector,
    gate: gate.optional(),
    architecture: z
      .string()
      .optional()
      .describe('The `kubernetes.io/arch` that the DaemonSets have drivers for; absent: each selects its own'),
    uninstall: z.boolean().default(false).describe('true: no DaemonSet is listed, and the drivers go node by node'),
    policies: z.array(ofedPolicy),
  })).describe('The OFED driver, whose DaemonSets are those that its policies list'),
  strictObject(() => ({
    ...kindFields('gpu', 'gpu'),
    ...podFields,
    controllerPodSelector,
    policies: z.tuple([gpuPolicy]),
  })).describe('A GPU driver without its operator, whose DaemonSets are those that the selector matches'),
  strictObject(() => ({
    ...kindFields('gpu-operator', 'weft-gpu'),
    ...podFields,
    policies: z.tuple([gpuPolicy]),
  })).describe('The GPU driver that its operator restarts, on nodes that the companion has taken out'),
  strictObject(() => ({
    ...kindFields('sriov', 'weft-sriov'),
    namespace: z.string().describe('Namespace of the SriovNetworkNodeStates'),
    resourcePrefixes,
    change: z.string().describe('Names what the nodes get: another one is another rollout'),
    policies: z.array(sriovPolicy),
  })).describe('Virtual functions, which the config daemon of the SR-IOV Network Operator makes'),
]);

const sriovNodeStates = strictObject(() => ({
  namespace: z.string().describe('Namespace of the SriovNetworkNodeStates'),
  resourcePrefix: z
    .string()
    .describe('What the names of the resources of virtual functions begin with, as `nvidia.com/`'),
})).describe(
  'Nodes have virtual functions of the SR-IOV Network Operator: after a restart of OFED they must be back. Absent: none have',
);

/** The document that the generator writes into the policy ConfigMap and the companion reads. */
export const upgradePolicySchema = strictObject(() => ({
  apiVersion: z.literal('weft.dev/v1alpha1'),
  kind: z.literal('UpgradePolicy'),
  paused,
  rollout: rollout.prefault({}),
  sriovNodeStates: sriovNodeStates.optional(),
  nodeMaintenance: nodeMaintenance
    .optional()
    .describe('The Maintenance Operator cordons and drains nodes for all drivers. Absent: the companion does'),
  drivers: z.preprocess(driversOf, z.array(driver)).describe('One of each kind at most'),
})).check((context) => {
  const kinds = new Set<string>();
  const { drivers, sriovNodeStates: nodeStates, nodeMaintenance: asked } = context.value;
  drivers.forEach((one, index) => {
    if (kinds.has(one.kind)) complain(context, ['drivers', index, 'kind'], `two drivers have the kind ${one.kind}`);
    kinds.add(one.kind);
    if (asked !== undefined && isRestartedByOperator(one))
      complain(context, ['drivers', index], `the Maintenance Operator drains no node for kind ${one.kind}`);
    if (one.kind === 'sriov' && nodeStates?.namespace !== one.namespace)
      complain(context, ['drivers', index, 'policies'], 'kind sriov needs `sriovNodeStates` in its namespace');
    for (const problem of [...(one.kind === 'ofed' ? listProblems(one) : []), ...nameProblems(one)])
      complain(context, ['drivers', index, 'policies'], problem);
  });
});

function listProblems({ policies, uninstall }: OfedDriver): readonly string[] {
  const listed = policies.flatMap(({ daemonSets }) => daemonSets.map(({ name }) => name));
  const isPartly = policies.some((policy) => policy.uninstall !== undefined);
  const twice = listed.find((name, at) => listed.indexOf(name) !== at);
  return [
    ...(uninstall === (listed.length === 0) || (isPartly && !uninstall)
      ? []
      : ['DaemonSets are listed exactly when `uninstall` is not set']),
    ...(twice === undefined ? [] : [`${twice} is listed twice`]),
  ];
}

/** Nodes whose policies have one name share a budget. */
function nameProblems({ policies }: z.output<typeof driver>): readonly string[] {
  const names = policies.map(({ name }) => name);
  return names.filter((name, at) => names.indexOf(name) !== at).map((name) => `two policies have the name ${name}`);
}

function complain(context: z.core.ParsePayload, path: (string | number)[], message: string): void {
  context.issues.push({ code: 'custom', input: context.value, path, message });
}

/** The policy document with all defaults, as the companion reads it. */
export type UpgradePolicy = z.output<typeof upgradePolicySchema>;
/** The policy document as users or the generator may write it. */
export type UpgradePolicyInput = Omit<z.input<typeof upgradePolicySchema>, 'drivers'> & {
  readonly drivers: readonly z.input<typeof driver>[];
};
/** One driver of the document. */
export type DriverPolicy = z.output<typeof driver>;
export type DriverKind = DriverPolicy['kind'];
export type DriverPolicyOf<Kind extends DriverKind> = Extract<DriverPolicy, { readonly kind: Kind }>;
type OfedDriver = DriverPolicyOf<'ofed'>;

/** A driver that pods install, of any kind: what only one kind has is optional. */
export type PodDriverPolicy = Pick<OfedDriver, keyof typeof podFields> &
  Partial<Pick<OfedDriver, 'gate' | 'architecture' | 'uninstall'>> & {
    readonly kind: Exclude<DriverKind, 'sriov'>;
    readonly labelPrefix: string;
    readonly policies: readonly (NamedPolicy & Partial<Pick<OfedDriver['policies'][number], 'uninstall'>>)[];
  };

/** Whether it is a GPU driver, whoever restarts it. */
export function isGpuDriver<Driver extends Pick<DriverPolicy, 'kind'>>(
  driver: Driver,
): driver is Extract<Driver, { readonly kind: 'gpu' | 'gpu-operator' }> {
  return driver.kind === 'gpu' || driver.kind === 'gpu-operator';
}

/** Whether another program restarts it, on nodes that the companion has taken out. */
export function isRestartedByOperator<Driver extends Pick<DriverPolicy, 'kind'>>(
  driver: Driver,
): driver is Extract<Driver, { readonly kind: 'gpu-operator' | 'sriov' }> {
  return driver.kind === 'gpu-operator' || driver.kind === 'sriov';
}

/** The drivers of a policy that pods install. */
export function podDriversOf({ drivers }: Pick<UpgradePolicy, 'drivers'>): readonly PodDriverPolicy[] {
  return drivers.flatMap((one) => (one.kind === 'sriov' ? [] : [one]));
}

/** The `upgradePolicy` of any operator in a common type. */
export interface NodeUpgradePolicy {
  readonly name: string;
  readonly autoUpgrade: boolean;
  /** How long the startup probe lets a driver load. */
  readonly startupSeconds: number;
  /** 0: no limit. */
  readonly maxParallelUpgrades: number;
  /** Absent: no limit. */
  readonly maxUnavailable?: number | string;
  /** Nodes in progress at once, where it is no plain number: a percentage is rounded down, and 0 lets none begin. Absent: no limit. */
  readonly maxInProgress?: number | string | undefined;
  /** Label selector of its nodes, where no DaemonSet says which policy a node has. */
  readonly nodeSelector?: string | undefined;
  /** Pods that ask for a resource whose name begins so hold the driver; empty: no pod deletion. */
  readonly resourcePrefixes: readonly string[];
  /** An empty selector waits for nothing. */
  readonly waitForCompletion: { readonly podSelector: string; readonly timeoutSeconds: number };
  readonly podDeletion: {
    readonly force: boolean;
    readonly timeoutSeconds: number;
    readonly deleteEmptyDir: boolean;
    /** Pods that hold the driver without asking for a resource. */
    readonly podSelector?: string | undefined;
  };
  readonly drain: {
    readonly enable: boolean;
    readonly force: boolean;
    readonly podSelector: string;
    readonly timeoutSeconds: number;
    readonly deleteEmptyDir: boolean;
  };
  readonly daemonSets: readonly { readonly name: string; readonly digest: string }[];
}

/** The policies of a driver in the common type. A step that the `upgradePolicy` omits is off. */
export function nodeUpgradePolicies(driver: DriverPolicy): readonly NodeUpgradePolicy[] {
  const { resourcePrefixes } = driver;
  switch (driver.kind) {
    case 'ofed':
      return driver.policies.map((policy) => ({
        ...commonPolicy(policy, policy.upgradePolicy, resourcePrefixes),
        daemonSets: policy.daemonSets,
      }));
    case 'gpu':
    case 'gpu-operator':
      return driver.policies.map((policy) => ({
        ...commonPolicy(policy, policy.upgradePolicy, resourcePrefixes),
        maxUnavailable: policy.upgradePolicy.maxUnavailable,
        podDeletion: podDeletion.parse(policy.upgradePolicy.podDeletion ?? policy.upgradePolicy.gpuPodDeletion ?? {}),
      }));
    case 'sriov':
      return driver.policies.map((policy) => poolPolicy(policy, resourcePrefixes));
  }
}

/** The policy of a pool for a change that needs no reboot: only the pods with virtual functions leave. */
function poolPolicy(
  { name, nodeSelector, upgradePolicy }: SriovPolicy,
  resourcePrefixes: readonly string[],
): NodeUpgradePolicy {
  const { maxUnavailable, waitForCompletion, drain } = upgradePolicy;
  return {
    ...commonPolicy(
      { name, startupSeconds: 0 },
      { autoUpgrade: true, maxParallelUpgrades: 0, waitForCompletion, drain: { ...drain, enable: false } },
      resourcePrefixes,
    ),
    maxInProgress: maxUnavailable,
    nodeSelector,
    podDeletion: { ...drain, podSelector: undefined },
  };
}

/** The same for a change that needs a reboot: all pods leave. */
export function rebootPolicy(policy: NodeUpgradePolicy): NodeUpgradePolicy {
  return { ...policy, resourcePrefixes: [], drain: { ...policy.drain, enable: true } };
}

type SriovPolicy = z.output<typeof sriovPolicy>;
type NamedPolicy = Pick<NodeUpgradePolicy, 'name' | 'startupSeconds'>;

type CommonUpgradePolicy = Omit<OfedUpgradePolicy, 'safeLoad'>;

const DRAIN_OFF = { enable: false, force: false, podSelector: '', timeoutSeconds: 0, deleteEmptyDir: false };
const POD_DELETION_DEFAULT = podDeletion.parse({});

function commonPolicy(
  { name, startupSeconds }: NamedPolicy,
  from: CommonUpgradePolicy,
  resourcePrefixes: readonly string[],
): NodeUpgradePolicy {
  return {
    name,
    daemonSets: [],
    startupSeconds,
    resourcePrefixes,
    autoUpgrade: from.autoUpgrade,
    maxParallelUpgrades: from.maxParallelUpgrades,
    waitForCompletion: from.waitForCompletion ?? { podSelector: '', timeoutSeconds: 0 },
    podDeletion: POD_DELETION_DEFAULT,
    drain: from.drain ?? DRAIN_OFF,
  };
}

/**
 * SHA-256 of a policy document, independent of the order of its keys and of omitted defaults. A Job has it in its environment, and is superseded when the
 * hash of the document differs. Not shortened: whoever may change the ConfigMap of the policy must not find another policy with the same hash.
 */
export function upgradePolicyHash(policy: UpgradePolicy): string {
  return sha256(canonicalJson(policy));
}
