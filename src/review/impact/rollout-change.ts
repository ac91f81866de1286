import type { Rollout } from '../../shared/contract/upgrade-settings.js';
import { canonicalJson } from '../../shared/lib/json.js';

type Text<Key extends keyof Rollout> = (to: Rollout[Key], from: Rollout[Key]) => string;
type Texts = { readonly [Key in keyof Required<Rollout>]: Text<Key> };

/** What follows from another value of each setting. The order is that of the notes: what may hurt more nodes comes first. */
const TEXTS: Texts = {
  maintenanceWindows: (to, from) =>
    to.length === 0
      ? `nodes begin at any time: there is no maintenance window any more; before: ${windowsText(from)}`
      : `nodes begin only in the windows ${windowsText(to)}; before: ${from.length === 0 ? 'at any time' : windowsText(from)}`,
  pools: (to, from) =>
    to.length === 0
      ? `no upgrade pool has limits of its own any more: all nodes in progress may be of one pool; before: ${poolsText(from)}`
      : `upgrade pools have limits of their own: ${poolsText(to)}; before: ${poolsText(from)}`,
  topologyKey: (to, from) =>
    to === undefined
      ? `nodes of several domains are upgraded at once: \`upgrade.topologyKey\` was \`${from ?? ''}\``
      : `nodes of one domain at a time are upgraded, by the label \`${to}\`; before: ${from === undefined ? 'of any' : `by \`${from}\``}`,
  canary: (to, from) =>
    to === undefined
      ? `no node goes first: a driver that does not work reaches as many nodes as the budgets allow; before: ${canaryText(from)}`
      : `nodes that go first: ${canaryText(to)}; before: ${canaryText(from)}`,
  failureBudget: (to, from) => `no node begins once ${failedText(to)} failed; before: ${failedText(from)}`,
  validation: (to, from) =>
    to === undefined
      ? `a node takes pods again without a check: \`upgrade.validation\` was ${canonicalJson(from)}`
      : `a node takes pods again after the check ${canonicalJson(to)}; before: ${from === undefined ? 'none' : canonicalJson(from)}`,
  onDrainFailure: (to) =>
    to === 'keep'
      ? 'a node that cannot be drained stays cordoned, and takes no pods'
      : 'a node that cannot be drained is uncordoned, and takes pods again',
  afterDrainTimeout: (to = 'fail', from = 'fail') => `${DELETED[to]}; before: ${DELETED[from]}`,
  waitForEvictedPods: (to) =>
    to === false
      ? 'nodes begin although pods that were evicted from others have no node'
      : 'a node begins when the pods that were evicted from others have nodes',
  driverTimeout: (to, from) => `a node fails when its new driver is not ready after ${to}; before: ${from}`,
  prePull: (to) =>
    to
      ? 'a node begins when the image of its new driver is there'
      : 'a drained node waits for the image of its new driver: it is not pulled before any more',
  prePullTimeout: (to, from) => `a node begins after ${to} without the image of its new driver; before: ${from}`,
};

const DELETED: Readonly<Record<NonNullable<Rollout['afterDrainTimeout']>, string>> = {
  fail: 'no pod is deleted when the time of a drain is over',
  deletePods: 'pods without a PodDisruptionBudget are deleted when the time of a drain is over',
  deletePodsIgnoringBudgets:
    'pods are deleted when the time of a drain is over, whatever their PodDisruptionBudgets allow',
};

/** The notes about other settings in `upgrade` of the Cluster document. */
export function rolloutNotes(before: Rollout, after: Rollout): readonly string[] {
  return (Object.keys(TEXTS) as (keyof Rollout)[]).flatMap((key) => {
    const text = TEXTS[key] as Text<keyof Rollout>;
    return canonicalJson(before[key]) === canonicalJson(after[key]) ? [] : [text(after[key], before[key])];
  });
}

function windowsText(windows: Rollout['maintenanceWindows']): string {
  return windows
    .map(({ schedule, duration, timeZone }) => `\`${schedule}\` for ${duration} (${timeZone})`)
    .join(' and ');
}

function poolsText(pools: Rollout['pools']): string {
  if (pools.length === 0) return 'none';
  return pools
    .map((pool) => {
      const { name, nodeSelector, maxUnavailable, maxParallelUpgrades } = pool;
      const { maintenanceWindows, canary, failureBudget } = pool;
      const limits = [
        ...(maxParallelUpgrades === undefined
          ? []
          : [maxParallelUpgrades === 0 ? 'any number at once' : `${maxParallelUpgrades} at once`]),
        ...(maxUnavailable === undefined ? [] : [`${maxUnavailable} unavailable`]),
        ...(maintenanceWindows === undefined ? [] : [beginText(maintenanceWindows)]),
        ...(canary === undefined ? [] : [`first go ${canaryText(canary)}`]),
        ...(failureBudget === undefined ? [] : [`no node begins once ${failedText(failureBudget)} failed`]),
      ];
      return `\`${name}\` (${[labelsText(nodeSelector), ...limits].join(', ')})`;
    })
    .join(' and ');
}

function beginText(windows: Rollout['maintenanceWindows']): string {
  return windows.length === 0 ? 'begin at any time' : `begin only in the windows ${windowsText(windows)}`;
}

function labelsText(labels: Readonly<Record<string, string>>): string {
  return Object.entries(labels)
    .map(([key, value]) => `\`${key}=${value}\``)
    .join(' and ');
}

function canaryText(canary: Rollout['canary']): string {
  if (canary === undefined) return 'none';
  const { nodes, nodeSelector, soak } = canary;
  const which = nodeSelector === undefined ? '' : ` with ${labelsText(nodeSelector)}`;
  return `${nodes ?? 'those'}${which}, which run for ${soak} before the others follow`;
}

function failedText(budget: Rollout['failureBudget']): string {
  return budget === 1
    ? '1 node has'
    : typeof budget === 'number'
      ? `${budget} nodes have`
      : `${budget} of the nodes, or of those of its driver DaemonSet, have`;
}
