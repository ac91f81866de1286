import type { ClusterSettings } from '../../shared/contract/cluster-settings.js';
import type { DriverCoverage } from '../../shared/contract/driver-coverage.js';
import { fieldChanges, type FieldChange } from '../../cluster/changes/fields.js';
import { touches } from '../impact/refused.js';

/** What one side knows of its Cluster document. */
interface Side {
  readonly settings?: ClusterSettings;
  readonly coverage?: readonly DriverCoverage[];
}

/** A change of the Cluster document that no object of the output shows. */
interface SettingsChange {
  readonly impact: 'policy' | 'rights';
  /** Without a full stop. */
  readonly notes: readonly string[];
  readonly fields: readonly FieldChange[];
}

/** Compares the settings, and the labels and taints of pools that have a driver on both sides; `undefined` if they are equal or not known. */
export function settingsChange(old: Side | undefined, next: Side | undefined): SettingsChange | undefined {
  const [before, after] = [old, next].map(sectionsOf);
  if (before === undefined || after === undefined) return undefined;
  // A pool that comes, goes or has another name shows in its driver.
  const isInBoth = (pool: string) => pool in before.nodePools && pool in after.nodePools;
  const ofBoth = ({ nodePools, ...rest }: Sections) => ({
    ...rest,
    nodePools: Object.fromEntries(Object.entries(nodePools).filter(([pool]) => isInBoth(pool))),
  });
  const fields = fieldChanges({ spec: ofBoth(before) }, { spec: ofBoth(after) });
  const changed = SECTIONS.filter(({ path }) => touches(fields, path));
  if (changed.length === 0) return undefined;
  const impact = changed.some((one) => one.impact === 'policy') ? 'policy' : 'rights';
  return { impact, notes: changed.map(({ note }) => note), fields };
}

interface Sections extends ClusterSettings {
  readonly nodePools: Readonly<Record<string, unknown>>;
}

function sectionsOf(side: Side | undefined): Sections | undefined {
  if (side?.settings === undefined) return undefined;
  const pools = (side.coverage ?? []).map(({ pool, labels, taints }) => [pool, { labels, taints }] as const);
  return { ...side.settings, nodePools: Object.fromEntries(pools) };
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
    note: 'other labels or taints of a node pool: the nodes have those that they have, and what the diff says of drivers is judged by these',
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
