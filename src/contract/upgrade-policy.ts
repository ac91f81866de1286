import { createHash } from 'node:crypto';
import * as z from 'zod';
import { parseSelector } from '../kubernetes/label-selector.js';
import { WINDOW_SECONDS_MIN, windowError } from './maintenance-window.js';

const seconds = z.int().min(0);
/** A label selector as `kubectl -l` takes it. */
const selectorText = z.string().check((context) => {
  const parsed = parseSelector(context.value);
  if ('error' in parsed) context.issues.push({ code: 'custom', input: context.value, message: parsed.error });
});
const selector = selectorText.default('');
const amount = z
  .union([z.int().min(0), z.string().regex(/^(100|[1-9]?[0-9])%$/, 'a percentage from 0% to 100%')])
  .describe('A number of nodes, or a percentage of the nodes concerned, rounded up');
const nodeSelector = z.record(z.string(), z.string()).describe('Labels that a node must have, all of them');

const waitForCompletion = z
  .strictObject({
    podSelector: selector.describe('Pods to wait for before a node is emptied; empty: wait for none'),
    timeoutSeconds: seconds.default(0).describe('Go on after this time; 0: wait for ever'),
  })
  .describe('Waiting for jobs');

const drainFields = {
  force: z.boolean().default(false).describe('Also end pods that no controller would make again'),
  podSelector: selector.describe('Drain only these pods; empty: all'),
  timeoutSeconds: seconds.default(300).describe('The node fails after this time; 0: no limit'),
  deleteEmptyDir: z.boolean().default(false).describe('Also end pods whose emptyDir volumes are lost with them'),
};

const commonFields = {
  autoUpgrade: z.boolean().default(false).describe('false: no node is upgraded, whatever else is set'),
  maxParallelUpgrades: z.int().min(0).default(1).describe('Nodes in the flow at one time; 0: no limit'),
  waitForCompletion: waitForCompletion.optional(),
};

/** NicClusterPolicy's `ofedDriver.upgradePolicy`: fields and defaults of network-operator v26.7, `api/v1alpha1`. */
const ofedUpgradePolicySchema = z.strictObject({
  ...commonFields,
  drain: z.strictObject({ enable: z.boolean().default(true), ...drainFields }).optional(),
  safeLoad: z.boolean().default(false).describe('Empty a node before its driver is loaded for the first time'),
});

const podDeletion = z
  .strictObject({
    force: drainFields.force,
    timeoutSeconds: seconds.default(300).describe('Drain, or fail the node, after this time; 0: no limit'),
    deleteEmptyDir: drainFields.deleteEmptyDir,
  })
  .describe("Deletion of the pods that hold the driver's resources");

/** The GPU operator's `driver.upgradePolicy`: fields and defaults of k8s-operator-libs, `api/upgrade/v1alpha1`. */
const gpuUpgradePolicySchema = z.strictObject({
  ...commonFields,
  maxUnavailable: amount.default('25%').describe('Nodes that may be cordoned or not ready, ours or not'),
  podDeletion: podDeletion.optional(),
  gpuPodDeletion: podDeletion.optional().describe('What the GPU operator calls `podDeletion`'),
  drain: z.strictObject({ enable: z.boolean().default(false), ...drainFields }).optional(),
});

const daemonSet = z.strictObject({
  name: z.string(),
  digest: z.string().describe('The install digest that this DaemonSet carries once GitOps has applied it'),
});

function policyOf<Schema extends z.ZodType>(upgradePolicy: Schema) {
  return z.strictObject({
    name: z.string().describe('Name of the policy as the label `ds-owner` has it, for instance NicClusterPolicy'),
    upgradePolicy,
    daemonSets: z.array(daemonSet).describe('Driver DaemonSets of this policy; others of the driver are retired'),
  });
}

const gate = z
  .strictObject({
    kind: z.enum(['ready-file', 'label']).describe('What keeps gated pods off a node until its driver is loaded'),
    label: z.string().describe('Label of the node, kept for kind `label`'),
    podSelectors: z.array(selectorText).describe('Label selectors of gated pods, in the namespace of the driver'),
  })
  .describe('The driver gate; absent: the companion keeps none');

const pool = z.strictObject({
  name: z.string(),
  nodeSelector,
  maxUnavailable: amount.optional(),
  maxParallelUpgrades: z.int().min(0).optional().describe('0: no limit of its own'),
});

const window = z
  .strictObject({
    schedule: z.string().describe('When it opens: cron with five fields'),
    durationSeconds: z.int().min(WINDOW_SECONDS_MIN).describe('How long it stays open, in elapsed time'),
    timeZone: z.string().default('UTC').describe('IANA name of the time zone of the schedule'),
  })
  .check((context) => {
    const message = windowError(context.value);
    if (message !== undefined) context.issues.push({ code: 'custom', input: context.value, message });
  });

const rollout = z
  .strictObject({
    pools: z.array(pool).default([]).describe('Narrower budgets for some nodes; a node is in at most one'),
    canary: z
      .strictObject({
        nodes: z.int().min(1).optional().describe('This many nodes go first'),
        nodeSelector: nodeSelector.optional().describe('These nodes go first'),
        soakSeconds: seconds.default(0).describe('How long they must have been done before others begin'),
      })
      .optional()
      .describe('What goes first; absent: nothing'),
    failureBudget: amount.default(1).describe('So many failed nodes keep new ones from beginning; at least 1'),
    maintenanceWindows: z.array(window).default([]).describe('Nodes begin only inside one; empty: at any time'),
    topologyKey: z.string().optional().describe('Node label: only nodes with one value of it are upgraded at a time'),
    validation: z
      .strictObject({
        resources: z.array(z.string()).default([]).describe('Extended resources that the node must offer'),
        podSelector: selector.describe('Pods of the node that must be Ready; empty: none'),
        timeoutSeconds: seconds.default(600).describe('The node fails after this time; 0: no limit'),
      })
      .optional()
      .describe('What is checked before a node is uncordoned; absent: nothing'),
  })
  .describe('What the upstream policies have no place for: `upgrade` of the Cluster document');

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
    'Pods of a controller that owns the driver; while one runs, nothing is done. Empty: no controller',
  ),
  gate: gate.optional(),
  uninstall: z.boolean().default(false).describe('true: no DaemonSet is listed, and the drivers go node by node'),
  rollout: rollout.prefault({}),
};

