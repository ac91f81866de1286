import type { ClusterSettings } from '../../shared/contract/cluster-settings.js';
import type { DriverCoverage } from '../../shared/contract/driver-coverage.js';
import { fieldChanges, type FieldChange } from '../../cluster/changes/fields.js';
import type { CoveredSide } from '../impact/coverage-changes.js';
import type { DriverSet } from '../impact/driver-sets.js';
import { nodeOf } from '../impact/node-rows.js';
import { underNewNames, type CoverageSides } from '../impact/pool-changes.js';
import { touches } from '../impact/refused.js';

/** What one side knows of its Cluster document. */
interface Side {
  readonly settings?: ClusterSettings;
  readonly coverage?: readonly DriverCoverage[];
  /** With all node pools of the document, also those without a driver; absent if they are not known. */
  readonly covered?: Pick<CoveredSide, 'config'>;
}

/** A change of the Cluster document that no object of the output shows. */
interface SettingsChange {
  readonly impact: 'policy' | 'rights';
  /** Without a full stop. */
  readonly notes: readonly string[];
  readonly fields: readonly FieldChange[];
}

/**
 * Compares the settings, and the node pools with a driver; `undefined` if they are equal or not known. A pool with another name is the same
 * only where all else of it is: labels may change with the name.
 *
 * @param drivers the driver DaemonSets once the new output is applied, by `<namespace>/<name>`
 */
export function settingsChange(
  old: Side | undefined,
  next: Side | undefined,
  drivers: ReadonlyMap<string, DriverSet>,
): SettingsChange | undefined {
  if (old?.settings === undefined || next?.settings === undefined) return undefined;
  const pools = underNewNames({ before: old.coverage ?? [], after: next.coverage ?? [] });
  // Without a driver the pools are not known, and nothing is judged by them.
  const isKnown = pools.before.length > 0 && pools.after.length > 0;
  const sections = (settings: ClusterSettings, coverage: readonly DriverCoverage[]) => ({
    spec: { ...settings, nodePools: isKnown ? poolsOf(coverage) : {} },
  });
  const fields = fieldChanges(
    sections(old.settings, pools.before.filter(isComparable(pools.after, next))),
    sections(next.settings, pools.after),
  );
  const changed = SECTIONS.filter(({ path }) => touches(fields, path));
  if (changed.length === 0) return undefined;
  const impact = changed.some((one) => one.impact === 'policy') ? 'policy' : 'rights';
  return { impact, notes: [...changed.map(({ note }) => note), ...relabelNotes(pools, drivers)], fields };
}

/** Which old rows are of pools that have a driver, too, or left the document: others lost a driver that no policy has for them. */
function isComparable(after: readonly DriverCoverage[], { covered }: Side): (row: DriverCoverage) => boolean {
  const driven = new Set(after.map(({ pool }) => pool));
  const all = new Set(covered?.config.cluster.pools.map(({ name }) => name));
  return ({ pool }) => driven.has(pool) || !all.has(pool);
}

/** Pools whose nodes lose their driver pod when somebody gives them the labels and taints that the pool has now. */
function relabelNotes({ before, after }: CoverageSides, drivers: ReadonlyMap<string, DriverSet>): readonly string[] {
  const keyOf = ({ pool, kernel }: DriverCoverage): string => JSON.stringify([pool, kernel]);
  const old = new Map(before.map((row) => [keyOf(row), row]));
  const notes = after.flatMap((row) => {
    const had = old.get(keyOf(row));
    const driver = had && drivers.get(had.daemonSet);
    if (driver === undefined || driver.keepsPodOn(nodeOf(row)) || !driver.keepsPodOn(nodeOf(had ?? row))) return [];
    return `a node that gets the new labels and taints of pool \`${row.pool}\` loses its driver pod at once, without a drain: \`${driver.name}\` is not for them; drain the node first`;
  });
  return [...new Set(notes)];
}

function poolsOf(coverage: readonly DriverCoverage[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(coverage.map(({ pool, labels, taints }) => [pool, { labels, taints }]));
}

const SECTIONS = [
  {
    path: 'spec.access',
    impact: 'policy',
    note: 'commands such as `weft upgrade run` reach another live cluster, or any that the context reaches',
  },
  {
    path: 'spec.nodePools',
    impact: 'policy',
    note: 'other node pools, or other labels or taints of one: the nodes have those that they have, and what the diff says of drivers is judged by these',
  },
  {
    path: 'spec.gitops',
    impact: 'rights',
    note: '`gitops` decides what Argo CD or Flux applies, from where, and with whose rights: review it as code',
  },
  {
    path: 'spec.patches',
    impact: 'rights',
    note: 'a patch may change any field of an object, whatever the class of the object says: review `patches` as code',
  },
] as const;
