import type { DriverCoverage } from '../../shared/contract/driver-coverage.js';
import type { DriverPolicy, UpgradePolicy } from '../../shared/contract/upgrade-policy.js';
import type { KubernetesObject } from '../../shared/kubernetes/types.js';
import { compareText } from '../../shared/lib/json.js';
import { counted, listed } from '../../shared/lib/listed.js';
import { textsAt } from '../../cluster/changes/data.js';
import type { ClusterNode } from '../../cluster/pools/nodes.js';
import type { NodeRow } from './node-rows.js';
import {
  changed,
  drainSettingNotes,
  hasSeveralDrivers,
  ofDriver,
  sectionsOf,
  setting,
  settingNotes,
  STAYS,
  type Section,
} from './setting-notes.js';

/** The driver of a policy by which the companion drains nodes for the SR-IOV Network Operator. */
export function virtualFunctionsIn(policy: UpgradePolicy | undefined): DriverPolicy | undefined {
  return policy?.drivers.find(({ kind }) => kind === 'sriov');
}

/** What the companion does for virtual functions after a change that it does not do before, or the other way round. */
export function virtualFunctionNotes(
  before: UpgradePolicy | undefined,
  after: UpgradePolicy | undefined,
): readonly string[] {
  return [
    ...driverNotes(before, after),
    ...(before === undefined || after === undefined ? [] : restartNotes(before, after)),
  ];
}

function driverNotes(before: UpgradePolicy | undefined, after: UpgradePolicy | undefined): readonly string[] {
  const [from, to] = [virtualFunctionsIn(before), virtualFunctionsIn(after)];
  if (from === undefined) {
    return to === undefined
      ? []
      : ['the companion drains the nodes whose virtual functions change, for the SR-IOV network operator'];
  }
  if (to === undefined) return [goneText(after)];
  return [
    ...changed(
      prefixText(from.resourcePrefixes),
      prefixText(to.resourcePrefixes),
      (evicted, until) => `for \`Drain_Required\`, pods that request ${evicted} are evicted; before: ${until}`,
    ),
    ...poolNotes(from, to),
    ...ofDriver(to, hasSeveralDrivers(before, after), drainNotes(from, to)),
  ];
}

/** Without a policy of the companion nothing says whether the operator stays. */
function goneText(after: UpgradePolicy | undefined): string {
  const gone = 'the companion drains no node for the SR-IOV network operator any more';
  if (after === undefined) return `${gone}; ${STAYS}`;
  const operator = after.sriovNodeStates === undefined ? 'leaves the output' : 'drains by itself';
  return `${gone}, which ${operator}; ${STAYS}`;
}

function poolNotes(before: DriverPolicy, after: DriverPolicy): readonly string[] {
  const pools = sectionsOf(after).slice(0, -1);
  const old = new Map(sectionsOf(before).map((one) => [one.name, one]));
  const gone = sectionsOf(before).filter(({ name }) => sectionsOf(after).every((one) => one.name !== name));
  return [
    ...pools.flatMap((pool) => {
      const from = old.get(pool.name);
      if (from !== undefined) return poolSettingNotes(from, pool);
      return [`SriovNetworkPoolConfig \`${pool.name}\` is new: ${limitText(pool)} of its nodes are out at once`];
    }),
    ...gone.map(({ name }) => `SriovNetworkPoolConfig \`${name}\` is gone: its nodes are out one at a time`),
  ];
}

function prefixText(prefixes: readonly string[]): string {
  return prefixes.map((prefix) => `\`${prefix}…\``).join(' or ');
}

/** What a node waits for after a restart of OFED, whoever drains it for the operator. */
function restartNotes(before: UpgradePolicy, after: UpgradePolicy): readonly string[] {
  const hasOfed = [before, after].every(({ drivers }) => drivers.some(({ kind }) => kind === 'ofed'));
  if (!hasOfed) return [];
  return changed(before.sriovNodeStates?.resourcePrefix, after.sriovNodeStates?.resourcePrefix, (to, from) => {
    if (to === undefined) return 'after a restart of OFED, no node waits for its virtual functions any more';
    if (from === undefined)
      return 'after a restart of OFED, a node takes pods again when its virtual functions are back';
    return setting('resources that must be back after a restart of OFED', prefixText([to]), prefixText([from]));
  });
}

function poolSettingNotes(before: Section, after: Section): readonly string[] {
  return [
    ...changed(before.maxInProgress, after.maxInProgress, () =>
      setting(
        `nodes of SriovNetworkPoolConfig \`${after.name}\` that are out at once`,
        limitText(after),
        limitText(before),
      ),
    ),
    ...changed(
      before.nodeSelector,
      after.nodeSelector,
      () => `SriovNetworkPoolConfig \`${after.name}\` selects other nodes`,
    ),
  ];
}

function limitText({ maxInProgress }: Section): string | number {
  return maxInProgress ?? 'any number';
}

/** All pools have the same settings of the drain. */
function drainNotes(before: DriverPolicy, after: DriverPolicy): readonly string[] {
  const from = sectionsOf(before).at(-1);
  const to = sectionsOf(after).at(-1);
  if (from === undefined || to === undefined) return [];
  return [...drainSettingNotes(from.drain, to.drain, 'pods lose their virtual functions'), ...settingNotes(from, to)];
}

/** The nodes of a cluster, as far as they are known. */
export interface KnownNodes {
  readonly coverage: readonly DriverCoverage[];
  readonly nodes?: readonly ClusterNode[];
}

/** What a change of a SriovNetworkNodePolicy does to nodes, where the companion drains for it. */
export function nodePolicyNotes(
  object: KubernetesObject,
  rows: readonly NodeRow[],
  known: KnownNodes,
): readonly string[] {
  const once = takenOutOnce([...textsAt(object, 'spec', 'nodeSelector')], rows, known);
  return [
    'the SR-IOV network operator sets up the nodes that it selects anew; the companion drains those that need it',
    ...(once === undefined ? [] : [`${once} taken out once for OFED and SR-IOV`]),
  ];
}

/** The nodes that also get another OFED driver, as the subject of a sentence. */
function takenOutOnce(
  selector: readonly (readonly [string, string])[],
  rows: readonly NodeRow[],
  { coverage, nodes }: KnownNodes,
): string | undefined {
  const drained = rows.filter(({ step }) => step === 'drained');
  if (nodes !== undefined) {
    const names = new Set(drained.flatMap((row) => row.nodes ?? []));
    const both = nodes.filter(
      ({ name, labels }) => names.has(name) && selector.every(([key, value]) => labels.get(key) === value),
    );
    return both.length === 0 ? undefined : `${counted(both.length, 'node')} ${both.length === 1 ? 'is' : 'are'}`;
  }
  const pools = new Set(drained.flatMap(({ places }) => places.map(({ pool }) => pool)));
  // A pool need not list the labels that its nodes have.
  const isExcluded = (labels: readonly string[]): boolean =>
    selector.some(([key, value]) => labels.some((label) => label.startsWith(`${key}=`) && label !== `${key}=${value}`));
  const both = coverage.filter(({ pool, labels }) => pools.has(pool) && !isExcluded(labels));
  const names = [...new Set(both.map(({ pool }) => `\`${pool}\``))].sort(compareText);
  if (names.length === 0) return undefined;
  return `the nodes of ${names.length === 1 ? 'pool' : 'pools'} ${listed(names, names.length)} that it selects are`;
}
