import * as z from 'zod';
import { count, labelMap, selectorText } from '../kubernetes/fields.js';
import {
  gpuUpgradePolicy,
  ofedUpgradePolicy,
  podDeletion,
  sriovUpgradePolicy,
  type OfedUpgradePolicy,
} from './operator-upgrade-policy.js';
import { operatorDriver } from './labels.js';
import { nodeMaintenance } from './node-maintenance.js';
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

function policyOf<Schema extends z.ZodType>(upgradePolicy: Schema) {
  return strictObject(() => ({
    name: z.string().describe('Name of the policy as the label `ds-owner` has it, for instance NicClusterPolicy'),
    upgradePolicy,
    startupSeconds: count
      .default(0)
      .describe('How long the startup probes of its drivers let them load; a driver may take ten minutes more'),
    daemonSets: z
      .array(daemonSet)
      .describe(
        'Driver DaemonSets of this policy; others of the driver are retired. Empty if the driver has `selected`',
      ),
    nodeSelector: selectorText
      .optional()
      .describe(
        'Label selector of its nodes, for SR-IOV: a node is in one pool at most. Absent: nodes of no other policy',
      ),
    uninstall: z
      .array(uninstalledNodes)
      .optional()
      .describe('Nodes from which the driver of this policy goes, unless a listed DaemonSet puts one there'),
  }));
}

const gate = strictObject(() => ({
  kind: z.enum(['ready-file', 'label']).describe('What keeps gated pods off a node until its driver is loaded'),
  label: z.string().describe('Label of the node, kept for kind `label`'),
  podSelectors: z.array(selectorText).describe('Label selectors of gated pods, in the namespace of the driver'),
})).describe('The driver gate; absent: the companion keeps none');

const driverFields = {
  labelPrefix: z
    .string()
    .regex(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/)
    .describe('What the keys of the flow begin with: `ofed`'),
  namespace: z.string().describe('Namespace of the driver DaemonSets, their pods and the gated pods'),
  daemonSetSelector: selectorText.describe('Label selector of driver DaemonSets in that namespace'),
  podSelector: selectorText.describe('Label selector of driver pods in that namespace'),
  containerName: z.string().describe('The container whose readiness says that the driver is loaded'),
  resourcePrefixes: z
    .array(z.string())
    .default([])
    .describe('Pods that ask for a resource whose name begins so hold the driver; empty: no pod deletion'),
  controllerPodSelector: selector.describe(
    'Pods of a controller that owns the driver, in the namespace of the driver; while one runs, nothing is done. Empty: no controller. Pods ' +
      'of the network operator are also found by their other labels and their image, those of the GPU operator also in its own namespace',
  ),
  daemonSets: z
    .literal('selected')
    .optional()
    .describe(
      'Every DaemonSet that the selector matches installs the driver, as it is in the cluster: none is listed or retired. ' +
        'Absent: those that the policies list',
    ),
  restartedBy: z
    .enum(['gpu-operator', 'sriov-config-daemon'])
    .optional()
    .describe(
      'Who changes a drained node, and says which nodes are due: the upgrade controller of the GPU operator by its state label, or ' +
        'the config daemon of the SR-IOV Network Operator by the SriovNetworkNodeState of the node. Absent: the companion',
    ),
  change: z
    .string()
    .optional()
    .describe('Names what the nodes get, for SR-IOV: another one is another rollout. Absent: the DaemonSets do'),
  validationPodSelector: selectorText
    .optional()
    .describe('Pods on the node that must be Ready before its driver counts as validated, beside those of the rollout'),
  gate: gate.optional(),
  architecture: z
    .string()
    .optional()
    .describe('The `kubernetes.io/arch` that the DaemonSets have drivers for; absent: each selects its own'),
  uninstall: z.boolean().default(false).describe('true: no DaemonSet is listed, and the drivers go node by node'),
};

const driver = z.discriminatedUnion('api', [
  strictObject(() => ({
    api: z.literal('network-operator').describe('Whose `upgradePolicy` the policies hold'),
    ...driverFields,
    policies: z.array(policyOf(ofedUpgradePolicy)),
  })),
  strictObject(() => ({
    api: z.literal('gpu-operator'),
    ...driverFields,
    policies: z.array(policyOf(gpuUpgradePolicy)),
  })),
  strictObject(() => ({
    api: z.literal('sriov').describe('Virtual functions, for the SR-IOV Network Operator'),
    ...driverFields,
    policies: z.array(policyOf(sriovUpgradePolicy)),
  })),
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
  drivers: z.array(driver).describe('Each with a label prefix of its own'),
})).check((context) => {
  const prefixes = new Set<string>();
  context.value.drivers.forEach((one, index) => {
    if (prefixes.has(one.labelPrefix)) {
      complain(context, ['drivers', index, 'labelPrefix'], `two drivers have the label prefix ${one.labelPrefix}`);
    }
    prefixes.add(one.labelPrefix);
    const listed = one.policies.flatMap((policy) => policy.daemonSets.map((each) => each.name));
    const { sriovNodeStates: nodeStates, nodeMaintenance: asked } = context.value;
    if (asked !== undefined && one.restartedBy !== undefined)
      complain(
        context,
        ['drivers', index],
        `the Maintenance Operator drains no node for what ${one.restartedBy} restarts`,
      );
    for (const problem of [...selectedProblems(one, listed), ...sriovProblems(one, nodeStates)])
      complain(context, ['drivers', index, 'policies'], problem);
    const isPartly = one.policies.some(({ uninstall }) => uninstall !== undefined);
    const isListed = one.daemonSets === undefined;
    if (isListed && one.uninstall !== (listed.length === 0) && !(isPartly && !one.uninstall)) {
      complain(context, ['drivers', index, 'policies'], 'DaemonSets are listed exactly when `uninstall` is not set');
    }
    const twice = listed.find((name, at) => listed.indexOf(name) !== at);
    if (twice !== undefined) complain(context, ['drivers', index, 'policies'], `${twice} is listed twice`);
    for (const problem of nameProblems(one)) complain(context, ['drivers', index, 'policies'], problem);
  });
});

