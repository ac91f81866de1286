import * as z from 'zod';
import { count, countOrPercentage, selectorText } from '../kubernetes/fields.js';
import { strictObject } from '../lib/strict-object.js';

/**
 * The `upgradePolicy` of both operators. A policy document has them verbatim, and so has the companion's document, so that
 * each field is defined here alone. The operators' API takes any text as a selector; their controllers fail on one that cannot be read when a node
 * is to be upgraded (k8s-operator-libs, pkg/upgrade), and nodes wait for ever.
 */
const waitForCompletion = strictObject(() => ({
  podSelector: selectorText.default('').describe('Label selector of the pods to wait for; empty for none.'),
  timeoutSeconds: count.default(0).describe('Seconds after which the upgrade goes on anyway; 0 for never.'),
})).describe('Pods that must finish before a node is drained.');

const drainFields = {
  force: z.boolean().default(false).describe('Whether pods without a controller are evicted too.'),
  podSelector: selectorText.default('').describe('Label selector of the pods to evict; empty for all.'),
  timeoutSeconds: count.default(300).describe('Seconds after which the drain counts as failed; 0 for never.'),
  deleteEmptyDir: z.boolean().default(false).describe('Whether pods with local data are evicted too.'),
};

const commonFields = {
  autoUpgrade: z.boolean().default(false).describe('Whether nodes are upgraded at all.'),
  maxParallelUpgrades: count.default(1).describe('Nodes that are upgraded at once; 0 for no limit.'),
  waitForCompletion: waitForCompletion.optional(),
};

/** `ofedDriver.upgradePolicy` of a policy: fields and defaults of network-operator b06827e0, `api/v1alpha1`. */
export const ofedUpgradePolicy = strictObject(() => ({
  ...commonFields,
  drain: strictObject(() => ({
    enable: z.boolean().default(true).describe('Whether the node is drained.'),
    ...drainFields,
  }))
    .optional()
    .describe('How a node is drained. Without it, nodes are not drained.'),
  safeLoad: z
    .boolean()
    .default(false)
    .describe('Whether a node is drained before its driver is loaded for the first time. Needs `autoUpgrade`.'),
})).describe('How the driver moves forward, node by node.');

/** Deletion of the pods that hold the driver's resources. */
export const podDeletion = strictObject(() => ({
  force: drainFields.force,
  timeoutSeconds: count.default(300).describe('Seconds after which the node is drained, or fails; 0 for never.'),
  deleteEmptyDir: drainFields.deleteEmptyDir,
  podSelector: selectorText
    .optional()
    .describe('Label selector of more pods to evict: those that use a GPU and do not ask for one.'),
}));

/** The GPU operator's `driver.upgradePolicy`: fields and defaults of k8s-operator-libs 11e747a, `api/upgrade/v1alpha1`. */
export const gpuUpgradePolicy = strictObject(() => ({
  ...commonFields,
  maxUnavailable: countOrPercentage.default('25%').describe('Nodes that may be cordoned or not ready at once.'),
  podDeletion: podDeletion.optional().describe('The same as `gpuPodDeletion`, by its name in a ClusterPolicy.'),
  gpuPodDeletion: podDeletion
    .optional()
    .describe('How the pods that hold a GPU are evicted from a cordoned node; the name in the operator’s chart.'),
  drain: strictObject(() => ({
    enable: z.boolean().default(false).describe('Whether the node is drained.'),
    ...drainFields,
  }))
    .optional()
    .describe('How a node is drained where pods still hold a GPU. Without it, such a node fails.'),
})).describe('How the driver moves forward, node by node.');

/** As `waitForCompletion` and `drain` of the others. */
const sriovDrainFields = {
  waitForCompletion: strictObject(() => ({
    podSelector: selectorText.default('').describe('Label selector of the pods to wait for; empty for none.'),
    timeoutSeconds: count.default(0).describe('Seconds after which the node is drained anyway; 0 for never.'),
  }))
    .optional()
    .describe('Pods that must finish before a node is drained.'),
  drain: strictObject(() => drainFields)
    .prefault({})
    .describe('How pods are evicted: those with virtual functions, or all pods before a reboot.'),
};

/** How the companion drains nodes for the SR-IOV Network Operator, wherever they are. */
export const sriovDrain = strictObject(() => sriovDrainFields);

/**
 * How the companion drains the nodes of a pool for the SR-IOV Network Operator, in the place of the operator's own drain, which has no
 * settings but `maxUnavailable` of a pool: sriov-network-operator 249e20012, `pkg/drain/drainer.go` and
 * `controllers/drain_controller_helper.go`.
 */
export const sriovUpgradePolicy = strictObject(() => ({
  maxUnavailable: countOrPercentage
    .optional()
    .describe('Nodes that are out at once; a percentage is rounded down. Without it, no limit.'),
  ...sriovDrainFields,
})).describe('How nodes are taken out for a change of their virtual functions.');

export type OfedUpgradePolicy = z.output<typeof ofedUpgradePolicy>;
export type SriovDrain = z.output<typeof sriovDrain>;
