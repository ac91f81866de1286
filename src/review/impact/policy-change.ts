import { nodeUpgradePolicies, type DriverPolicy, type UpgradePolicy } from '../../contract/upgrade-policy.js';
import { canonicalJson, compareText } from '../../lib/json.js';
import { rolloutNotes } from './rollout-change.js';

/**
 * What the companion may do after a change of its policy that it may not do before, or the other way round, as sentences without a
 * full stop. The lists of DaemonSets and their digests do not count: drivers show that themselves.
 */
export function policyNotes(before: UpgradePolicy | undefined, after: UpgradePolicy | undefined): readonly string[] {
  if (before === undefined) return after === undefined ? [] : ['the companion is new: it upgrades nodes from now on'];
  if (after === undefined) return ['the companion goes: nothing upgrades nodes any more'];
  const prefixes = [...new Set([...before.drivers, ...after.drivers].map(({ labelPrefix }) => labelPrefix))];
  return [
    ...(before.paused === after.paused ? [] : [pauseText(after.paused)]),
    ...prefixes.sort(compareText).flatMap((prefix) => driverNotes(driverIn(before, prefix), driverIn(after, prefix))),
    ...rolloutNotes(before.rollout, after.rollout),
  ];
}

function driverIn({ drivers }: UpgradePolicy, prefix: string): DriverPolicy | undefined {
  return drivers.find(({ labelPrefix }) => labelPrefix === prefix);
}

function pauseText(isPaused: boolean): string {
  return isPaused
    ? '`upgrade.paused` is set: the companion begins no node'
    : '`upgrade.paused` is not set any more: the companion begins the nodes that wait';
}

function driverNotes(before: DriverPolicy | undefined, after: DriverPolicy | undefined): readonly string[] {
  if (!before || !after) return [];
  const uninstall = after.uninstall
    ? 'the driver is uninstalled, node by node'
    : 'the driver is not uninstalled any more: nodes that have none get it again';
  return [
    ...(before.uninstall === after.uninstall ? [] : [uninstall]),
    ...(before.namespace === after.namespace ? [] : [`the companion works in namespace \`${after.namespace}\` now`]),
    ...sectionNotes(before, after),
  ];
}

type Section = ReturnType<typeof sectionsOf>[number];

/** The policies of a driver with the nodes from which each uninstalls it. */
function sectionsOf(driver: DriverPolicy) {
  return nodeUpgradePolicies(driver).map((one, at) => ({ ...one, uninstall: driver.policies[at]?.uninstall ?? [] }));
}

function sectionNotes(before: DriverPolicy, after: DriverPolicy): readonly string[] {
  const old = new Map(sectionsOf(before).map((one) => [one.name, one]));
  const next = sectionsOf(after);
  const gone = [...old.keys()].filter((name) => next.every((one) => one.name !== name));
  return [
    ...next.flatMap((one) => {
      const from = old.get(one.name);
      if (!from) return [`policy \`${one.name}\` is new: it ${newText(one)}`];
      const notes = settingNotes(from, one);
      return notes.map((note) => (next.length === 1 ? note : `policy \`${one.name}\`: ${note}`));
    }),
    ...gone.map((name) => `policy \`${name}\` is gone`),
  ];
}

function newText({ autoUpgrade, drain }: Section): string {
  if (!autoUpgrade) return 'upgrades nothing';
  return drain.enable ? 'drains and upgrades its nodes' : 'upgrades its nodes without a drain, so pods lose their NIC';
}

/** The notes of one policy, the worst first. */
function settingNotes(before: Section, after: Section): readonly string[] {
  return [
    ...drainNotes(before.drain, after.drain),
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
        ? `pods with \`${from.podSelector}\` are evicted while they run: a drain waits for none to finish any more`
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
    ...changed(before.podDeletion, after.podDeletion, (to, from) => plainSetting('podDeletion', to, from)),
  ];
}

type Drain = Section['drain'];

function drainNotes(before: Drain, after: Drain): readonly string[] {
  if (before.enable !== after.enable) {
    if (!after.enable) return ['pods lose their NIC: nodes are not drained any more before their driver is replaced'];
    const unset = { podSelector: '', force: false, deleteEmptyDir: false };
    return ['nodes are drained before their driver is replaced', ...evictionNotes({ ...after, ...unset }, after)];
  }
  return after.enable ? evictionNotes(before, after) : [];
}

function evictionNotes(before: Drain, after: Drain): readonly string[] {
  return [
    ...changed(before.podSelector, after.podSelector, (to) =>
      to === ''
        ? 'a drain evicts all pods of the node'
        : `pods lose their NIC: a drain evicts only pods with \`${to}\``,
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

function changed<Value>(from: Value, to: Value, text: (to: Value, from: Value) => string): readonly string[] {
  return valueText(from) === valueText(to) ? [] : [text(to, from)];
}

function plainSetting(field: string, to: unknown, from: unknown): string {
  return setting(`\`${field}\``, valueText(to), valueText(from));
}

function setting(what: string, to: string | number, from: string | number): string {
  return `${what}: ${to}; before: ${from}`;
}

function waitText({ podSelector, timeoutSeconds }: Section['waitForCompletion']): string {
  return `\`${podSelector}\` to finish, ${timeoutSeconds === 0 ? 'without end' : `${timeoutSeconds} s at most`}`;
}

function valueText(value: unknown): string {
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return 'none';
  return typeof value === 'string' ? value : canonicalJson(value);
}