/** A driver whose DaemonSets are selected has one policy for all of them, and is not uninstalled. */
function selectedProblems(
  { api, daemonSets, restartedBy, labelPrefix, policies, uninstall }: z.output<typeof driver>,
  listed: readonly string[],
): readonly string[] {
  const isOfOperator = operatorDriver(labelPrefix) !== undefined;
  return [
    ...(daemonSets === 'selected' && api !== 'sriov' && policies.length !== 1
      ? ['a driver whose DaemonSets are selected has one policy']
      : []),
    ...(daemonSets === 'selected' && (listed.length > 0 || uninstall)
      ? ['a driver whose DaemonSets are selected lists none, and is not uninstalled']
      : []),
    ...(isOfOperator !== (restartedBy !== undefined) || (isOfOperator && daemonSets === undefined)
      ? ['a driver that an operator restarts has `daemonSets: selected`, and a label prefix that begins with `weft-`']
      : []),
  ];
}

/** What changes virtual functions is the config daemon, and the states of nodes are in its namespace. */
function sriovProblems(
  { api, namespace, restartedBy }: z.output<typeof driver>,
  nodeStates: z.output<typeof sriovNodeStates> | undefined,
): readonly string[] {
  const isSriov = api === 'sriov';
  return [
    ...(isSriov === (restartedBy === 'sriov-config-daemon')
      ? []
      : ['only SR-IOV has `restartedBy: sriov-config-daemon`']),
    ...(isSriov && nodeStates?.namespace !== namespace ? ['SR-IOV needs `sriovNodeStates` in its namespace'] : []),
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
export type UpgradePolicyInput = z.input<typeof upgradePolicySchema>;
/** One driver of the document. */
export type DriverPolicy = UpgradePolicy['drivers'][number];

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
  readonly podDeletion: { readonly force: boolean; readonly timeoutSeconds: number; readonly deleteEmptyDir: boolean };
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
  switch (driver.api) {
    case 'network-operator':
      return driver.policies.map((policy) => commonPolicy(policy, policy.upgradePolicy, resourcePrefixes));
    case 'gpu-operator':
      return driver.policies.map((policy) => ({
        ...commonPolicy(policy, policy.upgradePolicy, resourcePrefixes),
        maxUnavailable: policy.upgradePolicy.maxUnavailable,
        podDeletion: podDeletion.parse(policy.upgradePolicy.podDeletion ?? policy.upgradePolicy.gpuPodDeletion ?? {}),
      }));
    case 'sriov':
      return driver.policies.map((policy) => sriovPolicy(policy, resourcePrefixes));
  }
}

/** The policy of a pool for a change that needs no reboot: only the pods with virtual functions leave. */
function sriovPolicy(policy: SriovPolicy, resourcePrefixes: readonly string[]): NodeUpgradePolicy {
  const { maxUnavailable, waitForCompletion, drain } = policy.upgradePolicy;
  return {
    ...commonPolicy(
      policy,
      { autoUpgrade: true, maxParallelUpgrades: 0, waitForCompletion, drain: { ...drain, enable: false } },
      resourcePrefixes,
    ),
    maxInProgress: maxUnavailable,
    nodeSelector: policy.nodeSelector,
    podDeletion: drain,
  };
}

/** The same for a change that needs a reboot: all pods leave. */
export function rebootPolicy(policy: NodeUpgradePolicy): NodeUpgradePolicy {
  return { ...policy, resourcePrefixes: [], drain: { ...policy.drain, enable: true } };
}

type SriovPolicy = Extract<DriverPolicy, { api: 'sriov' }>['policies'][number];

type CommonUpgradePolicy = Omit<OfedUpgradePolicy, 'safeLoad'>;

const DRAIN_OFF = { enable: false, force: false, podSelector: '', timeoutSeconds: 0, deleteEmptyDir: false };
const POD_DELETION_DEFAULT = podDeletion.parse({});

function commonPolicy(
  { name, daemonSets, startupSeconds }: DriverPolicy['policies'][number],
  from: CommonUpgradePolicy,
  resourcePrefixes: readonly string[],
): NodeUpgradePolicy {
  return {
    name,
    daemonSets,
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
 * Hash of a policy document, independent of the order of its keys and of omitted defaults. 16 hexadecimal digits. A Job has it in its
 * environment, and is superseded when the hash of the document differs.
 */
export function upgradePolicyHash(policy: UpgradePolicy): string {
  return sha256(canonicalJson(policy)).slice(0, 16);
}
