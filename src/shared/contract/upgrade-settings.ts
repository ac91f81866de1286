import * as z from 'zod';
import { checkedText, count, countOrPercentage, labelMap, selectorText } from '../kubernetes/fields.js';
import { isQualifiedName } from '../kubernetes/names.js';
import { durationSeconds } from './duration.js';
import { ownNodeMaintenance } from './node-maintenance.js';
import { isTimeZone, scheduleError, WINDOW_SECONDS_MIN } from './maintenance-window.js';
import { strictObject } from '../lib/strict-object.js';

/**
 * What the Cluster document's `upgrade` adds to the `upgradePolicy` of the operators' API. The companion's document has the same
 * fields in the same form.
 */
const DURATION = 'must be a duration such as `30m` or `1h30m`';

/** A time span such as `30m`, `6h` or `1h30m`. */
const duration = z
  .string()
  .regex(/^(?:\d+d)?(?:\d+h)?(?:\d+m)?(?:\d+s)?$/, { error: DURATION, abort: true })
  .refine((text) => durationSeconds(text) !== undefined, { error: DURATION, abort: true });

/** An IANA time zone. */
export const timeZone = z.string().refine(isTimeZone, { error: 'must be an IANA time zone such as `Europe/Oslo`' });

const maintenanceWindow = strictObject(() => ({
  schedule: checkedText(scheduleError).describe('When the window opens: cron, five fields.'),
  duration: duration
    .refine((text) => (durationSeconds(text) ?? 0) >= WINDOW_SECONDS_MIN, { error: 'must be a minute at least' })
    .describe('How long it stays open, for instance `6h`.'),
  timeZone: timeZone.default('UTC').describe('IANA time zone of the schedule.'),
}));

const extendedResource = z
  .string()
  .refine((name) => name.includes('/') && isQualifiedName(name), {
    error: 'must be the full name of a resource, with its prefix, such as `rdma/rdma_shared_device_a`',
  })
  .describe('A resource.');

/** A resource, or all of a prefix: `rdma/*`. */
const validatedResource = z.union([
  extendedResource,
  z.string().refine((name) => name.endsWith('/*') && isQualifiedName(name.replace(/\*$/, 'any'))),
]);

const validation = strictObject(() => ({
  resources: z
    .array(validatedResource)
    .default([])
    .describe(
      'Resources that must be allocatable after the upgrade. `rdma/*`: those of the prefix that were before it, and as much.',
    ),
  gatedPods: z
    .boolean()
    .default(false)
    .describe('Whether as many pods that wait for the driver must be Ready, and made anew, as were there before.'),
  podSelector: selectorText.default('').describe('Pods on the node that must be Ready after the upgrade.'),
  podNamespace: z
    .string()
    .optional()
    .describe(
      'Namespace of these pods. Those of the drivers, `gpu-operator` and `nvidia-gpu-operator` always count; pods of other namespaces do not.',
    ),
  timeoutSeconds: count.default(600).describe('Seconds after which the node counts as failed; 0 for never.'),
})).describe('Checks after the upgrade of a node; none after an uninstall.');

/** One failed node is the least that can keep new ones from starting. */
export const atLeastOne = z.union([
  z.int().min(1),
  z.string().regex(/^(?:100|0?[1-9]|[1-9]\d)%$/, { error: 'must be a whole number or a percentage, and not 0' }),
]);

const canary = strictObject(() => ({
  nodes: z
    .int()
    .min(1)
    .optional()
    .describe('How many nodes of each driver DaemonSet go first. Default: 1; with `nodeSelector` all that it selects.'),
  nodeSelector: labelMap.optional().describe('Which nodes go first.'),
  soak: duration.default('0s').describe('How long they run before the others follow.'),
}));

const OWN = 'in the place of that of the cluster, which does not count them';