const driver = z.discriminatedUnion('api', [
  z.strictObject({
    api: z.literal('network-operator').describe('Whose `upgradePolicy` the policies hold'),
    ...driverFields,
    policies: z.array(policyOf(ofedUpgradePolicySchema)),
  }),
  z.strictObject({
    api: z.literal('gpu-operator'),
    ...driverFields,
    policies: z.array(policyOf(gpuUpgradePolicySchema)),
  }),
]);

/** The document that the generator writes into the policy ConfigMap and the companion reads. */
export const upgradePolicySchema = z
  .strictObject({
    apiVersion: z.literal('weft.dev/v1alpha1'),
    kind: z.literal('UpgradePolicy'),
    cluster: z.string().describe('Name of the Cluster document'),
    paused: z.boolean().default(false).describe('true: no node begins; those that have begun are finished'),
    drivers: z.array(driver).describe('Each with a label prefix of its own'),
  })
  .check((context) => {
    const prefixes = new Set<string>();
    context.value.drivers.forEach((one, index) => {
      if (prefixes.has(one.labelPrefix)) {
        complain(context, ['drivers', index, 'labelPrefix'], `two drivers have the label prefix ${one.labelPrefix}`);
      }
      prefixes.add(one.labelPrefix);
      const listed = one.policies.flatMap((policy) => policy.daemonSets.map((each) => each.name));
      if (one.uninstall !== (listed.length === 0)) {
        complain(context, ['drivers', index, 'policies'], 'DaemonSets are listed exactly when `uninstall` is not set');
      }
      const twice = listed.find((name, at) => listed.indexOf(name) !== at);
      if (twice !== undefined) complain(context, ['drivers', index, 'policies'], `${twice} is listed twice`);
    });
  });

function complain(context: z.core.ParsePayload, path: (string | number)[], message: string): void {
  context.issues.push({ code: 'custom', input: context.value, path, message });
}

/** The policy document as the companion works with it: every default filled in. */
export type UpgradePolicy = z.output<typeof upgradePolicySchema>;
/** The policy document as people or the generator may write it. */
export type UpgradePolicyInput = z.input<typeof upgradePolicySchema>;
/** One driver of the document. */
export type DriverPolicy = UpgradePolicy['drivers'][number];
/** How a driver's nodes are taken one after the other. */
export type Rollout = DriverPolicy['rollout'];
export type MaintenanceWindow = Rollout['maintenanceWindows'][number];

/** One upstream `upgradePolicy`, of either operator, in one shape. */
export interface NodeUpgradePolicy {
  readonly name: string;
  readonly autoUpgrade: boolean;
  /** 0: no limit. */
  readonly maxParallelUpgrades: number;
  /** Absent: no limit. */
  readonly maxUnavailable?: number | string;
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

/** The policies of a driver in one shape: what upstream leaves out means that the step is off. */
export function nodeUpgradePolicies(driver: DriverPolicy): readonly NodeUpgradePolicy[] {
  if (driver.api === 'network-operator') {
    return driver.policies.map(({ name, daemonSets, upgradePolicy }) => oneShape(name, daemonSets, upgradePolicy));
  }
  return driver.policies.map(({ name, daemonSets, upgradePolicy }) => ({
    ...oneShape(name, daemonSets, upgradePolicy),
    maxUnavailable: upgradePolicy.maxUnavailable,
    podDeletion: podDeletion.parse(upgradePolicy.podDeletion ?? upgradePolicy.gpuPodDeletion ?? {}),
  }));
}

type CommonUpgradePolicy = Omit<z.output<typeof ofedUpgradePolicySchema>, 'safeLoad'>;

const DRAIN_OFF = { enable: false, force: false, podSelector: '', timeoutSeconds: 0, deleteEmptyDir: false };
const POD_DELETION_DEFAULT = podDeletion.parse({});

function oneShape(
  name: string,
  daemonSets: NodeUpgradePolicy['daemonSets'],
  from: CommonUpgradePolicy,
): NodeUpgradePolicy {
  return {
    name,
    daemonSets,
    autoUpgrade: from.autoUpgrade,
    maxParallelUpgrades: from.maxParallelUpgrades,
    waitForCompletion: from.waitForCompletion ?? { podSelector: '', timeoutSeconds: 0 },
    podDeletion: POD_DELETION_DEFAULT,
    drain: from.drain ?? DRAIN_OFF,
  };
}

/**
 * Hash of a policy document: the same for two texts that mean the same. 16 hexadecimal digits; a Job has it in its
 * environment and is superseded when the document's is another.
 */
export function upgradePolicyHash(policy: UpgradePolicy): string {
  return createHash('sha256').update(upgradePolicyText(policy)).digest('hex').slice(0, 16);
}

/** The canonical text of a policy document: keys sorted, defaults filled in. */
export function upgradePolicyText(policy: UpgradePolicy): string {
  return JSON.stringify(policy, (_key, value: unknown) =>
    value !== null && typeof value === 'object' && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}
