import type { DriverPolicyOf, UpgradePolicy } from '../../shared/contract/upgrade-policy.js';
import { canonicalJson } from '../../shared/lib/json.js';
import { gpuDriverNotes } from './gpu-driver-change.js';
import { rolloutNotes } from './rollout-change.js';
import { virtualFunctionNotes } from './virtual-functions.js';
import {
  drainSettingNotes,
  hasSeveralDrivers,
  ofDriver,
  sectionsOf,
  settingNotes,
  type Section,
} from './setting-notes.js';

/**
 * What the companion may do after a change of its policy that it may not do before, or the other way round, as sentences without a
 * full stop. The lists of DaemonSets and their digests do not count: drivers show that themselves.
 */
export function policyNotes(before: UpgradePolicy | undefined, after: UpgradePolicy | undefined): readonly string[] {
  const others = [...gpuDriverNotes(before, after), ...virtualFunctionNotes(before, after)];
  if (before === undefined)
    return after === undefined ? [] : ['the companion is new: it upgrades nodes from now on', ...others];
  if (after === undefined) return ['the companion goes: nothing upgrades nodes any more', ...others];
  const isOneOfSeveral = hasSeveralDrivers(before, after);
  return [
    ...(before.paused === after.paused ? [] : [pauseText(after.paused)]),
    ...drainerNotes(before.nodeMaintenance, after.nodeMaintenance),
    ...ofedNotes(ofedIn(before), ofedIn(after), isOneOfSeveral),
    ...others,
    ...rolloutNotes(before.rollout, after.rollout),
  ];
}

function ofedIn({ drivers }: UpgradePolicy): DriverPolicyOf<'ofed'> | undefined {
  return drivers.find((one) => one.kind === 'ofed');
}

function pauseText(isPaused: boolean): string {
  return isPaused
    ? '`upgrade.paused` is set: the companion begins no node'
    : '`upgrade.paused` is not set any more: the companion begins the nodes that wait';
}

type NodeMaintenance = UpgradePolicy['nodeMaintenance'];

/** Who drains from now on; a node stays with the one that has it. */
function drainerNotes(before: NodeMaintenance, after: NodeMaintenance): readonly string[] {
  if (canonicalJson(before) === canonicalJson(after)) return [];
  if (after === undefined)
    return [
      'the companion cordons and drains nodes; before: the Maintenance Operator. Nodes that it was asked for are left as they are, cordoned: ' +
        'let them be done before',
    ];
  const where = `NodeMaintenances \`${after.namespace}/${after.namePrefix}-…\` of the requestor \`${after.requestorID}\``;
  if (before === undefined)
    return [
      `the Maintenance Operator cordons and drains nodes, by ${where}; before: the companion, which finishes the nodes that it has begun`,
    ];
  const isFound = before.namespace === after.namespace && before.requestorID === after.requestorID;
  const left = isFound
    ? 'nodes that are out keep the NodeMaintenances that they have until they are done'
    : 'the NodeMaintenances of nodes that are out, or failed, are not found any more: let these nodes be done before, or delete them by hand';
  return [`the Maintenance Operator is asked by ${where}; ${left}`];
}

function ofedNotes(
  before: DriverPolicyOf<'ofed'> | undefined,
  after: DriverPolicyOf<'ofed'> | undefined,
  isOneOfSeveral: boolean,
): readonly string[] {
  if (!before || !after) return [];
  const uninstall = after.uninstall
    ? 'the driver is uninstalled, node by node'
    : 'the driver is not uninstalled any more: nodes that have none get it again';
  return ofDriver(after, isOneOfSeveral, [
    ...(before.uninstall === after.uninstall ? [] : [uninstall]),
    ...(before.namespace === after.namespace ? [] : [`the companion works in namespace \`${after.namespace}\` now`]),
    ...sectionNotes(before, after),
  ]);
}

function sectionNotes(before: DriverPolicyOf<'ofed'>, after: DriverPolicyOf<'ofed'>): readonly string[] {
  const old = new Map(sectionsOf(before).map((one) => [one.name, one]));
  const next = sectionsOf(after);
  const gone = [...old.keys()].filter((name) => next.every((one) => one.name !== name));
  return [
    ...next.flatMap((one) => {
      const from = old.get(one.name);
      if (!from) return [`policy \`${one.name}\` is new: it ${newText(one)}`];
      const notes = [...drainNotes(from.drain, one.drain), ...settingNotes(from, one)];
      return notes.map((note) => (next.length === 1 ? note : `policy \`${one.name}\`: ${note}`));
    }),
    ...gone.map((name) => `policy \`${name}\` is gone`),
  ];
}

function newText({ autoUpgrade, drain }: Section): string {
  if (!autoUpgrade) return 'upgrades nothing';
  return drain.enable ? 'drains and upgrades its nodes' : 'upgrades its nodes without a drain, so pods lose their NIC';
}

/** What happens to pods that stay while the driver is replaced. */
const LOST = 'pods lose their NIC';

function drainNotes(before: Section['drain'], after: Section['drain']): readonly string[] {
  if (before.enable !== after.enable) {
    if (!after.enable) return [`${LOST}: nodes are not drained any more before their driver is replaced`];
    const unset = { podSelector: '', force: false, deleteEmptyDir: false };
    return [
      'nodes are drained before their driver is replaced',
      ...drainSettingNotes({ ...after, ...unset }, after, LOST),
    ];
  }
  return after.enable ? drainSettingNotes(before, after, LOST) : [];
}