function upgradePoolOf(budget: typeof countOrPercentage) {
  return strictObject(() => ({
    name: z.string().describe('Name of the upgrade pool.'),
    nodeSelector: labelMap.describe('Labels of its nodes. A node belongs to one pool at most.'),
    maxUnavailable: countOrPercentage
      .optional()
      .describe('Nodes of the pool that may be unavailable at once; a percentage is rounded up.'),
    maxParallelUpgrades: count.optional().describe('Nodes of the pool that are upgraded at once; 0 for no limit.'),
    maintenanceWindows: z
      .array(maintenanceWindow)
      .optional()
      .describe('When its nodes may start, in the place of the windows of the cluster; an empty list: always.'),
    canary: canary.optional().describe(`Its nodes that go first, ${OWN}.`),
    failureBudget: budget
      .optional()
      .describe(`So many failed nodes of the pool keep its other nodes from starting, ${OWN}.`),
  }));
}

function failureBudgetOf(budget: typeof countOrPercentage) {
  return budget
    .default(1)
    .describe(
      'So many failed nodes keep new ones from starting; at least 1. A percentage is rounded up, and holds for the nodes of each driver DaemonSet, too.',
    );
}

function poolsOf(budget: typeof countOrPercentage) {
  return z.array(upgradePoolOf(budget)).default([]).describe('Limits of some nodes.');
}

/** How nodes are taken out, whatever driver they are due for. The policy of an older output may have a failure budget of 0, which means 1. */
export const rollout = strictObject(() => ({
  pools: poolsOf(countOrPercentage),
  canary: canary.optional().describe('Nodes that go first.'),
  failureBudget: failureBudgetOf(countOrPercentage),
  maintenanceWindows: z.array(maintenanceWindow).default([]).describe('When nodes may start. Default: always.'),
  topologyKey: z
    .string()
    .refine(isQualifiedName, { error: 'must be a label key' })
    .optional()
    .describe('One domain at a time, for instance a rack: a node label.'),
  prePull: z
    .boolean()
    .default(false)
    .describe(
      'Whether a DaemonSet beside each driver’s pulls the coming image first. A node begins when its image is there.',
    ),
  prePullTimeout: duration.default('15m').describe('A node begins after this time, whether its image is there or not.'),
  validation: validation.optional(),
  waitForEvictedPods: z
    .boolean()
    .optional()
    .describe(
      'Whether a node waits until the pods that were evicted from others have nodes. `false` where nodes wait for ' +
        'pods that fit only the node that they left. Default: true.',
    ),
  driverTimeout: duration
    .default('30m')
    .describe(
      'A node fails when its new driver is not ready after this time, or ten minutes after the driver’s startup probe ' +
        'gives up where that is later.',
    ),
  onDrainFailure: z
    .enum(['uncordon', 'keep'])
    .default('uncordon')
    .describe(
      'What becomes of a node that cannot be drained, before its driver was touched: `keep` leaves it cordoned.',
    ),
  afterDrainTimeout: z
    .enum(['fail', 'deletePods', 'deletePodsIgnoringBudgets'])
    .optional()
    .describe(
      'What follows when the time of a drain is over. `fail`: the node fails. `deletePods`: pods without a PodDisruptionBudget are deleted ' +
        'instead of evicted, and the node fails after the same time again. `deletePodsIgnoringBudgets`: those with one, too. Default: `fail`.',
    ),
}));

export const paused = z
  .boolean()
  .default(false)
  .describe('Whether the companion starts no node. Nodes that it has started are finished.');

const drainer = z
  .enum(['Companion', 'MaintenanceOperator'])
  .default('Companion')
  .describe(
    'Who cordons and drains nodes: the companion, or the Maintenance Operator, which the companion asks for each node by a NodeMaintenance.',
  );

/** The section `upgrade` of a Cluster document. */
export const upgradeSettings = rollout
  .extend({
    pools: poolsOf(atLeastOne),
    failureBudget: failureBudgetOf(atLeastOne),
    paused,
    drainer,
    nodeMaintenance: ownNodeMaintenance.prefault({}),
  })
  .describe('How drivers move forward, where the operator’s API has no place for it.');

export type Rollout = z.output<typeof rollout>;
