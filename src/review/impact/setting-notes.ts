import {
  nodeUpgradePolicies,
  type DriverKind,
  type DriverPolicy,
  type UpgradePolicy,
} from '../../shared/contract/upgrade-policy.js';
import { canonicalJson } from '../../shared/lib/json.js';
import { shorten } from '../../shared/lib/text.js';

export type Section = ReturnType<typeof sectionsOf>[number];

/** The policies of a driver with the nodes from which each uninstalls it. */
export function sectionsOf(driver: DriverPolicy) {
  return nodeUpgradePolicies(driver).map((one, at) => ({ ...one, uninstall: uninstallsOf(driver)[at] ?? [] }));
}

function uninstallsOf(driver: DriverPolicy) {
  return driver.kind === 'ofed' ? driver.policies.map(({ uninstall = [] }) => uninstall) : [];
}

const DRIVER_NAMES: Readonly<Record<DriverKind, string>> = {
  ofed: 'OFED',
  gpu: 'GPU',
  'gpu-operator': 'GPU',
  sriov: 'SR-IOV',
};

/** Notes about the settings of a driver, by its name where there are several. */
export function ofDriver({ kind }: DriverPolicy, isOneOfSeveral: boolean, notes: readonly string[]): readonly string[] {
  return isOneOfSeveral ? notes.map((note) => `${DRIVER_NAMES[kind]}: ${note}`) : notes;
}

/** Whether the policies before and after a change have more than one driver together. */
export function hasSeveralDrivers(...policies: readonly (UpgradePolicy | undefined)[]): boolean {
  return new Set(policies.flatMap((policy) => policy?.drivers.map(({ kind }) => DRIVER_NAMES[kind]) ?? [])).size > 1;
}

/** What other settings of one policy change, but for those of the drain, the worst first. */
export function settingNotes(before: Section, after: Section): readonly string[] {
  return [
    ...changed(before.autoUpgrade, after.autoUpgrade, (to) =>
      to
        ? '`autoUpgrade` is set: nodes are upgraded from now on'
        : '`autoUpgrade` is not set any more: no node is upgraded',
    ),
    ...changed(before.maxParallelUpgrades, after.maxParallelUpgrades, (to, from) =>
      to === 0
        ? `no limit on nodes that are upgraded at once: \`maxParallelUpgrades\` was ${from}`
        : `${to === 1 ? 'one node is upgraded at a time' : `up to ${to} nodes are upgraded at once`}; before: ${from === 0 ? 'no limit' : from}`,
    ),
    ...changed(before.maxUnavailable, after.maxUnavailable, (to, from) =>
      setting('nodes that may be unavailable at once', to ?? 'no limit', from ?? 'no limit'),
    ),
    ...changed(before.waitForCompletion, after.waitForCompletion, (to, from) =>
      to.podSelector === ''
        ? `pods with \`${shownValue(from.podSelector)}\` are evicted while they run: a drain waits for none to finish any more`
        : `a drain waits for pods with ${waitText(to)}; before: ${from.podSelector === '' ? 'for none' : waitText(from)}`,
    ),
    ...changed(before.startupSeconds, after.startupSeconds, (to, from) =>
      setting('seconds that the start-up probe lets a driver load before its node fails', to, from),
    ),
    ...changed(before.uninstall, after.uninstall, (to) =>
      to.length === 0
        ? 'the driver is not uninstalled from a part of its nodes any more'
        : 'the driver is uninstalled from the nodes of some pools, node by node',
    ),
  ];
}

type Drain = Section['drain'];

/**
 * What a change of an enabled drain does.
 *
 * @param others what becomes of pods that its selector does not select
 */
export function drainSettingNotes(before: Drain, after: Drain, others: string): readonly string[] {
  return [
    ...changed(before.podSelector, after.podSelector, (to) =>
      to === ''
        ? 'a drain evicts all pods of the node'
        : `${others}: a drain evicts only pods with \`${shownValue(to)}\``,
    ),
    ...changed(before.force, after.force, (to) =>
      to
        ? '`drain.force` is set: pods without a controller are evicted, and nothing creates them again'
        : '`drain.force` is not set any more: nodes with pods without a controller fail',
    ),
    ...changed(before.deleteEmptyDir, after.deleteEmptyDir, (to) =>
      to
        ? '`drain.deleteEmptyDir` is set: pods with local data are evicted, and lose it'
        : '`drain.deleteEmptyDir` is not set any more: nodes with pods with local data fail',
    ),
    ...changed(before.timeoutSeconds, after.timeoutSeconds, () =>
      after.timeoutSeconds === 0
        ? `a drain never fails: a node may stay cordoned and wait without end; before: ${before.timeoutSeconds} s`
        : `a drain fails after ${after.timeoutSeconds} s; before: ${before.timeoutSeconds === 0 ? 'never' : `${before.timeoutSeconds} s`}`,
    ),
  ];
}

/** What becomes of nodes in progress where the companion works for another program no more. */
export const STAYS = 'a node that is in progress stays cordoned: let the companion finish it first';

/** The note of a setting that has another value. */
export function changed<Value>(from: Value, to: Value, text: (to: Value, from: Value) => string): readonly string[] {
  return valueText(from) === valueText(to) ? [] : [text(to, from)];
}

export function setting(what: string, to: string | number, from: string | number): string {
  return `${what}: ${shownValue(to)}; before: ${shownValue(from)}`;
}

/** What follows a value is what happens: a note that is too long for its place is cut at its end. */
const VALUE_LENGTH = 300;

/** A value in a note. */
export function shownValue(value: string | number): string {
  return shorten(String(value), VALUE_LENGTH);
}

function waitText({ podSelector, timeoutSeconds }: Section['waitForCompletion']): string {
  return `\`${shownValue(podSelector)}\` to finish, ${timeoutSeconds === 0 ? 'without end' : `${timeoutSeconds} s at most`}`;
}

function valueText(value: unknown): string {
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return 'none';
  return typeof value === 'string' ? value : canonicalJson(value);
}
